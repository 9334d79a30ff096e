"""Threads at the end of the process, sub-interpreters, texts and numbers that C cannot represent, subclasses of World,
and time and memory of scattered points."""

import copy
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import terrane


def run(code, *words):
    """Run a Python program. Returns its standard output."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


@pytest.mark.parametrize(
    "call",
    [
        "heights(0, 0, 2**14, 2**14)",
        "map(0, 0, 4096, 4096)",
        "statistics(0, 0, 2**20, 2**20)",
        "at(np.zeros((2**24, 2)))",
        "layers(['splat'], 0, 0, 4096, 4096)",
    ],
)
def test_daemon_threads_at_the_end(call):
    """A daemon thread that is in the middle of a call does not abort the process when the interpreter ends."""
    run(
        f"""
        import threading, time
        import numpy as np, terrane
        w = terrane.World("alps")
        w.heights(0, 0, 64, 64)
        for _ in range(2):
            threading.Thread(target=lambda: w.{call}, daemon=True).start()
        time.sleep(0.3)
        """
    )


SUB_INTERPRETER = """
    import sys
    try:
        import _interpreters as interpreters
        modes = {"isolated": "isolated", "legacy": "legacy"}
    except ImportError:
        import _xxsubinterpreters as interpreters
        modes = {"isolated": True, "legacy": False}
    mode, order = sys.argv[1:]
    if order == "main first":
        import terrane
        before = terrane.World("alps").heights(0, 0, 1, 1)
    if "_interpreters" in sys.modules:
        made = interpreters.create(modes[mode])
    else:
        made = interpreters.create(isolated=modes[mode])
    try:
        failure = interpreters.run_string(made, "import terrane")
        print("failure:", failure)
    except Exception as error:
        print("failure:", error)
    import terrane
    print(terrane.World("alps").heights(0, 0, 1, 1))
    try:
        terrane.World("no such world")
    except terrane.InvalidArgumentError:
        print("error of its class")
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="interpreters of 3.12 and later")
@pytest.mark.parametrize("order", ["main first", "sub-interpreter first"])
@pytest.mark.parametrize("mode", ["isolated", "legacy"])
def test_sub_interpreters(mode, order):
    """A sub-interpreter cannot import the module. The main interpreter still can."""
    printed = run(SUB_INTERPRETER, mode, order)
    assert "sub-interpreters: use threads or processes" in printed
    assert str(terrane.World("alps").heights(0, 0, 1, 1)) in printed and "error of its class" in printed


def zero_bytes(w):
    return {
        "world is 'alps'": lambda: terrane.World("alps\0x"),
        "backend is 'cpu'": lambda: terrane.World(backend="cpu\0x"),
        "basis is 'fluvial'": lambda: terrane.World(basis="fluvial\0x"),
        "seed is '1'": lambda: terrane.World(seed="1\0002"),
        "parameter is 'seed'": lambda: terrane.World(**{"seed\0x": 1}),
        "palette is 'moon'": lambda: terrane.World(look={"palette": "moon\0x"}),
        "layer is 'height'": lambda: w.layers(["height\0x"], 0, 0, 2, 2),
        "path is '/tmp/a'": lambda: w.map(0, 0, 2, 2).save("/tmp/a\0.png", replace=True),
    }


@pytest.mark.parametrize("sentence", zero_bytes(None))
def test_zero_bytes(alps, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=f"{sentence} with a zero byte behind it"):
        zero_bytes(alps)[sentence]()


def numbers(w):
    huge = 10**400
    return {
        "gpu is 1099511627776, expected 0 to": lambda: terrane.World(gpu=2**40),
        "threads is -1, expected 0 to": lambda: terrane.World(threads=-1),
        "threads is 1099511627776": lambda: terrane.World(threads=2**40),
        "range is \\(0, 1000000": lambda: w.histogram(0, 0, 2, 2, range=(0, huge)),
        "range is \\(0, 1e\\+300\\)": lambda: w.histogram(0, 0, 2, 2, range=(0, 1e300)),
        "range is \\(0, inf\\)": lambda: w.histogram(0, 0, 2, 2, range=(0, np.inf)),
        "range is \\(nan, 1\\)": lambda: w.histogram(0, 0, 2, 2, range=(np.nan, 1)),
        "device is 'cuda:9999999999'": lambda: w.heights(0, 0, 2, 2, device="cuda:9999999999"),
        "stream is -1": lambda: w.heights(0, 0, 2, 2, device="cuda", stream=-1),
        "stream is 1180591620717411303424": lambda: w.heights(0, 0, 2, 2, device="cuda", stream=2**70),
        "a point at 1e\\+300, 0 leaves": lambda: w.at([[1e300, 0]]),
        "a point at nan, 0 leaves": lambda: w.at([[np.nan, 0]]),
    }


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sentence", numbers(None))
def test_numbers_that_are_too_large(alps, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        numbers(alps)[sentence]()


def test_numbers_of_numpy(alps):
    """NumPy's integers of any width give the same results as Python's integers."""
    three, far = np.int32(3), np.int32(2**20)
    assert np.array_equal(alps.heights(far, far, np.uint8(4), np.int8(4), three), alps.heights(2**20, 2**20, 4, 4, 3))
    assert alps.at([[far, far]], three) == alps.at([[2**20, 2**20]], 3)
    assert alps.layers_at(["height"], [[far, far]], three)["height"] == alps.at([[2**20, 2**20]], 3)
    assert alps.statistics(far, far, np.int16(4), 1, three) == alps.statistics(2**20, 2**20, 4, 1, 3)


def test_shapes_that_overflow():
    """The size of an array of 2**64 bytes does not wrap to 0."""
    with pytest.raises(terrane.OutOfMemoryError, match="17179869184.0 GiB"):
        terrane.DeviceArray.empty((2**31, 2**31), 0, 0)


class Named(terrane.World):
    """A subclass as a user may write it: its constructor has other arguments than World's."""

    def __init__(self, name, note):
        super().__init__(name, threads=2)
        self.note = note


def test_classes_made_of_world():
    world = Named("alps", ["a note"])
    for made in (pickle.loads(pickle.dumps(world)), copy.copy(world), copy.deepcopy(world)):
        assert type(made) is Named and made.note == ["a note"] and made == world and made._options == world._options
        assert made.heights(0, 0, 1, 1) == world.heights(0, 0, 1, 1)
    assert world.__dask_tokenize__() != terrane.World("alps").__dask_tokenize__()


def test_memory_of_far_points():
    """For a point between samples 1,048 km apart only the four samples around it are made."""
    peak = run(
        """
        import pathlib, numpy as np, terrane
        w = terrane.World(basis="fluvial")
        corners = w.heights(0, 0, 2, 2, 20).astype(float)
        assert abs(w.at([[2.0**19, 2.0**18]], 20)[0] - (corners[0].mean() * 0.75 + corners[1].mean() * 0.25)) < 1e-3
        # unlike ru_maxrss, this does not count what the parent had before the program began
        print(pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
        """
    )
    assert int(peak) < 400 * 1024  # KiB


@pytest.mark.parametrize("basis", ["midpoint", "fluvial"])
def test_scattered_points(basis):
    """Points on samples equal the samples of a rectangle, in any order. Points between samples are interpolated."""
    w = terrane.World(basis=basis)
    x, z, side = 1_000_000, -700_000, 300
    h = w.heights(x, z, side, side)
    rng = np.random.default_rng(5)
    points = rng.integers(0, side, (1000, 2))
    assert np.array_equal(w.at(points + [x, z]), h[points[:, 1], points[:, 0]])
    assert np.array_equal(w.layers_at(["height"], points + [x, z])["height"], h[points[:, 1], points[:, 0]])
    places = rng.uniform(0, side - 1.01, (1000, 2))
    (i, j), (u, v) = np.floor(places).astype(int).T, (places % 1).T
    wanted = (h[j, i] * (1 - u) + h[j, i + 1] * u) * (1 - v) + (h[j + 1, i] * (1 - u) + h[j + 1, i + 1] * u) * v
    assert np.abs(w.at(places + [x, z]) - wanted).max() < 2e-3
    assert w.at(np.zeros((0, 2))).shape == (0,)


def test_points_at_the_end_of_the_world(alps):
    end = terrane.COORDINATE_MAX
    corners = np.array([[x, z] for x in (-end, end) for z in (-end, end)])
    assert np.array_equal(alps.at(corners.astype(float)), alps.at(corners))
    with pytest.raises(terrane.InvalidArgumentError, match="leaves the world"):
        alps.at([[end + 0.5, 0.0]])


def test_scattered_points_share_networks():
    """1,000 points of 2 x 2 km share networks: together they take at most a fifth of the time of single calls."""
    seconds = run(
        """
        import time, numpy as np, terrane
        w = terrane.World(basis="fluvial", threads=1)
        points = np.random.default_rng(1).integers(-1000, 1000, (1000, 2)) + 1_000_000
        w.at(points[:1])
        begun = time.process_time()
        w.at(points)
        together = time.process_time() - begun
        begun = time.process_time()
        for point in points[:200]:
            w.at(point)
        print(together, 5 * (time.process_time() - begun))
        """
    )
    together, alone = map(float, seconds.split())
    assert together < alone / 5, (together, alone)
