"""Tables in this process, and the lines to those who watch them."""
