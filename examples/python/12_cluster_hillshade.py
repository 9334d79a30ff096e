"""A hillshade of any size, made by the worker processes of a Dask cluster and written to Zarr in constant memory.

    python 12_cluster_hillshade.py hillshade.zarr --size 65536 --workers 2

Every worker makes the heights of its chunks itself, with the samples around them that slopes need, so workers exchange
no data. --resume continues an interrupted call. The same program runs on any Dask cluster: pass Client the address of
its scheduler. With --gpus the program starts a worker for each GPU of this machine."""

import argparse
import json
import resource
import time

import dask.array as da
import numpy as np
import xarray as xr
from distributed import Client, LocalCluster

import terrane
from terrane.cluster import gpu_cluster


def hillshade(height, spacing_m):
    """Horn's hillshade, lit from the north-west at 45 degrees, 0 to 255. It ends one sample before each edge of
    height."""
    east = (height[:, 2:] - height[:, :-2]) / np.float32(8 * spacing_m)
    east = east[:-2] + 2 * east[1:-1] + east[2:]
    south = (height[2:] - height[:-2]) / np.float32(8 * spacing_m)
    south = south[:, :-2] + 2 * south[:, 1:-1] + south[:, 2:]
    light = (1 + (east + south) / np.sqrt(np.float32(2))) / np.sqrt(2 * (1 + east**2 + south**2))
    return np.clip(255 * light, 0, 255).astype(np.uint8)


def shade_chunk(world, lod, x, z, block_info):
    """The hillshade of one chunk, from heights with one more sample on each side."""
    (top, bottom), (left, right) = block_info[None]["array-location"]
    step = 1 << lod
    height = world.heights(x + (left - 1) * step, z + (top - 1) * step, right - left + 2, bottom - top + 2, lod)
    return hillshade(height, world.spacing * step)


def shaded(world, x, z, size, lod=0, chunks=2048):
    """The lazy hillshade of a square whose north-west corner is the lattice point x, z."""
    sides = da.core.normalize_chunks(chunks, (size, size), dtype=np.uint8)
    light = da.map_blocks(shade_chunk, world, lod, x, z, chunks=sides, dtype=np.uint8, meta=np.empty((0, 0), np.uint8))
    metres = world.spacing * (1 << lod) * np.arange(size)
    coordinates = {"x": world.spacing * x + metres, "y": -world.spacing * z - metres}
    attributes = {"title": "hillshade of land made by Terrane", "world": json.dumps(world.identity()), "lod": lod}
    return xr.Dataset({"hillshade": (("y", "x"), light, {"units": "1"})}, coordinates, attributes)


def started(workers, gpus):
    """A cluster of processes on this machine."""
    if gpus:
        return gpu_cluster(dashboard_address=None)
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("path")
    arguments.add_argument("--size", type=int, default=4096)
    arguments.add_argument("--workers", type=int, default=2, help="processes; 0: threads of this process")
    arguments.add_argument("--gpus", action="store_true", help="a process for each GPU")
    arguments.add_argument("--chunks", type=int, default=2048)
    arguments.add_argument("--resume", action="store_true", help="continue an interrupted call")
    a = arguments.parse_args()

    world = terrane.World("alps", threads=1 if a.workers or a.gpus else 0)  # Dask makes calls in parallel
    land = shaded(world, 0, 0, a.size, chunks=a.chunks)
    begun = time.monotonic()
    if a.workers or a.gpus:
        with started(a.workers, a.gpus) as cluster, Client(cluster) as client:
            terrane.write_zarr(land, a.path, resume=a.resume)
            peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    else:
        terrane.write_zarr(land, a.path, resume=a.resume)
        peaks = {"this process": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}
    elapsed = time.monotonic() - begun
    print(f"{a.size} x {a.size} in {elapsed:.1f} s: {a.size**2 / elapsed / 1e6:.1f} million samples a second")
    print("greatest memory:", ", ".join(f"{peak / 1024:.0f} MiB" for peak in peaks.values()))


if __name__ == "__main__":
    main()
