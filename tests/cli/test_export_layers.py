"""test_export_layers.py - compares the layers that test_export_layers.sh has exported into the working directory, as
GDAL reads them, with values that numpy computes from raw heights."""

import json
import subprocess

import numpy

W, H, STEP, AROUND = 149, 120, 4.0, 30
wide = numpy.fromfile("wide.r32", "<f4").reshape(H + 2 * AROUND, W + 2 * AROUND).astype("f8")


def read(name, kind, bands=1):
    """The bands of a file, as GDAL reads them."""
    subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", name, "x.img"], check=True)
    return numpy.fromfile("x.img", kind).reshape(H, W, bands).squeeze()


def moved(east, south, apron=0):
    """For each sample, the height of the sample `east` columns to the east and `south` rows to the south. The array has
    `apron` samples more on each side."""
    rows, columns = (
        slice(AROUND - apron + south, AROUND + H + apron + south),
        slice(AROUND - apron + east, AROUND + W + apron + east),
    )
    return wide[rows, columns]


def slopes():
    """Horn's derivatives to the east and to the south."""
    east = sum(k * (moved(1, n) - moved(-1, n)) for n, k in ((-1, 1), (0, 2), (1, 1))) / (8 * STEP)
    south = sum(k * (moved(n, 1) - moved(n, -1)) for n, k in ((-1, 1), (0, 2), (1, 1))) / (8 * STEP)
    return east, south


def check_slope():
    east, south = slopes()
    expected = numpy.degrees(numpy.arctan(numpy.hypot(east, south)))
    found = read("l_slope.tif", "<f4")
    assert abs(found - expected).max() < 1e-4, abs(found - expected).max()
    # compare with GDAL, except at the edges, where GDAL extrapolates heights
    subprocess.run(["gdaldem", "slope", "-q", "-compute_edges", "l_height.tif", "gdal.tif"], check=True)
    off = abs(read("gdal.tif", "<f4") - found)[1:-1, 1:-1].max()
    assert off < 0.02, off  # GDAL computes with 32-bit floats
    scaled = read("s_slope.png", "<u2")
    assert abs(scaled / 65535 * 90 - expected).max() < 90 / 65535
    j = json.load(open("s_slope.png.json"))
    assert (
        j["range"] == [0, 90]
        and j["unit"] == "degree"
        and j["layer"] == "slope"
        and j["no_data"] is None
        and "min_m" not in j
    )
    assert abs(j["max"] - expected.max()) < 1e-4 and abs(j["min"] - expected.min()) < 1e-4


def check_curvature():
    expected = (4 * moved(0, 0) - moved(1, 0) - moved(-1, 0) - moved(0, 1) - moved(0, -1)) / STEP**2
    found = read("l_curvature.tif", "<f4")
    assert abs(found - expected).max() < 1e-5 and found.min() < 0 < found.max()
    peak = numpy.unravel_index(moved(0, 0).argmax(), found.shape)
    assert found[peak] > 0, "the curvature at the highest point must be positive"
    said = subprocess.run(["gdalinfo", "l_curvature.tif"], capture_output=True, text=True).stdout
    assert "Unit Type: m-1" in said and "Description = curvature" in said


def normals_of(name, bits, green=1):
    """A normal map as vectors: east, north, up."""
    greatest = 2**bits - 1
    return (read(name, "u1" if bits == 8 else "<u2", 3) / greatest * 2 - 1) * [1, green, 1]


def check_normals():
    east, south = slopes()
    expected = numpy.stack([-east, south, numpy.ones_like(east)], -1)
    expected /= numpy.linalg.norm(expected, axis=-1, keepdims=True)
    for name, bits, green in (("l_normal.png", 8, 1), ("n16.png", 16, 1), ("d8.png", 8, -1), ("d16.png", 16, -1)):
        off = abs(normals_of(name, bits, green) - expected).max()
        assert off < 1.01 / (2**bits - 1), (name, off)
    uphill_north = south < -0.3  # land that rises to the north faces south, so green is dark if green means north
    assert uphill_north.any() and (read("l_normal.png", "u1", 3)[uphill_north, 1] < 128).all()
    assert (read("d8.png", "u1", 3)[uphill_north, 1] > 127).all()


def check_splat():
    shares = read("l_splat.png", "u1", 4)
    assert (shares.sum(-1, dtype="i4") == 255).all()
    east, south = slopes()
    steep, height = 1 - 1 / numpy.sqrt(1 + east**2 + south**2), moved(0, 0)
    mean = [
        shares[where].mean(0)
        for where in (
            steep > numpy.quantile(steep, 0.95),
            height > numpy.quantile(height, 0.95),
            steep < numpy.quantile(steep, 0.05),
        )
    ]
    assert mean[0][1] > 2 * mean[2][1] + 20, ("steep land must be rock", mean)
    assert mean[2][0] + mean[2][2] + mean[2][3] > 200, ("level land must not be rock", mean)
    below = read("sea_splat.png", "u1", 4)
    sea = numpy.fromfile("sea.r32", "<f4").reshape(H, W)
    assert (sea < -6).any() and (below[sea < -6][:, 2] == 255).all(), "the bed of the sea must be soil"


def check_beds():
    """No plants grow under water, neither in lakes and rivers nor in the sea. The share of forest is a part of that of
    plants."""
    shares, forest = read("wet_splat.png", "u1", 4), read("wet_forest.png", "u1")
    wet = numpy.isfinite(numpy.fromfile("wet_water.r32", "<f4").reshape(H, W))
    assert wet.sum() > 500 and (shares[wet] == [0, 0, 255, 0]).all()
    assert (
        (forest[wet] == 0).all()
        and (forest <= shares[..., 0]).all()
        and (forest < shares[..., 0]).any()
        and (forest > 200).any()
    )
    assert shares[~wet][:, 0].mean() > 100, "plants must grow beside the water"
    sea, coast = numpy.fromfile("coast_height.r32", "<f4").reshape(H, W) < -45, read("coast_splat.png", "u1", 4)
    assert sea.any() and not sea.all() and (coast[sea] == [0, 0, 255, 0]).all()


for check in (check_slope, check_curvature, check_normals, check_splat, check_beds):
    check()
    print(check.__name__)
