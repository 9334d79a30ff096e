"""Worlds: names, files, parameters, equality, copies, forked processes and threads."""

import concurrent.futures
import importlib.util
import copy
import multiprocessing
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import textwrap
import threading
import time
import typing

import numpy as np
import pytest

import terrane

PLACE = (44224, 17920)


def test_names_are_those_of_the_files(source):
    assert terrane.world_names() == sorted(path.stem for path in (source / "assets/worlds").glob("*.ini"))


def test_names_are_packaged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "alps" in terrane.world_names()
    assert terrane.World("alps").parameters["seed"] == 134


def test_worlds_are_inside_the_module(source):
    """The package has no .ini files, and each named world equals the world of its file."""
    assert not list(pathlib.Path(terrane.__file__).parent.rglob("*.ini"))
    for path in (source / "assets/worlds").glob("*.ini"):
        named, file = terrane.World(path.stem), terrane.World(path)
        assert (named.parameters, named.look) == (file.parameters, file.look)


def test_world_file(tmp_path):
    path = tmp_path / "own.ini"
    path.write_text("[world]\nseed = 11\nbroad_gain = 0.7\n[look]\npalette = moon\n")
    w = terrane.World(path, gain=0.4)
    assert (w.parameters["seed"], w.parameters["broad_gain"], w.parameters["gain"]) == (11, 0.7, 0.4)
    assert w.look["palette"] == "moon"
    assert w.parameters["levels"] == terrane.World().parameters["levels"]


def test_parameters_are_typed():
    """The typed dictionaries name exactly the parameters of the library."""
    w = terrane.World()
    hints = typing.get_type_hints(terrane.Parameters)
    assert [name for name in hints if not name.startswith("guide")] == list(w.parameters)
    assert list(typing.get_type_hints(terrane.Look)) == list(w.look)


def test_parameters_keep_every_bit():
    numbers = {"gain": 0.1 + 0.2, "amplitude": 1e-30, "base": -1 / 3, "seed": 2**64 - 1}
    w = terrane.World(basis="smooth", **numbers)
    assert {key: w.parameters[key] for key in numbers} == numbers
    assert terrane.World(basis="smooth", gain=np.float64(0.3), levels=np.int32(9)).parameters["gain"] == 0.3


def test_same_as_the_program(alps, program):
    points = [(0, 0), (5, 7), (-100, 2000), (2**46, -(2**46)), PLACE]
    printed = program("probe", "--world", "alps", *(f"{x},{z}" for x, z in points)).splitlines()
    bits = [line.split()[3] for line in printed]
    assert [f"{b:08x}" for b in alps.at(points).view(np.uint32)] == bits


def test_vectors(source):
    text = (source / "tests/data/vectors.txt").read_text()
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    keys = ("seed", "levels", "amplitude", "gain", "broad", "broad_gain", "base", "basis", "valley")
    assert len(lines) > 20
    for words in lines:
        w = terrane.World(**dict(zip(keys, words[:9], strict=True)))
        lod, x, z = map(int, words[9:12])
        assert f"{w.heights(x, z, 1, 1, lod).view(np.uint32)[0, 0]:08x}" == words[12], words


def test_equal_and_printed(alps):
    same = eval(repr(alps), {"terrane": terrane})
    assert same.parameters == alps.parameters
    assert alps == terrane.World("alps") and hash(alps) == hash(terrane.World("alps"))
    assert alps != terrane.World("alps", seed=1) and alps != "alps"


@pytest.mark.parametrize("name", terrane.world_names())
def test_copies_are_the_same(name):
    w = terrane.World(name, gain=0.47, look={"haze": 1.5}, threads=1)
    for other in (pickle.loads(pickle.dumps(w)), copy.deepcopy(w)):
        assert other == w and other.look == w.look
        assert np.array_equal(other.heights(*PLACE, 65, 65), w.heights(*PLACE, 65, 65))


def test_locale_with_decimal_commas(tmp_path):
    made = shutil.which("localedef") and subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], capture_output=True
    )
    if not made or made.returncode != 0:
        pytest.skip("localedef or its sources are missing (package locales)")
    code = """
        import locale, terrane
        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        assert locale.localeconv()["decimal_point"] == ","
        assert terrane.World("alps", relief=0.48).parameters["relief"] == 0.48
        assert terrane.World("alps").parameters["relief"] == 0.95
    """
    environment = os.environ | {"LOCPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, env=environment)


def test_threads_share_a_world(alps):
    wanted = [alps.heights(x, 0, 256, 256) for x in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda x: alps.heights(x, 0, 256, 256), list(range(8)) * 8))
    assert all(np.array_equal(g, wanted[n % 8]) for n, g in enumerate(got))


def test_gil_is_released():
    """While one thread computes heights, another thread counts. It reaches at least 0.4 of the speed that it reaches
    while nothing is computed."""
    stop, count = threading.Event(), [0]

    def run():
        while not stop.is_set():
            count[0] += 1

    def counted_a_second(work):
        before, start = count[0], time.monotonic()
        work()
        return (count[0] - before) / (time.monotonic() - start)

    one_thread = terrane.World("alps", threads=1)
    counter = threading.Thread(target=run)
    counter.start()
    alone = counted_a_second(lambda: time.sleep(0.5))
    beside = counted_a_second(lambda: one_thread.statistics(0, 0, 2**13, 2**13))
    stop.set()
    counter.join()
    assert beside > 0.4 * alone, (beside, alone)


def _work_in_child(world, queue):
    before = len(os.listdir("/proc/self/task"))
    total = float(world.heights(0, 0, 3000, 3000).sum())
    queue.put((total, len(os.listdir("/proc/self/task")) - before))


def test_forked_processes():
    """A forked child creates a new generator, because the threads of its parent's generator do not exist there."""
    alps = terrane.World("alps", threads=2)
    wanted = float(alps.heights(0, 0, 3000, 3000).sum())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_work_in_child, args=(alps, queue))
    child.start()
    assert queue.get(timeout=60) == (wanted, 1)  # a second thread
    child.join(60)
    assert child.exitcode == 0
    assert float(alps.heights(0, 0, 3000, 3000).sum()) == wanted


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: terrane.World("alp"), "world is 'alp', expected .* did you mean alps?"),
        (lambda: terrane.World("/nowhere/x.ini"), "/nowhere/x.ini"),
        (lambda: terrane.World(gain=2), r"gain is '2', expected a number from 0 \(excluded\) to 1 \(excluded\)"),
        (lambda: terrane.World(spacing=1e39), r"spacing is '1e\+39', expected a number from 0.001 to 1000000"),
        (lambda: terrane.World(spacing=0.0009), "spacing is '0.0009'"),
        (lambda: terrane.World(gian=0.5), "unknown parameter 'gian', expected seed, levels"),
        (lambda: terrane.World(gain=None), "gain is None"),
        (lambda: terrane.World(basis="rough"), "basis is 'rough', expected midpoint, smooth or fluvial"),
        (lambda: terrane.World(look={"palette": "pink"}), "palette is 'pink'"),
        (lambda: terrane.World(backend="gpu"), "backend is 'gpu', expected auto, cpu or cuda"),
        (lambda: terrane.World(threads=-1, backend="cpu"), "threads"),
        (lambda: terrane.World().heights(0.5, 0, 8, 8), "x is 0.5, expected an integer"),
        (lambda: terrane.World().heights(4, 0, 8, 8, 3), "x is 4, expected a multiple of 8"),
        (lambda: terrane.World().heights(0, 0, 0, 8), "width is 0"),
        (lambda: terrane.World().heights(0, 0, 8, 8, 21), "lod is 21, expected -4 to 20"),
        (lambda: terrane.World().heights(2**46, 0, 2, 1), "leaves the world"),
        (lambda: terrane.World().heights(2**63, 0, 2, 1), "x is 9223372036854775808"),
        (lambda: terrane.World().heights(0, 0, 8, 8, device="tpu"), "device is 'tpu'"),
        (lambda: terrane.World().layers(["hight"], 0, 0, 8, 8), "layer is 'hight', expected one of: height"),
        (lambda: terrane.World().at([1, 2, 3]), r"points has shape \(3,\)"),
        (lambda: terrane.World().at([[1.0, np.nan]]), "leaves the world"),
        (lambda: terrane.World().tiles([[0, 0, 99]], 8, 8), "lod"),
        (lambda: terrane.World().tiles([[1, 0, 1]], 8, 8), "no multiple"),
        (lambda: terrane.World().histogram(0, 0, 8, 8, bins=5000), "bins is 5000"),
        (lambda: terrane.World().histogram(0, 0, 8, 8, range=(5, 5)), "5"),
    ],
)
def test_wrong_arguments(call, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence) as caught:
        call()
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, terrane.Error)


def test_wrong_line_of_a_world_file(tmp_path):
    path = tmp_path / "wrong.ini"
    path.write_text("[world]\nseed = 1\nvally = 3\n")
    with pytest.raises(terrane.InvalidArgumentError, match=r"wrong.ini:3: unknown key 'vally'"):
        terrane.World(path)


def test_backend_that_cannot_run():
    if terrane.devices():
        pytest.skip("there is a CUDA device")
    with pytest.raises(terrane.BackendError, match="CUDA"):
        terrane.World(backend="cuda")
    with pytest.raises(terrane.BackendError, match="CUDA"):
        terrane.World().heights(0, 0, 8, 8, device="cuda")
    assert terrane.World().backend == "cpu"


def test_too_little_memory(alps):
    with pytest.raises(terrane.OutOfMemoryError, match="GiB"):
        alps.heights(0, 0, 2**31 - 1, 2**31 - 1)


def test_everything_is_documented():
    missing = {"open_world"} if importlib.util.find_spec("xarray") is None else set()
    for name in set(terrane.__all__) - missing:
        thing = getattr(terrane, name)
        if isinstance(thing, type) or callable(thing):
            assert thing.__doc__, name
    for name, thing in vars(terrane.World).items():
        if callable(thing) and not name.startswith("_"):
            assert thing.__doc__, name
    assert os.path.exists(os.path.join(os.path.dirname(terrane.__file__), "py.typed"))
