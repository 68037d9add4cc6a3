"""askless: a lab in which you write an agent, and change it until it needs its model less."""
