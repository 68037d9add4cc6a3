"""A Trace judged: is the target met, and which requests were avoidable. Pure."""
