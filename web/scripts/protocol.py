"""Write the types of the protocol, as the server declares them, for TypeScript.

`make types` keeps the answer in web/src/lib/net/schema.ts; a test holds the two together.
"""

import json
import sys
from typing import Any

from highvoltage.server.app import build
from highvoltage.server.config import Config
from highvoltage.server.lobby.page_build import PageBuild
from highvoltage.server.openapi import openapi

HEAD = "/** Written by web/scripts/protocol.py from the server's schema: `make types`. */\n"
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def typescript() -> str:
    """All schemas of the protocol as TypeScript."""
    guard = build(Config(database="sqlite://"), b"only the types are wanted", PageBuild(""))
    schemas = openapi(guard.app)["components"]["schemas"]  # type: ignore[arg-type]
    return "\n".join([HEAD, *(declaration(name, schema) for name, schema in schemas.items())])


def declaration(name: str, schema: dict[str, Any]) -> str:
    if schema.get("type") != "object":
        return f"export type {name} = {written(schema)}\n"
    required = set(schema.get("required", ()))
    fields = (
        f"  {field}{'' if field in required else '?'}: {written(kind)}\n"
        for field, kind in schema.get("properties", {}).items()
    )
    return f"export interface {name} {{\n{''.join(fields)}}}\n"


def written(schema: dict[str, Any]) -> str:
    """A schema as a type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(
            repr(value) if isinstance(value, str) else json.dumps(value) for value in schema["enum"]
        )
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(written(each) for each in schema["anyOf"]))
    if "prefixItems" in schema:
        return f"[{', '.join(written(each) for each in schema['prefixItems'])}]"
    match schema.get("type"):
        case "array":
            inner = written(schema["items"]) if "items" in schema else "unknown"
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "object":
            values = schema.get("additionalProperties")
            return f"Record<string, {written(values) if isinstance(values, dict) else 'unknown'}>"
        case kind:
            return PLAIN.get(str(kind), "unknown")


if __name__ == "__main__":
    sys.stdout.write(typescript())
