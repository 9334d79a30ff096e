"""Rivers as a GeoDataFrame, and the vector files of the program, checked by geopandas and shapely."""

import subprocess
import sys

import numpy as np
import pytest

import terrane

geopandas = pytest.importorskip("geopandas", reason="geopandas is missing")
testing = pytest.importorskip("geopandas.testing", reason="geopandas is missing")
shapely = pytest.importorskip("shapely", reason="shapely is missing")

X, Z, SIDE, LOD = -1123840, 1548800, 192, 8
STEP = 2**LOD
BOX = (X, -(Z + SIDE * STEP), X + SIDE * STEP, -Z)
PLACE = ("--at", f"{X},{Z}", "--lod", LOD, "--size", f"{SIDE}x{SIDE}")


@pytest.fixture(scope="module")
def world():
    return terrane.World()


@pytest.fixture(scope="module")
def layers(program, tmp_path_factory):
    """The layers of a GeoPackage of the program, by name."""
    path = tmp_path_factory.mktemp("features") / "all.gpkg"
    names = ["rivers", "lakes", "coast", "catchments", "contours", "peaks"]
    program("export", "--features", ",".join(names), *PLACE, "-o", path)
    return {name: geopandas.read_file(path, layer=name) for name in names}


def test_rivers_are_those_of_the_program(world, layers):
    rivers, found = world.rivers(BOX), layers["rivers"]
    assert len(rivers) == len(found) > 20
    assert list(rivers.columns) == list(found.columns)
    assert rivers.geometry.geom_equals(found.geometry.set_crs(None, allow_override=True)).all()
    for name in ("id", "mouth", "strahler", "kind", "end", "piece", "length_m", "discharge_m3s", "start_x"):
        assert np.array_equal(rivers[name].to_numpy(), found[name].to_numpy(), equal_nan=rivers[name].dtype == float)
    assert rivers["downstream"].isna().equals(found["downstream"].isna())


def test_rivers_form_a_tree(world):
    rivers = world.rivers(BOX).drop_duplicates("id").set_index("id")
    assert rivers.geometry.is_valid.all()
    following = rivers[["start_x", "start_y", "level_start_m", "mouth"]].add_suffix("_next")
    joined = rivers.join(following, on="downstream")
    joined = joined[joined["start_x_next"].notna()]
    assert len(joined) > 10
    assert (joined["end_x"] == joined["start_x_next"]).all() and (joined["end_y"] == joined["start_y_next"]).all()
    assert (joined["level_end_m"] >= joined["level_start_m_next"]).all()
    assert (joined["mouth"] == joined["mouth_next"]).all()


def test_polygons_are_valid_and_tile_the_land(world, layers):
    for name in ("lakes", "coast", "catchments"):
        assert layers[name].geometry.is_valid.all(), name
        assert np.allclose(layers[name].geometry.area * 1e-6, layers[name]["area_km2"])
    catchments = layers["catchments"]
    assert len(catchments) > 20
    union = catchments.union_all()
    height = world.heights(X, Z, SIDE, SIDE, LOD)
    land = float((height >= 0).sum()) * STEP**2
    assert catchments.geometry.area.sum() == pytest.approx(land, rel=1e-9)  # no overlap
    assert union.area == pytest.approx(land, rel=1e-9)  # and no gap
    places = [(X + n % SIDE * STEP, -(Z + n // SIDE * STEP)) for n in range(SIDE * SIDE)]
    inside = shapely.contains_xy(layers["coast"].union_all(), *np.array(places, float).T)
    assert np.array_equal(inside.reshape(SIDE, SIDE), height > 0)


def test_lakes_and_catchments_of_a_part(program, layers, tmp_path):
    """They do not depend on the features beside them, nor on whether their samples lie in FILE.part."""
    path = tmp_path / "two.gpkg"
    program("export", "--features", "lakes,catchments", *PLACE, "--resume", "-o", path)
    assert [p.name for p in tmp_path.iterdir()] == ["two.gpkg"]
    for name in ("lakes", "catchments"):
        found = geopandas.read_file(path, layer=name)
        testing.assert_geodataframe_equal(found, layers[name])


def test_catchments_name_reaches(layers):
    ids = set(layers["catchments"]["id"].dropna().astype(np.int64))
    rivers = layers["rivers"]
    whole = rivers[(rivers["cut"] == "") & (rivers["kind"] == "river") & (rivers["length_m"] > 500)]
    assert len(whole) > 5
    assert whole["id"].isin(ids).mean() > 0.9


def test_few_large_rivers(world):
    all_rivers, large = world.rivers(BOX), world.rivers(BOX, min_area=10, point_distance=10)
    assert 0 < len(large) < len(all_rivers)
    assert (large["area_km2"] >= 10).all()
    assert shapely.get_num_points(large.geometry).sum() > 5 * len(large)


@pytest.mark.parametrize(
    ("box", "more", "sentence"),
    [
        ((1, 2, 3), {}, "expected .west, south, east, north."),
        ((5, 5, 5, 9), {}, "expected .west, south, east, north."),
        ((0, 0, 1e7, 1e7), {}, "expected at most 1966080 x 1966080"),
        ((0, 1e30, 10, 2e30), {}, "outside of the world"),
        ((0, 0, 10, 10), {"min_area": 0.1}, "smaller channels have no bed"),
        ((0, 0, 10, 10), {"point_distance": 0.5}, "expected 0, or 1 or more"),
    ],
)
def test_wrong_arguments(world, box, more, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        world.rivers(box, **more)


def test_worlds_without_rivers():
    with pytest.raises(terrane.InvalidArgumentError, match="basis smooth has no rivers"):
        terrane.World(basis="smooth").rivers((0, 0, 10, 10))


def test_without_geopandas():
    code = """import sys; sys.modules["geopandas"] = None
import terrane
try: terrane.World().rivers((0, 0, 10, 10))
except terrane.Error as error: print(error)"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "geopandas is missing: pip install 'terrane-land[vectors]'" in said
