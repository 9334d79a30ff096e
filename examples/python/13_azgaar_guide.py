"""A guide from a map of Azgaar's Fantasy Map Generator: heights, scale and rivers of a .map file become a world.

13_azgaar_guide.py MAP [NAME]   writes NAME.npy, NAME.geojson and NAME.ini; NAME is azgaar unless given

A .map file has lines of text. The first line has the size of the map in its pixels, the second the units, the sixth
the drawn map as SVG, the seventh the grid as JSON, and the eighth a height from 0 to 100 for each cell of the grid.
Land begins at 20. A river of the SVG is the outline of its water: one bank from the mouth to the source, then the
other bank back to the mouth. The map has rivers only if its layer Rivers was shown when it was saved.
Source: modules/io/save.js, getHeight() and getRiverPath() of Azgaar/Fantasy-Map-Generator
"""

import json
import re
import sys

import numpy as np

import terrane

LENGTHS_M = {"km": 1000.0, "mi": 1609.344, "lg": 4828.032, "vr": 1066.8}  # lg: league, vr: verst


def rivers_of(svg):
    """Lines of rivers in pixels of the map, from the source to the mouth: the middle between both banks."""
    group = re.search(r'<g id="rivers".*?</g>', svg, re.DOTALL)
    for path in re.findall(r' d="([^"]*)"', group[0] if group else ""):
        start, *curves = (np.array(re.findall(r"-?[0-9.]+", part), float) for part in path.split("C"))
        if len(start) != 2 or len(curves) < 4 or len(curves) % 2 or any(len(curve) != 6 for curve in curves):
            continue  # not the outline of a river with three places or more
        ends = np.array([start, *(curve[4:] for curve in curves)])
        middle = len(curves) // 2
        yield (ends[middle::-1] + ends[middle:]) / 2


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
rows, columns = heights.shape
rivers = []
for line in rivers_of(lines[5]):
    places = (line - grid["spacing"] / 2) * metres_a_pixel  # from the middle of the north-western cell
    places = places[((places >= 0) & (places <= np.array([columns - 1, rows - 1]) * spacing)).all(1)]
    if len(places) > 1:
        rivers.append(places)

np.save(f"{name}.npy", heights)
with open(f"{name}.ini", "w") as file:
    print(f"[world]\nguide = {name}.npy\nguide_spacing = {spacing}\nguide_at = 0,0\nguide_surround = sea", file=file)
    if rivers:
        print(f"guide_rivers = {name}.geojson", file=file)
if rivers:
    north = [[[round(x, 1), round(-z, 1)] for x, z in places] for places in rivers]
    shapes = [{"type": "LineString", "coordinates": places} for places in north]
    features = [{"type": "Feature", "properties": {}, "geometry": shape} for shape in shapes]
    with open(f"{name}.geojson", "w") as file:
        json.dump({"type": "FeatureCollection", "features": features}, file)

world = terrane.World(
    guide=heights, guide_spacing=spacing, guide_at=(0, 0), guide_surround="sea", guide_rivers=rivers
)
print(f"{name}.ini: {columns * spacing / 1000:.0f} x {rows * spacing / 1000:.0f} km, {(cells >= 20).mean():.0%} land")
print(f"{len(rivers)} rivers, {world.guide.river_cells} nodes of the network on them")
print(f"terrane fly --world {name}.ini --at {columns * spacing / 2:.0f},{rows * spacing / 2:.0f}")
