#!/usr/bin/env python3
"""choose_vectors.py TERRANE - prints samples of basis fluvial for vectors-fluvial.txt, without their values.

For each of many worlds it exports rectangles and takes samples in the sea, in lakes, rivers and brooks and on dry land,
at all levels of detail, near the origin and as far from it as samples can be. As long as the land does not change, it
prints the same samples. With `fine` as second argument it prints only the samples of levels of detail below 0, which
come last in the file."""

import configparser
import glob
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

PARAMETERS = "seed land relief uplift hills plateau ice dryness continents sea spacing".split()
DEFAULTS = dict(zip(PARAMETERS, (1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1)))
KINDS = "brook lake river sea dry".split()
CELL = 256 * 2 * 256 * 2  # m2; area of a smallest cell of the network
BROOK, RIVER = 4 * CELL, 15 * CELL  # a brook holds water from BROOK on; above RIVER it counts as a river here
SIDE = 192  # of rectangles
FARTHEST = 2**46
N_RANDOM_WORLDS = 14
PLACES_MAX, LAND_MIN = 12, 0.4  # at most so many random places are tried, until one has this share of land
FINE_LODS = (-1, -3, -2, -4)  # two for each world, in turn
LODS = ((0, 4, 9, 2, 6, 12, 19), (1, 3, 5, 8, 10, 14, 17), (0, 2, 4, 7, 11, 13, 20))  # of one world's samples
DISTANCES = (0, 2**20, 2**31, 2**40, 2**45 + 2**44)
TOOLS = os.path.dirname(os.path.abspath(__file__))


def named_worlds():
    for path in sorted(glob.glob(os.path.join(TOOLS, "../../assets/worlds/*.ini"))):
        file = configparser.ConfigParser(inline_comment_prefixes=(";",))
        file.read(path)
        if file["world"].get("basis") == "fluvial":
            yield {
                **DEFAULTS,
                **{key: float(file["world"][key]) for key in PARAMETERS if key in file["world"]},
                "seed": int(file["world"]["seed"]),
            }


def random_worlds(count):
    for n in range(count):
        world = {key: round(random.uniform(-1, 1), 2) for key in PARAMETERS}
        world["seed"] = random.getrandbits(64) if n % 2 else random.randrange(1000)
        world["relief"] = round(random.uniform(0.1, 3), 2)
        world["continents"] = random.choice((1, 1, 0, 0.5))
        world["sea"] = random.choice((0, 0, 12.5, 250, 1990))
        world["spacing"] = random.choice((1, 1, 2.5))
        yield world


def text(value):
    return "%d" % value if value == int(value) else "%g" % value


def coordinate(value, lod):
    return "%.*f" % (max(-lod, 0), value)


def kinds_of(terrane, world, lod, x, y):
    """Number in KINDS of each sample of a rectangle around a place, and the rectangle's corner."""
    side = SIDE
    step = 2.0**lod
    limit = int(FARTHEST / step) - side
    x, y = [max(-limit, min(limit, int(z // step) - side // 2)) * step for z in (x, y)]
    with tempfile.TemporaryDirectory() as folder:
        options = [word for key in PARAMETERS for word in ("--" + key, text(world[key]))]
        options += ["--at", "%s,%s" % (coordinate(x, lod), coordinate(y, lod))]
        options += ["--size", "%dx%d" % (side, side), "--lod", str(lod)]
        command = [terrane, "export", "-q", "--backend", "cpu", "--layer", "water,flow", *options]
        subprocess.run([*command, "-o", folder + "/{layer}.r32"], check=True)
        water, flow = [np.fromfile("%s/%s.r32" % (folder, name), np.float32) for name in ("water", "flow")]
    water, flow = water.reshape(side, side), flow.reshape(side, side)
    area = flow / np.float32(world["spacing"]) ** 2
    kinds = np.where(np.isnan(water), 4, np.where(water == np.float32(world["sea"]), 3, np.where(area < RIVER, 0, 2)))
    level = np.pad(water, 1, mode="edge")
    around = [level[b : b + side, a : a + side] for a in range(3) for b in range(3)]
    kinds[(kinds != 3) & np.all([other == water for other in around], 0)] = 1
    kinds[(kinds == 0) & (area < BROOK)] = 1  # there is no bed of a channel there, so it is a lake
    return kinds, x, y


def place_of(kinds, kind, x, y, lod):
    """A sample of a kind, or None."""
    rows, columns = np.nonzero(kinds == kind)
    if rows.size == 0:
        return None
    n = random.randrange(rows.size)
    return x + int(columns[n]) * 2.0**lod, y + int(rows[n]) * 2.0**lod


def find_land(terrane, world, number):
    """kinds_of() a rectangle with land."""
    far = DISTANCES[number % len(DISTANCES)]
    for _ in range(PLACES_MAX):
        x, y = [random.choice((-1, 1)) * (far + random.randrange(2**20)) for _ in "xy"]
        wide, wide_x, wide_y = kinds_of(terrane, world, 7, x, y)
        if np.mean(wide != KINDS.index("sea")) > LAND_MIN:
            break
    return wide, wide_x, wide_y


def samples_of(terrane, world, number):
    """lod, x and y of the samples of a world."""
    wide, wide_x, wide_y = find_land(terrane, world, number)
    for n, lod in enumerate(LODS[number % len(LODS)]):
        order = [KINDS.index(KINDS[(number + n + k) % len(KINDS)]) for k in range(len(KINDS))]
        near = next(place for kind in order if (place := place_of(wide, kind, wide_x, wide_y, 7)))
        kinds, left, top = kinds_of(terrane, world, lod, *near)
        yield lod, *next(place for kind in order if (place := place_of(kinds, kind, left, top, lod)))


def fine_samples_of(terrane, world, number):
    """lod, x and y of the samples of a world below the metre."""
    wide, wide_x, wide_y = find_land(terrane, world, number)
    for n in range(2):
        lod = FINE_LODS[(2 * number + n) % len(FINE_LODS)]
        order = [KINDS.index(KINDS[(number + 2 * n + k) % len(KINDS)]) for k in range(len(KINDS))]
        near = next(place for kind in order if (place := place_of(wide, kind, wide_x, wide_y, 7)))
        for finer in (0, lod):
            kinds, left, top = kinds_of(terrane, world, finer, *near)
            near = next(place for kind in order if (place := place_of(kinds, kind, left, top, finer)))
        yield lod, *near


def main():
    random.seed(3)
    worlds = [DEFAULTS, {**DEFAULTS, "spacing": 2.5}, *named_worlds(), *random_worlds(N_RANDOM_WORLDS)]
    print("#", *PARAMETERS, "lod x z")
    for samples in (samples_of, fine_samples_of)[len(sys.argv) - 2 :]:
        if samples == fine_samples_of:
            random.seed(4)
        for number, world in enumerate(worlds):
            for lod, x, y in samples(sys.argv[1], world, number):
                place = coordinate(x, lod), coordinate(y, lod)
                print(*[text(world[key]) for key in PARAMETERS], lod, *place)


if __name__ == "__main__":
    main()
