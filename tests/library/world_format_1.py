"""world_format_1.py VECTORS - a program that was written from docs/world-format.md, and that shares no code with the
library, computes the heights in VECTORS, vectors.txt or vectors-craters.txt.

Each point is computed from those of the coarser level, which are remembered. It prints how many heights are wrong. It
needs numpy."""

import sys

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing", file=sys.stderr)
    sys.exit(77)

from world_format_3.noise import Noise
from world_format_3.numbers import binary32, fma

F = np.float32


def four(a, b, c, d):
    return fma(b + c, F(0.5625), (a + d) * F(-0.0625))


def step(t):
    t = min(max(t, F(0)), F(1))
    return t * t * (F(3) - F(2) * t)


def shifted(n, by):
    return n << by if by >= 0 else n >> -by


class Fractal:
    """Heights without craters."""

    def __init__(self, seed, levels, amplitude, gain, broad, broad_gain, base, basis, valley):
        self.noise = Noise.__new__(Noise)
        self.noise.key = (seed & 0xFFFFFFFF, seed >> 32)
        self.levels, self.basis, self.base, self.known, self.blocks = levels, basis, F(base), {}, {}
        self.is_valley, self.v0, self.v1 = valley > 0, F(1.0 - valley), F(valley / amplitude)
        self.amplitudes, a = [], amplitude
        for k in range(levels + 5):
            self.amplitudes.append(F(a / 128.0))
            a *= broad_gain if k < broad else gain

    def words(self, k, i, j):
        if (k, i, j) not in self.blocks:
            self.blocks[k, i, j] = [int(w) for w in self.noise.words(k, i, j).reshape(4)]
        return self.blocks[k, i, j]

    def random(self, k, i, j):
        return F((self.words(k, i >> 2, j >> 2)[j & 3] >> 8 * (i & 3) & 255) - 128)

    def height(self, k, i, j):
        while k > 0 and i % 2 == 0 and j % 2 == 0:
            k, i, j = k - 1, i // 2, j // 2
        if (k, i, j) not in self.known:
            self.known[k, i, j] = self.made(k, i, j)
        return self.known[k, i, j]

    def made(self, k, i, j):
        r, a = self.random(k, i, j), self.amplitudes[k]
        if k == 0:
            return F(fma(r, a, self.base))
        m = self.smooth(k, i, j) if self.basis == "smooth" else self.midpoint(k, i, j)
        if not self.is_valley:
            return F(fma(r, a, m))
        w = min(max(F(fma(m, self.v1, self.v0)), F(0)), F(1))
        return F(fma(r, a * w, m))

    def midpoint(self, k, i, j):
        west_east = [self.height(k, i + d, j) for d in (-1, 1)] if i % 2 else None
        north_south = [self.height(k, i, j + d) for d in (-1, 1)] if j % 2 else None
        if west_east and north_south:
            return F(0.25) * ((north_south[0] + north_south[1]) + (west_east[0] + west_east[1]))
        return F(0.5) * sum(west_east or north_south, F(0))

    def smooth(self, k, i, j):
        u, v = i >> 1, j >> 1
        near = range(-1, 3)
        if j % 2 == 0:
            return four(*(self.height(k - 1, u + n, v) for n in near))
        if i % 2 == 0:
            return four(*(self.height(k - 1, u, v + n) for n in near))
        return four(*(four(*(self.height(k - 1, u + n, v + t) for n in near)) for t in near))


def table(m, last, factor):
    deep = F(0.13) if m <= 7 else F(0.13) + F(0.0175) * F(m - 7) if m < 11 else F(0.2)
    return F(factor) * (deep * F(2**m)) if m <= 13 else F(last[m - 14])


def bytes_of(word):
    return [(F(word >> 8 * b & 255) - F(127.5)) * (F(1) / F(127.5)) for b in range(4)]


@binary32
class Crater:
    """A candidate of octave m from its words p and q."""

    def __init__(self, m, p, q):
        self.east, self.south = (p & 0xFFFF) * 2 ** (m + 6) // 65536, (p >> 16) * 2 ** (m + 6) // 65536
        self.per = 4.0 - 3.0 * (F(q & 0xFFFF) * 1.52587890625e-05)
        size = 2.0 / np.sqrt(self.per)
        diameter = size * F(2**m)
        wear = (F(q >> 16) + 0.5) * (1.0 / 28672.0)
        self.age = wear * diameter
        worn = 6.0 if m <= 9 else 6.0 - 1.5 * F(m - 9) if m < 12 else 1.5
        fresh = 1.0 / (1.0 + worn * wear)
        deep, high = (2420, 2980, 3680, 4530, 5580), (610, 950, 1250, 1650, 2180)
        h, h1, e, e1 = (table(n, last, f) for last, f in ((deep, 1), (high, 0.2)) for n in (m, m + 1))
        self.depth = fresh * F(fma(size - 1.0, h1 - h, h))
        self.rim = fresh * F(fma(size - 1.0, e1 - e, e))
        self.round = self.depth * (0.08 + 0.5 * wear)
        is_complex = step((diameter - 12000.0) * (1.0 / 16000.0))
        self.floor = F(fma(is_complex, min(0.25 + 2.5e-6 * diameter, 0.6), 0.12))
        self.wall = 1.0 / (1.0 - self.floor)
        self.terraces = 0.8 * is_complex * fresh
        self.peak = 0.35 * is_complex * self.depth * (1.0 - step((diameter - 120000.0) * (1.0 / 60000.0)))
        v = ((p ^ (q * 0x9E3779B1 & 0xFFFFFFFF)) * 0x85EBCA6B) & 0xFFFFFFFF
        v ^= v >> 15
        u = (v * 0xC2B2AE35 & 0xFFFFFFFF) ^ v >> 13
        self.scallops = 0.12 * is_complex
        self.O = [(0.045 + 0.03 * is_complex) * b for b in bytes_of(v)]
        self.U = [0.3 * b for b in bytes_of(u)]
        self.kind = sum(bool(self.age >= F(n)) for n in (16, 128, 1024, 8192, 65536))

    def at(self, dx, dy):
        """height, inside and cover, or None where the crater does not reach"""
        square = F(fma(dy, dy, dx * dx))
        t = square * self.per
        if not t < 5.0:
            return None
        s = 1.0 / np.sqrt(max(square, 1e-12))
        c1, s1 = dx * s, dy * s
        c2, s2 = c1 * c1 - s1 * s1, 2.0 * c1 * s1
        c3, s3 = c1 * c2 - s1 * s2, s1 * c2 + c1 * s2
        c6, s6 = c3 * c3 - s3 * s3, 2.0 * c3 * s3
        c12, s12 = c6 * c6 - s6 * s6, 2.0 * c6 * s6
        O, U = self.O, self.U
        outline = (O[0] * c2 + O[1] * s2) + (O[2] * c3 + O[3] * s3)
        waves = (U[0] * c6 + U[1] * s6) + (U[2] * c12 + U[3] * s12)
        a = np.sqrt(t)
        r = a * (1.0 + (outline + self.scallops * waves))
        w = max(r - self.floor, 0.0) * self.wall
        low = min(w, 1.0)
        rise = F(fma(low * low, 1.5 - 0.5 * low, 1.5 * (w - low)))
        third = F(fma(0.8, waves, 3.0 * rise)) + 1.0
        part = third - np.trunc(third)
        terrace = part * part * (3.0 - 2.0 * part) - part
        hill = max(1.0 - 16.0 * (r * r), 0.0)
        slumps = self.terraces * min(0.4 + 12.0 * abs(outline), 1.0)
        inner = F(fma(slumps * (1.0 / 3.0), terrace, rise))
        bowl = F(fma(self.depth, inner, self.rim - self.depth)) + self.peak * (hill * hill)
        near, fade = max(r, 0.5), max(5.0 - t, 0.0) * (1.0 / 4.0)
        hummocks = 1.0 + waves * min(max(2.0 * r - 2.0, 0.0), 1.0)
        ejecta = self.rim * hummocks * (fade * fade) / (near * near * near)
        merge = max(self.round - abs(bowl - ejecta), 0.0)
        height = min(bowl, ejecta) - 0.25 * (merge * merge) / self.round
        return height, step((1.35 - a) * 2.0), step(2.0 - a)


@binary32
class Cratered(Fractal):
    """Heights with craters."""

    def __init__(self, craters, maria, *fractal):
        super().__init__(*fractal)
        double = np.float64
        amplitude, base, cube = double(fractal[2]), double(fractal[6]), double(craters) * craters * craters
        surface = double(262144) * (cube * cube)
        level, scale = base + amplitude * (double(2) * maria - double(1)), double(16) / amplitude
        offset = min(max(level * scale + double(1) / double(2), -(double(10) ** 30)), double(10) ** 30)
        self.surface, self.lava, self.level = F(surface), F(surface / double(256)), F(level)
        self.offset, self.scale = (F(offset), F(scale)) if maria > 0 else (0.0, 0.0)

    def octave(self, m, x, y, seen):
        """old' and young' of octave m at (x, y), in units"""
        old, young, width, far = 0.0, 0.0, 2 ** (m + 6), 36 * 2**m
        for j in range((y - far) // width, (y + far) // width + 1):
            for i in range((x - far) // width, (x + far) // width + 1):
                words = self.words(64 + m, i, j)
                for p, q in (words[0:2], words[2:4]):
                    if q >> 16 >= 28672:
                        continue
                    crater = Crater(m, p, q)
                    if not crater.age < self.surface:
                        continue
                    scale = F(2.0) ** F(-(m + 4))
                    shape = crater.at(
                        F(x - i * width - crater.east) * scale, F(y - j * width - crater.south) * scale
                    )
                    if shape is None:
                        continue
                    height, inside, cover = shape
                    s = seen[crater.kind]
                    left = 1.0 - s * inside
                    if crater.age < self.lava:
                        old, young = left * old, F(fma(left, young, s * height))
                    else:
                        old, young = F(fma(left, old, s * height)), left * young
                    for n in range(crater.kind + 1, 6):
                        seen[n] = F(fma(-cover, seen[n], seen[n]))
        return old, young

    def cratered(self, lod, i, j):
        h, young, seen = self.height(self.levels - lod, i, j), 0.0, [1.0] * 6
        if not self.surface > 0.0:
            return h
        for m in range(17, 2, -1):
            more_old, more_young = self.octave(m, shifted(i, lod + 4), shifted(j, lod + 4), seen)
            h, young = h + more_old, young + more_young
        share = step(F(fma(h, -self.scale, self.offset)))
        return F(fma(0.95 * share, self.level - h, h)) + young


def main():
    worlds, wrong, count = {}, 0, 0
    lines = [line.split() for line in open(sys.argv[1])]
    names = lines[0][1:]
    for words in lines[1:]:
        v = dict(zip(names, words))
        key = tuple(words[: names.index("lod")])
        if key not in worlds:
            reals = "amplitude gain broad_gain base valley craters maria".split()
            real = {name: float(v.get(name, 0)) for name in reals}
            worlds[key] = Cratered(
                real["craters"], real["maria"], int(v["seed"]), int(v["levels"]), real["amplitude"], real["gain"],
                int(v["broad"]), real["broad_gain"], real["base"], v["basis"], real["valley"]
            )  # fmt: skip
        lod, x, z = int(v["lod"]), float(v["x"]), float(v["z"])
        found = F(worlds[key].cratered(lod, int(x / 2**lod), int(z / 2**lod)))
        bits = "%08x" % found.view(np.uint32)
        count += 1
        if bits != v["height_bits_hex"]:
            wrong += 1
            print("%s: %s (%r), expected %s" % (" ".join(words[:-2]), bits, found, v["height_bits_hex"]))
    print("%d heights, %d wrong" % (count, wrong))
    return 1 if wrong or count == 0 else 0


np.seterr(all="ignore")
sys.exit(main())
