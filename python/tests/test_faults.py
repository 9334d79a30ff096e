"""Each request of the module for memory fails once. The call raises OutOfMemoryError or returns the right result, and
the next call returns the right result."""

import os
import subprocess
import sys
import textwrap

import pytest

STEP = os.environ.get("TERRANE_FAULT_STEP", "1")  # 3: only every third request is tried

CALLS = {
    "world": "terrane.World('alps', seed=3, look={'haze': 2})",
    "heights": "w.heights(0, 0, 300, 200)",
    "coarse heights": "w.heights(0, 0, 3, 2, 16)",
    "layers": "list(w.layers(w.layer_names, 0, 0, 60, 40, 4).values())",
    "derived layers": "list(w.layers(['slope', 'splat', 'water'], 0, 0, 60, 40, 4).values())",
    "tiles": "w.tiles([(0, 0, 0), (4096, 64, 3), (8192, 0, 3)], 20, 10)",
    "points": "w.at([(0, 0), (90000, 5), (7, 7)])",
    "places": "w.at([(0.5, 0), (90000.5, 5), (7, 7)])",
    "statistics": "w.statistics(0, 0, 300, 200)",
    "map": "w.map(0, 0, 400, 50, 3)",
    "picture": "terrane.Picture(pixels).png()",
    "midpoint": "terrane.World(basis='midpoint', threads=2).heights(0, 0, 300, 200)",
}

PROGRAM = """
    import ctypes, sys
    import numpy as np, terrane
    faults = ctypes.CDLL(sys.argv[1])
    faults.terrane_fault_end.restype = ctypes.c_long
    pixels = np.arange(30 * 20 * 3, dtype=np.uint8).reshape(30, 20, 3)

    def call(w):
        return {call}

    def is_same(a, b):
        if isinstance(a, list):
            return all(map(is_same, a, b))
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f") if isinstance(a, np.ndarray) else a == b

    def new_world():  # a world with a new generator, which has computed nothing yet
        return terrane.World("alps", threads=2)

    # Let nanobind's table of objects grow now, because nanobind ends the process if the table cannot grow.
    many = [new_world() for _ in range(2000)]
    del many

    expected = call(new_world())
    if isinstance(expected, terrane.Picture):
        picture = call
        call = lambda w: picture(w).pixels
        expected = call(new_world())
    n, failed = 1 - {step}, 0
    while True:
        n += {step}
        w = new_world()
        faults.terrane_fault_begin(b"module:%d" % n)
        try:
            result = call(w)
        except MemoryError as error:
            assert isinstance(error, terrane.OutOfMemoryError), repr(error)
            assert str(error), n
            failed += 1
        else:
            assert is_same(result, expected), n
        counted = faults.terrane_fault_end()
        assert is_same(call(w), expected), n
        if counted < n:
            break
    print(counted, failed)
"""


@pytest.mark.parametrize("call", CALLS)
def test_memory(call, faults):
    code = textwrap.dedent(PROGRAM).replace("{call}", CALLS[call]).replace("{step}", STEP)
    environment = {**os.environ, "LD_PRELOAD": str(faults)}
    words = [sys.executable, "-c", code, str(faults)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    requests, failed = map(int, done.stdout.split())
    assert requests > 0 and failed > 0, done.stdout
