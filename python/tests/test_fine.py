"""Levels of detail -1 to -4: samples between whole lattice steps, in every call, equal to those of the program."""

import numpy as np
import pytest

import terrane

LODS = (-1, -2, -3, -4)
X, Z = -1101331.5, 1932264.5  # a river
NAMES = ["height", "water", "flow", "slope"]


@pytest.fixture(scope="module")
def land():
    return terrane.World(continents=0)


def bits(array):
    return np.ascontiguousarray(array).view(np.uint32)


def same(one, other):
    return np.array_equal(bits(one), bits(other))


@pytest.mark.parametrize("lod", LODS)
def test_rectangles_are_those_of_the_program(land, program, tmp_path, lod):
    words = f"export --continents 0 --at {X},{Z} --size 48x32 -q --layer {','.join(NAMES)} --lod {lod} -o".split()
    program(*words, tmp_path / "{layer}.r32")
    made = land.layers(NAMES, X, Z, 48, 32, lod)
    for name in NAMES:
        assert np.array_equal(bits(made[name]), np.fromfile(tmp_path / f"{name}.r32", "<u4").reshape(32, 48)), name


def test_levels_are_subsets(land):
    finest = land.layers(NAMES[:3], int(X - 0.5), int(Z - 0.5), 65, 65, -4)
    for lod in (0, *LODS):
        side = (64 >> lod + 4) + 1
        coarse = land.layers(NAMES[:3], int(X - 0.5), int(Z - 0.5), side, side, lod)
        assert all(same(coarse[name], finest[name][:: 1 << lod + 4, :: 1 << lod + 4]) for name in coarse), lod


def test_any_water_is_that_of_the_program(land, program, tmp_path):
    words = f"export --continents 0 --at {X},{Z} --size 48x32 -q --layer water --water any --lod -2 -o".split()
    program(*words, tmp_path / "water.r32")
    made = land.layers(["water"], X, Z, 48, 32, -2, water="any")["water"]
    assert np.array_equal(bits(made), np.fromfile(tmp_path / "water.r32", "<u4").reshape(32, 48))


def test_tiles_and_points(land):
    """Tiles of different levels in one call, and points, are parts of rectangles. Floats are interpolated by at()."""
    places = [(X, Z, -1), (X + 0.0625, Z - 0.125, -4), (-1104264, 1954536, 2), (X - 0.25, Z, -2)]
    tiles = land.tile_layers(NAMES, places, 9, 7)
    for n, (x, z, lod) in enumerate(places):
        x, z = (x, z) if lod < 0 else (int(x), int(z))
        alone = land.layers(NAMES, x, z, 9, 7, lod)
        assert all(same(tiles[name][n], alone[name]) for name in NAMES), (x, z, lod)
    assert np.array_equal(land.tiles([(3, 4, -1), (5, 6, -2)], 2, 2)[1], land.heights(5, 6, 2, 2, -2))  # integers
    fine = land.layers(NAMES, X, Z, 5, 5, -3)
    points = np.array([[X + i / 8, Z + j / 8] for j in range(5) for i in range(5)])
    got = land.layers_at(NAMES, points, -3)
    assert all(same(got[name], fine[name].ravel()) for name in NAMES)
    assert same(land.at(points, -3), fine["height"].ravel())
    assert same(land.at(np.array([[-1104264, 1954536]]), -3), land.heights(-1104264, 1954536, 1, 1)[0])
    h = fine["height"].astype(float)
    assert land.at([X + 1 / 16, Z + 1 / 16], -3) == pytest.approx(h[:2, :2].mean(), abs=1e-4)


def test_statistics_and_maps(land):
    heights = land.heights(X, Z, 40, 30, -3)
    got = land.statistics(X, Z, 40, 30, -3)
    assert (got.min, got.max, got.count) == (heights.min(), heights.max(), 1200)
    assert land.histogram(X, Z, 40, 30, -3, bins=8).counts.sum() == 1200
    assert np.asarray(land.map(X, Z, 40, 30, -3)).shape[:2] == (30, 40)


@pytest.mark.parametrize("basis", ["midpoint", "smooth"])
def test_other_bases_have_more_levels(basis):
    """Worlds of basis midpoint and smooth have the heights of a world with four more levels, whose lattice steps are a
    sixteenth as long."""
    w, deeper = terrane.World(basis=basis, levels=16), terrane.World(basis=basis, levels=20)
    assert same(w.heights(100.25, -3.5, 20, 20, -2), deeper.heights(1604, -56, 20, 20, 2))


def test_places_at_the_end_of_the_world(land):
    end = 2**46
    assert land.heights(end - 0.125, -end, 3, 1, -4).shape == (1, 3)
    assert land.at([[float(end), float(end)]], -4) == land.heights(end, end, 1, 1)[0]
    with pytest.raises(terrane.InvalidArgumentError, match="leaves the world"):
        land.heights(end - 0.125, 0, 4, 1, -4)
    with pytest.raises(terrane.InvalidArgumentError, match="lie outside of the world"):
        land.layers(["slope"], end - 0.125, 0, 3, 1, -4)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda w: w.heights(0, 0, 2, 2, -5), "lod is -5, expected -4 to 20"),
        (lambda w: w.heights(0.3, 0, 2, 2, -2), "x is 0.3, expected a multiple of 0.25: samples are that many steps"),
        (lambda w: w.heights(0, float("nan"), 2, 2, -2), "z is nan, expected a multiple of 0.25"),
        (lambda w: w.heights(0, 1e300, 2, 2, -2), "z is .*, expected an integer of at most 64 bits"),
        (lambda w: w.heights(0, "1", 2, 2, -2), "z is '1', expected an integer"),
        (lambda w: w.heights(0.5, 0, 2, 2), "x is 0.5, expected an integer"),
        (lambda w: w.tiles([(0.5, 0, -2), (0.5, 0, 0)], 2, 2), r"a tile's x or z is no multiple of 2\*\*lod"),
        (lambda w: w.tiles([(0.5, 0, 0)], 2, 2), "expected integers of shape .n, 3., or floats if a lod is below 0"),
        (lambda w: w.tiles([(0, 0, -1.5)], 2, 2), "a tile's lod is not from -4 to 20"),
        (lambda w: w.tiles([(0, 0, -5)], 2, 2), "a tile's lod is not from -4 to 20"),
        (lambda w: w.tiles([(2**60, 0, -4)], 2, 2), r"a tile's x or z is 1152921504606846976, expected -2\*\*46"),
        (lambda w: w.layers_at(["water"], [(0.3, 0)], -2), "a point's x or z is no multiple of 0.25"),
        (lambda w: w.layers_at(["water"], [(0.5, 0)], 0), "expected integers of shape"),
        (lambda w: w.layers_at(["water"], ["a", "b"], -1), "expected numbers of shape"),
        (lambda w: w.statistics(0.3, 0, 2, 2, -1), "x is 0.3, expected a multiple of 0.5"),
    ],
)
def test_wrong_places_and_levels(land, call, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        call(land)


# ---- xarray ----


@pytest.fixture
def xr():
    return pytest.importorskip("xarray")


@pytest.mark.parametrize("spacing", [1.0, 2.5])
def test_open_world(xr, spacing):
    pytest.importorskip("dask")
    w = terrane.World(continents=0, spacing=spacing)
    ds = terrane.open_world(w, lod=-3, layers=["height", "water"])
    assert ds.lod == -3 and ds.samples == "points"
    part = ds.sel(x=slice(X * spacing, (X + 2) * spacing), y=slice(-Z * spacing, (-Z - 1) * spacing))
    assert np.array_equal(part.x, (X + np.arange(17) / 8) * spacing)
    assert np.array_equal(part.y, (-Z - np.arange(9) / 8) * spacing)
    made = w.layers(["height", "water"], X, Z, 17, 9, -3)
    assert same(part.height.values, made["height"]) and same(part.water.values, made["water"])
    points = {"x": xr.DataArray([X * spacing, (X + 0.375) * spacing], dims="p")}
    points["y"] = xr.DataArray([-Z * spacing, (-Z - 0.5) * spacing], dims="p")
    assert same(ds.height.sel(points).values, made["height"][[0, 4], [0, 3]])
    assert same(ds.water.sel(points).values, made["water"][[0, 4], [0, 3]])
    with pytest.raises(KeyError):
        ds.height.sel(x=(X + 0.03) * spacing, y=-Z * spacing)


def test_levels_and_zarr(xr, land, tmp_path):
    """A pyramid from 12.5 cm to 2 m, and a Zarr folder with the same coordinates and samples."""
    pytest.importorskip("dask")
    pytest.importorskip("zarr")
    tree = terrane.open_levels(land, range(-3, 2), layers=["height"])
    part = tree.sel(x=slice(-1104264, -1104262), y=slice(-1954536, -1954538))
    assert [part[f"lod_{lod}"].height.shape for lod in range(-3, 2)] == [(17, 17), (9, 9), (5, 5), (3, 3), (2, 2)]
    assert same(part["lod_-3"].height.values[::16, ::16], part["lod_1"].height.values)
    fine = part["lod_-3"].to_dataset()
    terrane.write_zarr(fine, tmp_path / "fine.zarr")
    read = xr.open_zarr(tmp_path / "fine.zarr", consolidated=False)
    assert same(read.height.values, fine.height.values) and np.array_equal(read.x, fine.x) and read.lod == -3
    part.to_zarr(tmp_path / "pyramid.zarr", consolidated=False)
    pyramid = xr.open_datatree(tmp_path / "pyramid.zarr", engine="zarr", consolidated=False)
    assert same(pyramid["lod_-1"].height.values, land.heights(-1104264, 1954536, 5, 5, -1))
    for lod in (-5, 21):
        with pytest.raises(terrane.InvalidArgumentError, match=f"lod is {lod}, expected -4 to 20"):
            terrane.open_world(land, lod=lod)
