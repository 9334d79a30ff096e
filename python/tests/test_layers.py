"""Layers of a fluvial world equal the program's, in arrays of any strides, tiles, points, Datasets and rasters."""

import numpy as np
import pytest

import terrane

try:
    import dask
except ImportError:
    dask = None  # the fixture `part` then skips tests

X, Z, LOD = -1025856, 1945216, 4  # a river in a wide valley
STEP = 1 << LOD
CLIMATE = ["temperature", "temperature-range", "precipitation", "precipitation-season", "biome", "snow"]
LAND = ["height", "water", "flow", "shore", "relief", "plain", "plateau", "ice", "dryness", "land", "top", "glacier"]
LAND += ["sand"]
NAMES = [*LAND, *CLIMATE]


@pytest.fixture(scope="module")
def rivers():
    return terrane.World(basis="fluvial")


@pytest.fixture(scope="module")
def land(rivers):
    """All layers of a rectangle."""
    return rivers.layers(NAMES, X, Z, 75, 52, LOD)


def bits(array):
    return np.ascontiguousarray(array).view(np.uint32)


def test_table(rivers):
    generated = {name: layer for name, layer in terrane.LAYERS.items() if not layer.is_derived}
    assert list(generated) == NAMES and rivers.layer_names == tuple(NAMES)
    units = ["m", "m", "m2", "m", "m/m", "1", "1", "1", "1", "1", "m", "m", "m", "degC", "K", "mm", "1", "1", "1"]
    assert [layer.unit for layer in generated.values()] == units
    assert [name for name, layer in terrane.LAYERS.items() if layer.has_gaps] == ["water"]
    assert all(layer.description for layer in terrane.LAYERS.values())
    assert terrane.World(basis="smooth").layer_names == terrane.World(basis="midpoint").layer_names == ("height",)


def test_same_as_the_program(land, program):
    rows, columns = np.mgrid[0:52:7, 0:75:9]
    text = "".join(f"{X + STEP * i} {Z + STEP * j}\n" for i, j in zip(columns.flat, rows.flat, strict=True))
    printed = program("probe", "--basis", "fluvial", "--layer", ",".join(NAMES), text=text)
    lines = [line.split() for line in printed.splitlines()]
    assert np.isnan(land["water"][rows, columns]).any() and np.isfinite(land["water"][rows, columns]).any()
    for n, name in enumerate(NAMES):
        assert [f"{b:08x}" for b in bits(land[name])[rows, columns].flat] == [line[3 + 2 * n] for line in lines], name


def test_metres_of_the_world(land):
    """With a spacing of 2 m areas are four times as large, distances twice as large, and slopes half as steep."""
    wide = terrane.World(basis="fluvial", spacing=2).layers(NAMES, X, Z, 75, 52, LOD)
    for name in NAMES:
        scale = {"flow": 4, "shore": 2, "relief": 0.5}.get(name, 1)
        assert np.array_equal(bits(wide[name]), bits(land[name] * np.float32(scale))), name


def test_no_value_is_nan(land):
    is_wet = ~np.isnan(land["water"])
    assert is_wet.any() and not is_wet.all() and (land["water"] > land["height"])[is_wet].all()
    assert all(np.isfinite(array).all() for name, array in land.items() if name != "water")


def test_layers_together_or_alone(rivers, land):
    assert np.array_equal(land["height"], rivers.heights(X, Z, 75, 52, LOD))
    for name in NAMES:
        assert np.array_equal(bits(rivers.layers([name], X, Z, 75, 52, LOD)[name]), bits(land[name])), name


def test_arrays_of_different_strides(rivers, land):
    wide, narrow = np.full((60, 100), -1, np.float32), np.full((54, 75), -1, np.float32)
    out = {"water": wide[3:55, 5:80], "shore": wide[3:55, 5:80].copy(), "flow": narrow[1:53]}
    got = rivers.layers(["water", "shore", "flow", "height"], X, Z, 75, 52, LOD, out=out)
    assert got["water"] is out["water"] and got["flow"] is out["flow"]
    for name, array in got.items():
        assert np.array_equal(bits(array), bits(land[name])), name
    assert (wide == -1).sum() == wide.size - 75 * 52 and (narrow[[0, 53]] == -1).all()


def test_tiles(rivers, land):
    places = [(X, Z, LOD), (X + 25 * STEP, Z + 26 * STEP, LOD), (X, Z, 6)]
    tiles = rivers.tile_layers(["flow", "height", "water"], places, 25, 26)
    shapes = {name: array.shape for name, array in tiles.items()}
    assert shapes == dict.fromkeys(("flow", "height", "water"), (3, 26, 25))
    for name, array in tiles.items():
        assert np.array_equal(bits(array[0]), bits(land[name][:26, :25])), name
        assert np.array_equal(bits(array[1]), bits(land[name][26:, 25:50])), name
        assert np.array_equal(bits(array[2]), bits(rivers.layers([name], X, Z, 25, 26, 6)[name])), name
    assert np.array_equal(tiles["height"], rivers.tiles(places, 25, 26))
    assert rivers.tile_layers(["water"], [], 3, 2)["water"].shape == (0, 2, 3)


def test_large_tiles(rivers):
    tiles = rivers.tile_layers(["height", "water"], [(0, 0, 0), (1056, 0, 0)], 1056, 1000)
    whole = rivers.layers(["height", "water"], 0, 0, 2112, 1000)
    for name, array in tiles.items():
        assert np.array_equal(bits(np.concatenate(array, axis=1)), bits(whole[name])), name


def test_points(rivers, land):
    rows, columns = np.mgrid[0:52:13, 0:75:25]
    points = np.stack([X + STEP * columns, Z + STEP * rows], axis=-1)
    got = rivers.layers_at(["water", "flow"], points, LOD)
    for name, array in got.items():
        assert array.shape == rows.shape and np.array_equal(bits(array), bits(land[name][rows, columns])), name
    assert rivers.layers_at(["ice"], (X, Z))["ice"].shape == ()
    assert rivers.layers_at(["ice"], [])["ice"].shape == (0,)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda w: terrane.World(basis="smooth").layers(["height", "water"], 0, 0, 8, 8),
            "layer water, expected a world",
        ),
        (
            lambda w: terrane.World(basis="midpoint").tile_layers(["flow"], [(0, 0, 0)], 8, 8),
            "layer flow, expected a world",
        ),
        (lambda w: w.layers(["steepness"], 0, 0, 8, 8), "layer is 'steepness', expected one of: height, water"),
        (lambda w: w.layers("water", 0, 0, 8, 8), r"names is 'water', expected a list of names: \['water'\]"),
        (lambda w: w.layers_at(["water"], [(0.5, 0.5)]), "type float64, expected integers"),
        (lambda w: w.layers_at(["water"], [(1, 0)], 3), "multiple of 8"),
        (lambda w: w.tile_layers(["water"], [(0, 0, 0)], 8, 0), "height is 0"),
    ],
)
def test_wrong_arguments(rivers, call, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        call(rivers)


def test_on_a_device(rivers, land, device):
    for name, array in rivers.layers(NAMES, X, Z, 75, 52, LOD, device=f"cuda:{device}").items():
        assert np.array_equal(bits(np.from_dlpack(array, device="cpu")), bits(land[name])), name
    tiles = rivers.tile_layers(["water", "flow"], [(X, Z, LOD)], 75, 52, device=f"cuda:{device}")
    assert np.array_equal(bits(np.from_dlpack(tiles["water"], device="cpu")[0]), bits(land["water"]))


# ---- water of cells ----

BROOKS = (-1075712, 1942080)  # a river 40 m wide with brooks


def test_any_water_equals_the_program(rivers, program, tmp_path):
    place = ("--backend", "cpu", "--basis", "fluvial", "--at", "{},{}".format(*BROOKS), "--lod", 3, "--size", "64x48")
    program("export", *place, "--layer", "water", "--water", "any", "-o", tmp_path / "a.r32", "-q")
    program("export", *place, "--layer", "forest", "--water", "any", "-o", tmp_path / "a.png", "-q")
    made = rivers.layers(["height", "water", "forest"], *BROOKS, 64, 48, 3, water="any")
    assert np.array_equal(bits(made["water"]), np.fromfile(tmp_path / "a.r32", "<u4").reshape(48, 64))
    assert np.array_equal(made["height"], rivers.heights(*BROOKS, 64, 48, 3))
    image = pytest.importorskip("PIL.Image", reason="Pillow is missing")
    assert np.array_equal(made["forest"][..., 0], np.asarray(image.open(tmp_path / "a.png")))
    assert not np.array_equal(made["forest"], rivers.layers(["forest"], *BROOKS, 64, 48, 3)["forest"])


def test_any_water_is_that_of_the_finest_level(rivers):
    """With water="any", a cell is wet if and only if one of its samples of the finest level is wet."""
    (x, z), n, side = BROOKS, 8, 48
    finest = rivers.layers(["water"], x - n // 2, z - n // 2, side * n, side * n)["water"]
    wet = np.isfinite(finest).reshape(side, n, side, n).any(axis=(1, 3))
    cells = rivers.layers(["water"], x, z, side, side, 3, water="any")["water"]
    points = rivers.layers(["water"], x, z, side, side, 3)["water"]
    assert np.array_equal(np.isfinite(cells), wet) and wet.sum() > np.isfinite(points).sum() + 50
    tiles = rivers.tile_layers(["water"], [(x, z, 3), (x + 8 * n, z + 5 * n, 3)], 20, 30, water="any")["water"]
    assert np.array_equal(bits(tiles[0]), bits(cells[:30, :20]))
    assert np.array_equal(bits(tiles[1]), bits(cells[5:35, 8:28]))
    row, column = np.argwhere(np.isfinite(cells) & ~np.isfinite(points))[0]
    at = rivers.layers_at(["water"], [(x + column * n, z + row * n)], 3, water="any")["water"]
    assert at == cells[row, column]


def test_any_water_of_a_dataset(rivers):
    pytest.importorskip("xarray", reason="xarray is missing")
    x, z = BROOKS
    place = {"x": slice(x, x + 47 * 8), "y": slice(-z, -z - 47 * 8)}
    ds = terrane.open_world(rivers, lod=3, water="any", layers=["height", "water"], chunks=20).sel(place)
    expected = rivers.layers(["water"], x, z, 48, 48, 3, water="any")["water"]
    assert np.array_equal(bits(ds.water.values), bits(expected)) and ds.attrs["water"] == "any"
    both = ds.compute()
    assert np.array_equal(bits(both.water.values), bits(expected))
    assert np.array_equal(both.height, rivers.heights(x, z, 48, 48, 3))
    points = terrane.open_world(rivers, lod=3, layers=["water"], chunks=20).sel(place)
    assert "water" not in points.attrs and points.water.data.name != ds.water.data.name
    with pytest.raises(terrane.InvalidArgumentError, match="expected layer water among the layers: height"):
        terrane.open_world(rivers, layers=["height"], water="any")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda w: w.layers(["water"], 0, 0, 8, 8, water="all"), "water is 'all', expected 'point' or 'any'"),
        (lambda w: w.layers(["height"], 0, 0, 8, 8, water="any"), "expected one of them among the layers"),
        (lambda w: w.layers(["water"], 0, 0, 8, 8, water="any", device="cuda"), "computed in host memory"),
        (
            lambda w: terrane.World(basis="smooth").layers(["splat"], 0, 0, 8, 8, water="any"),
            "a world of basis fluvial",
        ),
        (
            lambda w: terrane.World(basis="smooth").layers(["water"], 0, 0, 8, 8, 3, water="any"),
            "layer water, expected",
        ),
    ],
)
def test_wrong_any_water(rivers, call, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        call(rivers)


# ---- Datasets ----


@pytest.fixture
def part(rivers):
    pytest.importorskip("xarray", reason="xarray is missing")
    pytest.importorskip("dask.array", reason="Dask is missing")
    ds = terrane.open_world(rivers, lod=LOD, chunks=40)
    return ds.sel(x=slice(X, X + 74 * STEP), y=slice(-Z, -Z - 51 * STEP))


def test_variables(part, land):
    assert list(part) == NAMES and part.flow.attrs["units"] == "m2" and part.plain.attrs["units"] == "1"
    for name in NAMES:
        assert np.array_equal(bits(part[name].values), bits(land[name])), name
    assert float(part.water.max()) == np.nanmax(land["water"])
    assert int(part.water.count()) == np.isfinite(land["water"]).sum()


@pytest.fixture
def made(monkeypatch):
    """Names of layers and number of samples of each call of World.layers."""
    calls = []
    layers = terrane.World.layers

    def counted(self, names, x, z, width, height, lod=0, **words):
        calls.append((tuple(names), width * height))
        return layers(self, names, x, z, width, height, lod, **words)

    monkeypatch.setattr(terrane.World, "layers", counted)
    return calls


def to_zarr(ds):
    pytest.importorskip("zarr", reason="zarr is missing")
    ds.drop_encoding().to_zarr("a.zarr", consolidated=False)


CHUNKS = [12 * 35, 12 * 40, 40 * 35, 40 * 40]


@pytest.mark.parametrize(
    ("call", "names", "samples"),
    [
        (lambda d: d.height.compute(), ("height",), CHUNKS),
        (lambda d: d[["height", "water"]].compute(), ("height", "water"), CHUNKS),
        (lambda d: (d.water - d.height).mean().compute(), ("height", "water"), CHUNKS),
        (lambda d: dask.compute(d.shore.max(), d.flow.sum(), d.shore.min()), ("flow", "shore"), CHUNKS),
        (lambda d: (d.flow.diff("x") * d.water.isel(x=slice(1, None))).compute(), ("water", "flow"), CHUNKS),
        (lambda d: d.compute(), tuple(NAMES), CHUNKS),
        (to_zarr, tuple(NAMES), CHUNKS),
        (lambda d: d[["height", "ice"]].persist().sum().compute(), ("height", "ice"), CHUNKS),
        (lambda d: (d.height + d.ice).isel(x=slice(0, 30), y=5).compute(), ("height", "ice"), [40 * 40]),
        (lambda d: d.water[2:5, 3:7].compute(), ("water",), [12]),
        (lambda d: d.height.compute(optimize_graph=False), tuple(NAMES), CHUNKS),
    ],
)
def test_layers_of_a_chunk_are_made_together(part, made, call, names, samples, tmp_path, monkeypatch):
    """Each chunk is made once, with the layers that the computation reads and no others."""
    monkeypatch.chdir(tmp_path)
    call(part)
    assert sorted(made) == sorted((names, n) for n in samples)


def test_values_of_layers_made_together(part, land):
    both = part[["water", "flow"]].compute()
    for name in both:
        assert np.array_equal(bits(both[name].values), bits(land[name])), name
    depth = (part.water - part.height).isel(x=slice(30, 60, 3), y=slice(None, None, 7)).values
    assert np.array_equal(depth, (land["water"] - land["height"])[::7, 30:60:3], equal_nan=True)


def test_points_of_a_variable(rivers, land):
    xr = pytest.importorskip("xarray", reason="xarray is missing")
    ds = terrane.open_world(rivers, lod=LOD, layers=["water", "shore"])
    x, y = (xr.DataArray(values, dims="place") for values in ([X, X + 30 * STEP], [-Z, -Z - 40 * STEP]))
    for name in ("water", "shore"):
        assert np.array_equal(bits(ds[name].sel(x=x, y=y).values), bits(land[name][[0, 40], [0, 30]])), name


def test_layer_that_the_world_lacks():
    pytest.importorskip("xarray", reason="xarray is missing")
    assert list(terrane.open_world(basis="smooth")) == ["height"]
    with pytest.raises(terrane.InvalidArgumentError, match="layer is 'water', but a world of basis smooth has: height"):
        terrane.open_world(basis="smooth", layers=["water"])


def test_raster_equals_the_program(part, tmp_path, program):
    pytest.importorskip("rioxarray", reason="rioxarray is missing")
    rasterio = pytest.importorskip("rasterio", reason="rasterio is missing")
    place = ("--basis", "fluvial", "--lod", LOD, "--at", f"{X},{Z}", "--size", "75x52", "-q")
    program("export", *place, "--layer", "height,water,flow", "-o", tmp_path / "b_{layer}.tif")
    for name in ("height", "water", "flow"):
        part[name].rio.to_raster(tmp_path / f"a_{name}.tif")
        with rasterio.open(tmp_path / f"a_{name}.tif") as a, rasterio.open(tmp_path / f"b_{name}.tif") as b:
            assert np.array_equal(bits(a.read(1)), bits(b.read(1))) and a.transform == b.transform, name
            assert (b.nodata is not None and np.isnan(b.nodata)) == (name == "water"), name
            assert (a.nodata is not None and np.isnan(a.nodata)) == (name == "water"), name
            assert b.units[0] == terrane.LAYERS[name].unit and b.descriptions[0] == name


def test_zarr(part, land, tmp_path):
    xr = pytest.importorskip("xarray", reason="xarray is missing")
    pytest.importorskip("zarr", reason="zarr is missing")
    part[["water", "height"]].drop_encoding().to_zarr(tmp_path / "a.zarr", consolidated=False)
    again = xr.open_zarr(tmp_path / "a.zarr", consolidated=False)
    for name in ("water", "height"):
        assert np.array_equal(again[name].values, land[name], equal_nan=True), name


def test_biomes_have_names(rivers):
    """Numbers of layer biome are places in BIOMES, and a Dataset has them as flags."""
    assert terrane.BIOMES[0] == "sea" and "hot desert" in terrane.BIOMES and len(set(terrane.BIOMES)) == 13
    step = 1 << 14
    biome = rivers.layers(["biome"], -64 * step, 0, 96, 160, 14)["biome"]
    assert len(np.unique(biome)) >= 8 and set(np.unique(biome)) <= set(range(len(terrane.BIOMES)))
    xr = pytest.importorskip("xarray", reason="xarray is missing")
    ds = terrane.open_world(rivers, lod=14, layers=["biome", "temperature"])
    assert isinstance(ds, xr.Dataset) and list(ds.biome.attrs["flag_values"]) == list(range(len(terrane.BIOMES)))
    assert ds.biome.attrs["flag_meanings"].split() == [name.replace(" ", "_") for name in terrane.BIOMES]
    assert "flag_values" not in ds.temperature.attrs and ds.temperature.attrs["units"] == "degC"


def test_parameters_of_the_climate(rivers):
    at = (-1078272, 1921024, 8, 8, 6)
    usual, warm = rivers.layers(CLIMATE, *at), terrane.World(basis="fluvial", warmth=5).layers(CLIMATE, *at)
    assert np.allclose(warm["temperature"] - usual["temperature"], 5, atol=1e-4)
    assert (terrane.World(wetness=0).layers(["precipitation"], *at)["precipitation"] == 0).all()
    for name, value, expected in (("warmth", 80, "-60 to 60"), ("wetness", -1, "0 to 5"), ("belts", 1, "500 to 100000")):
        with pytest.raises(terrane.InvalidArgumentError, match=f"{name}.*{expected}"):
            terrane.World(basis="fluvial", **{name: value})


def test_styles_of_maps(rivers):
    try:
        pictures = {s: rivers.map(-1078272, 1921024, 40, 30, 10, style=s) for s in ("relief", "climate", "biome")}
    except terrane.Error as error:
        pytest.skip(str(error))
    pixels = {style: np.asarray(picture) for style, picture in pictures.items()}
    assert np.array_equal(pixels["relief"], np.asarray(rivers.map(-1078272, 1921024, 40, 30, 10)))
    assert (pixels["climate"] != pixels["relief"]).any() and (pixels["biome"] != pixels["climate"]).any()
    with pytest.raises(terrane.InvalidArgumentError, match="style is 'cold', expected 'relief', 'climate' or 'biome'"):
        rivers.map(0, 0, 8, 8, style="cold")
    with pytest.raises(terrane.InvalidArgumentError, match="basis smooth has no climate"):
        terrane.World(basis="smooth").map(0, 0, 8, 8, style="biome")
