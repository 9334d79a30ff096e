#!/usr/bin/env python3
"""make.py [FOLDER [TERRANE]] - makes the guides of docs/guide.md: sketch.png, islands.png, valley.tif.

Needs numpy; for valley.tif also TERRANE, the command terrane, and gdal_translate."""

import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np


def write_png(path, pixels):
    """Write a grey picture of 8 or 16 bits."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    height, width = pixels.shape
    bits = 8 * pixels.dtype.itemsize
    rows = b"".join(b"\0" + row.astype(f">u{bits // 8}").tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    )


def noise(rng, shape, scale):
    """Smooth noise from -1 to 1, whose waves are about `scale` pixels long."""
    knots = rng.uniform(-1, 1, (int(shape[0] / scale) + 3, int(shape[1] / scale) + 3))
    y, x = (np.arange(n) / scale for n in shape)
    i, j = y.astype(int), x.astype(int)
    a, b = ((t % 1) ** 2 * (3 - 2 * (t % 1)) for t in (y, x))
    north = knots[i][:, j] + b * (knots[i][:, j + 1] - knots[i][:, j])
    south = knots[i + 1][:, j] + b * (knots[i + 1][:, j + 1] - knots[i + 1][:, j])
    return north + a[:, None] * (south - north)


def sketch():
    """A continent as somebody paints it: a coast, a range along one side, hills, a bay. 128 is the level of the sea."""
    rng = np.random.default_rng(4)
    y, x = np.mgrid[0:72, 0:96]
    inside = 1 - np.hypot((x - 48) / 40, (y - 36) / 28) + 0.35 * noise(rng, x.shape, 14) + 0.1 * noise(rng, x.shape, 5)
    inside -= 0.9 * np.exp(-(((x - 70) / 7) ** 2) - ((y - 50) / 9) ** 2)  # the bay
    crest = 30 + 8 * np.sin(y / 11)
    range_ = np.exp(-(((x - crest) / 5) ** 2)) * np.clip(inside * 3, 0, 1)
    land = 12 + 25 * np.clip(inside, 0, 1) + 14 * np.clip(noise(rng, x.shape, 9), 0, 1) + 75 * range_
    sea = 90 * np.clip(inside, -1, 0) - 3
    return np.round(128 + np.where(inside > 0, land * np.clip(inside * 6, 0.1, 1), sea)).clip(0, 255).astype(np.uint8)


def islands():
    """An archipelago with 16 bits: some high islands, many small ones. A quarter of the range lies below the sea."""
    rng = np.random.default_rng(11)
    y, x = np.mgrid[0:128, 0:128]
    height = np.full(x.shape, -0.25)
    for n in range(14):
        place, size = rng.uniform(16, 112, 2), rng.uniform(4, 13)
        away = np.hypot(x - place[0], y - place[1]) / size + 0.25 * noise(rng, x.shape, size)
        height = np.maximum(height, (0.75 if size > 9 else 0.35) * (1 - np.clip(away, 0, 2)) - 0.02)
    height += 0.05 * noise(rng, x.shape, 4) * (height > 0)
    return np.round(65535 * (height.clip(-0.25, 0.75) + 0.25)).astype(np.uint16)


def write_valley(path, terrane):
    """A piece of a world in pixels of 90 m and whole metres, as public elevation models are. Its place in zone 26 of
    UTM is invented: it lies in the Atlantic, where no land is."""
    samples, pixels, spacing = 675, 120, 90  # samples are 16 m apart, so both cover 10.8 km
    with tempfile.TemporaryDirectory() as folder:
        raw, grid = (pathlib.Path(folder) / name for name in ("a.r32", "a.asc"))
        place = ["--world", "alps", "--seed", "29", "--at", "-1078272,1921024", "--lod", "4"]
        size = ["--size", f"{samples}x{samples}", "--backend", "cpu", "--quiet"]
        subprocess.run([terrane, "export", *place, *size, "-o", raw], check=True)
        heights = np.fromfile(raw, "<f4").reshape(samples, samples)
        for _ in range(2):  # means of pixels, along rows and along columns
            sums = np.concatenate([np.zeros((1, heights.shape[1])), np.cumsum(heights, 0, float)])
            edges = np.arange(pixels + 1) * samples / pixels
            i = np.minimum(edges.astype(int), samples - 1)
            until = sums[i] + (edges - i)[:, None] * (sums[i + 1] - sums[i])
            heights = (np.diff(until, axis=0) * pixels / samples).T
        with open(grid, "w") as file:
            file.write(f"ncols {pixels}\nnrows {pixels}\nxllcorner 500000\nyllcorner 3990000\ncellsize {spacing}\n")
            np.savetxt(file, np.round(heights), "%d")
        how = ["-ot", "Int16", "-a_srs", "EPSG:32626", "-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=2"]
        subprocess.run(["gdal_translate", "-q", *how, grid, path], check=True)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    write_png(folder / "sketch.png", sketch())
    write_png(folder / "islands.png", islands())
    write_valley(folder / "valley.tif", sys.argv[2] if len(sys.argv) > 2 else "terrane")
