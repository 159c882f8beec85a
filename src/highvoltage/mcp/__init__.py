"""A language model at the table: tools of the Model Context Protocol.

`model_server` offers the tools for any `Tables`: those of a terminal (`highvoltage mcp`) or those
of a server. A tool answers with text, made from what the seat may know (`highvoltage.brief`).
"""

from highvoltage.extras import extra

with extra("mcp"):
    from highvoltage.mcp.tables import Glance, Tables
    from highvoltage.mcp.tools import Tools, model_server

__all__ = ["Glance", "Tables", "Tools", "model_server"]
