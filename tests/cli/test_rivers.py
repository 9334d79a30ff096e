#!/usr/bin/env python3
"""test_rivers.py A.geojson B.geojsonl LARGE.geojson PLACED.geojson - checks the reaches of two windows that overlap,
and the large rivers of the first one, also with a coordinate system."""

import json
import sys


def read(path):
    text = open(path).read()
    if path.endswith("l"):
        return [json.loads(line.strip("\x1e")) for line in text.splitlines() if line.strip("\x1e \n")]
    return json.loads(text)["features"]


def check(condition, sentence):
    if not condition:
        sys.exit(f"FAILED: {sentence}")


def reaches_of(features):
    """The reaches by id. A reach that the window cuts into several pieces is included only once."""
    return {f["properties"]["id"]: f["properties"] for f in features}


def check_graph(features):
    """Every reach falls and ends somewhere; the next one begins where it ends; areas add up; no circle."""
    reaches = reaches_of(features)
    inflows = {}
    for r in reaches.values():
        check(r["level_end_m"] <= r["level_start_m"] and r["slope"] >= 0, f"reach {r['id']} rises")
        check(r["area_km2"] >= r["area_start_km2"] > 0 and r["length_m"] > 0, f"reach {r['id']} has area and length")
        check((r["downstream"] is None) == (r["end"] in ("sea", "basin")), f"reach {r['id']} ends in {r['end']}")
        check((r["lake"] is not None) == (r["kind"] == "lake" or r["end"] == "lake"), f"lake of reach {r['id']}")
        if r["downstream"] in reaches:
            n = reaches[r["downstream"]]
            inflows.setdefault(n["id"], []).append(r)
            check((r["end_x"], r["end_y"]) == (n["start_x"], n["start_y"]), f"reach {r['id']} meets the next one")
            check(n["level_start_m"] <= r["level_end_m"], f"water rises from reach {r['id']} to the next one")
            check(n["mouth"] == r["mouth"], f"reaches {r['id']} and {n['id']} have one mouth")
            check(n["strahler"] >= r["strahler"], f"order falls after reach {r['id']}")
        elif r["downstream"] is not None:
            cuts = [f["properties"]["cut"] for f in features if f["properties"]["id"] == r["id"]]
            check("end" in cuts or "both" in cuts, f"reach {r['id']} leaves the window, but is not cut: {cuts}")
    for end, into in inflows.items():
        n = reaches[end]
        check(sum(r["area_km2"] for r in into) <= n["area_start_km2"] * (1 + 1e-9), f"areas add up at reach {end}")
        orders = sorted((r["strahler"] for r in into), reverse=True)
        least = orders[0] + (len(orders) > 1 and orders[0] == orders[1])
        check(n["strahler"] >= least, f"order of reach {end}")
    for r in reaches.values():
        seen = 0
        while r and r["downstream"] in reaches and seen <= len(reaches):
            r, seen = reaches[r["downstream"]], seen + 1
        check(seen <= len(reaches), "reaches run in a circle")
    return reaches


def check_lines(features):
    """Lines fall from point to point, and the length of a whole reach is its property `length_m`."""
    whole = 0
    for f in features:
        line, p = f["geometry"]["coordinates"], f["properties"]
        check(f["geometry"]["type"] == "LineString" and len(line) >= 2, "a line")
        check(all(b[2] <= a[2] for a, b in zip(line, line[1:])), f"line of reach {p['id']} rises")
        if p["cut"] == "":
            whole += 1
            length = sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in zip(line, line[1:]))
            check(abs(length - p["length_m"]) < 0.01 + 1e-6 * length, f"length of reach {p['id']}")
            check(abs(line[0][0] - p["start_x"]) + abs(line[-1][1] - p["end_y"]) < 1e-5, f"ends of reach {p['id']}")
    check(whole > len(features) / 2, "most reaches are whole")


def is_same(a, b):
    """Whether two lines have the same points; the driver of .geojsonl writes seven decimals."""
    a, b = a["coordinates"], b["coordinates"]
    return len(a) == len(b) and all(abs(u - v) < 1e-6 for p, q in zip(a, b) for u, v in zip(p, q))


def check_placed(path, large, east, north):
    """With a coordinate system the lines are the same but moved, and the file names the system."""
    placed = read(path)
    check("EPSG::25832" in open(path).read(), "the file names its coordinate system")
    check(len(placed) == len(large), f"{len(placed)} lines with a coordinate system, {len(large)} without")
    for a, b in zip(large, placed):
        moved = {"coordinates": [[x + east, y + north, z] for x, y, z in a["geometry"]["coordinates"]]}
        check(is_same(moved, b["geometry"]), f"place of reach {a['properties']['id']}")
        check(abs(a["properties"]["start_x"] + east - b["properties"]["start_x"]) < 1e-6, "place of the beginning")


def main():
    first, second, large = (read(path) for path in sys.argv[1:4])
    check(len(first) > 80 and len(second) > 80, f"{len(first)} and {len(second)} features, expected more than 80")
    a, b = check_graph(first), check_graph(second)
    check_lines(first)
    check_lines(second)
    same = a.keys() & b.keys()
    check(len(same) > 20, f"{len(same)} reaches lie in both windows, expected more than 20")
    for i in same:
        x, y = dict(a[i]), dict(b[i])
        for key in ("cut", "piece"):
            del x[key], y[key]
        check(x == y, f"reach {i} has other values in the second window: {x} {y}")
    lines = {f["properties"]["id"]: f["geometry"] for f in first if f["properties"]["cut"] == ""}
    compared = 0
    for f in second:
        if f["properties"]["cut"] == "" and f["properties"]["id"] in lines:
            compared += 1
            check(is_same(lines[f["properties"]["id"]], f["geometry"]), f"points of reach {f['properties']['id']}")
    check(compared > 20, f"{compared} whole reaches lie in both windows, expected more than 20")
    rivers = check_graph(large)
    check_placed(sys.argv[4], large, 1600000, 7200000)
    check(0 < len(rivers) < len(a), "large rivers are fewer")
    check(all(r["area_km2"] >= 20 for r in rivers.values()), "large rivers are large")
    print(f"{len(a)}, {len(b)} and {len(rivers)} reaches, {len(same)} in both windows, {compared} lines compared")


main()
