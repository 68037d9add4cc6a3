"""The lab as a server, for agents in any language."""
