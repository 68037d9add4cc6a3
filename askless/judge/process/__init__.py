"""An agent in a process of its own: how it is started, what it may see and use, how it talks to its parent."""
