"""measure_guides.py TERRANE FILE.. [--spacing M] - how closely land follows guides: a table for docs/lab.

FILE.npy is a piece of a real elevation model, NAME@PIXEL.npy with pixels PIXEL metres apart, or .npz with its integers
`z` and their unit `q`. With --spacing the piece is averaged to pixels about that wide first. The land is made with the
default options, averaged to the pixels of the guide, and compared with it. Pixels without data are not counted, and
channels of the guide end beside them. With --sink the piece is lowered, so that it has coasts. Needs numpy and
pyflwdir.

over relief   error divided by the range of 3 x 3 pixels of the guide
detail        correlation of what is left of both when means of 9 x 9 pixels are taken away
rivers        share of the guide's channel pixels that have a river of half to twice their area within a pixel (any
              river); N: these pixels
in valleys    how far rivers lie above the lowest pixel of the guide within 3 pixels, over the range there: median, p90
coast         share of the coast's pixels that lie within one pixel (two) of the land's coast
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

import numpy as np
import pyflwdir

SEED_PLACE = -1048576, 2097152


def load(path, spacing, sink=0.0):
    """Heights of a piece, and the distance of its pixels. sink: share of the pixels that will lie below the sea"""
    data = np.load(path)
    z = data if isinstance(data, np.ndarray) else np.where(data["z"] == -(2**31), np.nan, data["z"] * data["q"])
    pixel = float(re.search(r"@([0-9.]+)[.]np", path.name)[1])
    k = max(1, round(spacing / pixel)) if spacing else 1
    rows, columns = z.shape[0] // k, z.shape[1] // k
    blocks = z[: rows * k, : columns * k].reshape(rows, k, columns, k)
    means = blocks.mean((1, 3))
    return (means - (np.nanquantile(means, sink) if sink else 0.0)).astype("<f4"), pixel * k


def land_of(terrane, z, pixel, options, folder):
    """Heights and drained areas of the land in the guide's pixels: means, and greatest areas of rivers."""
    rows, columns = z.shape
    lod = max(0, min(6, int(np.floor(np.log2(pixel / 4)))))
    step = 2**lod
    np.save(folder / "guide.npy", z)
    x, y = (int(c - pixel / 2) // step * step for c in SEED_PLACE)
    size = int(columns * pixel) // step + 2, int(rows * pixel) // step + 2
    command = [terrane, "export", "--guide", folder / "guide.npy", "--guide-spacing", str(pixel)]
    command += ["--guide-at", ",".join(map(str, SEED_PLACE)), "--at", f"{x},{y}", "--size", f"{size[0]}x{size[1]}"]
    command += ["--lod", str(lod), "--layer", "height,flow,shore", "-o", folder / "{layer}.r32", "--force", *options]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    height, flow, shore = (
        np.fromfile(folder / f"{layer}.r32", "<f4").reshape(size[::-1]) for layer in ("height", "flow", "shore")
    )
    column = np.floor((x + step * np.arange(size[0]) - SEED_PLACE[0]) / pixel + 0.5).astype(int)
    row = np.floor((y + step * np.arange(size[1]) - SEED_PLACE[1]) / pixel + 0.5).astype(int)
    inside = np.ix_((row >= 0) & (row < rows), (column >= 0) & (column < columns))
    cell = (row[:, None] * columns + column)[inside]
    count = np.bincount(cell.ravel(), minlength=z.size)
    mean = np.bincount(cell.ravel(), height[inside].ravel(), z.size) / count
    river = np.where(shore <= max(step, pixel / 2), flow, 0)[inside]
    area = np.zeros(z.size)
    np.maximum.at(area, cell.ravel(), river.ravel())
    return mean.reshape(z.shape), area.reshape(z.shape)


def around(z, reach, function, edge):
    """A function of the (2 reach + 1)^2 pixels around each pixel."""
    padded = np.pad(z, reach, mode="constant", constant_values=edge)
    return function(np.lib.stride_tricks.sliding_window_view(padded, (2 * reach + 1,) * 2), axis=(2, 3))


def smooth(z, reach):
    padded = np.pad(z, reach, mode="reflect")
    for axis in (0, 1):
        total = np.cumsum(np.insert(padded, 0, 0, axis), axis)
        width = 2 * reach + 1
        ends = np.take(total, np.arange(width, total.shape[axis]), axis)
        padded = (ends - np.take(total, np.arange(total.shape[axis] - width), axis)) / width
    return padded


def rivers(z, gaps, pixel, area):
    """Figures of rivers: text of the share that is found, and of how they lie in valleys."""
    without = gaps | (z < 0)  # gaps and the sea, where water leaves the guide
    filled, d8 = pyflwdir.dem.fill_depressions(np.where(without, -9999, z).astype("f4"), nodata=-9999, outlets="edge")
    upstream = pyflwdir.from_array(d8, ftype="d8").upstream_area("cell")
    least = max(100, 6e5 / pixel**2)
    channel = (upstream > least) & ~without
    n = int(channel.sum())
    want = np.where(channel, upstream, 1) * pixel**2
    padded = np.pad(area, 1)
    near = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))[channel].reshape(n, 9)
    fits = ((near >= 0.5 * want[channel][:, None]) & (near <= 2 * want[channel][:, None])).any(1)
    anyone = (near >= 0.5 * want[channel][:, None]).any(1)
    share = f"{100 * fits.mean():.0f} % ({100 * anyone.mean():.0f} %), {n}" if n else "-"
    wet = (area > 2e6) & ~gaps
    wet[:3], wet[-3:], wet[:, :3], wet[:, -3:] = False, False, False, False
    low, high = around(z, 3, np.min, np.inf), around(z, 3, np.max, -np.inf)
    above = ((z - low) / np.maximum(high - low, 1))[wet]
    valley = f"{np.median(above):.2f}, {np.percentile(above, 90):.2f}" if above.size else "-"
    return share, valley


def coast(guide, land):
    def edge(z):
        sea = z < 0
        return ~sea & (around(sea.astype("f4"), 1, np.max, 0) > 0)

    ours, theirs = edge(guide), edge(land)
    if not ours.any():
        return "-"
    shares = [(around(theirs.astype("f4"), reach, np.max, 0) > 0)[ours].mean() for reach in (1, 2)]
    return f"{100 * shares[0]:.0f} % ({100 * shares[1]:.0f} %)"


def row_of(terrane, path, spacing, sink, options):
    z, pixel = load(path, spacing, sink)
    gaps = np.isnan(z)
    with tempfile.TemporaryDirectory() as folder:
        land, area = land_of(terrane, z, pixel, options, pathlib.Path(folder))
    known = np.where(gaps, land, z)
    error = (land - known)[~gaps]
    relief = around(z, 1, np.fmax.reduce, np.nan) - around(z, 1, np.fmin.reduce, np.nan)
    relief = np.maximum(relief, 1)[~gaps]
    over = np.abs(error) / relief
    detail = np.corrcoef((known - smooth(known, 4))[~gaps], (land - smooth(land, 4))[~gaps])[0, 1]
    share, valley = rivers(known, gaps, pixel, area)
    cells = [path.name.split("@")[0], f"{z.shape[1]} x {z.shape[0]}", f"{pixel:.4g}"]
    cells += [f"{np.median(np.abs(error)):.1f}, {np.percentile(np.abs(error), 90):.1f}", f"{error.mean():.1f}"]
    cells += [f"{np.median(over):.2f}, {np.percentile(over, 90):.2f}"]
    cells += [f"{np.corrcoef(land[~gaps], known[~gaps])[0, 1]:.4f}", f"{detail:.3f}", share, valley]
    cells += [coast(known, land)]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("terrane")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--spacing", type=float, default=0, help="m; width to which pixels are averaged, about")
    parser.add_argument("--sink", type=float, default=0, help="share of the pixels that shall lie below the sea")
    parser.add_argument("--options", default="", help="further options of terrane export")
    arguments = parser.parse_args()
    head = ["piece", "pixels", "m", "error, median, p90, m", "bias", "over relief, median, p90", "correlation"]
    head += ["detail", "rivers (any), N", "in valleys", "coast"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for path in arguments.files:
        row_of(arguments.terrane, path, arguments.spacing, arguments.sink, arguments.options.split())


if __name__ == "__main__":
    main()
