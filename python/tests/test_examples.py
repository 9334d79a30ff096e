"""The examples and the notebook run, and print and write what their comments say."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

import terrane

# Name of the example, modules that it needs besides numpy, pattern of its output, arguments.
EXAMPLES = [
    ("01_heights", [], "1024 x 512 heights from .* m"),
    ("02_levels_of_detail", [], "lod 4: 4225 samples, 16 m apart"),
    ("03_own_world", [], "as expected: gain is '1.5'"),
    ("04_map", [], "960 x 632 pixels"),
    ("05_tiles", [], "68 tiles of 65 x 65 samples"),
    ("06_profile", [], "2079 m long"),
    ("07_statistics", [], "4194304 samples", "2048"),
    ("08_into_an_array", [], "alps.npy has 16 MiB"),
    ("09_gpu", [], "mean slope to the east"),
    ("10_xarray", ["xarray", "dask"], "m on average"),
    ("11_raster_and_zarr", ["xarray", "dask", "zarr", "rioxarray"], r"\(2001, 2001\)"),
    ("12_cluster_hillshade", ["xarray", "dask", "zarr", "distributed"], "million samples a second"),
    ("13_azgaar_guide", [], r"azgaar.ini: 480 x 320 km, 47% land", "small.map"),
    ("14_patches", [], "8 patches of 64 x 64 samples"),
    ("15_robots", [], r"a curriculum of 193 x 129 samples(?s:.*)ball"),
    ("18_legs", ["mujoco"], r"meadow(?s:.*)scree(?s:.*)river bank.*stands"),
]


LEARNING = ["16_rivers", "17_rover"]  # test_learning.py runs these


def run(source, folder, name, *words):
    path = source / "examples/python" / f"{name}.py"
    done = subprocess.run([sys.executable, path, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def need(modules):
    for module in modules:
        pytest.importorskip(module, reason=f"{module} is missing")


def test_all_are_tested(source):
    found = sorted(p.stem for p in (source / "examples/python").glob("*.py"))
    assert found == sorted([name for name, *_ in EXAMPLES] + LEARNING)


PLAIN = EXAMPLES[:11] + EXAMPLES[13:]


@pytest.mark.parametrize("example", PLAIN, ids=[name for name, *_ in PLAIN])
def test_example(source, tmp_path, example):
    name, modules, printed, *words = example
    need(modules)
    if name == "09_gpu" and terrane.devices():
        need(["torch"])
    assert re.search(printed, run(source, tmp_path, name, *words))


def test_cluster_hillshade(source, tmp_path):
    """Two processes write what one process writes. An area four times as large needs no more memory."""
    name, modules, printed = EXAMPLES[11]
    need(modules)
    xr = pytest.importorskip("xarray")
    small = run(source, tmp_path, name, "two.zarr", "--size", "3000", "--chunks", "1000")
    large = run(source, tmp_path, name, "large.zarr", "--size", "6000", "--chunks", "1000")
    one = run(source, tmp_path, name, "one.zarr", "--size", "3000", "--chunks", "1000", "--workers", "0")
    assert re.search(printed, one)
    peaks = [max(map(int, re.findall(r"(\d+) MiB", text))) for text in (small, large)]
    assert small.count("MiB") == 2 and peaks[1] < peaks[0] + 60, peaks
    a, b = (xr.open_zarr(tmp_path / path, consolidated=False).hillshade for path in ("two.zarr", "one.zarr"))
    assert np.array_equal(a, b) and a.dtype == np.uint8 and 60 < a.mean() < 220
    light, h = a.values.astype(float), terrane.World("alps").heights(-1, -1, 3002, 3002)
    # positive: the ground rises to the south-east, so it faces the light in the north-west
    facing = (h[2:, 2:] - h[:-2, :-2])[1000:2000, 1000:2000]
    assert np.corrcoef(facing.ravel(), light[1000:2000, 1000:2000].ravel())[0, 1] > 0.8


def write_azgaar_map(file):
    """A map of 24 x 16 cells in the format of the Fantasy Map Generator, with an island in its middle. A river runs
    from its top to the south-east."""
    y, x = np.mgrid[0:16, 0:24]
    heights = (60 - 6.5 * np.hypot((x - 11.5) / 1.5, y - 7.5)).clip(2, 100).round().astype(int)
    lines = [""] * 36
    lines[0] = "1.99|File can be loaded in azgaar.github.io/Fantasy-Map-Generator|2024-1-1|5|240|160|17"
    lines[1] = "km|2|square|m|2|\u00b0C|2|||||||"
    left = np.array([[121, 79], [140, 92], [171, 100], [190, 129]]) + [0, 0.4]
    outline = [*(left - [0, 0.8])[::-1], *left[1:]]
    curves = "".join(f"C0,0,1,-1,{x},{y}" for x, y in outline[1:])
    path = f"M{outline[0][0]},{outline[0][1]}{curves}"
    group = f'<g id="rivers" fill="#5d97bb"><path id="river1" d="{path}"/><path id="river2" d="M1,1L2,2"/></g>'
    lines[5] = f"<svg>{group}</svg>"
    lines[6] = json.dumps({"spacing": 10, "cellsX": 24, "cellsY": 16, "points": []})
    lines[7] = ",".join(map(str, heights.ravel()))
    file.write_text("\r\n".join(lines), encoding="utf-8", newline="")
    return heights


def test_azgaar_guide(source, tmp_path):
    name, _, printed, file = EXAMPLES[12]
    cells = write_azgaar_map(tmp_path / file)
    text = run(source, tmp_path, name, file)
    assert re.search(printed, text) and re.search("1 rivers, [1-9][0-9]* nodes", text)
    features = json.loads((tmp_path / "azgaar.geojson").read_text())["features"]
    assert [f["geometry"]["coordinates"] for f in features] == [
        [[232000, -147200], [270000, -174000], [332000, -190000], [370000, -248000]]
    ]
    assert "guide_rivers = azgaar.geojson\n" in (tmp_path / "azgaar.ini").read_text()
    heights = np.load(tmp_path / "azgaar.npy")
    assert np.array_equal(heights > 0, cells >= 20)
    assert heights.max() == (cells.max() - 18) ** 2 - 3 and heights[cells == 10].max() == -50
    try:
        world = terrane.World(tmp_path / "azgaar.ini")
        assert world.guide.rivers == 1
    except terrane.FileError as error:
        assert "no GDAL" in str(error)
        world = terrane.World(guide=heights, guide_spacing=20000, guide_at=(0, 0))
    assert world.guide.spacing == 20000 and world.at([(24 * 10000, 16 * 10000)]) > 100
    (tmp_path / "no.map").write_text("a\nb\n")
    path = source / "examples/python" / f"{name}.py"
    done = subprocess.run([sys.executable, path, "no.map"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "is no .map file" in done.stderr


@pytest.mark.parametrize(
    ("name", "modules", "count"),
    [("terrane", ["xarray", "dask"], 3), ("patches", [], 2)],
    ids=["terrane", "patches"],
)
def test_notebook(source, tmp_path, name, modules, count):
    need(["nbclient", "ipykernel", "matplotlib", *modules])
    import nbclient
    import nbformat

    notebook = nbformat.read(source / f"examples/python/{name}.ipynb", 4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # the notebook is stored without outputs
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    pictures = [o for cell in notebook.cells for o in cell.get("outputs", []) if "image/png" in o.get("data", {})]
    assert len(pictures) == count
