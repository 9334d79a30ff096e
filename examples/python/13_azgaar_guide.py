"""A guide from a map of Azgaar's Fantasy Map Generator: heights and scale of a .map file become a raster and a world.

13_azgaar_guide.py MAP [NAME]   writes NAME.npy and NAME.ini; NAME is azgaar unless given

A .map file has lines of text. The first one has the size of the map in its pixels, the second one the units, the
seventh one the grid as JSON, and the eighth one a height from 0 to 100 for each cell of the grid. Land begins at 20.
Source: modules/io/save.js and getHeight() of Azgaar/Fantasy-Map-Generator
"""

import json
import sys

import numpy as np

import terrane

LENGTHS_M = {"km": 1000.0, "mi": 1609.344, "lg": 4828.032, "vr": 1066.8}  # lg: league, vr: verst

lines = open(sys.argv[1], encoding="utf-8").read().replace("\r\n", "\n").split("\n")
name = sys.argv[2] if len(sys.argv) > 2 else "azgaar"
try:
    settings, grid = lines[1].split("|"), json.loads(lines[6])
    metres_a_pixel = float(settings[1]) * LENGTHS_M.get(settings[0], 1000.0)
    exponent = float(settings[4])
    cells = np.array(lines[7].split(","), float).reshape(grid["cellsY"], grid["cellsX"])
except (LookupError, ValueError, TypeError) as error:
    sys.exit(f"{sys.argv[1]} is no .map file of the Fantasy Map Generator: {error}")

# The generator's heights in metres start at 2**exponent. Here they start at 0: the lowest land, 20, lies at sea level.
land = np.maximum(cells - 18, 0) ** exponent - 2**exponent
sea = (cells - 20) / np.maximum(cells, 1) * 50
heights = np.where(cells >= 20, land + 1, np.maximum(sea, -990)).astype(np.float32)
spacing = round(metres_a_pixel * grid["spacing"], 3)
np.save(f"{name}.npy", heights)
with open(f"{name}.ini", "w") as file:
    print(f"[world]\nguide = {name}.npy\nguide_spacing = {spacing}\nguide_at = 0,0\nguide_surround = sea", file=file)

world = terrane.World(f"{name}.ini")
rows, columns = world.guide.shape
print(f"{name}.ini: {columns * spacing / 1000:.0f} x {rows * spacing / 1000:.0f} km, {(cells >= 20).mean():.0%} land")
print(f"terrane fly --world {name}.ini --at {columns * spacing / 2:.0f},{rows * spacing / 2:.0f}")
