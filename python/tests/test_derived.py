"""Layers that are derived from heights: arrays, tiles, points and Datasets have the values of `terrane export`."""

import numpy as np
import pytest

import terrane

X, Z, LOD, W, H = -1025872, 1945216, 3, 90, 40
NUMBERS, PICTURES = ("slope", "curvature"), {"normal": 3, "splat": 4, "forest": 1}
NAMES = [*NUMBERS, *PICTURES]


@pytest.fixture(scope="module")
def rivers():
    return terrane.World(basis="fluvial", spacing=2.0)


@pytest.fixture(scope="module")
def land(rivers):
    return rivers.layers(["height", *NAMES, "water"], X, Z, W, H, LOD)


def test_table(rivers):
    derived = [name for name, layer in terrane.LAYERS.items() if layer.is_derived]
    assert derived == ["slope", "normal", "curvature", "splat", "forest"]
    assert {name: layer.channels for name, layer in terrane.LAYERS.items() if layer.channels} == PICTURES
    assert [terrane.LAYERS[name].unit for name in NUMBERS] == ["degree", "m-1"]
    assert not set(NAMES) & set(rivers.layer_names)


def exported(program, tmp_path, layer, ending, *more):
    file = tmp_path / f"{layer}{ending}"
    world = ("--backend", "cpu", "--basis", "fluvial", "--spacing", 2)
    place = ("--at", f"{X},{Z}", "--size", f"{W}x{H}", "--lod", LOD)
    program("export", *world, *place, "--layer", layer, *more, "-o", file)
    return file


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_equal_the_program(program, tmp_path, land, name):
    file = exported(program, tmp_path, name, ".r32")
    assert np.array_equal(np.fromfile(file, "<f4").reshape(H, W).view(np.uint32), land[name].view(np.uint32))
    assert np.ptp(land[name]) > 0


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_equal_the_program(program, tmp_path, land, name):
    image = pytest.importorskip("PIL.Image")
    pixels = np.atleast_3d(np.asarray(image.open(exported(program, tmp_path, name, ".png"))))
    assert pixels.shape == (H, W, PICTURES[name]) and land[name].dtype == np.uint8
    assert np.array_equal(pixels, land[name])
    assert np.ptp(land[name]) > 0


def test_slope_equals_numpy(rivers, land):
    """Slope and normal equal Horn's derivatives and angles as numpy computes them."""
    h = rivers.heights(X - 8, Z - 8, W + 2, H + 2, LOD).astype(np.float64)
    n, m, s = h[:-2], h[1:-1], h[2:]
    east = (n[:, 2:] + 2 * m[:, 2:] + s[:, 2:] - n[:, :-2] - 2 * m[:, :-2] - s[:, :-2]) / (8 * 16.0)
    south = (s[:, :-2] + 2 * s[:, 1:-1] + s[:, 2:] - n[:, :-2] - 2 * n[:, 1:-1] - n[:, 2:]) / (8 * 16.0)
    slope = np.degrees(np.arctan(np.hypot(east, south)))
    assert np.abs(slope - land["slope"]).max() < 1e-5
    length = np.sqrt(1 + east**2 + south**2)
    normal = np.stack([-east, south, np.ones_like(east)], axis=-1) / length[..., None]
    assert np.abs(normal - (land["normal"] / 127.5 - 1)).max() < 0.5 / 127.5 + 1e-9
    wide = np.zeros((H, W, 3), np.uint16)
    rivers.layers(["normal"], X, Z, W, H, LOD, out={"normal": wide})
    assert np.abs(normal - (wide / 32767.5 - 1)).max() < 0.5 / 32767.5 + 1e-9


def test_splat(land):
    assert (land["splat"].sum(axis=-1, dtype=int) == 255).all()


def test_together_or_alone(rivers, land):
    assert np.array_equal(land["height"], rivers.heights(X, Z, W, H, LOD))
    assert np.array_equal(land["water"], rivers.layers(["water"], X, Z, W, H, LOD)["water"], equal_nan=True)
    for name in NAMES:
        assert np.array_equal(land[name], rivers.layers([name], X, Z, W, H, LOD)[name]), name


def test_blocks_join():
    """Parts of a rectangle that is made in several blocks equal rectangles that are made in one block."""
    w = terrane.World("alps")
    wide = w.layers(["slope", "splat"], X, Z, 700, 500)
    for row, column in ((0, 0), (240, 600), (436, 636)):
        part = w.layers(["slope", "splat"], X + column, Z + row, 64, 64)
        for name in part:
            assert np.array_equal(part[name], wide[name][row : row + 64, column : column + 64]), name


def test_tiles_and_points(rivers, land):
    places = [(X, Z, LOD), (X + 50 * 8, Z + 20 * 8, LOD)]
    out = np.zeros((2, 20, 40, 3), np.uint8)
    tiles = rivers.tile_layers(["height", *NAMES], places, 40, 20, out={"normal": out[::-1]})
    for name in ["height", *NAMES]:
        assert np.array_equal(tiles[name][0], land[name][:20, :40]), name
        assert np.array_equal(tiles[name][1], land[name][20:, 50:]), name
    points = np.array([[[5, 7], [80, 31]], [[0, 0], [89, 39]]])
    found = rivers.layers_at(NAMES, [X, Z] + 8 * points, LOD)
    for name in NAMES:
        assert np.array_equal(found[name], land[name][points[..., 1], points[..., 0]]), name


def test_the_end_of_the_world(rivers):
    end = terrane.COORDINATE_MAX
    assert rivers.layers(["slope"], end - 8, end - 8, 8, 8)["slope"].shape == (8, 8)
    for layer, x, samples in (("slope", end - 7, "1 sample"), ("splat", -end + 20, "26 samples")):
        with pytest.raises(terrane.InvalidArgumentError, match=f"layer {layer} needs {samples} on each side"):
            rivers.layers(["height", layer], x, 0, 8, 8)


def test_wrong_out(rivers):
    wrong = {
        "8-bit or 16-bit": np.zeros((8, 8, 3), np.float32),
        "another shape": np.zeros((8, 8, 4), np.uint8),
        "C-contiguous": np.zeros((8, 8, 4), np.uint8)[..., :3],
    }
    for sentence, array in wrong.items():
        with pytest.raises(terrane.InvalidArgumentError, match=sentence):
            rivers.layers(["normal"], X, Z, 8, 8, out={"normal": array})
        assert not array.any()
    with pytest.raises(terrane.InvalidArgumentError, match="layer slope is derived .* leave out the device"):
        rivers.layers(["slope"], X, Z, 8, 8, device="cuda")


def test_dataset(rivers, land):
    pytest.importorskip("dask")
    pytest.importorskip("xarray")
    ds = terrane.open_world(rivers, lod=LOD, layers=["height", "slope", "curvature"], chunks=64)
    assert ds.slope.units == "degree"
    part = ds.isel(x=slice(X // 8 + 2**43, X // 8 + 2**43 + W), y=slice(Z // 8 + 2**43, Z // 8 + 2**43 + H)).load()
    for name in ("height", "slope", "curvature"):
        assert np.array_equal(part[name], land[name]), name
    with pytest.raises(terrane.InvalidArgumentError, match="'normal', which is a picture"):
        terrane.open_world(rivers, layers=["normal"])
