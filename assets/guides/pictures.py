"""pictures.py TERRANE GUIDE OUT.jpg [X,Y] [OPTION..] - a picture of a guide above its land: all of it, a tenth of its
side, and a hundredth.

GUIDE is a file that Pillow can read, or NAME@PIXEL.npz with integers `z` and their unit `q`. X,Y is the middle of the
parts, as shares of the sides. Options are those of terrane export; they set the spacing where the file has none. Needs
numpy and Pillow.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

SIDE = 320  # pixels of a panel
GAP = 6
AT = -1048576, 2097152


def grey(z):
    """Heights in grey, lit from the north-west."""
    y, x = np.gradient(z)
    light = (x + y) / np.maximum(np.nanpercentile(np.hypot(x, y), 98), 1e-6)
    height = (z - np.nanmin(z)) / max(np.nanmax(z) - np.nanmin(z), 1e-6)
    return (np.clip(0.25 + 0.5 * height - 0.25 * light, 0, 1) * 255).astype(np.uint8)


def panels(terrane, z, spacing, middle, options):
    """Pairs of panels: the guide, and the land of the same square."""
    shade = Image.fromarray(grey(z)).convert("RGB")
    whole = min(z.shape)
    for share in (1, 0.1, 0.01):
        side = share * whole
        left, top = np.array(z.shape[::-1]) * middle - side / 2 if share < 1 else np.zeros(2)
        box = left, top, left + side, top + side
        guide = shade.resize((SIDE, SIDE), Image.Resampling.NEAREST, box)
        lod = max(-4, int(np.ceil(np.log2(side * spacing / SIDE))) - 1)
        step = 2.0**lod
        count = int(side * spacing / step)
        x, y = (int((a + (b - 0.5) * spacing) // max(step, 1) * max(step, 1)) for a, b in zip(AT, (left, top)))
        with tempfile.TemporaryDirectory() as folder:
            words = ["--at", f"{x},{y}", "--size", f"{count}x{count}", "--lod", lod, "--format", "map"]
            words += ["--guide-at", ",".join(map(str, AT)), "-o", f"{folder}/map.png", *options]
            subprocess.run([terrane, "export", *map(str, words)], check=True, capture_output=True)
            land = Image.open(f"{folder}/map.png").convert("RGB").crop((0, 0, count, count))  # without the legend
            land = land.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
        yield guide, land


def main():
    terrane, path, out, *options = sys.argv[1:]
    middle = np.array([0.5, 0.5])
    if options and not options[0].startswith("--"):
        middle = np.array(options.pop(0).split(","), float)
    with tempfile.TemporaryDirectory() as folder:
        if path.endswith(".npz"):
            data = np.load(path)
            z = np.where(data["z"] == -(2**31), np.nan, data["z"] * data["q"]).astype("<f4")
            spacing = float(re.search(r"@([0-9.]+)[.]npz", path)[1])
            np.save(f"{folder}/guide.npy", z)
            options += ["--guide", f"{folder}/guide.npy", "--guide-spacing", str(spacing)]
        else:
            z = np.asarray(Image.open(path), float)
            spacing = float(options[options.index("--guide-spacing") + 1])
            options += ["--guide", path]
        pairs = list(panels(terrane, z, spacing, middle, options))
    picture = Image.new("RGB", (len(pairs) * (SIDE + GAP) - GAP, 2 * SIDE + GAP), "white")
    for n, pair in enumerate(pairs):
        for row, panel in enumerate(pair):
            picture.paste(panel, (n * (SIDE + GAP), row * (SIDE + GAP)))
    picture.save(pathlib.Path(out), quality=82, optimize=True)


if __name__ == "__main__":
    main()
