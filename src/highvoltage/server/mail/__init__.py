"""Word of a turn by e-mail, where the operator has named a mail server."""
