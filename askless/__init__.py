"""askless: build an agent from scratch, then make it ask the model less."""
