#!/usr/bin/env python3
"""test_features.py - checks the files of test_features.sh, in the current folder, against the samples."""

import array
import json
import math
import re
import sys


def check(condition, sentence):
    if not condition:
        sys.exit(f"FAILED: {sentence}")


def features(name):
    return json.load(open(f"{name}.geojson"))["features"]


class Samples:
    """Samples of a layer; places are those of files."""

    def __init__(self, name, x, z, step, side):
        self.numbers = array.array("f", open(f"{name}.r32", "rb").read())
        self.x, self.z, self.step, self.side = x, z, step, side

    def place(self, n):
        return self.x + n % self.side * self.step, -(self.z + n // self.side * self.step)

    def at(self, east, north):
        return self.numbers[round((-north - self.z) / self.step) * self.side + round((east - self.x) / self.step)]


def crossings(ring, east, north):
    """Number of times that a ring crosses the ray from a point to the east."""
    count = 0
    for (ax, ay, *_), (bx, by, *_) in zip(ring, ring[1:]):
        if (ay > north) != (by > north) and east < ax + (north - ay) / (by - ay) * (bx - ax):
            count += 1
    return count


def contains(feature, east, north):
    return sum(crossings(r, east, north) for p in feature["geometry"]["coordinates"] for r in p) % 2 == 1


def ring_area(ring):
    x, y = ring[0][:2]
    return abs(sum((a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y) for a, b in zip(ring, ring[1:]))) / 2


def area_km2(feature):
    polygons = feature["geometry"]["coordinates"]
    return sum(ring_area(p[0]) - sum(map(ring_area, p[1:])) for p in polygons) * 1e-6


def check_polygons(found, name):
    for f in found:
        check(abs(area_km2(f) - f["properties"]["area_km2"]) < 1e-6 + 1e-6 * area_km2(f), f"area of {name}")
        for polygon in f["geometry"]["coordinates"]:
            check(all(ring[0] == ring[-1] and len(ring) > 3 for ring in polygon), f"rings of {name} are closed")


def check_coast():
    """The land is where samples lie above the sea; catchments cover it once."""
    height = Samples("coast_height", -1123840, 1548800, 128, 160)
    coast, catchments = features("coast_coast"), features("coast_catchments")
    check_polygons(coast, "coasts")
    check_polygons(catchments, "catchments")
    check(any(f["properties"]["kind"] == "island" for f in coast), "there are islands")
    check(any(len(p) > 1 for f in coast for p in f["geometry"]["coordinates"]), "there are holes")
    for n in range(0, len(height.numbers), 11):
        land = sum(contains(f, *height.place(n)) for f in coast)
        check(land == (height.numbers[n] > 0), f"{land} lands at a sample of {height.numbers[n]} m")
    for n in range(0, len(height.numbers), 53):
        owners = sum(contains(f, *height.place(n)) for f in catchments)
        check(owners == (height.numbers[n] >= 0), f"{owners} catchments at a sample of {height.numbers[n]} m")
    land_km2 = sum(h >= 0 for h in height.numbers) * 128**2 * 1e-6
    check(abs(sum(map(area_km2, catchments)) - land_km2) < 1e-6 * land_km2, "areas of catchments add up to the land")


def check_lakes(height, water):
    """Samples in a lake have its level, rivers name the same lakes, and the water leaves them where they say."""
    lakes = features("lakes_lakes")
    rivers = {f["properties"]["id"]: f["properties"] for f in features("lakes_rivers")}
    check_polygons(lakes, "lakes")
    names = {r["lake"] for r in rivers.values() if r["kind"] == "lake"}
    for lake in lakes:
        p, inside, deepest, volume = lake["properties"], 0, 0.0, 0.0
        check(p["id"] in names and p["outlet"] in rivers, "rivers run through the lake")
        start = rivers[p["outlet"]]
        check((start["start_x"], start["start_y"]) == (p["outlet_x"], p["outlet_y"]), "the outlet begins a reach")
        for n, level in enumerate(water.numbers):
            if abs(level - p["level_m"]) < 1e-3 and contains(lake, *water.place(n)):
                depth = max(level - height.numbers[n], 0.0)
                inside, deepest, volume = inside + 1, max(deepest, depth), volume + depth * 64**2
        check(abs(inside * 64**2 * 1e-6 - p["area_km2"]) < 0.15 * p["area_km2"], f"{inside} samples of the lake")
        check(abs(deepest - p["depth_m"]) < 1e-3, "depth of the lake")
        check(abs(volume - p["volume_m3"]) < 1e-6 * volume, "volume of the lake")


def check_catchments():
    """Catchments have the ids of reaches, and most of a river's points lie in its own."""
    catchments = {f["properties"]["id"]: f for f in features("lakes_catchments")}
    own = points = 0
    for f in features("lakes_rivers"):
        p, line = f["properties"], f["geometry"]["coordinates"]
        if p["kind"] == "river" and p["id"] in catchments:
            c = catchments[p["id"]]
            check(c["properties"]["strahler"] == p["strahler"], "order of a catchment")
            points, own = points + 1, own + contains(c, *line[len(line) // 2][:2])
    check(points > 60 and own > 0.7 * points, f"{own} of {points} rivers lie in their catchments")


def upstream(catchments, outlet):
    """The catchments that drain through the end of a reach. Each catchment is followed downstream to find them."""
    found = []
    for c in catchments.values():
        at = c["properties"]
        while at and at["id"] != outlet:
            at = catchments[at["downstream"]]["properties"] if at["downstream"] in catchments else None
        if at:
            found.append(c["properties"])
    return found


def check_upstream():
    """Areas upstream are sums of polygons. Writes a point of the largest whole catchment to the file `outlet`."""
    catchments = {f["properties"]["id"]: f for f in features("lakes_catchments") if f["properties"]["id"]}
    whole = {}
    for reach, c in catchments.items():
        above, p = upstream(catchments, reach), c["properties"]
        if any(q["cut"] for q in above):
            check(p["upstream_km2"] is None, "a cut catchment has no area upstream")
            continue
        whole[reach] = sum(q["area_km2"] for q in above)
        check(abs(p["upstream_km2"] - whole[reach]) < 1e-6 * whole[reach], "area upstream")
    check(len(whole) > 20 and max(whole.values()) > 10, "whole catchments")
    reach = max(whole, key=whole.get)
    for n in range(224 * 224):
        place = -1077568 + n % 224 * 64, -(1939072 + n // 224 * 64)
        if contains(catchments[reach], *place):
            open("outlet", "w").write(f"{place[0]},{-place[1]}")
            return
    check(False, "no sample in a catchment")


def check_outlet():
    """The catchment of an outlet is the union of those that lead there."""
    catchments = {f["properties"]["id"]: f for f in features("lakes_catchments") if f["properties"]["id"]}
    (one,) = features("one_catchments")
    p, x, z = one["properties"], *map(int, open("outlet").read().split(","))
    check(contains(one, x, -z), "the outlet lies in its catchment")
    check(p["upstream_km2"] == p["area_km2"] == catchments[p["id"]]["properties"]["upstream_km2"], "area of the union")
    check(abs(area_km2(one) - p["area_km2"]) < 1e-6 * p["area_km2"], "area of the polygon")


def place_of(feature):
    """The properties and the rings of a feature, in rounded numbers; a ring begins anywhere."""
    polygons = feature["geometry"]["coordinates"]
    rings = [[tuple(round(n, 4) for n in point) for point in ring[:-1]] for p in polygons for ring in p]
    turned = [ring[ring.index(min(ring)) :] + ring[: ring.index(min(ring))] for ring in rings]
    values = {name: float(f"{v:.9g}") if isinstance(v, float) else v for name, v in feature["properties"].items()}
    return json.dumps([values, sorted(turned)], sort_keys=True)


def check_wide():
    """Lakes and catchments that the edge does not cut are the same in a rectangle that is larger on all sides."""
    for name, least in (("lakes", 1), ("catchments", 20)):
        compared = 0
        wide = {place_of(f) for f in features(f"wide_{name}")}
        for f in features(f"lakes_{name}"):
            p = f["properties"]
            if name == "lakes" or (p["id"] and p["upstream_km2"]):
                check(not p["cut"] and place_of(f) in wide, f"{name}: {p} is not in the larger rectangle")
                compared += 1
        check(compared >= least, f"{compared} {name} were compared")


def check_contours(height):
    """Points of contours lie between samples above and below their level."""
    contours = features("lakes_contours")
    levels = {f["properties"]["level_m"] for f in contours}
    check(len(levels) > 20 and all(level % 50 == 0 for level in levels), "levels are multiples of the interval")
    for f in contours[::7]:
        p, line = f["properties"], f["geometry"]["coordinates"]
        check(p["closed"] == (line[0][:2] == line[-1][:2]), "closed contours")
        check((p["kind"] == "index") == (p["level_m"] % 250 == 0), "every fifth contour is an index")
        for east, north, level in line[::9]:
            column, row = (east - height.x) / height.step, (-north - height.z) / height.step
            corners = [
                height.numbers[min(max(v, 0), height.side - 1) * height.side + min(max(u, 0), height.side - 1)]
                for u in (math.floor(column), math.ceil(column))
                for v in (math.floor(row), math.ceil(row))
            ]
            check(min(corners) - 0.01 <= level <= max(corners) + 0.01, f"a contour of {level} m between {corners}")


def check_peaks(height):
    """A peak is no lower than the samples around it, and lies above its saddle."""
    peaks = features("lakes_peaks")
    check(len(peaks) > 10, f"{len(peaks)} peaks")
    check(sum(f["properties"]["saddle_m"] is None for f in peaks) == 1, "one peak is the highest")
    for f in peaks:
        p, (east, north, top) = f["properties"], f["geometry"]["coordinates"]
        check(p["prominence_m"] >= 50 and top == p["height_m"], "peaks rise by the interval")
        if p["saddle_m"] is not None:
            check(abs(p["height_m"] - p["saddle_m"] - p["prominence_m"]) < 1e-3, "prominence")
        for dx in (-64, 0, 64):
            for dz in (-64, 0, 64):
                column, row = (east + dx - height.x) / 64, (dz - north - height.z) / 64
                if 0 <= column < height.side and 0 <= row < height.side:
                    check(height.numbers[round(row) * height.side + round(column)] <= top + 1e-3, "a peak is highest")


def check_splines():
    """Splines have the points of the lines; the curve through them does not rise where the points fall."""
    lines = [f["geometry"]["coordinates"] for f in features("lakes_rivers")]
    reaches = json.load(open("unreal.json"))["reaches"]
    check(len(lines) == len(reaches), "as many splines as lines")
    for line, reach in zip(lines, reaches):
        p, t = reach["points"], reach["tangents"]
        check(len(p) == len(t) == 3 * len(line) == 3 * len(reach["widths"]) == 3 * len(reach["depths"]), "numbers")
        for n, (east, north, level) in enumerate(line):
            place = (east + 1077568, -north - 1939072, level)
            check(all(abs(a - b) < 0.01 for a, b in zip(place, p[3 * n : 3 * n + 3])), "points of a spline")
        for n in range(0, len(p) - 3, 3):
            before = p[n + 2]
            for k in range(1, 9):
                u = k / 8
                level = (
                    (2 * u**3 - 3 * u**2 + 1) * p[n + 2]
                    + (u**3 - 2 * u**2 + u) * t[n + 2]
                    + (3 * u**2 - 2 * u**3) * p[n + 5]
                    + (u**3 - u**2) * t[n + 5]
                )
                check(level <= before + 1e-3, f"a spline rises from {before} to {level}")
                before = level
    text = open("godot.tres").read()
    counts = [int(n) for n in re.findall(r"point_count = (\d+)", text)]
    places = re.findall(r"PackedVector3Array\(([^)]*)\)", text)
    check(counts == [len(line) for line in lines], "points of Godot's curves")
    for line, numbers in zip(lines, places):
        numbers = [float(n) for n in numbers.split(",")]
        check(len(numbers) == 9 * len(line) and abs(numbers[7] - line[0][2]) < 0.01, "control points of Godot")


def main():
    if sys.argv[1:]:
        {"outlet": check_outlet, "wide": check_wide}[sys.argv[1]]()
        return
    height, water = (Samples(f"lakes_{name}", -1077568, 1939072, 64, 224) for name in ("height", "water"))
    check_coast()
    check_lakes(height, water)
    check_catchments()
    check_upstream()
    check_contours(height)
    check_peaks(height)
    check_splines()


main()
