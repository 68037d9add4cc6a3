"""What the learner believes and remembers."""
