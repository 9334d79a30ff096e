"""Write basins whose rivers and catchments are known. Each seed gives one basin, in a folder of its own.

    python basins.py basins --count 100

A basin is a square of samples 64 m apart. Its outlet lies 256 m before the end of the reach that drains the most among
those whose whole catchment lies in the square. Folder basins/017 has

    dem.tif       heights; lakes at the level of their water
    conditioned.tif, direction.tif, own_direction.tif   conditioned heights, their D8, and the D8 of the plain heights
    truth.gpkg    layers rivers, lakes, catchments of `terrane export --features`
    basin.json    the outlet: id of its reach, place, area of its catchment

Needs `terrane` with GDAL, and geopandas, rasterio, numpy."""

import argparse
import json
import pathlib
import shutil
import subprocess

import geopandas
import numpy as np
import rasterio

LOD, SIDE = 6, 160
STEP = 2**LOD
RIVER_KM2 = 1.05  # rivers of the truth drain at least this
LEAST_KM2 = 8.0  # a smaller basin is not used
PLACES_MAX = 1000  # places that are tried for a basin


def export(program, seed, place, *options):
    at = f"{place[0]},{place[1]}"
    words = [program, "export", "--seed", str(seed), "--at", at, "--force", *map(str, options)]
    subprocess.run(words, check=True, capture_output=True, text=True)


def read(path):
    with rasterio.open(path) as file:
        return file.read(1)


def is_land(program, seed, place, folder):
    """Whether the square and its surroundings lie above the sea."""
    wide = (place[0] - SIDE * STEP // 2, place[1] - SIDE * STEP // 2)
    export(program, seed, wide, "--lod", LOD + 4, "--size", "20x20", "-o", folder / "land.tif")
    return read(folder / "land.tif").min() > 5


def whole_catchments(rivers, catchments):
    """For each reach, the ids of the catchments that drain through its end. Reaches whose catchments the edge cuts are
    left out."""
    edge = set(catchments.loc[catchments["cut"] == "edge", "id"].dropna())
    below = dict(zip(rivers["id"], rivers["downstream"], strict=True))
    above = {reach: {reach} for reach in below}
    for reach in below:
        to = below[reach]
        for _ in range(len(below)):
            if to not in below:
                break
            above[to].add(reach)
            to = below[to]
    cut_rivers = set(rivers.loc[rivers["cut"] != "", "id"])
    return {reach: ids for reach, ids in above.items() if not ids & (edge | cut_rivers)}


def find_outlet(folder):
    """The outlet of the square; None if all catchments are small or cut."""
    rivers = geopandas.read_file(folder / "truth.gpkg", layer="rivers").drop_duplicates("id")
    catchments = geopandas.read_file(folder / "truth.gpkg", layer="catchments")
    area = dict(zip(catchments["id"], catchments["area_km2"], strict=True))
    best, most = None, LEAST_KM2
    for reach, ids in whole_catchments(rivers, catchments).items():
        square = sum(area.get(i, 0.0) for i in ids)
        if square > most:
            row = rivers[rivers["id"] == reach].iloc[0]
            point = row.geometry.interpolate(-4 * STEP)
            best = {
                "reach": int(reach),
                "x": point.x,
                "y": point.y,
                "area_km2": square,
                "drained_km2": float(row["area_km2"]),
                "reaches": sorted(int(i) for i in ids),
            }
            most = square
    return best


def write_rasters(program, seed, place, folder):
    samples = ("--lod", LOD, "--size", f"{SIDE}x{SIDE}")
    export(program, seed, place, *samples, "--layer", "height,water,direction", "-o", folder / "own_{layer}.tif")
    names = ("--layer", "height,direction")
    export(program, seed, place, *samples, "--conditioned", *names, "-o", folder / "c_{layer}.tif")
    with rasterio.open(folder / "own_height.tif") as file:
        profile, height = file.profile, file.read(1)
    water = read(folder / "own_water.tif")
    with rasterio.open(folder / "dem.tif", "w", **profile) as file:
        file.write(np.where(np.isnan(water), height, water).astype(np.float32), 1)
    (folder / "c_height.tif").rename(folder / "conditioned.tif")
    (folder / "c_direction.tif").rename(folder / "direction.tif")
    for path in [*folder.glob("own_height.*"), *folder.glob("own_water.*"), *folder.glob("land.*")]:
        path.unlink()


def make_basin(program, seed, folder):
    """Try places until one has a basin, at most PLACES_MAX. The same seed always gives the same basin."""
    random = np.random.Generator(np.random.PCG64(seed))
    folder.mkdir(parents=True)
    for _ in range(PLACES_MAX):
        place = [int(n) * STEP * 16 for n in random.integers(-40000, 40000, 2)]
        if not is_land(program, seed, place, folder):
            continue
        names = ("--features", "rivers,lakes,catchments", "--min-area", RIVER_KM2)
        export(program, seed, place, "--lod", LOD, "--size", f"{SIDE}x{SIDE}", *names, "-o", folder / "truth.gpkg")
        outlet = find_outlet(folder)
        if outlet:
            break
    else:
        raise SystemExit(f"seed {seed}: none of {PLACES_MAX} places has a basin of {LEAST_KM2:g} km2 on land")
    write_rasters(program, seed, place, folder)
    text = {"seed": seed, "at": place, "lod": LOD, "side": SIDE, "outlet": outlet}
    (folder / "basin.json").write_text(json.dumps(text, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--program", default="terrane")
    given = parser.parse_args()
    for seed in range(1, given.count + 1):
        folder = given.folder / f"{seed:03}"
        if (folder / "basin.json").exists():
            continue
        shutil.rmtree(folder, ignore_errors=True)
        make_basin(given.program, seed, folder)
    print(f"{given.count} basins in {given.folder}")


if __name__ == "__main__":
    main()
