"""test_spacing.py - checks the files that test_spacing.sh has exported into the working directory: no value is NaN or
infinite, except where there is no water, and values derived from heights and spacing are right."""

import glob
import json

import numpy

from mesh_files import read_glb, read_stl

W, H = 33, 17


def refuse(name):
    raise ValueError(f"{name} is no number of JSON")


def sidecar(path):
    return json.load(open(path + ".json"), parse_constant=refuse)


def check_layers():
    """Slopes are from 0 to 90 degrees, and curvatures are those of the heights, to the precision of 32-bit floats."""
    names = glob.glob("*_curvature.r32")
    assert len(names) == 8, names
    for name in names:
        curvature = numpy.fromfile(name, "<f4").reshape(H, W).astype("f8")
        height = numpy.fromfile(name.replace("curvature", "height"), "<f4").reshape(H, W).astype("f8")
        slope = numpy.fromfile(name.replace("curvature", "slope"), "<f4")
        step = sidecar(name)["sample_spacing_m"]
        assert numpy.isfinite(curvature).all() and numpy.isfinite(height).all(), name
        assert (slope >= 0).all() and (slope <= 90).all(), (name, slope.min(), slope.max())
        h = height
        expected = (4 * h[1:-1, 1:-1] - h[1:-1, :-2] - h[1:-1, 2:] - h[:-2, 1:-1] - h[2:, 1:-1]) / step**2
        tiny = numpy.finfo("f4").tiny  # smaller numbers lose bits
        assert (abs(curvature[1:-1, 1:-1] - expected) <= 1e-6 * abs(expected) + tiny).all(), name
    for name in glob.glob("rivers*.r32"):
        samples = numpy.fromfile(name, "<f4")
        assert numpy.isfinite(samples).all() or "water" in name, name


def check_meshes():
    names = glob.glob("*.glb")
    assert len(names) >= 16, names
    for name in names:
        positions, *_ = read_glb(name)
        step = sidecar(name)["sample_spacing_m"]
        columns = positions[:, 0].astype("f8") / step
        assert abs(columns - columns.round()).max() < 1e-5 and columns.round().max() == W - 1, name
    for name in glob.glob("*.stl"):
        corners, normals = read_stl(name)
        a, b, c = (corners[:, n].astype("f8") for n in range(3))
        areas = numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1)
        assert (areas > 0).all() and numpy.isfinite(corners).all(), name
        assert abs(numpy.linalg.norm(normals.astype("f8"), axis=1) - 1).max() < 1e-5, name
    for name in glob.glob("*.obj"):
        rows = [line.split()[1:] for line in open(name) if line[0] == "v"]
        assert numpy.isfinite(numpy.array(rows, "f8")).all(), name


def check_texts():
    for name in glob.glob("*.json"):
        json.load(open(name), parse_constant=refuse)
    for name in glob.glob("*.pgw"):
        assert numpy.isfinite(numpy.loadtxt(name)).all(), name
    for name in glob.glob("*.hdr") + glob.glob("*.vrt"):
        words = open(name).read().replace("nan\n", "").replace("nan<", "").lower()  # values of samples without data
        assert "inf" not in words.replace("map info", "") and "nan" not in words, name


for check in (check_layers, check_meshes, check_texts):
    check()
    print(check.__name__)
