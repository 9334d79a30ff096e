#!/usr/bin/env python3
"""make_page.py FOLDER - writes FOLDER/terrane.html: the parts of the page beside this script, the worlds, and the
module FOLDER/terrane.wasm, packed by gzip and in base64. scripts/build-web calls it."""

import base64
import configparser
import gzip
import json
import pathlib
import re
import sys

out = pathlib.Path(sys.argv[1])
parts = pathlib.Path(__file__).resolve().parent
root = parts.parent.parent


def world_of(path):
    """A world file: its comment, parameters and look. Without a path: the default world."""
    parser = configparser.ConfigParser()
    text = path.read_text() if path else "; Rivers, lakes and mountains of a temperate land.\n[world]\nseed = 1\n"
    parser.read_string(text)
    about = " ".join(line[1:].strip() for line in text.splitlines() if line.startswith(";"))
    parameters, look = (dict(parser[name]) if name in parser else {} for name in ("world", "look"))
    return {"about": about, "parameters": parameters, "look": look}


worlds = {"default": world_of(None)}
for path in sorted((root / "assets" / "worlds").glob("*.ini")):
    worlds[path.stem] = world_of(path)
module = gzip.compress((out / "terrane.wasm").read_bytes(), 9, mtime=0)
texts = {
    "worlds": json.dumps(worlds).replace("<", "\\u003c"),
    "module": base64.b64encode(module).decode(),
    "map_light.h": (root / "src/program/picture/map_light.h").read_text(),
}


def part(match):
    name = match.group(1)
    return texts[name] if name in texts else (parts / name).read_text().rstrip()


page = re.sub(r"\{\{([\w.]+)\}\}", part, (parts / "page.html").read_text())
(out / "terrane.html").write_text(page)
print(f"{out}/terrane.html: {len(page)} bytes")
