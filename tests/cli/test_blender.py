"""test_blender.py - checks in Blender the meshes that test_blender.sh has exported into this folder: positions and
heights of vertices against raw heights, normals, texture. Blender's axes: x east, y north, z up, metres."""

import bpy
import numpy

W, H, STEP = 161, 113, 4.0
raw = numpy.fromfile("a.r32", "<f4").reshape(H, W)


def load(operator, name, **options):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert operator(filepath=name, **options) == {"FINISHED"}, name
    objects = [o for o in bpy.data.objects if o.type == "MESH"]
    assert len(objects) == 1, [o.name for o in bpy.data.objects]
    return objects[0]


def vertices_of(thing):
    mesh = thing.data
    flat = numpy.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", flat)
    matrix = numpy.array(thing.matrix_world)
    return flat.reshape(-1, 3).astype("f8") @ matrix[:3, :3].T + matrix[:3, 3]


def check_land(name, vertices, tolerance):
    columns, rows = vertices[:, 0] / STEP, -vertices[:, 1] / STEP
    assert abs(columns - columns.round()).max() < 1e-4 and abs(rows - rows.round()).max() < 1e-4, name
    off = abs(raw[rows.round().astype(int), columns.round().astype(int)] - vertices[:, 2])
    assert off.max() <= tolerance, (name, off.max())


def check_glb():
    thing = load(bpy.ops.import_scene.gltf, "reduced.glb")
    vertices = vertices_of(thing)
    check_land("reduced.glb", vertices, 1e-3)
    assert 1000 < len(vertices) < W * H
    normals = numpy.empty(3 * len(thing.data.polygons), "f4")
    thing.data.polygons.foreach_get("normal", normals)
    turned = normals.reshape(-1, 3) @ numpy.array(thing.matrix_world)[:3, :3].T
    assert (turned[:, 2] > 0).all(), "a triangle does not face up"
    images = [i for i in bpy.data.images if i.size[0] > 0]
    assert len(images) == 1 and tuple(images[0].size) == (W, H), [(i.name, tuple(i.size)) for i in bpy.data.images]
    assert thing.data.uv_layers and thing.data.materials[0].name == "ground"


def check_obj():
    thing = load(bpy.ops.wm.obj_import, "y.obj")  # Blender's default axes for OBJ: y up, -z forward
    assert len(thing.data.vertices) == W * H
    check_land("y.obj", vertices_of(thing), 1e-3)


def check_stl():
    thing = load(bpy.ops.wm.stl_import, "solid.stl")
    vertices = vertices_of(thing)
    bottom = vertices[:, 2] < raw.min() - 1
    assert bottom.any() and abs(vertices[bottom, 2] - (raw.min() - 50)).max() < 1e-3
    check_land("solid.stl", vertices[~bottom], 1e-3)


for check in (check_obj, check_stl, check_glb):
    check()
    print(check.__name__)
