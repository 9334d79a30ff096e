"""Worlds as Datasets of xarray, computed by Dask."""

import pickle
import re
import time

import numpy as np
import pytest

import terrane

xr = pytest.importorskip("xarray", reason="xarray is missing")
da = pytest.importorskip("dask.array", reason="Dask is missing")

X, Y = 44224, -17920  # metres; world alps has steps of 1 m
END = 2**46


@pytest.fixture
def ds():
    return terrane.open_world("alps")


@pytest.fixture
def part(ds):
    return ds.sel(x=slice(X, X + 999), y=slice(Y, Y - 499))


def test_endless(ds, alps):
    assert dict(ds.sizes) == {"y": 2 * END + 1, "x": 2 * END + 1}
    assert list(ds) == list(alps.layer_names)
    assert float(ds.x[0]) == -END and float(ds.x[-1]) == END and float(ds.y[0]) == END
    assert float(ds.height.sel(x=END, y=-END)) == alps.at([END, END])
    assert "made where it is read" in repr(ds) and len(ds._repr_html_()) > 1000
    assert ds.height.attrs["units"] == ds.x.attrs["units"] == "m"


def test_selection_has_the_heights(part, alps):
    assert isinstance(part.height.data, da.Array) and part.height.dtype == np.float32
    assert np.array_equal(part.height, alps.heights(X, -Y, 1000, 500))
    assert np.array_equal(part.x, X + np.arange(1000)) and np.array_equal(part.y, Y - np.arange(500))


@pytest.mark.parametrize("lod", [0, 3, 7])
def test_metres_and_levels_of_detail(lod):
    w = terrane.World("alps", spacing=2.5)
    step = 1 << lod
    ds = terrane.open_world(w, lod=np.int32(lod))
    part = ds.sel(x=slice(2.5 * 1024, 2.5 * 2048), y=slice(0, -2.5 * 512))
    assert part.height.shape == (512 // step + 1, 1024 // step + 1)
    assert np.array_equal(part.height, w.heights(1024, 0, 1024 // step + 1, 512 // step + 1, lod))
    assert float(part.x[1] - part.x[0]) == 2.5 * step


def test_slices_follow_pandas(ds, part):
    """The index of the whole world and pandas's index of a part select the same samples."""
    wide = ds.sel(x=slice(X - 50, X + 1050), y=slice(Y + 50, Y - 550))
    for x in (slice(X + 0.5, X + 10.5), slice(X, X), slice(X + 3, X + 9, 2), slice(X + 0.2, X + 0.7)):
        for y in (slice(Y - 0.5, Y - 10.5), slice(Y - 2.2, Y - 2.7)):
            one, other = ds.sel(x=x, y=y), wide.sel(x=x, y=y)
            assert one.sizes == other.sizes and np.array_equal(one.height, other.height), (x, y)
    assert ds.sel(x=slice(None, -END + 3), y=slice(-END + 1, None)).height.shape == (2, 4)
    assert ds.sel(x=slice(END - 3, np.inf), y=slice(np.inf, END - 1)).height.shape == (2, 4)


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"y": slice(0, 999)}, r"slice\(0, 999\) of y is empty, expected slice\(999, 0\): it goes from the greater to"),
        ({"x": slice(9, -9.5)}, r"slice\(9, -9.5\) of x is empty, expected slice\(-9.5, 9\): it goes from the smaller"),
        ({"x": slice(np.nan, 9)}, "x is nan, expected metres"),
        ({"x": slice("a", 9)}, "x is 'a', expected metres"),
    ],
)
def test_slices_that_are_empty_by_mistake(ds, part, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        ds.sel(part)


@pytest.mark.parametrize("has_coordinates", [True, False])
def test_positions_in_an_endless_selection(ds, alps, has_coordinates):
    """Negative positions count from the end of the selection. Positions outside of it are errors."""
    n = 2**30
    part = ds.isel(x=slice(END, END + n), y=slice(END, END + n))
    part = part if has_coordinates else part.drop_vars(["x", "y"])
    for x, y in ((-1, 0), (0, -1), (-n, n - 1), (-7, -9)):
        got = part.isel(x=[x], y=[y])
        assert got.height.values == alps.at([x % n, y % n]), (x, y)
        assert not has_coordinates or (got.x.values, got.y.values) == (x % n, -(y % n))
    points = xr.DataArray([-1, 3], dims="place")
    assert np.array_equal(part.height.isel(x=points, y=points), alps.at([(n - 1, n - 1), (3, 3)]))
    for outside in (n, -n - 1, 2**42, 2**46):
        for where in ({"x": [outside], "y": [0]}, {"x": [0], "y": [5, outside]}):
            with pytest.raises(IndexError, match=f"position {outside} is outside of {n} samples"):
                part.isel(where).height.load()
    assert np.array_equal(ds.isel(x=[-1], y=[-1]).height, alps.at([[(END, END)]]))
    column = ds.isel(x=slice(END, END + 1000)).height  # endless only in direction y
    assert np.array_equal(column[END, np.arange(1000) > 997], alps.at([(998, 0), (999, 0)]))
    assert np.array_equal(column.data[[END], np.arange(1000) > 998], alps.at([(999, 0)]))


def test_chunks_of_the_whole_land(ds, alps):
    """chunk() of the endless dataset takes little time and memory. Selections have the chunks that it was given."""
    resource = pytest.importorskip("resource")
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    here = {"x": slice(X, X + 999), "y": slice(Y, Y - 499)}
    for chunked in (ds.chunk(100), ds.chunk({"x": 100, "y": 100}), ds.chunk(x=100).chunk(y=100)):
        part = chunked.sel(here)
        assert part.chunksizes == {"y": (100,) * 5, "x": (100,) * 10}
        assert part.height[0, 0] == alps.at([X, -Y])
    assert ds.height.chunk(x=300).sel(here).chunks == ((500,), (300, 300, 300, 100))
    assert ds.isel(y=5).chunk(100).sel(x=here["x"]).height.chunks == ((100,) * 10,)
    for same in ({}, "auto", -1):
        assert ds.chunk(same).sel(here).chunks == ds.sel(here).chunks
    assert "made where it is read" in repr(ds.chunk(100)) and ds.chunk(100).x.variable.chunks is None
    for wrong in (0, -2, (100, 100), 1.5):
        with pytest.raises(terrane.InvalidArgumentError, match="expected a number of samples"):
            ds.chunk(x=wrong)
    assert time.monotonic() - start < 10 and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500 << 10


def test_single_samples(ds, alps):
    assert float(ds.height.sel(x=5, y=-7)) == alps.at([5, 7])
    assert float(ds.height.sel(x=5.4, y=-6.8, method="nearest")) == alps.at([5, 7])
    with pytest.raises(KeyError, match="method='nearest'"):
        ds.sel(x=5.4, y=-7)
    with pytest.raises(KeyError):
        ds.sel(x=5.4, y=-7, method="nearest", tolerance=0.1)
    with pytest.raises(KeyError):
        ds.sel(x=2 * END, method="nearest")
    row = ds.sel(y=-7).sel(x=slice(0, 99))
    assert np.array_equal(row.height, alps.heights(0, 7, 100, 1)[0])


def test_points(ds, alps):
    x = xr.DataArray([0.0, 5.2, 1e6], dims="place")
    y = xr.DataArray([0.0, -7.2, 3e9], dims="place")
    got = ds.height.sel(x=x, y=y, method="nearest")
    assert got.dims == ("place",) and np.array_equal(got, alps.at([(0, 0), (5, 7), (10**6, -3 * 10**9)]))
    crossed = ds.height.sel(x=[0, 50, 10**7], y=[0, -9])
    assert np.array_equal(crossed, [[alps.at([x, -y]) for x in (0, 50, 10**7)] for y in (0, -9)])
    mixed = ds.height.sel(x=[0, 50], y=slice(0, -9))
    assert np.array_equal(mixed, alps.heights(0, 0, 51, 10)[:, [0, 50]])


def test_only_samples_that_are_read_are_made(ds, monkeypatch):
    made = []
    layers = terrane.World.layers

    def counted(self, names, x, z, width, height, *more, **options):
        made.append(width * height)
        return layers(self, names, x, z, width, height, *more, **options)

    monkeypatch.setattr(terrane.World, "layers", counted)
    part = ds.sel(x=slice(0, 999_999), y=slice(999_999, 0))
    assert made == []
    part.height[123_456:123_466, 3:9].compute()
    assert made == [60]
    made.clear()
    assert part.height[::100_000, ::100_000].shape == (10, 10)
    assert part.height.isel(x=[1, 5, 900], y=7).compute().shape == (3,)
    assert sum(made) <= 2048


def test_steps(ds, alps):
    h = alps.heights(0, 0, 101, 101)
    origin = slice(END, END + 101, 4)
    assert np.array_equal(ds.height.isel(x=origin, y=origin), h[::4, ::4])
    part = ds.sel(x=slice(0, 100), y=slice(0, -100)).height
    assert np.array_equal(part[::-1, 10:90:7], h[::-1, 10:90:7])
    assert np.array_equal(part.chunk(x=13, y=50)[5:, [3, 2, 2]], h[5:, [3, 2, 2]])


@pytest.mark.parametrize(
    "call",
    [
        lambda d: d.mean(),
        lambda d: d.height.values,
        lambda d: d.height + 1,
        lambda d: np.sqrt(d.height),
        lambda d: d.to_zarr("never.zarr"),
        lambda d: d.compute(),
        lambda d: d.transpose("x", "y"),
        lambda d: d.x.values,
        lambda d: d.height.sel(x=[0], y=slice(None)),
    ],
)
def test_all_of_the_land_at_once_is_refused(ds, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    start = time.monotonic()
    with pytest.raises(terrane.InvalidArgumentError, match="select a part of it first"):
        call(ds)
    assert time.monotonic() - start < 5


def test_operations_of_xarray(part, alps):
    h = alps.heights(X, -Y, 1000, 500)
    assert float(part.height.mean()) == pytest.approx(h.mean(dtype=float), rel=1e-5)
    assert np.array_equal(part.height.max("x"), h.max(axis=1))
    east = part.height.isel(x=slice(1, None)) - part.height.shift(x=1).isel(x=slice(1, None))
    assert np.array_equal(east, h[:, 1:] - h[:, :-1])
    assert np.allclose(part.height.coarsen(x=10, y=10).mean(), h.reshape(50, 10, 100, 10).mean((1, 3)), rtol=1e-5)
    both = xr.concat([part.isel(x=slice(0, 400)), part.isel(x=slice(400, None))], "x")
    assert np.array_equal(both.height, h)


def test_zarr(part, tmp_path):
    pytest.importorskip("zarr", reason="zarr is missing")
    part.to_zarr(tmp_path / "a.zarr", consolidated=False)
    read = xr.open_zarr(tmp_path / "a.zarr", consolidated=False, decode_coords="all")
    xr.testing.assert_identical(read.compute(), part.compute())
    with pytest.raises(FileExistsError):
        part.to_zarr(tmp_path / "a.zarr", consolidated=False)


def test_raster(part, tmp_path, alps):
    pytest.importorskip("rioxarray", reason="rioxarray is missing")
    rasterio = pytest.importorskip("rasterio", reason="rasterio is missing")
    part.height.rio.to_raster(tmp_path / "a.tif", tiled=True)
    with rasterio.open(tmp_path / "a.tif") as f:
        assert np.array_equal(f.read(1), part.height)
        assert f.xy(7, 5) == (X + 5, Y - 7)  # a sample is the middle of its pixel
        assert f.crs.to_wkt().startswith("LOCAL_CS") and "metre" in f.crs.to_wkt()


def test_raster_equals_the_program(part, tmp_path, program):
    pytest.importorskip("rioxarray", reason="rioxarray is missing")
    rasterio = pytest.importorskip("rasterio", reason="rasterio is missing")
    program("export", "--world", "alps", "--at", f"{X},{-Y}", "--size", "1000x500", "-o", tmp_path / "b.tif", "-q")
    part.height.rio.to_raster(tmp_path / "a.tif")
    with rasterio.open(tmp_path / "a.tif") as a, rasterio.open(tmp_path / "b.tif") as b:
        assert np.array_equal(a.read(1), b.read(1)) and a.transform == b.transform


@pytest.mark.parametrize(("epsg", "metres"), [(32632, 1.0), (2277, 1200 / 3937)])
def test_guide_with_a_system(tmp_path, program, epsg, metres):
    """The land of a guide lies where the guide's file says, in coordinate systems of metres and of feet."""
    pytest.importorskip("rioxarray", reason="rioxarray is missing")
    rasterio = pytest.importorskip("rasterio", reason="rasterio is missing")
    path, pixel = tmp_path / "guide.tif", 1000 / metres
    heights = np.add.outer(np.arange(16.0), 30 * np.arange(20.0)).astype("f4")
    place = {"crs": f"EPSG:{epsg}", "transform": rasterio.transform.from_origin(600000, 5100000, pixel, pixel)}
    with rasterio.open(path, "w", driver="GTiff", width=20, height=16, count=1, dtype="float32", **place) as f:
        f.write(heights, 1)
    world = terrane.World(guide=path, guide_at=(3000, -7000), guide_level=4)
    copy = pickle.loads(pickle.dumps(world))
    corner = (epsg, 600000 + pixel / 2, 5100000 - pixel / 2, metres)
    assert world.guide.place == copy.guide.place == pytest.approx(corner)
    ds = terrane.open_world(copy, lod=6, layers=["height"])
    assert ds.rio.crs.to_epsg() == epsg == rasterio.crs.CRS.from_wkt(ds.spatial_ref.crs_wkt).to_epsg()
    east, north = 600000 + 4 * pixel, 5100000 - 4 * pixel
    part = ds.sel(x=slice(east, east + 20 * 64 / metres), y=slice(north, north - 10 * 64 / metres))
    part.height.rio.to_raster(tmp_path / "a.tif")
    x, z = round((float(part.x[0]) - 600000) * metres + 2500), round((5100000 - float(part.y[0])) * metres - 7500)
    assert np.array_equal(part.height, world.heights(x, z, part.sizes["x"], part.sizes["y"], lod=6))
    if "GDAL" in "".join(re.findall("left out of this build.*", program("info"))):
        return
    program("export", "--guide", path, "--guide-at", "3000,-7000", "--guide-level", 4, "--at", f"{x},{z}", "--lod", 6,
            "--size", f"{part.sizes['x']}x{part.sizes['y']}", "-o", tmp_path / "b.tif", "-q")  # fmt: skip
    with rasterio.open(tmp_path / "a.tif") as a, rasterio.open(tmp_path / "b.tif") as b:
        assert a.crs.to_epsg() == b.crs.to_epsg() and np.array_equal(a.read(1), b.read(1))
        assert np.allclose(a.transform, b.transform, rtol=0, atol=1e-6)


def test_graphs_are_small_and_have_names(ds):
    part = ds.sel(x=slice(0, 2**20), y=slice(2**20, 0))
    assert len(pickle.dumps(part.height.data.dask)) < 1e6
    again = terrane.open_world("alps").sel(x=slice(0, 2**20), y=slice(2**20, 0))
    assert part.height.data.name == again.height.data.name
    other = terrane.open_world("alps", seed=8).sel(x=slice(0, 2**20), y=slice(2**20, 0))
    assert part.height.data.name != other.height.data.name
    start = time.monotonic()
    far = terrane.open_world("alps", chunks=64).sel(x=slice(END - 65000, END), y=slice(-END + 65000, -END))
    assert far.height.data.npartitions == 1016**2 and len(pickle.dumps(far.height.data.dask)) < 1e6
    assert float(far.height[-1, -1]) == terrane.World("alps").at([END, END])
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"lod": 21}, "lod is 21, expected -4 to 20"),
        ({"lod": np.int32(21)}, "lod is 21, expected -4 to 20"),
        ({"chunks": 0}, "chunks is 0"),
        ({"layers": ["hight"]}, "layer is 'hight'"),
        ({"gian": 1}, "unknown parameter 'gian'"),
    ],
)
def test_wrong_arguments(words, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        terrane.open_world("alps", **words)


def test_cluster(part, alps):
    """Two worker processes compute the heights that one process computes."""
    distributed = pytest.importorskip("distributed", reason="distributed is missing")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            chunked = terrane.open_world("alps", chunks=100).sel(x=slice(X, X + 999), y=slice(Y, Y - 499)).height
            assert np.array_equal(chunked.compute(), alps.heights(X, -Y, 1000, 500))
            assert len(client.scheduler_info()["workers"]) == 2


@pytest.mark.parametrize("lod", [8, 9, 12, 18, 24])
def test_far_levels_of_detail(lod, tmp_path):
    """Coarse levels, whose samples are means from lod 9 on, have coordinates, attributes, chunks and all layers like
    other levels. They can be written to Zarr and read back."""
    pytest.importorskip("zarr", reason="zarr is missing")
    w = terrane.World(basis="fluvial", levels=24)
    step = 1 << lod
    ds = terrane.open_world(w, lod=lod, chunks=8)
    assert ds.attrs["lod"] == lod and ds.attrs["samples"] == ("points" if lod < 9 else "means")
    assert ds.sizes["x"] == 2 * (END >> lod) + 1 and float(ds.x[-1]) == END and float(ds.y[0]) == END
    part = ds.sel(x=slice(-3 * step, 8 * step), y=slice(2 * step, -6 * step))
    assert np.array_equal(part.x, np.arange(-3, 9) * step) and np.array_equal(part.y, np.arange(2, -7, -1) * step)
    assert part.chunksizes == {"y": (8, 1), "x": (8, 4)}
    names = list(w.layer_names)
    assert list(ds) == names and "land" in names and "top" in names
    expected = w.layers(names, -3 * step, -2 * step, 12, 9, lod)
    assert np.array_equal(part.land, expected["land"])  # made without other layers
    terrane.write_zarr(part, tmp_path / "far.zarr")
    stored = xr.open_zarr(tmp_path / "far.zarr", consolidated=False)
    assert stored.attrs["samples"] == ds.attrs["samples"] and np.array_equal(stored.x, part.x)
    for name in names:
        assert np.array_equal(stored[name], expected[name], equal_nan=True), name
    assert 0 <= part.land.min() and part.land.max() <= 1 and (part.top >= part.height).all()
    places = [(0, 0), (8 * step, 6 * step)]
    at = w.layers_at(["height", "land", "top"], places, lod)
    for name, values in at.items():
        assert np.array_equal(values, [expected[name][2, 3], expected[name][8, 11]]), name
    assert np.array_equal(ds.height.sel(x=8 * step, y=-6 * step), w.at(places[1], lod))
    found = w.statistics(-3 * step, -2 * step, 12, 9, lod)
    assert (found.min, found.max) == (expected["height"].min(), expected["height"].max())
    assert np.array_equal(w.heights(END - step, END - step, 2, 2, lod), ds.height[-2:, -2:])


def test_levels_of_other_bases_are_points():
    assert terrane.open_world(basis="smooth", lod=12).attrs["samples"] == "points"


def test_levels_of_detail_as_a_tree(alps, tmp_path):
    """Each group equals open_world() of its level of detail. A selection and to_zarr() of the tree work on all
    groups."""
    tree = terrane.open_levels(alps, [7, 9], layers=["height"], chunks=32)
    assert set(tree.children) == {"lod_7", "lod_9"} and tree["lod_9"].attrs["samples"] == "means"
    part = tree.sel(x=slice(X, X + 16384), y=slice(Y, Y - 8192))
    for lod, shape in ((7, (65, 128)), (9, (17, 32))):
        one = terrane.open_world(alps, lod=lod).height.sel(x=slice(X, X + 16384), y=slice(Y, Y - 8192))
        assert part[f"lod_{lod}"].height.shape == shape == one.shape
        assert np.array_equal(part[f"lod_{lod}"].height, one)
    assert terrane.open_levels("alps", range(2, 4))["lod_3"].sizes["x"] == 2 * (END >> 3) + 1
    for wrong in (3, []):
        with pytest.raises(terrane.InvalidArgumentError, match="expected levels of detail, such as range"):
            terrane.open_levels("alps", wrong)
    with pytest.raises(terrane.InvalidArgumentError, match="lod is 99, expected -4 to"):
        terrane.open_levels("alps", [0, 99])
    with pytest.raises(terrane.InvalidArgumentError, match="expected the parameters in World"):
        terrane.open_levels(alps, [0], seed=3)
    pytest.importorskip("zarr", reason="zarr is missing")
    part.to_zarr(tmp_path / "pyramid.zarr", consolidated=False)
    stored = xr.open_datatree(tmp_path / "pyramid.zarr", engine="zarr", consolidated=False)
    assert np.array_equal(stored["lod_9"].height, part["lod_9"].height)
