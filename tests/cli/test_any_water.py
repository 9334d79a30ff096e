"""test_any_water.py - checks the exports of test_any_water.sh, in which a sample stands for the cell around it: a cell
has water where the finest level has water, and rivers are connected."""

import json

import numpy as np

SIDE = 2048  # side of the exported square, lattice steps


def read(name, width, height=None):
    return np.fromfile(name, "<f4").reshape(height or width, width)


def pieces(mask):
    """Number of connected pieces of a mask; samples are connected at their sides."""
    left, count = set(zip(*np.nonzero(mask))), 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            row, column = edge.pop()
            for beside in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if beside in left:
                    left.remove(beside)
                    edge.append(beside)
    return count


def check_pooled():
    """A cell has water if and only if one of its samples of the finest level has water. The cell's water level is that
    of one of these samples."""
    finest = read("finest.r32", SIDE + 24)
    for lod in (1, 2, 3, 4):
        n, side = 1 << lod, SIDE >> lod
        begin = 16 - n // 2  # sample 16 of finest.r32 is the first sample of the coarser files, the middle of its cell
        cells = finest[begin : begin + side * n, begin : begin + side * n]
        cells = cells.reshape(side, n, side, n).transpose(0, 2, 1, 3).reshape(side, side, n * n)
        anywhere = read(f"any_{lod}.r32", side)
        wet = np.isfinite(cells).any(2)
        missed, more = (wet & ~np.isfinite(anywhere)).sum(), (np.isfinite(anywhere) & ~wet).sum()
        print(f"lod {lod}: {wet.sum()} wet cells, {missed} missed, {more} too many")
        assert wet.sum() > 300 and missed == 0 and more == 0
        assert (cells == anywhere[..., None]).any(2)[wet].all()


def check_coarse():
    """Cells of lod 5 and 6 are first searched by samples 2 and 4 lattice steps apart, and then by finer samples. Cells
    at the edges are left out, because finest.r32 lacks some of their samples."""
    finest = np.isfinite(read("finest.r32", SIDE + 24))
    for lod in (5, 6):
        n, side = 1 << lod, SIDE >> lod
        begin = 16 - n // 2 + n
        cells = finest[begin : begin + (side - 2) * n, begin : begin + (side - 2) * n]
        wet = cells.reshape(side - 2, n, side - 2, n).any(axis=(1, 3))
        anywhere = np.isfinite(read(f"any_{lod}.r32", side))[1:-1, 1:-1]
        missed, more = (wet & ~anywhere).sum(), (anywhere & ~wet).sum()
        print(f"lod {lod}: {wet.sum()} wet cells, {missed} missed, {more} too many")
        assert wet.sum() > 60 and missed == 0 and more == 0


def check_own():
    """If a point has water, its cell has the same water."""
    for lod in (1, 2, 3, 4):
        point, anywhere = read(f"point_{lod}.r32", SIDE >> lod), read(f"any_{lod}.r32", SIDE >> lod)
        wet = np.isfinite(point)
        assert wet.any() and (point[wet] == anywhere[wet]).all()
        assert np.isfinite(anywhere).sum() > wet.sum()


def check_pieces():
    """Exported by cells, the rivers are at most 4 connected pieces; exported by points at lod 4, more than 15."""
    for lod in (1, 2, 3, 4):
        by_point, by_cell = (pieces(np.isfinite(read(f"{kind}_{lod}.r32", SIDE >> lod))) for kind in ("point", "any"))
        print(f"lod {lod}: {by_cell} pieces of water, {by_point} of points")
        assert by_cell <= 4
    assert by_point > 15


def check_tiles():
    """Tiles, and an export of a smaller rectangle, have the samples of one large export, bit by bit."""
    whole = read("any_3.r32", SIDE >> 3).view("u4")
    for row in range(3):
        for column in range(4):
            tile = read(f"t_x{column}_y{row}.r32", 61, 67).view("u4")
            assert (tile == whole[67 * row : 67 * row + 67, 61 * column : 61 * column + 61]).all(), (row, column)
    coarse = read("any_6.r32", SIDE >> 6).view("u4")
    assert (read("part.r32", 13, 11).view("u4") == coarse[7:18, 5:18]).all()


def check_words():
    assert json.load(open("any_3.r32.json"))["water"] == "any"
    assert json.load(open("point_3.r32.json"))["water"] == "point"
    assert "water" not in json.load(open("both_height.tif.json"))


for check in (check_pooled, check_coarse, check_own, check_pieces, check_tiles, check_words):
    check()
    print(check.__name__)
