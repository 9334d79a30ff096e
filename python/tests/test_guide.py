"""Worlds with a guide: the land of the program, from files and arrays; pickles, Dask and Zarr; Ctrl-C and the GIL; what
is refused."""

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import terrane

MIDDLE = (-1078272, 1921024)  # where a guide without a place lies
NUMBERS = {"guide_spacing": 2000, "guide_level": 4}  # level 4: few cells, so tables are made in a moment


def hills(rows=16, columns=16, dtype="<f4"):
    y, x = np.mgrid[0:rows, 0:columns]
    return (900 - 40 * x + 250 * np.sin(x * 1.7 + y) * np.cos(y * 1.3)).astype(dtype)


def land(world, lod=7, side=24):
    x, z = (v - (side << lod) // 2 & -(1 << lod) for v in MIDDLE)
    return world.heights(x, z, side, side, lod)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "g.npy"
    np.save(path, hills())
    return path


def test_same_as_the_program(program, tmp_path, file):
    """Files, arrays and world files give the bits of the command line."""
    options = ["--guide", file, "--guide-spacing", 2000, "--guide-level", 4]
    program("export", *options, "--size", "40x40", "--lod", 7, "--backend", "cpu", "-o", tmp_path / "a.r32")
    wanted = np.fromfile(tmp_path / "a.r32", "<f4").reshape(40, 40)
    sidecar = json.loads((tmp_path / "a.r32.json").read_text())
    (tmp_path / "w.ini").write_text("[world]\nguide = g.npy\nguide_spacing = 2000\nguide_level = 4\n")
    worlds = [
        terrane.World(guide=file, **NUMBERS),
        terrane.World(guide=str(file), **NUMBERS),
        terrane.World(guide=hills(), **NUMBERS),
        terrane.World(tmp_path / "w.ini"),
    ]
    for world in worlds:
        assert np.array_equal(world.heights(sidecar["x"], sidecar["z"], 40, 40, 7), wanted)
        assert world.guide.checksum == sidecar["world"]["guide"]["sha256"]
        assert world.guide.tables_checksum == sidecar["world"]["guide"]["tables_sha256"]
        assert list(world.guide.at) == [sidecar["world"]["guide"][key] for key in "xz"]
        assert world == worlds[0] and hash(world) == hash(worlds[0])
    assert not np.array_equal(terrane.World().heights(sidecar["x"], sidecar["z"], 40, 40, 7), wanted)


def test_all_calls(file):
    """Tiles, points, layers, statistics and maps are those of the guided land."""
    world = terrane.World(guide=file, **NUMBERS)
    x, z = (v & -128 for v in MIDDLE)
    whole = world.heights(x, z, 16, 16, 7)
    assert np.array_equal(world.tiles([(x, z, 7), (x + 1024, z, 7)], 8, 8)[1], whole[:8, 8:])
    assert np.array_equal(world.at([(x + 128 * n, z) for n in range(16)], 7), whole[0])
    assert np.array_equal(world.layers(["height", "flow"], x, z, 16, 16, 7)["height"], whole)
    assert world.statistics(x, z, 16, 16, 7).max == whole.max()
    assert np.asarray(world.map(x, z, 64, 64, 7)).shape[1] == 64


@pytest.mark.parametrize("kind", ["<f8", "<f2", "<i2", "<i4", "<u2", "|i1", ">f4"])
def test_types(kind):
    """An array of any type has the land of its numbers."""
    given = (hills() / 8).astype(kind)
    world = terrane.World(guide=given, **NUMBERS)
    assert world == terrane.World(guide=given.astype("<f4"), **NUMBERS)


def test_pictures(tmp_path):
    grey = (hills() / 8 + 20).clip(0, 255).astype(np.uint8)
    np.save(tmp_path / "grey.npy", grey)
    ranged = {**NUMBERS, "guide_range": (-100, 1500)}
    world = terrane.World(guide=grey, **ranged)
    assert world == terrane.World(guide=tmp_path / "grey.npy", **ranged)
    assert np.allclose(world.parameters["guide"], -100 + grey * (1600 / 255), atol=1e-3)
    with pytest.raises(terrane.InvalidArgumentError, match="guide_range LO,HI"):
        terrane.World(guide=grey, **NUMBERS)


def test_gaps(file):
    """No data is the land of the seed: NaN, and masked pixels."""
    numbers = hills()
    numbers[4:8, 4:8] = np.nan
    world = terrane.World(guide=numbers, **NUMBERS)
    assert world == terrane.World(guide=np.ma.masked_array(hills(), np.isnan(numbers)), **NUMBERS)
    assert world != terrane.World(guide=file, **NUMBERS)


def test_other_formats(tmp_path):
    """rasterio reads what the program reads by GDAL: the same heights, turned and without the no-data value."""
    rasterio = pytest.importorskip("rasterio")
    numbers = hills(12, 16, "<i2")
    numbers[0, 0] = -999
    how = {"driver": "GTiff", "height": 12, "width": 16, "count": 1, "dtype": "int16", "nodata": -999}
    place = rasterio.Affine(2000, 0, 500000, 0, -2000, 5000000)
    with rasterio.open(tmp_path / "a.tif", "w", crs="EPSG:32632", transform=place, **how) as f:
        f.write(numbers, 1)
    world = terrane.World(guide=tmp_path / "a.tif", guide_level=4)
    wanted = numbers.astype(float)
    wanted[0, 0] = np.nan
    assert world.guide.spacing == 2000 and world == terrane.World(guide=wanted, **NUMBERS)
    south = rasterio.Affine(2000, 0, 500000, 0, 2000, 4976000)
    with rasterio.open(tmp_path / "s.tif", "w", crs="EPSG:32632", transform=south, **how) as f:
        f.write(numbers[::-1], 1)
    assert terrane.World(guide=tmp_path / "s.tif", guide_level=4) == world
    degrees = rasterio.Affine(0.02, 0, 9, 0, -0.02, 45)
    with rasterio.open(tmp_path / "d.tif", "w", crs="EPSG:4326", transform=degrees, **how) as f:
        f.write(numbers, 1)
    with pytest.raises(terrane.FileError, match="coordinates in degrees, expected metres; reproject it: gdalwarp"):
        terrane.World(guide=tmp_path / "d.tif")


def test_same_bits_from_gdal(program, tmp_path):
    """The program reads a GeoTIFF by GDAL, the package by rasterio or GDAL: the land is the same."""
    if "GDAL" in program("info").split("left out of this build")[1]:
        pytest.skip("the program has no GDAL")
    rasterio = pytest.importorskip("rasterio")
    how = {"driver": "GTiff", "height": 16, "width": 16, "count": 1, "dtype": "float32", "crs": "EPSG:32632"}
    with rasterio.open(tmp_path / "a.tif", "w", transform=rasterio.Affine(2000, 0, 0, 0, -2000, 0), **how) as f:
        f.write(hills(), 1)
    out = tmp_path / "a.r32"
    program("export", "--guide", tmp_path / "a.tif", "--size", "20x20", "--lod", 8, "--backend", "cpu", "-o", out)
    sidecar = json.loads((tmp_path / "a.r32.json").read_text())
    world = terrane.World(guide=tmp_path / "a.tif")
    made = world.heights(sidecar["x"], sidecar["z"], 20, 20, 8)
    assert np.array_equal(made, np.fromfile(out, "<f4").reshape(20, 20))


# ---- parameters ----


def test_parameters(file):
    given = {"guide_at": (5000, -7000), "guide_surround": "sea", "guide_lakes": 30.0, "guide_vertical": 2.0, **NUMBERS}
    for guide in (file, hills()):
        world = terrane.World(guide=guide, seed=4, **given)
        again = terrane.World(**world.parameters)
        assert again == world and again.guide.checksum == world.guide.checksum
        assert world.parameters["guide_at"] == (5000, -7000) and world.parameters["guide_surround"] == "sea"
    assert world.guide.min_lake_depth == 30 and world.guide.shape == (16, 16) and world.guide.level == 4
    assert world.guide.cells > 0 and world.guide.nbytes > world.guide.cells and world.guide.cell_m == 8192
    assert terrane.World().guide is None and "guide" not in terrane.World().parameters


def test_equality(file):
    """Equal worlds have equal heights and numbers of the guide, from wherever they came."""
    world = terrane.World(guide=file, **NUMBERS)
    other = hills()
    other[3, 3] += 1
    differing = [
        terrane.World(guide=other, **NUMBERS),
        terrane.World(guide=file, guide_spacing=2001, guide_level=4),
        terrane.World(guide=file, guide_spacing=2000, guide_level=5),
        terrane.World(guide=file, guide_surround="sea", **NUMBERS),
        terrane.World(guide=file, seed=2, **NUMBERS),
        terrane.World(),
    ]
    assert all(world != w for w in differing) and len({world, *differing}) == 7


def test_array_is_kept(file):
    """A world does not change with the array from which it was made, and its heights cannot be written."""
    numbers = hills()
    world = terrane.World(guide=numbers, **NUMBERS)
    before = land(world)
    numbers[:] = 0
    assert np.array_equal(land(pickle.loads(pickle.dumps(world))), before)
    heights = world.parameters["guide"]
    with pytest.raises(ValueError, match="read-only"):
        heights[0, 0] = 1
    del world
    assert np.array_equal(heights, hills())


def test_file_that_changes(file):
    """A file is read again by each World."""
    first = terrane.World(guide=file, **NUMBERS)
    np.save(file, hills() + 5)
    second = terrane.World(guide=file, **NUMBERS)
    assert first != second and not np.array_equal(land(first), land(second))


def test_repr(file):
    named = repr(terrane.World(guide=file, **NUMBERS))
    assert f"guide={str(file)!r}" in named and "guide_spacing=2000.0" in named
    shown = repr(terrane.World(guide=hills(), **NUMBERS))
    assert "guide=<16 x 16 heights, SHA-256 " in shown and len(shown) < 900


# ---- other processes ----


def in_another_process(code, folder, *words):
    script = folder / "other.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, script, *map(str, words)], capture_output=True, text=True, cwd="/")
    return done.stdout + done.stderr


LAND = """
import pickle, sys, hashlib, numpy as np
try:
    world = pickle.load(open(sys.argv[1], "rb"))
    print(hashlib.sha256(world.heights(-1078272, 1921024, 9, 9).tobytes()).hexdigest(), world.guide.file)
except Exception as error:
    print(type(error).__name__, error)
"""


def test_pickle(tmp_path, file, monkeypatch):
    """A file is sent as its path and a checksum, an array as its numbers. The other process has another working
    directory."""
    import hashlib

    monkeypatch.chdir(tmp_path)
    for guide in ("g.npy", hills()):
        world = terrane.World(guide=guide, **NUMBERS)
        text = pickle.dumps(world)
        assert (len(text) > 1.5 * hills().nbytes) == (not isinstance(guide, str))
        (tmp_path / "w.pickle").write_bytes(text)
        wanted = hashlib.sha256(world.heights(*MIDDLE, 9, 9).tobytes()).hexdigest()
        assert in_another_process(LAND, tmp_path, tmp_path / "w.pickle").split()[0] == wanted
    for same in (pickle.loads(text), copy.copy(world), copy.deepcopy(world)):
        assert same == world


def test_pickle_of_a_file_that_changed(tmp_path, file):
    (tmp_path / "w.pickle").write_bytes(pickle.dumps(terrane.World(guide=file, **NUMBERS)))
    np.save(file, hills() + 5)
    said = in_another_process(LAND, tmp_path, tmp_path / "w.pickle")
    assert said.startswith("FileError") and "other heights than" in said
    file.unlink()
    said = in_another_process(LAND, tmp_path, tmp_path / "w.pickle")
    assert said.startswith("FileError") and "No such file" in said


def test_unpickling_makes_no_tables(tmp_path):
    """Worlds with equal guides share the tables, also those that were sent."""
    rough = np.random.default_rng(3).normal(900, 300, (90, 90)).astype(np.float32)
    begun = time.perf_counter()
    world = terrane.World(guide=rough, guide_spacing=2000)
    made = time.perf_counter() - begun
    text = pickle.dumps(world)
    begun = time.perf_counter()
    same = pickle.loads(text)
    assert time.perf_counter() - begun < made / 5
    assert np.array_equal(land(same), land(world))


def test_dask(file):
    """Dask's processes make the same land, and the token depends on the heights."""
    pytest.importorskip("xarray")
    dask = pytest.importorskip("dask")
    from dask.base import tokenize

    for guide in (file, hills()):
        world = terrane.World(guide=guide, **NUMBERS)
        part = terrane.open_world(world, lod=8, chunks=8, layers=["height"]).isel(x=slice(0, 1), y=slice(0, 1))
        x0, z0 = (v // 256 for v in MIDDLE)
        whole = terrane.open_world(world, lod=8, chunks=8, layers=["height"]).sel(
            x=slice(x0 * 256, x0 * 256 + 15 * 256), y=slice(-z0 * 256, -z0 * 256 - 15 * 256)
        )
        with dask.config.set(scheduler="processes", num_workers=2):
            made = whole.height.values
        assert np.array_equal(made, world.heights(x0 * 256, z0 * 256, 16, 16, 8))
        assert part.attrs["world"] == whole.attrs["world"]
        stored = json.loads(whole.attrs["world"])["guide"]
        assert stored["sha256"] == world.guide.checksum and stored["tables_sha256"] == world.guide.tables_checksum
    assert tokenize(terrane.World(guide=file, **NUMBERS)) == tokenize(terrane.World(guide=hills(), **NUMBERS))
    assert tokenize(world) != tokenize(terrane.World(guide=hills() + 1, **NUMBERS))


def test_zarr(tmp_path, file):
    """A folder is continued with the same heights from any file, and refused with others."""
    for module in ("xarray", "dask", "zarr"):
        pytest.importorskip(module)

    def part(guide):
        whole = terrane.open_world(guide=guide, lod=8, chunks=8, layers=["height"], **NUMBERS)
        return whole.sel(x=slice(MIDDLE[0], MIDDLE[0] + 4000), y=slice(-MIDDLE[1], -MIDDLE[1] - 4000))

    terrane.write_zarr(part(file), tmp_path / "a.zarr")
    chunk = next(p for p in sorted((tmp_path / "a.zarr/height").rglob("*")) if p.is_file() and p.parent.name != "height")
    before = chunk.read_bytes()
    chunk.write_bytes(b"damaged")
    terrane.write_zarr(part(hills()), tmp_path / "a.zarr", resume=True)
    assert chunk.read_bytes() == before
    with pytest.raises(terrane.FileError, match="holds another dataset"):
        terrane.write_zarr(part(hills() + 1), tmp_path / "a.zarr", resume=True)


# ---- the GIL and signals ----

SLOW = """
import signal, sys, threading, time
import numpy as np
import terrane
rough = np.random.default_rng(5).normal(900, 300, (700, 700)).astype(np.float32)
{before}
try:
    terrane.World(guide=rough, guide_spacing=2000)
    print("made")
except KeyboardInterrupt:
    print("interrupted after %.2f s" % (time.monotonic() - rung))
"""


def test_interrupted(tmp_path):
    """Ctrl-C ends the making of tables within a second, and the process can go on."""
    before = """
def ring(number, frame):
    global rung
    rung = time.monotonic()
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.4)
"""
    after = "\nprint(terrane.World(guide=rough[:16, :16], guide_spacing=2000, guide_level=4).guide.level)\n"
    said = in_another_process(SLOW.format(before=before) + after, tmp_path).split("\n")
    assert said[0].startswith("interrupted"), said
    assert float(said[0].split()[2]) < 1, said
    assert said[1] == "4"


def test_gil():
    """Other threads run while tables are made."""
    rough = np.random.default_rng(6).normal(900, 300, (90, 90)).astype(np.float32)
    steps = []
    is_made = threading.Event()

    def count():
        while not is_made.is_set():
            steps.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=count)
    thread.start()
    begun = time.perf_counter()
    terrane.World(guide=rough, guide_spacing=2000)
    ended = time.perf_counter()
    is_made.set()
    thread.join()
    assert len([s for s in steps if begun < s < ended]) > (ended - begun) / 0.1


def test_threads_share_a_guide():
    """Threads that make the same world wait for one another and get the same land."""
    rough = np.random.default_rng(7).normal(900, 300, (40, 40)).astype(np.float32)
    made = []
    threads = [
        threading.Thread(target=lambda: made.append(land(terrane.World(guide=rough, guide_spacing=2000), 8, 8)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4 and all(np.array_equal(made[0], m) for m in made)


# ---- refusals ----


def refused(kind, match, **parameters):
    with pytest.raises(kind, match=match):
        terrane.World(**parameters)


def test_refusals(tmp_path, file):
    wrong, lost = terrane.InvalidArgumentError, terrane.FileError
    assert issubclass(wrong, ValueError) and issubclass(lost, terrane.Error) and issubclass(lost, OSError)
    refused(lost, "No such file", guide=tmp_path / "none.npy", **NUMBERS)
    (tmp_path / "words.npy").write_text("no heights")
    refused(lost, "is not an array of NumPy", guide=tmp_path / "words.npy", **NUMBERS)
    (tmp_path / "words.tif").write_text("no heights")
    refused(lost, "cannot read '.*words.tif'", guide=tmp_path / "words.tif", **NUMBERS)
    refused(wrong, "no pixel of the guide has a height", guide=np.full((4, 4), np.nan), **NUMBERS)
    refused(lost, "1 x 1 pixels, expected 2 to 8192 a side", guide=np.zeros((1, 1)), **NUMBERS)
    refused(lost, "8193 x 2 pixels, expected 2 to 8192 a side", guide=np.zeros((2, 8193), np.uint16), **NUMBERS)
    refused(wrong, "height of pixel .* is 30000", guide=np.full((4, 4), 30000.0), **NUMBERS)
    refused(wrong, "height of pixel .* is inf", guide=np.full((4, 4), 1e300), **NUMBERS)
    refused(wrong, r"shape \(16,\) and type", guide=hills()[0], **NUMBERS)
    refused(wrong, r"type <U1, expected the name of a file, or an array", guide=np.full((4, 4), "x"), **NUMBERS)
    refused(wrong, r"type complex128", guide=np.zeros((4, 4), complex), **NUMBERS)
    refused(wrong, r"type object", guide={"a": 1}, **NUMBERS)
    refused(wrong, "guide_spacing is '0.5', expected a number from 1 to 32768", guide=file, guide_spacing=0.5)
    refused(wrong, "does not say how far its pixels are apart: guide_spacing M", guide=hills())
    refused(wrong, "guide_level is '9', expected an integer from 0 to 8", guide=file, guide_spacing=900, guide_level=9)
    refused(wrong, "guide_surround is 'ocean', expected endless or sea", guide=file, guide_surround="ocean", **NUMBERS)
    refused(wrong, "guide_at is 5, expected two numbers: x and z", guide=file, guide_at=5, **NUMBERS)
    refused(wrong, "guide_at is '1.5,2', expected two integers", guide=file, guide_at=(1.5, 2), **NUMBERS)
    refused(wrong, "LO below HI", guide=file, guide_range=(5, 1), **NUMBERS)
    refused(wrong, "it leaves the world", guide=file, guide_at=(2**46, 0), **NUMBERS)
    refused(wrong, "have no meaning without one, expected guide", guide_level=3)
    refused(wrong, "fluvial", guide=file, basis="smooth", **NUMBERS)
    refused(wrong, "zero byte", guide="a\0b", **NUMBERS)
    refused(wrong, "the name of a file", guide="", **NUMBERS)


def test_read_only_folder_is_enough(tmp_path, file):
    """Reading a guide writes nothing."""
    before = sorted(os.listdir(tmp_path))
    terrane.World(guide=file, **NUMBERS)
    assert sorted(os.listdir(tmp_path)) == before


def test_signal_of_another_handler_is_handled(file):
    """A handler that raises nothing does not end the making of tables."""
    rung = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        rough = np.random.default_rng(8).normal(900, 300, (60, 60)).astype(np.float32)
        assert terrane.World(guide=rough, guide_spacing=2000).guide.cells > 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung
