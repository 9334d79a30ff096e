"""test_land.py TERRANE - land with rivers has the figures of real land: exports of several provinces are measured with
pyflwdir, which fills depressions and follows the steepest descent. Noise must fail: a world of basis smooth must have
figures that are out of range.

`filled` is the share of land samples that are in no lake and that become more than 1 cm higher when depressions are
filled. `theta` is the concavity of channels: slope ~ area^-theta, where area is the drained area. `hack` is Hack's
exponent h: length of the longest flow path ~ area^h. `ratio` is Horton's bifurcation ratio: number of streams of one
order to that of the next. Sources: Hack 1957, Flint 1974, Horton 1945. docs/land.md has the figures of real land."""

import subprocess
import sys

import numpy as np
import pyflwdir

SIDE = 384
NO_LAND = -9999.0
CHANNEL, STREAM = 50, 200  # least numbers of samples that drain through a channel, and through a stream

# Each window: its province, or "coast", and x and z of its middle.
PLACES = (
    ("alps", -1487360, 1905664),
    ("alps", -1563136, 1608704),
    ("hills", -652800, 2082816),
    ("hills", -1540608, 2710016),
    ("plateau", -1580544, 2258432),
    ("plateau", -1576448, 2258432),
    ("plain", -340480, 2058240),
    ("plain", -280064, 2058240),
    ("coast", -1284096, 1386496),
    ("coast", -313856, 2166784),
)
NOISE = ("--basis", "smooth", "--base", "1500")  # high enough to be land everywhere
# Indices of places that are also measured with samples 16 m and 4 m apart.
# Windows of noise, which must fail the checks of land: there its Hack's exponent is out of range.
NOISE_PLACES = (("", -1487872, 1900544), ("", -1561600, 1605632), ("", -652288, 2068480), ("", -1532928, 2707456))
FINE = {"alps": 0, "hills": 2, "plateau": 5, "plain": 6}


def export(program, x, z, lod, words):
    """Heights around a place, and a mask of the samples in lakes."""
    step = 1 << lod
    at = f"{x - SIDE // 2 * step},{z - SIDE // 2 * step}"
    layers = "height" if "smooth" in words else "height,water"
    place = ["--lod", str(lod), "--size", f"{SIDE}x{SIDE}", "--at", at]
    output = ["--layer", layers, "-o", "land_{layer}.r32"]
    subprocess.run([program, "export", "-q", "--force", "--backend", "cpu", *place, *output, *words], check=True)
    height, *water = (np.fromfile(f"land_{layer}.r32", "<f4").reshape(SIDE, SIDE) for layer in layers.split(","))
    return height, lakes_of(water[0]) if water else np.zeros(height.shape, bool)


def lakes_of(water):
    """Samples in lakes: their water has the level of a neighbour. In rivers it falls from sample to sample."""
    level = np.zeros(water.shape, bool)
    east, south = water[:, 1:] == water[:, :-1], water[1:] == water[:-1]
    level[:, 1:] |= east
    level[:, :-1] |= east
    level[1:] |= south
    level[:-1] |= south
    return level


def power(x, y):
    """The exponent b of y ~ x^b, fitted to means of bins; NaN for fewer than four bins."""
    return np.polyfit(np.log10(x), np.log10(y), 1)[0] if len(x) > 3 else np.nan


def binned(area, value, chosen, first, least):
    """The middles of bins of area, and the mean of `value` in each, for bins with more than `least` chosen samples."""
    edges = np.geomspace(first, area.max(), 16)
    bins = np.digitize(area, edges)
    middles, means = [], []
    for n in range(2, len(edges) - 2):
        members = chosen & (bins == n)
        if members.sum() > least and value[members].mean() > 0:
            middles.append(np.sqrt(edges[n - 1] * edges[n]))
            means.append(value[members].mean())
    return middles, means


def longest_ways(sequence, down, length):
    """Length of the longest flow path to each sample. In `sequence` samples come before those that they drain to."""
    longest = [0.0] * len(down)
    down, length = down.tolist(), length.tolist()
    for n in sequence.tolist():
        to = down[n]
        if to != n:
            longest[to] = max(longest[to], longest[n] + length[n])
    return np.array(longest)


def bifurcation(order, down):
    """Mean ratio of the number of streams of an order to that of the next one, for orders with at least three
    streams."""
    ends = (order[down] != order) | (down == np.arange(down.size))
    counts = [((order == n) & ends).sum() for n in range(1, order.max() + 1)]
    ratios = [a / b for a, b in zip(counts, counts[1:]) if b >= 3]
    return np.mean(ratios) if ratios else np.nan


def directions(height, land):
    """The share of samples whose ground rises towards each of eight directions, times 8."""
    south, east = np.gradient(height.astype("f8"))
    turned = np.round(np.arctan2(south, east)[land & (np.hypot(south, east) > 0)] / (np.pi / 4)).astype(int) % 8
    return np.bincount(turned, minlength=8) / max(turned.size, 1) * 8


def measure(height, lakes, step):
    """All figures of a window."""
    land = height > 0
    dem = np.where(land, height, NO_LAND).astype("f4")
    filled, d8 = pyflwdir.dem.fill_depressions(dem, nodata=NO_LAND, outlets="edge")
    raised = (filled - dem > 0.01) & land & ~lakes
    flow = pyflwdir.from_array(d8, ftype="d8", check_ftype=False)
    area = flow.upstream_area("cell").ravel().astype("f8")
    down = flow.idxs_ds
    y, x = np.divmod(np.arange(down.size), SIDE)
    length = np.hypot(y - y[down], x - x[down]) * step
    slope = np.divide(filled.ravel() - filled.ravel()[down], length, out=np.zeros(down.size), where=length > 0)
    channel = (length > 0) & land.ravel() & (area > CHANNEL)
    ways = longest_ways(flow.idxs_seq[::-1], down, length)
    return {
        "filled": raised.sum() / land.sum(),
        "theta": -power(*binned(area, slope, channel, CHANNEL, 30)),
        "hack": power(*binned(area, ways, channel & (area > STREAM), CHANNEL, 20)),
        "ratio": bifurcation(flow.stream_order(mask=area.reshape(height.shape) > STREAM).ravel().astype(int), down),
        "slope": np.hypot(*np.gradient(height.astype("f8"), step))[land].mean(),
        "directions": directions(height, land),
    }


def windows(program, places, lod, words=()):
    """The figures of each place, with its province."""
    found = []
    for province, x, z in places:
        figures = measure(*export(program, x, z, lod, words), 1 << lod)
        figures["province"] = province
        found.append(figures)
        text = "  ".join(f"{name} {figures[name]:.4f}" for name in ("filled", "theta", "hack", "ratio", "slope"))
        print(f"{' '.join(words) or 'fluvial'}, {1 << lod} m, {province}: {text}", flush=True)
    return found


def faults(found, lod):
    """Print each figure with the range of real land. Returns the names of the figures outside of their ranges."""
    median = {name: np.nanmedian([f[name] for f in found]) for name in ("theta", "hack", "ratio")}
    most_filled = 0.02 if lod == 6 else 0.04  # samples 4 or 16 m apart show more hollows of rough ground on plateaus
    checks = [("filled", max(f["filled"] for f in found), 0, most_filled)]
    if lod == 6:
        uneven = abs(np.mean([f["directions"] for f in found], axis=0) - 1).max()
        checks += [("theta", median["theta"], 0.35, 0.7), ("Hack's exponent", median["hack"], 0.48, 0.62)]
        checks += [("bifurcation ratio", median["ratio"], 3.5, 5.3), ("unevenness of directions", uneven, 0, 0.1)]
    for province, low, high in (("alps", 0.3, 0.6), ("plain", 0, 0.06)):
        slopes = [f["slope"] for f in found if f["province"] == province]
        if province == "alps" and lod < 6:
            continue  # this window shows too few mountainsides for a mean slope of alps
        checks += [(f"slope of {province}", np.median(slopes), low, high)] if slopes else []
    for name, value, low, high in checks:
        print(f"{1 << lod} m, {name}: {value:.4f}, expected {low} to {high}")
    return {name for name, value, low, high in checks if not low <= value <= high}


def main(program):
    wrong = faults(windows(program, PLACES, 6), 6)
    assert not wrong, wrong
    for lod in (4, 2):
        wrong = faults(windows(program, [PLACES[n] for n in FINE.values()], lod), lod)
        assert not wrong, (lod, wrong)
    noise = faults(windows(program, NOISE_PLACES, 6, NOISE), 6)
    assert {"filled", "Hack's exponent"} <= noise, f"noise passes for land: only {noise} out of range"


main(sys.argv[1])
