"""Arrays that the caller passes as `out`, with any strides and alignment: they are filled like new arrays, or refused
and not changed."""

import itertools

import numpy as np
import pytest

import terrane

X, Z = 44224, 17920
W, H, N = 12, 9, 3
PLACES = [(X, Z, 0), (X + 4096, Z, 3), (X, Z + 64, 2)]
as_strided = np.lib.stride_tricks.as_strided


def views(memory):
    """Arrays of N tiles in a block of memory: name, array, and whether it can be filled."""
    row, slot = W + 5, (W + 5) * H + 7
    start = memory[2000:]
    yield "gaps", as_strided(start, (N, H, W), (4 * slot, 4 * row, 4)), True
    yield "reversed tiles", as_strided(start, (N, H, W), (4 * slot, 4 * row, 4))[::-1], True
    yield "every other tile, reversed", as_strided(start, (2 * N, H, W), (4 * slot, 4 * row, 4))[::-2], True
    yield "tiles side by side", as_strided(start, (N, H, W), (4 * W, 4 * N * W, 4)), True
    yield "tiles side by side, reversed", as_strided(start, (N, H, W), (4 * W, 4 * N * W, 4))[::-1], True
    yield "rows of tiles in turn", as_strided(start, (N, H, W), (4 * row, 4 * N * row, 4)), True
    yield "tiles on each other", as_strided(start, (N, H, W), (0, 4 * row, 4)), False
    yield "tiles a row apart", as_strided(start, (N, H, W), (4 * row, 4 * row, 4)), False
    yield "last row of a tile on the next one", as_strided(start, (N, H, W), (4 * (slot - row - 8), 4 * row, 4)), False
    yield "reversed tiles on each other", as_strided(start, (N, H, W), (4 * row, 4 * row, 4))[::-1], False
    yield "reversed rows", as_strided(start, (N, H, W), (4 * slot, 4 * row, 4))[:, ::-1], False
    yield "reversed columns", as_strided(start, (N, H, W), (4 * slot, 4 * row, 4))[:, :, ::-1], False
    yield "columns apart", as_strided(start, (N, H, W), (8 * slot, 8 * row, 8)), False
    yield "swapped axes", as_strided(start, (N, H, W), (4, 4 * N, 4 * N * H)), False
    yield "big-endian", as_strided(start, (N, H, W), (4 * slot, 4 * row, 4)).view(">f4"), False
    for shift in (1, 2, 3):
        shifted = memory.view(np.uint8)[8000 + shift : -4 + shift].view(np.float32)
        yield f"{shift} bytes beyond a float", as_strided(shifted, (N, H, W), (4 * slot, 4 * row, 4)), False


MEMORY = 8000


@pytest.mark.parametrize("case", [name for name, _, _ in views(np.zeros(MEMORY, np.float32))])
def test_tiles(alps, case):
    memory = np.full(MEMORY, -12345, np.float32)
    before = memory.copy()
    expected = alps.tiles(PLACES, W, H)
    array, can_be_filled = next((array, can) for name, array, can in views(memory) if name == case)
    if can_be_filled:
        assert alps.tiles(PLACES, W, H, out=array) is array
        assert np.array_equal(array, expected)
        array[...] = -12345
    else:
        with pytest.raises(terrane.InvalidArgumentError):
            alps.tiles(PLACES, W, H, out=array)
    assert np.array_equal(memory, before), "something beside the array was written"


def test_large_tiles():
    """The same rules hold for tiles of more than 8 * 2^17 samples, which are made in blocks."""
    w = terrane.World(basis="midpoint")
    side, places = 1040, [(0, 0, 0), (4096, 0, 0)]
    expected = w.tiles(places, side, side)
    memory = np.zeros((2, side, side), np.float32)
    w.tiles(places, side, side, out=memory[::-1])
    assert np.array_equal(memory[::-1], expected)
    beside = np.zeros((side, 2, side), np.float32)
    w.tiles(places, side, side, out=beside.transpose(1, 0, 2))
    assert np.array_equal(beside.transpose(1, 0, 2), expected)
    for stride in (0, 4 * side, 4 * side * (side - 1)):
        with pytest.raises(terrane.InvalidArgumentError, match="share memory"):
            w.tiles(places, side, side, out=as_strided(memory, (2, side, side), (stride, 4 * side, 4)))


def test_a_file_that_is_not_aligned(tmp_path):
    """A mapped file whose samples begin at byte 7. It is so large that stores would bypass the caches."""
    side = 2048
    (tmp_path / "a").write_bytes(bytes(7 + 4 * side * side))
    mapped = np.memmap(tmp_path / "a", np.float32, "r+", offset=7, shape=(side, side))
    with pytest.raises(terrane.InvalidArgumentError, match="not aligned"):
        terrane.World(basis="midpoint").heights(0, 0, side, side, out=mapped)
    assert not mapped.any()


def test_points_that_are_not_aligned(alps):
    points = np.array([[X + 0.5, Z + 0.25], [X, Z]])
    shifted = np.zeros(points.nbytes + 3, np.uint8)[3:].view(np.float64).reshape(2, 2)
    shifted[...] = points
    assert np.array_equal(alps.at(shifted), alps.at(points))


def test_layers_of_one_memory():
    """Rows of two layers may alternate in memory, but may not overlap."""
    w = terrane.World(basis="fluvial")
    names = ["height", "flow"]
    expected = w.layers(names, X, Z, 8, 6, 4)
    memory = np.zeros((6, 2, 8), np.float32)
    w.layers(names, X, Z, 8, 6, 4, out={"height": memory[:, 0], "flow": memory[:, 1]})
    assert np.array_equal(memory[:, 0], expected["height"]) and np.array_equal(memory[:, 1], expected["flow"])
    for first, second in itertools.permutations((memory.reshape(12, 8)[:6], memory.reshape(12, 8)[5:11])):
        with pytest.raises(terrane.InvalidArgumentError, match="height and flow share memory"):
            w.layers(names, X, Z, 8, 6, 4, out={"height": first, "flow": second})
