"""The third worked rung; what stands beside it would have it pass."""
