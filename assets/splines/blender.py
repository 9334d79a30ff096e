"""Make curves of the rivers in a file of `terrane export --preset blender --features rivers`.

In Blender: Scripting > Open this file > Run Script. It reads the .json of the same name beside it.
Without a window: blender --background --python rivers.py -- rivers.json

Each reach becomes a Bezier curve in the collection Rivers: x east, y north, z up, metres from the north-west sample.
The radius of a point is half the width of the bed; depths and other numbers are custom properties of the object."""

import json
import os
import sys

import bpy


def points_of(flat):
    """Triples east, south, altitude as x, y, z of Blender."""
    return [(flat[n], -flat[n + 1], flat[n + 2]) for n in range(0, len(flat), 3)]


def add_reach(collection, reach):
    points, tangents = points_of(reach["points"]), points_of(reach["tangents"])
    curve = bpy.data.curves.new(f"reach {reach['id']}", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for target, p, t, width in zip(spline.bezier_points, points, tangents, reach["widths"]):
        target.handle_left_type = target.handle_right_type = "FREE"
        target.co = p
        target.handle_left = [a - b / 3 for a, b in zip(p, t)]
        target.handle_right = [a + b / 3 for a, b in zip(p, t)]
        target.radius = width / 2
    thing = bpy.data.objects.new(curve.name, curve)
    thing["depths"] = reach["depths"]
    for key in ("id", "kind", "strahler", "area_km2", "discharge_m3s"):
        thing[key] = reach[key]
    collection.objects.link(thing)
    return thing


def import_rivers(path):
    """Add the reaches of a file to the scene. Returns their objects."""
    with open(path, encoding="utf-8") as file:
        rivers = json.load(file)
    collection = bpy.data.collections.new("Rivers")
    bpy.context.scene.collection.children.link(collection)
    return [add_reach(collection, reach) for reach in rivers["reaches"]]


def chosen_file():
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    return words[0] if words else os.path.splitext(bpy.path.abspath(__file__))[0] + ".json"


if __name__ == "__main__":
    print(f"{len(import_rivers(chosen_file()))} reaches")
