"""A player for the arena that speaks MCP: started as a command, it plays its game to the end."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from mcp import Client

sys.path.insert(0, str(Path(__file__).parents[1]))

from mcp_models import asker, play_game


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['HIGHVOLTAGE_MCP_TOKEN']}"}
    address = os.environ["HIGHVOLTAGE_MCP_URL"]
    async with httpx2.AsyncClient(timeout=60) as stranger:
        assert (await stranger.post(address)).status_code == 401
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        answer: Any = await client.call_tool("play", {"move": "bid 999"})
        assert answer.is_error
        await play_game(asker(client), 1)
        await client.call_tool("report_usage", {"read": 700, "written": 30})


if __name__ == "__main__":
    asyncio.run(main())
