"""test_world_layers.py - checks the layers that test_world_layers.sh has exported into the working directory: numbers
are those that terrane probe printed for every fourth place of every third row, and GDAL finds the no-data values."""

import json
import subprocess
import sys

import numpy

W, H = map(int, sys.argv[1:])
CLIMATE = "temperature temperature-range precipitation precipitation-season biome snow".split()
LAYERS = "height water flow shore relief plain plateau ice dryness land top".split() + CLIMATE
UNITS = dict(zip(LAYERS, "m m m2 m m/m 1 1 1 1 1 m degC K mm 1 1 1".split()))
RANGES = dict(shore=(0, 655.35), relief=(0, 20), plain=(0, 1), plateau=(0, 1), ice=(0, 1), dryness=(0, 1), land=(0, 1))
RANGES |= dict(zip(CLIMATE, ((-100, 100), (0, 100), (0, 32767.5), (-1, 1), (0, 65535), (0, 1))))
lines = [line.split() for line in open("probe")]
# column 3 + 2 n has the bits of layer n, for every third row and every fourth column of the files
probe = {
    name: numpy.array([int(line[3 + 2 * n], 16) for line in lines], "u4").reshape(-(-H // 3), -(-W // 4))
    for n, name in enumerate(LAYERS)
}


def sampled(whole):
    return whole[::3, ::4]


def read(name, kind):
    """The samples of a file, as GDAL reads them."""
    subprocess.run(["gdal_translate", "-q", "-of", "ENVI", name, "x.img"], check=True)
    return numpy.fromfile("x.img", kind).reshape(H, W)


def check_floats():
    for name in LAYERS:
        for samples in (
            numpy.fromfile(f"f_{name}.r32", "<u4").reshape(H, W),
            numpy.fromfile(f"b_{name}.r32", ">u4").reshape(H, W)[::-1],
            read(f"t_{name}.tif", "<u4"),
            read(f"f_{name}.r32", "<u4"),
        ):
            assert (sampled(samples) == probe[name]).all(), name


def check_water():
    """The exported land has wet and dry samples, so that the other checks see both."""
    water = numpy.fromfile("f_water.r32", "<f4")
    assert numpy.isnan(water).any() and not numpy.isnan(water).all()
    assert (water - numpy.fromfile("f_height.r32", "<f4"))[~numpy.isnan(water)].min() > 0
    for name in LAYERS[:1] + LAYERS[2:]:
        assert not numpy.isnan(numpy.fromfile(f"f_{name}.r32", "<f4")).any(), name


def check_16_bits():
    for name, (low, high) in RANGES.items():
        numbers = numpy.fromfile(f"f_{name}.r32", "<f4").reshape(H, W)
        for samples in (
            numpy.fromfile(f"r16_{name}.r16", "<u2").reshape(H, W),
            read(f"png16_{name}.png16", "<u2"),
            read(f"tiff16_{name}.tiff16", "<u2"),
            read(f"pgm_{name}.pgm", "<u2"),
        ):
            assert abs(low + samples * ((high - low) / 65535) - numbers).max() <= 0.51 * (high - low) / 65535, name
            assert (samples > 0).any() or numbers.max() == 0, name
        said = json.load(open(f"tiff16_{name}.tiff16.json"))
        assert said["range"] == [low, high] and said["clamped"] == 0 and said["unit"] == UNITS[name], said


def check_sidecars():
    for name in LAYERS:
        said = json.load(open(f"f_{name}.r32.json"))
        numbers = numpy.fromfile(f"f_{name}.r32", "<f4")
        assert said["layer"] == name and said["unit"] == UNITS[name] and said["meaning"], said
        assert said["no_data"] == ("nan" if name == "water" else None), said
        end = "_m" if name == "height" else ""
        assert said["min" + end] == numpy.nanmin(numbers) and said["max" + end] == numpy.nanmax(numbers), said


def check_no_data():
    for name in LAYERS:
        for path in (f"t_{name}.tif", f"f_{name}.r32"):
            said = json.loads(
                subprocess.run(["gdalinfo", "-json", "-stats", path], capture_output=True, check=True).stdout
            )
            (band,) = said["bands"]
            assert ("noDataValue" in band) == (name == "water"), (path, band)
            assert band["description"] == name and band["type"] == "Float32"
            if path.endswith("tif"):
                assert band["unit"] == UNITS[name]
            if name == "water":  # samples without data are ignored
                assert str(band["noDataValue"]).lower() == "nan"
                numbers = numpy.fromfile("f_water.r32", "<f4")
                assert abs(band["mean"] - numpy.nanmean(numbers, dtype="f8")) < 1e-3 and numpy.isfinite(band["maximum"])


for check in (check_floats, check_water, check_16_bits, check_sidecars, check_no_data):
    check()
    print(check.__name__)
