"""Language models at the tables of a server, through the Model Context Protocol at `/mcp`."""
