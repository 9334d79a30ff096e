"""test_water.py - counts faults of the water that test_water.sh has exported into the working directory: rivers that
rise downstream, lakes with more than one level, banks lower than their water, samples in which tiles, windows or levels
of detail differ. Each count must be zero.

Water may not rise: from each sample of a river a path must lead over wet samples, none higher than the one before, to a
lake, to the sea or out of the window. Only rivers at least twelve samples wide are checked, because a bank of one
sample may separate a brook from the river that it joins. The last check makes faults of each kind and must find
them."""

import collections

import numpy as np

LAYERS = "height water flow shore relief plain plateau ice dryness land top".split()
SIDE, TILE = 512, 61
STEP = 4.0  # m
CELL = 262144.0  # m2; area of a smallest cell of the network (World format 3)
RIVER_AREA = 4 * CELL  # a channel that drains more has water
BROADEST = 1.35  # greatest ratio of a bed's width to the width that half_width computes from the drained area
RIVERS, LAKES = ("mountains", "steppe", "badlands"), ("lakes", "far", "wall", "inflow")


def read(name, width, height):
    return np.fromfile(name, "<f4").reshape(height, width)


def half_width(flow):
    """Half width of rivers, m: World format 3."""
    return np.minimum(0.64 * np.sqrt(flow / CELL), 160)


def is_bed(water, flow, shore):
    return np.isfinite(water) & (flow > RIVER_AREA) & (shore < BROADEST * half_width(flow))


def rises(water, bed, flow):
    """Number of samples of broad rivers from which every path rises, and number of all samples of broad rivers."""
    wet = np.isfinite(water)
    known = wet & ~bed
    known[[0, -1]] |= wet[[0, -1]]
    known[:, [0, -1]] |= wet[:, [0, -1]]
    todo = collections.deque(zip(*np.nonzero(known)))
    while todo:
        j, i = todo.popleft()
        for b in range(max(j - 1, 0), min(j + 2, SIDE)):
            for a in range(max(i - 1, 0), min(i + 2, SIDE)):
                if not known[b, a] and water[b, a] >= water[j, i]:  # false for dry samples
                    known[b, a] = True
                    todo.append((b, a))
    broad = bed & (half_width(flow) >= 6 * STEP)
    return int((broad & ~known).sum()), int(broad.sum())


def unlevel(water, bed):
    """Number of pairs of neighbours in a lake with different levels, and number of all pairs."""
    lake = np.isfinite(water) & ~bed
    count = pairs = 0
    for a, b in (((slice(None), slice(1, None)), (slice(None), slice(-1))), ((slice(1, None),), (slice(-1),))):
        both = lake[a] & lake[b]
        pairs += int(both.sum())
        count += int((both & (water[a] != water[b])).sum())
    return count, pairs


def walls(height, water):
    """Number of dry samples lower than the water beside them, and number of all dry samples beside water. A sample
    counts once for each wet neighbour."""
    count = beside = 0
    for axis in (0, 1):
        for a, b in (((0, -1), (1, None)), ((1, None), (0, -1))):
            dry, wet = (tuple(slice(*ends) if n == axis else slice(None) for n in (0, 1)) for ends in (a, b))
            pairs = np.isnan(water[dry]) & np.isfinite(water[wet])
            beside += int(pairs.sum())
            count += int((pairs & (height[dry] < water[wet])).sum())
    return count, beside


def different(a, b):
    """Number of samples whose bits differ. All NaNs count as equal."""
    return int((a.view("u4") != b.view("u4"))[~(np.isnan(a) & np.isnan(b))].sum())


def check_water():
    for name in sorted({*RIVERS, *LAKES}):
        water, flow, shore = (read(f"{name}_{layer}.r32", SIDE, SIDE) for layer in ("water", "flow", "shore"))
        bed = is_bed(water, flow, shore)
        if name in RIVERS:
            count, samples = rises(water, bed, flow)
            print(f"{name}: {count} of {samples} samples of broad rivers have no way out without a rise")
            assert count == 0 and samples > 2000, name
        if name in LAKES:
            count, pairs = unlevel(water, bed)
            print(f"{name}: {count} of {pairs} pairs of samples in lakes differ")
            assert count == 0 and pairs > 10000, name


def check_shores():
    total = np.zeros(2, int)
    for name in LAKES:
        found = walls(*(read(f"{name}_{layer}.r32", SIDE, SIDE) for layer in ("height", "water")))
        print(f"{name}: {found[0]} of {found[1]} samples beside water lie lower than it")
        total += found
    assert total[0] == 0 and total[1] > 5000, total


def check_agreement():
    whole = {layer: read(f"whole_{layer}.r32", 3 * TILE - 2, 2 * TILE - 1) for layer in LAYERS}
    assert np.isnan(whole["water"]).any() and np.isfinite(whole["water"]).sum() > 1000
    for layer, numbers in whole.items():
        count = 0
        for y in range(2):
            for x in range(3):
                tile = read(f"tile_{layer}_{x}_{y}.r32", TILE, TILE)
                part = numbers[y * (TILE - 1) :][:TILE, x * (TILE - 1) :][:, :TILE]
                count += different(tile, part)
        window = read(f"window_{layer}.r32", 100, 70)
        count += different(window, numbers[23 : 23 + 70, 37 : 37 + 100])
        for lod in (1, 2, 3):
            coarse = numbers[:: 1 << lod, :: 1 << lod]
            count += different(
                read(f"lod{lod}_{layer}.r32", coarse.shape[1], coarse.shape[0]), np.ascontiguousarray(coarse)
            )
        print(f"{layer}: {count} samples differ between tiles, windows and levels")
        assert count == 0, layer


def check_that_faults_are_found():
    water, flow, shore = (read(f"steppe_{layer}.r32", SIDE, SIDE) for layer in ("water", "flow", "shore"))
    bed = is_bed(water, flow, shore)
    dammed = water + np.where(np.abs(np.arange(SIDE) - SIDE // 2) < 4, 0.5, 0).astype("f4")
    assert rises(dammed, bed, flow)[0] > 20
    water, flow, shore = (read(f"lakes_{layer}.r32", SIDE, SIDE) for layer in ("water", "flow", "shore"))
    water[:, SIDE // 2 :] += 0.001
    assert unlevel(water, is_bed(water, flow, shore))[0] > 20
    height = read("lakes_height.r32", SIDE, SIDE)
    assert walls(height - np.where(np.isnan(water), 3, 0).astype("f4"), water)[0] > 20
    assert different(water, np.nextafter(water, np.float32(0))) == np.isfinite(water).sum()


for check in (check_water, check_shores, check_agreement, check_that_faults_are_found):
    check()
    print(check.__name__)
