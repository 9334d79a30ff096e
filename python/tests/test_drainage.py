"""World.drainage() agrees with the files of the program, the network's areas at the edge and pyflwdir; the rivers of
the basins of examples/hydrology lie in its channels."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

import terrane

X, Z, W, H, LOD = -1052928, 1942272, 40, 30, 7


@pytest.fixture(scope="module")
def world():
    return terrane.World()


@pytest.fixture(scope="module")
def conditioned(world):
    return world.drainage(X, Z, W, H, LOD, conditioned=True)


def test_equals_the_files_of_the_program(world, conditioned, program, tmp_path):
    place = ("--at", f"{X},{Z}", "--size", f"{W}x{H}", "--lod", LOD, "--layer", "height,accumulation,direction")
    for made, option in ((world.drainage(X, Z, W, H, LOD), ()), (conditioned, ("--conditioned",))):
        program("export", *place, *option, "--force", "-o", tmp_path / "{layer}.r32")
        for name, array in made.items():
            assert np.array_equal(np.fromfile(tmp_path / f"{name}.r32", "<f4").reshape(H, W), array), (option, name)
            assert array.dtype == (np.uint8 if name == "direction" else np.float32)


def test_rivers_bring_the_areas_of_the_network(world):
    """A part of a rectangle has the areas of the rectangle, because rivers bring them in."""
    plain = world.drainage(X, Z, W, H, LOD)
    part = world.drainage(X + 10 * 2**LOD, Z + 8 * 2**LOD, 20, 15, LOD)
    large = plain["accumulation"][8:23, 10:30]
    rivers = large > 2e7
    assert rivers.sum() > 10 and rivers[:, 0].sum() + rivers[:, -1].sum() + rivers[0].sum() + rivers[-1].sum() > 0
    assert np.median(np.abs(part["accumulation"] / large - 1)[rivers]) < 0.15


def test_pyflwdir_follows_conditioned_heights(conditioned):
    """pyflwdir reads the directions, has nothing to fill, and finds the same channels. On slopes its
    directions differ: a cell drains to the neighbour from which pyflwdir's flood came, not to the steepest one."""
    pyflwdir = pytest.importorskip("pyflwdir", reason="pyflwdir is missing")
    found = pyflwdir.from_dem(conditioned["height"], nodata=-9999.0, outlets="edge").upstream_area("cell")
    own = pyflwdir.from_array(conditioned["direction"], ftype="d8").upstream_area("cell")
    assert (conditioned["accumulation"] >= 0.999999 * own * 4.0**LOD).all()
    rows, columns = np.nonzero(own >= 100)
    near = [found[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].max() for y, x in zip(rows, columns, strict=True)]
    assert len(near) > 20 and (np.array(near) >= 50).mean() > 0.9
    filled, _ = pyflwdir.dem.fill_depressions(conditioned["height"], nodata=-9999.0, outlets="edge")
    assert np.array_equal(filled, conditioned["height"])


def test_refusals(world):
    smooth = terrane.World(basis="smooth")
    assert smooth.drainage(0, 0, 5, 4)["direction"].shape == (4, 5)
    for call, words in (
        (lambda: smooth.drainage(0, 0, 5, 4, conditioned=True), "no rivers"),
        (lambda: world.drainage(0, 0, 6000, 6000), "expected at most"),
        (lambda: world.drainage(0, 0, 60, 60, min_area=2.0), "min_area needs conditioned"),
        (lambda: world.drainage(0, 0, 999, 9, 11), "expected at most 1966080"),
        (lambda: world.drainage(0, 0, 0, 9), "width is 0"),
        (lambda: world.drainage(0, 0, 9, 9, conditioned=True, min_area=-1), "min_area is -1 km2, expected at least 0.52"),
    ):
        with pytest.raises(terrane.InvalidArgumentError, match=words):
            call()


def test_basins(source, tmp_path, monkeypatch):
    """The rivers of the truth lie in channels of conditioned heights, also for pyflwdir."""
    for module in ("geopandas", "rasterio", "scipy"):
        pytest.importorskip(module, reason=f"{module} is missing")
    folder = source / "examples/hydrology"
    command = [sys.executable, folder / "basins.py", tmp_path / "b", "--count", "3"]
    program = os.environ.get("TERRANE_PROGRAM") or pytest.skip("TERRANE_PROGRAM is not set")
    assert subprocess.run([*command, "--program", program], check=True, capture_output=True, text=True).stdout
    monkeypatch.syspath_prepend(folder)  # score.py imports basins.py
    spec = importlib.util.spec_from_file_location("score", folder / "score.py")
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    basins = [score.Basin(path.parent) for path in sorted((tmp_path / "b").glob("*/basin.json"))]
    assert len(basins) == 3
    near, nearer, false, overlap, area = np.mean([b.score(score.terrane_conditioned) for b in basins], axis=0)
    assert near > 0.85 and nearer > 0.9 and false < 0.2 and overlap > 0.9 and 0.8 < area < 1.25
    wrong = np.mean([b.score(lambda heights, path: score.of_codes(np.full(heights.shape, 1))) for b in basins], axis=0)
    assert wrong[0] < 0.5 and wrong[3] < 0.3
