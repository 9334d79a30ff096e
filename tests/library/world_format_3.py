"""world_format_3.py VECTORS [all | climate | sand [all] | cover [all] | SEED:LOD:X:Y ...] - a program that was written from
docs/world-format-3.md, and that shares no code with the library, computes the values in VECTORS.

Its modules are in the folder world_format_3, one for each part of the document. The network is computed for windows of
cells, with one array for each property of the cells. Properties of points are functions, which take arrays of points
and remember the values that they have computed. With places SEED:LOD:X:Y the program prints their layers in the world
with this seed and otherwise default parameters. Without places it checks some lines of VECTORS, with `all` every line,
and prints how many values are wrong. With `climate`, VECTORS are the vectors of the climate, and the program uses the
heights in them. With `sand`, VECTORS are those of sand, and with `cover` those of glaciers and drought. It needs
numpy."""

import math
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing", file=sys.stderr)
    sys.exit(77)

from world_format_3.world import World

LAYERS = "height water flow shore relief plain plateau ice dryness land top glacier sand".split()
CLIMATE = "temperature temperature-range precipitation precipitation-season biome snow".split()
EVERY = 9  # without `all` one in EVERY lines of the vectors is checked


def coordinate(word):
    """An integer, or a float where the word has a fraction. Binary64 holds all coordinates of samples exactly."""
    return float(word) if "." in word else int(word)


def bits(value):
    return "nan" if math.isnan(value) else "%08x" % np.float32(value).view(np.uint32)


def check(path, every):
    worlds, n_samples, n_values, wrong = {}, 0, 0, 0
    lines = [line.split() for line in open(path) if not line.startswith("#")]
    for words in lines[::every]:
        key = (int(words[0]),) + tuple(float(w) for w in words[1:11])
        world = worlds.setdefault(key, World(*key))
        lod, (x, y) = int(words[11]), map(coordinate, words[12:14])
        n_samples += 1
        for name, expected, value in zip(LAYERS, words[14:-1], world.sample(lod, x, y)):
            n_values += 1
            if expected != bits(value):
                wrong += 1
                where = "seed %d, lod %d at %s,%s" % (key[0], lod, x, y)
                print("%s: %s is %s, expected %s" % (where, name, bits(value), expected))
    print("%d of %d samples, %d values, %d wrong" % (n_samples, len(lines), n_values, wrong))
    return 1 if wrong or n_samples == 0 else 0


def check_climate(path):
    n_samples, wrong = 0, 0
    for line in open(path):
        if line.startswith("#"):
            continue
        words = line.split()
        land, sea, warmth, wetness, belts = map(float, words[1:6])
        world = World(int(words[0]), land, 1, 0, 0, 0, 0, 0, 1, sea, 1)
        world.set_climate(warmth, wetness, belts)
        lod, x, y = int(words[6]), float(words[7]), float(words[8])
        height = np.uint32(int(words[9], 16)).view(np.float32)
        n_samples += 1
        for name, expected, value in zip(CLIMATE, words[10:16], world.climate(lod, x, y, height)):
            assert value.dtype == np.float32, name
            if expected != bits(value):
                wrong += 1
                print("lod %d at %s,%s: %s is %s, expected %s" % (lod, x, y, name, bits(value), expected))
    print("%d samples of the climate, %d values wrong" % (n_samples, wrong))
    return 1 if wrong or n_samples == 0 else 0


def check_sand(path, every):
    n_samples, wrong, worlds = 0, 0, {}
    for line in [line for line in open(path) if not line.startswith("#")][::every]:
        words = line.split()
        key = tuple(map(float, words[:9]))
        if key not in worlds:
            seed, land, hills, plateau, spacing, sand, wind, warmth, wetness = key
            worlds[key] = World(int(words[0]), land, 1, 0, hills, plateau, 0, 0, 1, 0, spacing)
            worlds[key].set_climate(warmth, wetness, 8000)
            worlds[key].set_sand(sand, wind)
        lod, (x, y) = int(words[9]), map(coordinate, words[10:12])
        n_samples += 1
        layers = worlds[key].sample(lod, x, y)
        values = (layers[0], layers[1], layers[10], layers[12])
        for name, expected, value in zip(("height", "water", "top", "sand"), words[12:16], values):
            if expected != bits(value):
                wrong += 1
                print("lod %d at %s,%s: %s is %s, expected %s" % (lod, x, y, name, bits(value), expected))
    print("%d samples with sand, %d values wrong" % (n_samples, wrong))
    return 1 if wrong or n_samples == 0 else 0


def check_cover(path, every):
    n_samples, n_values, wrong, worlds = 0, 0, 0, {}
    for line in [line for line in open(path) if not line.startswith("#")][::every]:
        words = line.split()
        key = tuple(map(float, words[:11]))
        if key not in worlds:
            land, uplift, hills, ice, sea, spacing, glaciers, drought, warmth, wetness = key[1:]
            worlds[key] = World(int(words[0]), land, 1, uplift, hills, 0, ice, 0, 1, sea, spacing)
            worlds[key].set_climate(warmth, wetness, 8000)
            worlds[key].set_glaciers(glaciers)
            worlds[key].set_drought(drought)
        lod, (x, y) = int(words[11]), map(coordinate, words[12:14])
        n_samples += 1
        layers = dict(zip(LAYERS, worlds[key].sample(lod, x, y)))
        for name, expected in zip("height water dryness top glacier".split(), words[14:19]):
            n_values += 1
            if expected != bits(layers[name]):
                wrong += 1
                print("lod %d at %s,%s: %s is %s, expected %s" % (lod, x, y, name, bits(layers[name]), expected))
    print("%d samples with glaciers or drought, %d values, %d wrong" % (n_samples, n_values, wrong))
    return 1 if wrong or n_samples == 0 else 0


def main():
    np.seterr(all="ignore")
    if sys.argv[2:] == ["climate"]:
        return check_climate(sys.argv[1])
    if sys.argv[2:3] in (["sand"], ["cover"]):
        checked = check_sand if sys.argv[2] == "sand" else check_cover
        return checked(sys.argv[1], 1 if sys.argv[3:] == ["all"] else 7)
    if len(sys.argv) < 3 or sys.argv[2] == "all":
        return check(sys.argv[1], EVERY if len(sys.argv) < 3 else 1)
    for place in sys.argv[2:]:
        seed, lod, x, y = place.split(":")
        seed, lod, x, y = int(seed), int(lod), coordinate(x), coordinate(y)
        layers = World(seed, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1).sample(lod, x, y)
        print(place, *["%s %s %.9g" % (n, bits(v), v) for n, v in zip(LAYERS, layers)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
