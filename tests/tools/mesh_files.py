"""mesh_files.py - reads meshes byte by byte into numpy arrays, and checks the rules of their formats."""

import json
import struct

import numpy

from gltf_rules import check_tree

COMPONENTS = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def chunks_of(data):
    """The JSON tree and the binary chunk of a GLB file. Its headers are checked. Source: glTF 2.0, 4.4 GLB File
    Format."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert magic == b"glTF" and version == 2 and length == len(data), (magic, version, length, len(data))
    at, chunks = 12, []
    while at < length:
        size, kind = struct.unpack_from("<I4s", data, at)
        assert size % 4 == 0 and at + 8 + size <= length, "the size of a chunk must be a multiple of 4"
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    assert [kind for kind, _ in chunks] == [b"JSON", b"BIN\0"], [kind for kind, _ in chunks]
    text = chunks[0][1].decode("utf-8")
    assert text.startswith("{") and text.rstrip(" ").endswith("}"), "JSON must be padded with spaces"
    return json.loads(text), chunks[1][1]


def accessor(tree, binary, number):
    """An accessor as an array. Its offsets, alignment and limits are checked. Source: glTF 2.0, 3.6.2 Accessors."""
    a = tree["accessors"][number]
    view = tree["bufferViews"][a["bufferView"]]
    kind, width = numpy.dtype(COMPONENTS[a["componentType"]]), WIDTHS[a["type"]]
    begin = view.get("byteOffset", 0) + a.get("byteOffset", 0)
    assert "byteStride" not in view and begin % kind.itemsize == 0 and begin % 4 == 0, "alignment"
    assert a["count"] >= 1 and a["count"] * width * kind.itemsize + a.get("byteOffset", 0) <= view["byteLength"]
    values = numpy.frombuffer(binary, kind, a["count"] * width, begin).reshape(-1, width)
    if kind.kind == "f":
        assert numpy.isfinite(values).all()
    for name, found in (("min", values.min(0)), ("max", values.max(0))):
        if name in a:
            assert (numpy.array(a[name], kind) == found).all(), (name, a[name], found)
    return values


def check_views(tree, binary):
    """Check that views lie in the buffer and the buffer in its chunk. Source: glTF 2.0, 3.6.1 Buffers and Buffer
    Views."""
    assert len(tree["buffers"]) == 1 and "uri" not in tree["buffers"][0]
    length = tree["buffers"][0]["byteLength"]
    assert length <= len(binary) <= length + 3
    end = 0
    for view in tree["bufferViews"]:
        assert view["byteOffset"] >= end and view["byteLength"] >= 1, "views overlap"
        end = view["byteOffset"] + view["byteLength"]
    assert end <= length


def read_glb(path):
    """Positions, normals, texture places or None, triangles, the texture's PNG bytes or None, and the tree of a GLB
    file that keeps the rules of the specification."""
    tree, binary = chunks_of(open(path, "rb").read())
    check_tree(tree)
    assert tree["scenes"][tree["scene"]]["nodes"] == [0]
    check_views(tree, binary)
    assert len(tree["meshes"]) == 1 and len(tree["meshes"][0]["primitives"]) == 1
    primitive = tree["meshes"][0]["primitives"][0]
    attributes = primitive["attributes"]
    assert primitive["mode"] == 4
    assert {"min", "max"} <= set(tree["accessors"][attributes["POSITION"]]), "POSITION must have min and max"
    positions, normals = (accessor(tree, binary, attributes[name]) for name in ("POSITION", "NORMAL"))
    places = accessor(tree, binary, attributes["TEXCOORD_0"]) if "TEXCOORD_0" in attributes else None
    triangles = accessor(tree, binary, primitive["indices"]).reshape(-1, 3)
    for name, target in (("indices", 34963), ("POSITION", 34962), ("NORMAL", 34962)):
        number = primitive["indices"] if name == "indices" else attributes[name]
        assert tree["bufferViews"][tree["accessors"][number]["bufferView"]]["target"] == target
    assert len(positions) == len(normals) and triangles.max() < len(positions) and triangles.max() != 0xFFFFFFFF
    assert (triangles != numpy.roll(triangles, 1, axis=1)).all(), "a triangle must have three different vertices"
    assert abs(numpy.linalg.norm(normals.astype("f8"), axis=1) - 1).max() < 1e-6, "normals must have unit length"
    image = None
    if "images" in tree:
        assert tree["images"][0]["mimeType"] == "image/png" and tree["textures"][0]["source"] == 0
        view = tree["bufferViews"][tree["images"][0]["bufferView"]]
        assert "target" not in view
        image = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        assert image[:8] == b"\x89PNG\r\n\x1a\n" and places is not None and places.min() >= 0 and places.max() <= 1
    return positions, normals, places, triangles, image, tree


def read_stl(path):
    """Corners and normals of the triangles of a binary STL file."""
    data = open(path, "rb").read()
    (count,) = struct.unpack_from("<I", data, 80)
    assert not data.startswith(b"solid") and len(data) == 84 + 50 * count
    rows = numpy.frombuffer(data, numpy.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]), count, 84)
    assert (rows["a"] == 0).all()
    return rows["v"], rows["n"]


def covering(positions, triangles, shape, step):
    """Heights (y) of a mesh at the samples of a grid; NaN where no triangle covers a sample. Triangles that do not face
    up are left out. `shape` is (rows, columns), `step` is the distance of samples."""
    heights = numpy.full(shape, numpy.nan)
    p = positions.astype("f8")
    for corners in triangles:
        a, b, c = p[corners]
        det = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2])
        if det >= 0:  # counter-clockwise from above is clockwise in x east, z south
            continue
        low, high = numpy.minimum(numpy.minimum(a, b), c) / step, numpy.maximum(numpy.maximum(a, b), c) / step
        z, x = numpy.mgrid[int(numpy.ceil(low[2])) : int(high[2]) + 1, int(numpy.ceil(low[0])) : int(high[0]) + 1]
        u = ((x * step - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z * step - a[2])) / det
        v = ((b[0] - a[0]) * (z * step - a[2]) - (x * step - a[0]) * (b[2] - a[2])) / det
        inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
        heights[z[inside], x[inside]] = (a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]))[inside]
    return heights
