"""Tables in this process, and the connections of their watchers."""
