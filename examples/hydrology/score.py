"""Score programs that route water over the basins of basins.py, and print a table.

    python score.py basins

Each program gets the heights of a basin and gives the cell that each cell drains to (D8). Areas and catchments are
computed from these cells in the same way for all programs. A program that is not installed is left out:

    pip install pyflwdir pysheds landlab whitebox-workflows

Columns, medians over the basins with their lower and upper quartile:

    1 cell, 3 cells   share of the basin's rivers that have a channel of the program within one or three cells
    false             share of the program's channels in the basin that lie more than three cells from a river
    catchment         overlap of the outlet's catchment with the true one: their intersection divided by their union
    lost              share of the basins where that overlap is less than a half
    area              area of the program's catchment divided by that of the true one

Needs geopandas, rasterio, scipy, numpy."""

import argparse
import json
import pathlib
import sys
import tempfile

import geopandas
import numpy as np
import rasterio
import rasterio.features
import shapely
from basins import RIVER_KM2
from scipy.ndimage import distance_transform_edt

CHANNEL_KM2, SURE_KM2 = RIVER_KM2 / 2, 2 * RIVER_KM2  # least areas of a channel that may be, and must be, a river
STEPS = {1: (0, 1), 2: (1, 1), 4: (1, 0), 8: (1, -1), 16: (0, -1), 32: (-1, -1), 64: (-1, 0), 128: (-1, 1)}


# ---- programs: each gets heights and their path, and returns the cell that each cell drains to ----


def of_codes(codes):
    """The cells that ESRI's codes of directions lead to. -1: the water ends."""
    rows, columns = codes.shape
    y, x = np.mgrid[:rows, :columns]
    to = np.full(codes.shape, -1)
    for code, (dy, dx) in STEPS.items():
        inside = (codes == code) & (y + dy >= 0) & (y + dy < rows) & (x + dx >= 0) & (x + dx < columns)
        to[inside] = ((y + dy) * columns + x + dx)[inside]
    return to.ravel()


def terrane(heights, path):
    return of_codes(read(path.parent / "own_direction.tif"))


def terrane_conditioned(heights, path):
    return of_codes(read(path.parent / "direction.tif"))


def pyflwdir(heights, path):
    import pyflwdir

    return of_codes(pyflwdir.from_dem(heights, nodata=-9999.0, outlets="edge").to_array())


def pyflwdir_conditioned(heights, path):
    return pyflwdir(read(path.parent / "conditioned.tif"), path)


def pysheds(heights, path):
    from pysheds.grid import Grid

    with tempfile.TemporaryDirectory() as folder, rasterio.open(path) as file:
        copy = f"{folder}/dem.tif"  # pysheds takes no file without a coordinate system
        with rasterio.open(copy, "w", **{**file.profile, "crs": "EPSG:3857"}) as placed:
            placed.write(heights, 1)
        grid = Grid.from_raster(copy)
        dem = grid.fill_depressions(grid.fill_pits(grid.read_raster(copy)))
    return of_codes(np.asarray(grid.flowdir(grid.resolve_flats(dem))))


def landlab(heights, path):
    from landlab import RasterModelGrid
    from landlab.components import FlowAccumulator

    grid = RasterModelGrid(heights.shape)
    grid.add_field("topographic__elevation", heights.astype(float).ravel(), at="node")
    finder = "DepressionFinderAndRouter"
    FlowAccumulator(grid, flow_director="FlowDirectorD8", depression_finder=finder).run_one_step()
    to = grid.at_node["flow__receiver_node"].astype(int)
    return np.where(to == np.arange(to.size), -1, to)


def richdem(heights, path):
    import richdem

    dem = richdem.rdarray(heights.astype(float), no_data=-9999.0)
    shares = np.asarray(richdem.FlowProportions(richdem.FillDepressions(dem, epsilon=True), method="D8"))
    codes = np.zeros(heights.shape, int)
    for n, code in enumerate((16, 32, 64, 128, 1, 2, 4, 8), start=1):  # richdem's neighbours: west, then clockwise
        codes[shares[..., n] > 0] = code
    return of_codes(codes)


def whitebox(heights, path):
    from whitebox_workflows import WbEnvironment

    wbe = WbEnvironment()
    with tempfile.TemporaryDirectory() as folder:
        dem = wbe.hydrology.breach_depressions_least_cost(dem=wbe.read_raster(str(path)))
        wbe.hydrology.d8_pointer(dem=dem, esri_pntr=True, output=f"{folder}/direction.tif")
        return of_codes(read(f"{folder}/direction.tif"))


PROGRAMS = {
    "terrane": terrane,
    "terrane --conditioned": terrane_conditioned,
    "pyflwdir": pyflwdir,
    "pyflwdir, conditioned": pyflwdir_conditioned,
    "pysheds": pysheds,
    "landlab": landlab,
    "richdem": richdem,
    "whitebox-workflows": whitebox,
}


# ---- what follows from directions ----


def read(path):
    with rasterio.open(path) as file:
        return file.read(1)


def layers_of(to):
    """Lists of cells in the order of the flow: water enters the cells of a list only from lists before it."""
    waits = np.bincount(to[to >= 0], minlength=to.size)
    cells = np.nonzero(waits == 0)[0]
    while cells.size:
        yield cells
        following = to[cells]
        following = following[following >= 0]
        np.subtract.at(waits, following, 1)
        cells = np.unique(following[waits[following] == 0])


def areas(to, layers):
    """Number of cells that drain through each cell."""
    count = np.ones(to.size)
    for cells in layers:
        cells = cells[to[cells] >= 0]
        np.add.at(count, to[cells], count[cells])
    return count


def catchment(to, layers, outlet):
    inside = np.zeros(to.size, bool)
    inside[outlet] = True
    for cells in reversed(layers):
        cells = cells[to[cells] >= 0]
        inside[cells] |= inside[to[cells]]
    return inside


# ---- one basin ----


class Basin:
    """The truth of a basin, on its grid."""

    def __init__(self, folder):
        self.path = folder / "dem.tif"
        outlet = json.loads((folder / "basin.json").read_text())["outlet"]
        with rasterio.open(self.path) as file:
            self.heights, self.place = file.read(1), file.transform
        self.cell_km2 = self.place.a**2 * 1e-6
        rivers = geopandas.read_file(folder / "truth.gpkg", layer="rivers")
        parts = geopandas.read_file(folder / "truth.gpkg", layer="catchments")
        self.catchment = self.draw(parts[parts["id"].isin(outlet["reaches"])].geometry)
        self.rivers = self.draw(rivers.geometry, all_touched=True)
        own = rivers[rivers["id"].isin(outlet["reaches"])].geometry
        points = shapely.get_coordinates(shapely.segmentize(own.values, self.place.a / 2))[:, :2]
        self.points = np.clip(np.floor(self.cells_of(points)).astype(int), 0, self.heights.shape[0] - 1)
        self.outlet = np.floor(self.cells_of(np.array([[outlet["x"], outlet["y"]]]))[0]).astype(int)

    def cells_of(self, points):
        """Rows and columns of points."""
        columns, rows = ~self.place * (points[:, 0], points[:, 1])
        return np.column_stack([rows, columns])

    def draw(self, shapes, all_touched=False):
        size = self.heights.shape
        drawn = rasterio.features.rasterize(shapes, size, transform=self.place, all_touched=all_touched)
        return drawn.astype(bool)

    def score(self, program):
        """Scores of a program, in the order of the table's columns."""
        to = program(self.heights, self.path)
        layers = list(layers_of(to))
        area = areas(to, layers).reshape(self.heights.shape) * self.cell_km2
        away = distance_transform_edt(area < CHANNEL_KM2)[tuple(self.points.T)]
        channels = (area >= SURE_KM2) & self.catchment
        from_river = distance_transform_edt(~self.rivers)[channels]
        y, x = np.maximum(self.outlet - 1, 0)  # the cell beside the outlet whose area fits best is the program's outlet
        near = np.log(area[y : y + 3, x : x + 3] / (self.catchment.sum() * self.cell_km2))
        row, column = np.unravel_index(np.abs(near).argmin(), near.shape)
        found = catchment(to, layers, (y + row) * self.heights.shape[1] + x + column).reshape(area.shape)
        both = (found & self.catchment).sum() / (found | self.catchment).sum()
        false = (from_river > 3).mean() if channels.any() else 0.0
        return (away <= 1.5).mean(), (away <= 3).mean(), false, both, found.sum() / self.catchment.sum()


def column(values, is_share):
    """The median and the quartiles as text, for one column of the table."""
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    if is_share:
        return f"{100 * middle:.1f} % ({100 * low:.0f} to {100 * high:.0f})"
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    basins = [Basin(path.parent) for path in sorted(given.folder.glob("*/basin.json"))]
    print(f"{len(basins)} basins, {np.median([b.catchment.sum() * b.cell_km2 for b in basins]):.1f} km2 each\n")
    print("| program | 1 cell | 3 cells | false | catchment | lost | area |\n|---|---|---|---|---|---|---|")
    for name, program in PROGRAMS.items():
        try:
            scores = np.array([basin.score(program) for basin in basins])
        except (ImportError, SyntaxError) as why:  # missing, or not for this version of Python
            print(f"{name} is left out: {why}", file=sys.stderr)
            continue
        columns = [column(scores[:, n], n < 4) for n in range(5)]
        columns.insert(4, f"{100 * (scores[:, 3] < 0.5).mean():.0f} %")
        print(f"| {name} | {' | '.join(columns)} |", flush=True)


if __name__ == "__main__":
    main()
