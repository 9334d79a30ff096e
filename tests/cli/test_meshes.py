"""test_meshes.py - checks the meshes that test_meshes.sh has exported into the working directory: by the rules of their
formats, with trimesh, and against raw heights, which that script has compared with probe."""

import copy
import io
import json
import struct

import numpy
import trimesh
from PIL import Image

from mesh_files import chunks_of, covering, read_glb, read_stl

W, H, STEP, ERROR = 161, 113, 4.0, 1.5
raw = numpy.fromfile("a.r32", "<f4").reshape(H, W)


def rows_and_columns(positions):
    columns, rows = positions[:, 0] / STEP, positions[:, 2] / STEP
    assert (columns == columns.round()).all() and (rows == rows.round()).all()
    return rows.astype(int), columns.astype(int)


def check_grid():
    positions, normals, places, triangles, image, tree = read_glb("grid.glb")
    assert len(positions) == W * H and len(triangles) == 2 * (W - 1) * (H - 1) and places is None and image is None
    rows, columns = rows_and_columns(positions)
    assert (positions[:, 1] == raw[rows, columns]).all(), "a vertex must have the height of its sample"
    assert not numpy.isnan(covering(positions, triangles, raw.shape, STEP)).any()
    wide = numpy.fromfile("wide.r32", "<f4").reshape(H + 2, W + 2).astype("f8")
    n, s = wide[:-2], wide[2:]
    east = (n[:, 2:] + 2 * wide[1:-1, 2:] + s[:, 2:] - n[:, :-2] - 2 * wide[1:-1, :-2] - s[:, :-2]) / (8 * STEP)
    south = (s[:, :-2] + 2 * s[:, 1:-1] + s[:, 2:] - n[:, :-2] - 2 * n[:, 1:-1] - n[:, 2:]) / (8 * STEP)
    expected = numpy.stack([-east, numpy.ones_like(east), -south], -1)
    expected /= numpy.linalg.norm(expected, axis=-1, keepdims=True)
    assert abs(normals - expected[rows, columns]).max() < 1e-6, "normals must be those of the heights, at edges too"
    extras = tree["nodes"][0]["extras"]
    assert (extras["origin_x"], extras["origin_z"], extras["spacing_m"]) == (44224, 17920, 1)


def check_reduced():
    positions, _, _, triangles, _, _ = read_glb("reduced.glb")
    rows, columns = rows_and_columns(positions)
    assert (positions[:, 1] == raw[rows, columns]).all()
    off = abs(covering(positions, triangles, raw.shape, STEP) - raw)
    assert not numpy.isnan(off).any(), "triangles must cover all samples"
    assert off.max() <= ERROR + 1e-3, off.max()
    assert 0.5 * ERROR < off.max() and len(triangles) < 1.2 * (W - 1) * (H - 1), (off.max(), len(triangles))


def edge(positions, axis, at):
    """Heights along the line x = at (axis 0) or z = at (axis 2), by position."""
    chosen = positions[positions[:, axis] == at]
    return {float(p[2 - axis]): float(p[1]) for p in chosen}


def placed(path):
    """Positions of a tile's vertices in its set: those in the file, moved by the translation of the file's node."""
    positions, *_, tree = read_glb(path)
    return positions + numpy.array(tree["nodes"][0].get("translation", [0, 0, 0]))


def check_seams():
    tiles = {(x, y): placed(f"t_x{x}_y{y}.glb") for x in range(2) for y in range(2)}
    for x, y in tiles:
        assert read_glb(f"t_x{x}_y{y}.glb")[0].min(0)[[0, 2]].tolist() == [0, 0], (
            "coordinates must begin at the tile's own corner"
        )
    for y in range(2):
        left, right = edge(tiles[0, y], 0, 64 * STEP), edge(tiles[1, y], 0, 64 * STEP)
        assert left == right and 2 < len(left) < 65, (len(left), len(right))
    for x in range(2):
        upper, lower = edge(tiles[x, 0], 2, 64 * STEP), edge(tiles[x, 1], 2, 64 * STEP)
        assert upper == lower and 2 < len(upper) < 65
    alone = read_glb("alone.glb")[0]  # the eastern tile, exported by itself, has the same edge
    assert {z: h for z, h in edge(alone, 0, 0).items()} == edge(tiles[1, 0], 0, 64 * STEP)
    files = [trimesh.load(f"solid_x{x}_y0.stl") for x in range(2)]
    assert files[0].bounds[0][2] == files[1].bounds[0][2], "solids of a set must stand on one plane"


def check_solids():
    for name in ("solid_x0_y0.stl", "solid_x1_y0.stl", "solid.obj", "solid.stl", "solid.glb"):
        loaded = trimesh.load(name)
        mesh = loaded if isinstance(loaded, trimesh.Trimesh) else loaded.to_geometry()
        mesh.merge_vertices(merge_norm=True, merge_tex=True)
        assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0, name
        assert (mesh.area_faces > 0).all() and mesh.body_count == 1, name
    corners, normals = read_stl("solid.stl")
    up = corners.reshape(-1, 3)
    assert up[:, 2].min() == numpy.float32(raw.min() - numpy.float32(50)), (up[:, 2].min(), raw.min())
    assert up[:, 0].max() == (W - 1) * STEP and up[:, 1].min() == -(H - 1) * STEP, "with z up, y must be north"
    found = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (numpy.einsum("ij,ij->i", found, normals) > 0).all()
    cells = numpy.float64(raw)
    expected = (
        STEP
        * STEP
        * ((cells[:-1, :-1] + cells[1:, 1:]) / 6 + (cells[:-1, 1:] + cells[1:, :-1]) / 3 - up[:, 2].min()).sum()
    )
    grid = trimesh.load("solid.obj")
    grid.merge_vertices(merge_norm=True, merge_tex=True)
    assert abs(grid.volume / expected - 1) < 1e-6, (grid.volume, expected)


def steps_of(values):
    return numpy.diff(numpy.unique(values.astype("f8")))


def check_far():
    """The last of 1,000,000 tiles lies 32,000 km from the set's corner. Its samples are exactly 1 m apart, its solid is
    closed, and its place is stored with all digits. A tile of a set whose samples are 0.3 m apart is right, too."""
    heights = numpy.fromfile("far.r32", "<f4").reshape(3, 33)
    for name in ("far_999999.stl", "far_999999.obj", "far_999999.glb"):
        loaded = trimesh.load(name)
        mesh = loaded if isinstance(loaded, trimesh.Trimesh) else loaded.dump(concatenate=True)
        mesh.merge_vertices(merge_norm=True, merge_tex=True)
        j = json.load(open(name + ".json"))
        volume = volume_over(heights, j["mesh"]["bottom_m"])
        assert mesh.is_watertight and mesh.is_winding_consistent and abs(mesh.volume / volume - 1) < 1e-6, (
            name,
            mesh.volume,
            volume,
        )
        assert j["mesh"]["place_m"] == [31999968, 0, 0] and (j["mesh"]["origin_x"], j["x"]) == (0, 31999968), name
    corners, normals = read_stl("far_999999.stl")
    assert (numpy.unique(corners[..., 0]) == numpy.arange(33)).all() and numpy.isfinite(normals).all()
    positions, *_, tree = read_glb("far_999999.glb")
    assert tree["nodes"][0]["translation"] == [31999968, 0, 0]
    land = positions[: 3 * 33].reshape(3, 33, 3)
    assert (land[..., 1] == heights).all() and (land[..., 0] == numpy.arange(33)).all()
    positions, *_, tree = read_glb("third_4095.glb")
    assert abs(steps_of(positions[:, 0]) - 0.3).max() < 1e-5, steps_of(positions[:, 0])
    assert tree["nodes"][0]["translation"] == [4095 * 256 * 0.3, 0, 0]


def volume_over(heights, bottom):
    """Volume between the bottom and a grid of squares with sides of 1 m, each of two triangles."""
    h = heights.astype("f8") - bottom
    return ((h[:-1, :-1] + h[1:, 1:]) / 6 + (h[:-1, 1:] + h[1:, :-1]) / 3).sum()


def check_thin():
    """Walls that are lower than the distance of two neighbouring 32-bit floats still have triangles with an area and
    normals."""
    for name in ("thin.stl", "hem.stl"):
        corners, normals = read_stl(name)
        assert (
            numpy.isfinite(normals).all() and abs(numpy.linalg.norm(normals.astype("f8"), axis=1) - 1).max() < 1e-6
        ), name
        a, b, c = (corners[:, n].astype("f8") for n in range(3))
        assert (numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1) > 0).all(), name
    mesh = trimesh.load("thin.stl")
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0
    lowest = read_stl("thin.stl")[0][..., 2].min()
    assert (
        json.load(open("thin.stl.json"))["mesh"]["bottom_m"]
        == float(lowest)
        == float(numpy.nextafter(raw.min(), numpy.float32(-1e9)))
    )


def check_skirts():
    positions, _, _, triangles, _, _ = read_glb("skirt.glb")
    land = read_glb("reduced.glb")[0]
    skirt = positions[len(land) :]
    assert (positions[: len(land)] == land).all() and len(skirt) > 0
    rows, columns = rows_and_columns(skirt)
    assert ((rows == 0) | (rows == H - 1) | (columns == 0) | (columns == W - 1)).all()
    assert abs(raw[rows, columns] - skirt[:, 1] - 20).max() < 1e-3
    mesh = trimesh.Trimesh(positions, triangles, process=False)
    assert mesh.is_winding_consistent
    lowest = mesh.outline().vertices if hasattr(mesh, "outline") else skirt
    assert len(lowest) >= 4


def check_texture():
    positions, _, places, _, image, _ = read_glb("texture.glb")
    picture = Image.open(io.BytesIO(image))
    assert picture.size == (W, H) and picture.mode == "RGB"
    rows, columns = rows_and_columns(positions)
    assert abs(places[:, 0] * W - columns - 0.5).max() < 1e-3 and abs(places[:, 1] * H - rows - 0.5).max() < 1e-3
    assert numpy.asarray(picture).std() > 5, "the texture must have colours"
    loaded = trimesh.load("texture.glb").to_geometry()
    assert loaded.visual.material.baseColorTexture.size == (W, H)


def check_axes():
    def vertices(name):
        lines = [line.split()[1:] for line in open(name) if line.startswith("v ")]
        return numpy.array(lines, "f8")

    y_up, z_up = vertices("y.obj"), vertices("z.obj")
    assert (z_up[:, 0] == y_up[:, 0]).all() and (z_up[:, 1] == -y_up[:, 2]).all() and (z_up[:, 2] == y_up[:, 1]).all()
    assert (numpy.float32(y_up[:, 1]).reshape(H, W) == raw).all(), "the digits in an OBJ file must give the same floats"
    for name in ("y.obj", "z.obj"):
        mesh = trimesh.load(name)
        assert (mesh.face_normals[:, 1 if name[0] == "y" else 2] > 0).all(), "triangles must face up"


def written(tree, binary):
    """A GLB file."""
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + bytes(binary)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


# Changes of a good file, each of which breaks one rule of the specification of glTF.
DAMAGES = {
    "unknown property": lambda t, b: t["accessors"][0].update(stride=12),
    "unknown list": lambda t, b: t.update(lights=[{}]),
    "wrong type": lambda t, b: t["buffers"][0].update(byteLength=str(t["buffers"][0]["byteLength"])),
    "out of range": lambda t, b: t["materials"][0]["pbrMetallicRoughness"].update(roughnessFactor=1.5),
    "no version": lambda t, b: t["asset"].pop("version"),
    "reference to nothing": lambda t, b: t["meshes"][0]["primitives"][0].update(material=1),
    "unused object": lambda t, b: t["materials"].append({"name": "spare"}),
    "empty list": lambda t, b: t.update(images=[]),
    "no limits": lambda t, b: t["accessors"][1].pop("min"),
    "wrong limit": lambda t, b: t["accessors"][1]["max"].__setitem__(1, t["accessors"][1]["max"][1] + 0.001),
    "too long an accessor": lambda t, b: t["accessors"][2].update(count=t["accessors"][2]["count"] + 1),
    "too long a view": lambda t, b: t["bufferViews"][2].update(byteLength=t["bufferViews"][2]["byteLength"] + 4),
    "views that overlap": lambda t, b: t["bufferViews"][1].update(byteOffset=t["bufferViews"][1]["byteOffset"] - 4),
    "index of no vertex": lambda t, b: b.__setitem__(slice(0, 4), struct.pack("<I", t["accessors"][1]["count"])),
    "triangle without area": lambda t, b: b.__setitem__(slice(0, 4), b[4:8]),
    "long normal": lambda t, b: b.__setitem__(slice(-4, None), struct.pack("<f", 2)),
    "no number": lambda t, b: b.__setitem__(slice(-4, None), struct.pack("<f", float("nan"))),
}


def check_damages():
    """read_glb finds files that break a rule, so it is of use in the other checks. The files are kept as bad-*.glb, for
    gltfpack in test_meshes.sh."""
    tree, binary = chunks_of(open("reduced.glb", "rb").read())
    for name, damage in DAMAGES.items():
        bad_tree, bad_binary = copy.deepcopy(tree), bytearray(binary)
        damage(bad_tree, bad_binary)
        path = f"bad-{name.replace(' ', '-')}.glb"
        open(path, "wb").write(written(bad_tree, bad_binary))
        try:
            read_glb(path)
        except AssertionError:
            continue
        raise AssertionError(f"not found: {name}")


def check_sidecars():
    j = json.load(open("solid.stl.json"))
    assert j["layer"] == "height" and j["unit"] == "m" and j["no_data"] is None
    assert j["mesh"]["base_m"] == 50 and j["mesh"]["bottom_m"] == float(raw.min()) - 50 and j["mesh"]["up"] == "z"
    assert numpy.float32(j["min_m"]) == raw.min() and numpy.float32(j["max_m"]) == raw.max(), (
        "min_m and max_m must be those of the file, without the samples around it"
    )


CHECKS = [check_grid, check_reduced, check_seams, check_solids, check_far, check_thin, check_skirts, check_texture]
for check in [*CHECKS, check_axes, check_damages, check_sidecars]:
    check()
    print(check.__name__)
