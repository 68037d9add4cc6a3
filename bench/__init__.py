"""Speed, as ratios of medians measured in one run against a floor or a peer. `make bench` runs it."""
