"""Heights of rectangles, tiles and points, statistics, maps."""

import io
import os
import re
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import terrane

X, Z = 44224, 17920


def test_shape_type_and_place(alps):
    h = alps.heights(X, Z, 300, 200, lod=3)
    assert h.shape == (200, 300) and h.dtype == np.float32 and h.flags.c_contiguous
    assert h[7, 5] == alps.at([X + 5 * 8, Z + 7 * 8]) == alps.heights(X + 40, Z + 56, 1, 1)[0, 0]


def test_coarse_samples_are_those_of_finer_levels(alps):
    fine = alps.heights(X, Z, 257, 257)
    for lod in range(1, 6):
        step = 1 << lod
        assert np.array_equal(alps.heights(X, Z, 256 // step + 1, 256 // step + 1, lod), fine[::step, ::step])


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 5000), (5000, 1), (300_001, 3), (7, 200_003)])
def test_blocks_join(alps, width, height):
    """Rectangles of more than 2^17 samples, here the last two, are made in several blocks. Random samples equal the
    heights of single points."""
    h = alps.heights(-5, -3, width, height)
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, height, 500), rng.integers(0, width, 500)
    assert np.array_equal(h[rows, columns], alps.at(np.stack([columns - 5, rows - 3], axis=-1)))


def test_out_is_filled_without_a_copy(alps):
    whole = np.full((300, 400), np.nan, np.float32)
    part = whole[50:150, 30:330]
    assert alps.heights(X, Z, 300, 100, out=part) is part
    assert np.array_equal(part, alps.heights(X, Z, 300, 100))
    assert np.isnan(whole[:50]).all() and np.isnan(whole[150:]).all()
    assert np.isnan(whole[:, :30]).all() and np.isnan(whole[:, 330:]).all()


def test_memory_is_not_copied(alps):
    """While an array of 256 MiB is made, the peak of memory grows by one array, not by two."""
    code = """
        import resource, numpy as np, terrane
        w = terrane.World("alps")
        w.heights(0, 0, 64, 64)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        h = w.heights(0, 0, 8192, 8192)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert h.nbytes == 2**28 and after - before < 1.3 * 2**28 / 1024, (before, after)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def test_wrong_out(alps):
    wrong = {
        "another shape": np.empty((8, 9), np.float32),
        "32-bit floats": np.empty((8, 8), np.float64),
        "C-contiguous": np.empty((8, 16), np.float32)[:, ::2],
    }
    wrong["must not overlap"] = np.lib.stride_tricks.as_strided(np.empty(64, np.float32), (8, 8), (16, 4))
    for sentence, array in wrong.items():
        with pytest.raises(terrane.InvalidArgumentError, match=sentence):
            alps.heights(0, 0, 8, 8, out=array)
    locked = np.zeros((8, 8), np.float32)
    locked.flags.writeable = False
    with pytest.raises(terrane.InvalidArgumentError, match="writable"):
        alps.heights(0, 0, 8, 8, out=locked)
    assert not locked.any()


def test_out_by_dlpack(alps):
    """Arrays of other libraries are filled through DLPack."""

    class Foreign:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **words):
            return self.array.__dlpack__(**words)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    array = np.zeros((64, 64), np.float32)
    foreign = Foreign(array)
    assert alps.heights(X, Z, 64, 64, out=foreign) is foreign
    assert np.array_equal(array, alps.heights(X, Z, 64, 64))


def test_layers_by_name(alps):
    assert list(terrane.LAYERS)[0] == "height" and terrane.LAYERS["height"].unit == "m"
    for name, array in alps.layers(alps.layer_names, X, Z, 64, 32, 2).items():
        assert array.shape == (32, 64) and array.dtype == np.float32, name
        assert terrane.LAYERS[name].has_gaps or np.isfinite(array).all()
    out = np.empty((32, 64), np.float32)
    assert alps.layers(["height"], X, Z, 64, 32, 2, out={"height": out})["height"] is out
    assert np.array_equal(out, alps.heights(X, Z, 64, 32, 2))


def test_tiles_of_several_levels(alps):
    far = [(X, Z, 2), (0, 0, 13), (-8192, 8192, 12)]  # few samples: each needs its own network, which takes 5 ms
    for places, width, height in (([(X, Z, 0), (X, Z, 3), (0, 0, 8)], 67, 33), (far, 13, 7)):
        tiles = alps.tiles(places, width, height)
        assert tiles.shape == (3, height, width) and tiles.dtype == np.float32
        for tile, (x, z, lod) in zip(tiles, places, strict=True):
            assert np.array_equal(tile, alps.heights(x, z, width, height, lod))
    assert alps.tiles([], 8, 8).shape == (0, 8, 8)


def test_many_and_large_tiles(alps):
    places = np.stack([np.arange(3000) * 32, np.zeros(3000, int), np.zeros(3000, int)], axis=1)
    row = alps.tiles(places, 32, 32)
    assert np.array_equal(np.concatenate(row, axis=1), alps.heights(0, 0, 3000 * 32, 32))
    large = alps.tiles([(0, 0, 0), (1024, 0, 0)], 1024, 2048)
    assert np.array_equal(np.concatenate(large, axis=1), alps.heights(0, 0, 2048, 2048))
    out = np.full((2, 10, 20), np.nan, np.float32)
    alps.tiles([(0, 0, 0), (8, 0, 0)], 8, 8, out=out[:, 1:9, 3:11])
    assert np.isfinite(out).sum() == 128 and np.array_equal(out[1, 1:9, 3:11], alps.heights(8, 0, 8, 8))


def test_points_between_samples(alps):
    h = alps.heights(100, 200, 2, 2).astype(float)
    got = alps.at([[100.25, 200.5], [100.0, 201.0], [101.0, 200.75]])
    want = [
        (h[0] * 0.5 + h[1] * 0.5) @ [0.75, 0.25],
        h[1, 0],
        h[0, 1] * 0.25 + h[1, 1] * 0.75,
    ]
    assert np.allclose(got, want, rtol=1e-6)
    assert alps.at(np.zeros((2, 3, 2), int)).shape == (2, 3)
    assert alps.at(np.zeros((0, 2))).shape == (0,)
    many = np.random.default_rng(2).uniform(-1e5, 1e5, (1000, 2))
    assert np.array_equal(alps.at(many)[500:], alps.at(many[500:]))


def test_statistics(alps):
    h = alps.heights(X, Z, 3000, 2000)
    s = alps.statistics(X, Z, 3000, 2000)
    assert (s.min, s.max, s.count) == (h.min(), h.max(), h.size)
    assert s.mean == pytest.approx(h.mean(dtype=float), rel=1e-12)


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ((0, 8), "width is 0, expected 1 or more"),
        ((8, -1), "height is -1"),
        ((2**25, 2**24), "expected at most 2\\*\\*48 in all"),
    ],
)
def test_rectangles_that_statistics_refuse(alps, size, sentence):
    for call in (alps.statistics, alps.histogram):
        with pytest.raises(terrane.InvalidArgumentError, match=sentence):
            call(0, 0, *size)


def test_histogram(alps):
    h = alps.heights(X, Z, 3000, 1000)
    counts, edges = alps.histogram(X, Z, 3000, 1000, bins=32)
    assert counts.sum() == h.size and edges.shape == (33,)
    assert edges[0] == h.min() and edges[-1] == h.max()
    counts, _ = alps.histogram(X, Z, 3000, 1000, bins=8, range=(1000, 1800))
    inside, _ = np.histogram(h, 8, (1000, 1800))
    inside[0] += (h < 1000).sum()
    inside[-1] += (h > 1800).sum()
    assert np.abs(counts.astype(int) - inside).sum() <= 4  # numpy rounds the edges of bins in another way
    assert alps.histogram(0, 0, 1, 1, bins=4).counts.sum() == 1


def test_map_equals_the_program(alps, program, tmp_path):
    image = pytest.importorskip("PIL.Image", reason="Pillow is missing")
    for width, lod, x, z in ((300, 3, X, Z), (400, 3, X, Z), (200, 12, 0, 0)):
        file, size = tmp_path / f"{width}.png", f"{width}x200"
        place = ("--world", "alps", "--at", f"{x},{z}", "--size", size, "--lod", lod)
        program("export", *place, "--format", "map", "-o", file, "-q")
        assert np.array_equal(np.asarray(image.open(file)), alps.map(x, z, width, 200, lod).pixels)


def test_map_without_memory(alps):
    with pytest.raises(terrane.OutOfMemoryError, match=r"no memory for an array of shape \(2147\d+, 2147483647, 3\)"):
        alps.map(0, 0, 2**31 - 1, 2**31 - 10000)


def test_pictures(alps, tmp_path):
    picture = alps.map(X, Z, 400, 100, 3)
    assert picture.shape == (192, 400, 3) and np.asarray(picture) is picture.pixels
    assert alps.map(X, Z, 100, 100, 3).shape == (100, 100, 3)
    picture.save(tmp_path / "a.png")
    assert picture._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    (tmp_path / "kept").write_text("another program's")
    with pytest.raises(terrane.FileError, match="exists"):
        picture.save(tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "another program's"
    picture.save(tmp_path / "kept", replace=True)
    with pytest.raises(terrane.FileError):
        picture.save(tmp_path / "no" / "b.png")
    image = pytest.importorskip("PIL.Image", reason="Pillow is missing")
    for made in (tmp_path / "a.png", tmp_path / "kept", io.BytesIO(picture.png())):
        assert np.array_equal(np.asarray(image.open(made)), picture.pixels)


LONG_CALLS = {
    "heights": "out = np.zeros((8192, 8192), np.float32)\nwhile True: w.heights(0, 0, 8192, 8192, out=out)",
    "statistics": "w.statistics(0, 0, 2**24, 2**24)",
    "histogram": "w.histogram(0, 0, 2**24, 2**24, range=(0, 1))",
    "points": "w.at(np.zeros((2**26, 2), np.int64))",
    "places": "w.at(np.zeros((2**24, 2)))",
    "heights at 2 km": "w.heights(0, 0, 4096, 4096, lod=11)",
    "heights at 65 km": "w.heights(0, 0, 4096, 4096, lod=16)",
    "layers at 4 km": "w.layers(list(w.layer_names), 0, 0, 4096, 4096, lod=12)",
    "statistics at 8 km": "w.statistics(0, 0, 8192, 8192, lod=13)",
    "map at 1 km": "w.map(0, 0, 4096, 4096, lod=10)",
    "splat": "while True: w.layers(['splat', 'slope'], 0, 0, 4096, 4096)",
    "tiles at 4 km": "w.tiles([(0, 0, 12)] * 64, 256, 256)",
}


@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS)
def test_interrupted_within_a_second(call):
    """Ctrl-C raises KeyboardInterrupt."""
    code = f"import numpy as np, terrane\nw = terrane.World(levels=24)\nprint('ready', flush=True)\n{call}"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert process.poll() is None, process.stderr.read()
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, message = process.communicate(timeout=30)
    finally:
        process.kill()
    assert time.monotonic() - start < 1.5  # a second, and the end of the interpreter
    assert "KeyboardInterrupt" in message and process.returncode in (130, -signal.SIGINT), (process.returncode, message)


def test_wait_for_another_thread_is_interrupted():
    """While one thread computes, the main thread waits for the same generator. Ctrl-C ends this wait."""
    code = """
        import threading, os, signal, time, terrane
        w = terrane.World()
        threading.Thread(target=lambda: w.statistics(0, 0, 2**22, 2**14), daemon=True).start()
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            while True:
                w.heights(0, 0, 64, 64)
        except KeyboardInterrupt:
            print("took", time.monotonic() - start, flush=True)
        os._exit(0)
    """
    words = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    assert float(done.stdout.split()[1]) < 1.5, done


def test_no_leaks(alps):
    def memory():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def work():
        for n in range(30):
            w = terrane.World("alps", seed=n)
            w.heights(0, 0, 512, 512)
            w.tiles([(0, 0, 0)] * 4, 64, 64)
            w.map(0, 0, 128, 128)

    work()
    before = memory()
    for _ in range(5):
        work()
    assert memory() - before < 20e6


TWO = ["height", "water"]


def floats():
    return np.zeros((2, 2), np.float32)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda w: w.at(np.array([[2**64 - 1, 0]], np.uint64)), "points has the coordinate 18446744073709551615"),
        (lambda w: w.tiles(np.array([[2**64 - 1, 0, 0]], np.uint64), 2, 2), "places has the coordinate"),
        (lambda w: w.layers_at(["height"], np.array([[2**63, 0]], np.uint64)), "points has the coordinate"),
        (lambda w: w.layers(["height"], 0, 0, 2, 2, out={"hieght": floats()}), "out has an array 'hieght'"),
        (lambda w: w.layers(TWO, 0, 0, 2, 2, out=dict.fromkeys(TWO, floats())), "one array for two"),
        (lambda w: w.heights(0, 0, 2, 2, device=0), "device is 0, expected 'cpu', 'cuda' or 'cuda:N'"),
        (lambda w: w.heights(0, 0, 2, 2, device="cuda:²"), "device is 'cuda:²'"),
        (lambda w: w.histogram(0, 0, 2, 2, range="ab"), "range is 'ab', expected two numbers"),
        (lambda w: terrane.World("alps", gpu=-1), "gpu is -1, expected 0 to"),
    ],
)
def test_arguments_of_wrong_types(call, sentence):
    """Large integers do not wrap, an array under an unknown name is not ignored, and the error names the argument."""
    with pytest.raises(terrane.InvalidArgumentError, match=re.escape(sentence)):
        call(terrane.World("alps"))
