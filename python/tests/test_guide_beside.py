"""What lies beside the heights of a guide: rasters, lines of rivers, basins without an outlet; as files and arrays."""

import json
import pickle

import numpy as np
import pytest

import terrane
from test_guide import NUMBERS, hills


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "g.npy"
    np.save(path, hills())
    return path


def test_rasters(tmp_path, file):
    """A raster beside the heights sets the layer; worlds with other rasters differ."""
    ice = np.zeros((4, 4), "f4")
    ice[:, 2:] = 1
    np.save(tmp_path / "ice.npy", ice)
    np.save(tmp_path / "none.npy", 0 * ice)
    iced = terrane.World(guide=file, guide_ice=tmp_path / "ice.npy", guide_at=(0, 0), **NUMBERS)
    bare = terrane.World(guide=file, guide_ice=tmp_path / "none.npy", guide_at=(0, 0), **NUMBERS)
    plain = terrane.World(guide=file, guide_at=(0, 0), **NUMBERS)
    assert iced != bare and bare != plain and iced == terrane.World(**iced.parameters)
    assert iced == pickle.loads(pickle.dumps(iced))
    east = iced.layers(["ice"], 24064, 15872, 16, 16, 8)["ice"]
    assert east.min() > 0.9 and bare.layers(["ice"], 24064, 15872, 16, 16, 8)["ice"].max() == 0
    with pytest.raises(terrane.InvalidArgumentError, match="ice of pixel .* is 1.25, expected 0 to 1"):
        np.save(tmp_path / "high.npy", 2 * ice)
        terrane.World(guide=file, guide_ice=tmp_path / "high.npy", **NUMBERS)


def test_raster_arrays(tmp_path, file):
    """An array beside the heights is the same as its file, also through parameters and pickles."""
    ice = np.linspace(0, 1, 64, dtype="f4").reshape(8, 8)
    np.save(tmp_path / "ice.npy", ice)
    world = terrane.World(guide=file, guide_ice=ice, **NUMBERS)
    assert world == terrane.World(guide=file, guide_ice=tmp_path / "ice.npy", **NUMBERS)
    assert world == terrane.World(**world.parameters) == pickle.loads(pickle.dumps(world))
    assert world != terrane.World(guide=file, guide_ice=ice.T.copy(), **NUMBERS)
    assert "guide_ice=<16 x 16 values>" in repr(world)
    grey = (ice * 255).astype("u1")  # a picture: white is 2
    np.save(tmp_path / "grey.npy", grey)
    relief = terrane.World(guide=file, guide_relief=grey, **NUMBERS)
    assert relief == terrane.World(guide=file, guide_relief=tmp_path / "grey.npy", **NUMBERS)
    with pytest.raises(terrane.InvalidArgumentError, match="ice of pixel .* is 1[.].*, expected 0 to 1"):
        terrane.World(guide=file, guide_ice=1.5 * ice, **NUMBERS)
    with pytest.raises(terrane.InvalidArgumentError, match="no meaning without one"):
        terrane.World(guide_ice=ice)


COURSE = np.array([[1000, 3000], [9000, 12000], [14000, 22000], [28000, 20000]])


def test_rivers(tmp_path, file):
    """Lines as arrays are those of a file; their widths and places count."""
    numbers = {"guide": file, "guide_at": (0, 0), **NUMBERS}
    world = terrane.World(guide_rivers=[(COURSE, 60)], **numbers)
    line = {"type": "LineString", "coordinates": [[float(x), float(-z)] for x, z in COURSE]}
    feature = {"type": "Feature", "properties": {"width": 60}, "geometry": line}
    (tmp_path / "r.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    try:
        assert world == terrane.World(guide_rivers=tmp_path / "r.geojson", **numbers)
    except terrane.FileError as error:
        assert "no GDAL" in str(error)
    assert world.guide.rivers == 1 and world.guide.river_cells > 3
    assert world == terrane.World(**world.parameters) == pickle.loads(pickle.dumps(world))
    others = [[COURSE], [(COURSE, 61)], [COURSE + 1], []]
    assert all(world != terrane.World(guide_rivers=other, **numbers) for other in others)
    assert terrane.World(guide_rivers=[], **numbers) == terrane.World(**numbers)
    assert "guide_rivers=<1 lines>" in repr(world)
    for given, what in [
        ([COURSE + 1e5], "vertex 0 of river 0 lies at .* leaves the guide"),
        ([(COURSE, 500)], "width of river 0 of the guide is 500, expected 0 to 320 m"),
        ([COURSE[:1]], r"line 0 has shape \(1, 2\), expected \(vertices, 2\)"),
        (["here"], "line 0 is no array of numbers"),
    ]:
        with pytest.raises(terrane.InvalidArgumentError, match=what):
            terrane.World(guide_rivers=given, **numbers)
    with pytest.raises(terrane.InvalidArgumentError, match="no meaning without one"):
        terrane.World(guide_rivers=[COURSE])


@pytest.mark.parametrize("place", [{}, {"guide_at": (-1048576, 2097152)}])
def test_endorheic(place):
    y, x = np.mgrid[-8:9, -8:9]
    bowl = 500 + 300 * np.minimum((x * x + y * y) / 16, 1.5)
    numbers = {"guide_spacing": 2000, "guide_level": 7, **place}
    world = terrane.World(guide=bowl, guide_endorheic=100, **numbers)
    assert world.guide.basins == 1 and world != terrane.World(guide=bowl, **numbers)
    assert world == pickle.loads(pickle.dumps(world))


CLIMATE = {"guide_temperature": np.full((8, 8), -5.0), "guide_precipitation": np.full((8, 8), 700.0)}


def test_climate(file):
    """Temperature and precipitation of the guide are those of the land; a guide with fine pixels has detail."""
    numbers = {"guide": file, "guide_at": (0, 0), **NUMBERS}
    world = terrane.World(**CLIMATE, **numbers)
    layers = world.layers(["temperature", "precipitation"], 8192, 8192, 64, 64, lod=6)
    assert abs(layers["temperature"].mean() + 5) < 1 and abs(layers["precipitation"].mean() / 700 - 1) < 0.1
    assert world != terrane.World(**numbers) and world.guide.detail_m == 0
    heights = np.random.default_rng(1).random((40, 40)) * 30 + 500
    assert terrane.World(guide=heights, guide_spacing=30).guide.detail_m == 16


def test_climate_copies(file):
    """A World with temperature and precipitation of a guide equals its copies."""
    world = terrane.World(guide=file, guide_at=(0, 0), **NUMBERS, **CLIMATE)
    assert world == terrane.World(**world.parameters) == pickle.loads(pickle.dumps(world))


def test_climate_copies_later(file):
    """The same after the World has made land, and another World of the guide exists."""
    world = terrane.World(guide=file, guide_at=(0, 0), **NUMBERS, **CLIMATE)
    layers = world.layers(["temperature", "precipitation"], 8192, 8192, 64, 64, lod=6)
    plain = terrane.World(guide=file, guide_at=(0, 0), **NUMBERS)
    copies = terrane.World(**world.parameters), pickle.loads(pickle.dumps(world))
    assert world != plain and all(world == copy for copy in copies)
    for copy in copies:
        warm = copy.layers(["temperature", "precipitation"], 8192, 8192, 64, 64, lod=6)
        assert all(np.array_equal(warm[name], layers[name]) for name in layers)
