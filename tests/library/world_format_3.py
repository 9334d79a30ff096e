"""world_format_3.py VECTORS [all | SEED:LOD:X:Y ...] - computes basis fluvial by the words of docs/world-format-3.md.

It shares no code with the library. The network is computed for windows of cells, one array a field. What belongs to
points is a cached function of arrays of points. With places it prints their layers in the default world. Without, it
checks some lines of VECTORS, with `all` every line, and prints how many agree. Needs numpy."""
import ast
import functools
import inspect
import math
import sys
from types import SimpleNamespace

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing", file=sys.stderr)
    sys.exit(77)

LAYERS = "height water flow shore relief plain plateau ice dryness land top".split()
EVERY = 5  # of the lines of the vectors, so many make one that is checked without `all`


# ---- numbers ----


def binary32(thing):
    """Recompile a function or class so that every literal with a decimal point is a binary32 number."""
    names = {}

    class Rounded(ast.NodeTransformer):
        def visit_Constant(self, node):
            if not isinstance(node.value, float):
                return node
            name = "_%d%s" % (len(names), thing.__name__)
            names[name] = np.float32(node.value)
            return ast.copy_location(ast.Name(id=name, ctx=ast.Load()), node)

    tree = Rounded().visit(ast.parse(inspect.getsource(thing)))
    tree.body[0].decorator_list = []
    scope = globals()
    ast.increment_lineno(tree, inspect.getsourcelines(thing)[1] - 1)
    scope.update(names)
    exec(compile(ast.fix_missing_locations(tree), __file__, "exec"), scope)
    return scope[thing.__name__]


def number(x):
    return np.asarray(x).astype(np.float32)


def integer(x):
    return x.astype(np.int64)


def fma(a, b, c):
    """a b + c with one rounding. The rounding from binary64 is right except for ties between two binary32 numbers,
    which the lost part of the sum decides."""
    product = np.multiply(a, b, dtype=np.float64)
    addend = np.asarray(c, np.float64)
    total = np.asarray(product + addend)
    near = total.astype(np.float32)
    is_tie = (total.view(np.int64) & 0x1FFFFFFF) == 0x10000000
    if not is_tie.any():
        return near
    other = total + (total - near)
    back = total - product
    lost = (product - (total - back)) + (addend - back)
    decided = np.where(lost > 0, np.maximum(near, other), np.minimum(near, other)).astype(np.float32)
    return np.where(is_tie & (lost != 0), decided, near)


def least(a, b):
    return np.where(a < b, a, b)


def most(a, b):
    return np.where(a > b, a, b)


def clamp(x, low, high):
    return np.where(x < low, low, np.where(x > high, high, x))


# ---- definitions of "Conventions" ----

DX = np.array((1, 1, 0, -1, -1, -1, 0, 1, 0))
DY = np.array((0, 1, 1, 1, 0, -1, -1, -1, 0))
NUMBERS = np.full((3, 3), 8)
NUMBERS[DY[:8] + 1, DX[:8] + 1] = np.arange(8)
AROUND = [(a, b) for b in (-1, 0, 1) for a in (-1, 0, 1) if a or b]  # row by row
FIVE = [(a, b) for b in range(-2, 3) for a in range(-2, 3)]
SINK = 8
FREE, BARE, OLD, EXIT, ENTRY, CORNER = range(6)
NO_LAKE = np.float32(-1e9)
BROOK, RIVER = np.float32(2), np.float32(15)
PROVINCE = "relief cap round top upper ice breadth flat slope alpine dry height".split()
NODE = "x y z area own half lake to kind".split()
END = "x y z slope half wander broad".split()
GROUND = "height lake above strength alpine rate gain fade distance area rough".split()
LAW = np.array((0.00340064, 0.00634575, 0.0118415, 0.0220970, 0.0412346, 0.0769464, 0.143587, 0.267943, 0.5),
               np.float32)


def direction(dx, dy):
    """Number of a direction. Cells that are not neighbours, of edges that do not exist, give any number."""
    return NUMBERS[np.clip(dy, -1, 1) + 1, np.clip(dx, -1, 1) + 1]


def is_lake(level):
    return level > -1e8


@binary32
def smoothstep(t):
    t = clamp(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def length(x, y):
    return np.sqrt(x * x + y * y)


@binary32
def four(a, b, c, d):
    return fma(b + c, 0.5625, (a + d) * -0.0625)


@binary32
def weights(a):
    t = 1.0 - a
    return (t * t * t * (1.0 / 6.0), fma(a * a, fma(a, 0.5, -1.0), 2.0 / 3.0), fma(t * t, fma(t, 0.5, -1.0), 2.0 / 3.0),
            a * a * a * (1.0 / 6.0))


@binary32
def turn(t):
    x = t - np.rint(t)
    y = x * x
    c = fma(y, -21.15810679, 58.84788533)
    s = fma(y, -12.30830135, 41.23207355)
    c = fma(y, c, -85.28515889)
    s = fma(y, s, -76.58719386)
    c = fma(y, c, 64.93001235)
    s = fma(y, s, 81.59702927)
    c = fma(y, c, -19.73903216)
    s = fma(y, s, -41.34146438)
    return fma(y, c, 0.99999966), x * fma(y, s, 6.28318349)


# ---- windows of cells ----


def look(field, dx, dy):
    """The field at the cell (dx, dy) cells away from each cell; at the border of the window any value."""
    h, w = field.shape
    return field[np.clip(np.arange(h)[:, None] + dy, 0, h - 1), np.clip(np.arange(w) + dx, 0, w - 1)]


class Shifted:
    """The fields of the cells that lie (dx, dy) cells away."""

    def __init__(self, window, dx, dy):
        self._window, self._dx, self._dy = window, dx, dy

    def __getattr__(self, name):
        value = look(getattr(self._window, name), self._dx, self._dy)
        setattr(self, name, value)
        return value


class Window(SimpleNamespace):
    """Fields of cells, indexed [row, column]; the first cell is (x0, y0)."""

    def cells(self):
        h, w = self.x.shape
        return self.x0 + np.arange(w)[None, :], self.y0 + np.arange(h)[:, None]

    def at(self, dx, dy):
        return Shifted(self, dx, dy)

    def cropped(self, x0, y0, x1, y1):
        """The part from cell (x0, y0) to cell (x1, y1)."""
        a, b = x0 - self.x0, y0 - self.y0
        part = {k: v[b:b + y1 - y0 + 1, a:a + x1 - x0 + 1] for k, v in vars(self).items() if isinstance(v, np.ndarray)}
        return Window(x0=x0, y0=y0, **part)


def children_of(field, a, b):
    """Of a field of children, the one (a, b) children from the corner of each coarse cell."""
    h, w = field.shape
    rows, columns = 2 * np.arange(h // 2)[:, None] + b, 2 * np.arange(w // 2) + a
    return field[np.clip(rows, 0, h - 1), np.clip(columns, 0, w - 1)]


def woven(fields):
    """One field of children from the fields of the four children of each coarse cell."""
    h, w = fields[0].shape
    field = np.empty((2 * h, 2 * w), fields[0].dtype)
    for k in range(4):
        field[k >> 1::2, k & 1::2] = fields[k]
    return field


def remembered(method):
    """Compute the numbers of a method only once for each point. It takes arrays x and y last."""

    @functools.wraps(method)
    def wrapper(self, *key):
        x, y = np.broadcast_arrays(*key[-2:])
        known = self.known.setdefault((method.__name__,) + key[:-2], {})
        points = list(zip(x.ravel().tolist(), y.ravel().tolist()))
        new = [p for p in dict.fromkeys(points) if p not in known]
        if new:
            found = method(self, *key[:-2], *np.array(new, np.int64).T)
            assert all(f.dtype == np.float32 for f in found), method.__name__
            known.update(zip(new, np.stack(found, 1)))
        table = np.array([known[p] for p in points], np.float32).reshape(x.shape + (-1,))
        return [table[..., k] for k in range(table.shape[-1])]

    return wrapper


# ---- functions of slopes, rivers and beds ----


@binary32
def hillslope(relief, cap, round_, n):
    L = number(65536 >> n)
    s = LAW[n] * relief * 1.6
    s2, c2 = s * s, cap * cap
    return s * cap / np.sqrt(np.sqrt(s2 * s2 + c2 * c2)) * L / (L + 0.35 * round_)


@binary32
def profile(dist, f):
    t = dist - f
    return 0.5 * (t + np.sqrt(t * t + 0.15 * f * f)) - 0.0361903 * f


@binary32
def rise(v, z, u):
    r = least(most(v.top - z, 0.0), u)
    return r + v.upper * (u - r)


@binary32
def valley(dist, f):
    far = most(dist - 260.0, 0.0)
    side = profile(dist, f + 8.0) * fma(-0.3, least(dist * (1.0 / 256.0), 1.0), 1.0)
    return side + 0.02 * dist + far * far * (1.0 / 600.0)


@binary32
def bed_width(area):
    return least(0.64 * np.sqrt(area), 160.0)


@binary32
def bed_depth(w):
    return w / (6.0 + 0.12 * w) * smoothstep((w - 0.4) * (1.0 / 1.6))


@binary32
def water_drop(w):
    return 0.35 * bed_depth(w)


@binary32
def rim(area):
    return 8.0 - 9.5 * smoothstep(area * (1.0 / 2.0) - 1.0)


@binary32
def root(area):
    return 256.0 * np.sqrt(number(area))


@binary32
def rounded(f):
    return np.rint(f * 65536.0) * (1.0 / 65536.0)


@binary32
def default(f):
    return 0.08 + (1.0 - 2.0 * 0.08) * f


@binary32
def frac(words, n):
    return number((words[n >> 1] >> np.uint64(16 * (n & 1))) & np.uint64(0xFFFF)) * (1.0 / 65536.0)


@binary32
def sym(words, n):
    return 2.0 * frac(words, n) - 1.0


@binary32
class World:
    def __init__(self, seed, land, relief, uplift, hills, plateau, ice, dryness, sea, spacing):
        self.key = (seed & 0xFFFFFFFF, seed >> 32)
        self.land, self.relief, self.uplift, self.hills = map(np.float32, (land, relief, uplift, hills))
        self.plateau, self.ice, self.dryness = map(np.float32, (plateau, ice, dryness))
        self.sea, self.spacing = np.float32(sea), np.float32(spacing)
        self.known, self.surveys = {}, []

    # ---- random words ----

    def words(self, tag, i, j):
        i, j = np.broadcast_arrays(np.asarray(i, np.int64), np.asarray(j, np.int64))
        low = np.uint64(0xFFFFFFFF)
        c = [i & 0xFFFFFFFF, (i >> 32) & 0xFFFF, j & 0xFFFFFFFF, ((j >> 32) & 0xFFFF) | tag << 16]
        c = [word.astype(np.uint64) for word in c]
        k0, k1 = self.key
        for _ in range(10):
            p0, p1 = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
            half = np.uint64(32)
            c = [(p1 >> half) ^ c[1] ^ np.uint64(k0), p1 & low, (p0 >> half) ^ c[3] ^ np.uint64(k1), p0 & low]
            k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
        return np.stack(c)

    def byte(self, tag, i, j):
        word = np.take_along_axis(self.words(tag, i >> 2, j >> 2), (j & 3)[None], 0)[0]
        return integer(word >> (8 * (i & 3)).astype(np.uint64)) & 0xFF

    # ---- splines, warp, places ----

    def spline(self, tag, h, X, Y, channels):
        """Values of a random spline of pitch 2^h, one array for each knot value sym(0), sym(1), ..."""
        i, j = X >> h, Y >> h
        size = np.float32(2.0) ** np.float32(-h)
        w, z = weights(number(X & (1 << h) - 1) * size), weights(number(Y & (1 << h) - 1) * size)
        i0, j0 = i.min() - 1, j.min() - 1
        words = self.words(tag, np.arange(i0, i.max() + 3)[None, :], np.arange(j0, j.max() + 3)[:, None])
        knots = np.stack([sym(words, c) for c in range(channels)])
        i, j = i - i0 - 1, j - j0 - 1
        value = np.zeros((channels,) + X.shape, np.float32)
        for n in range(4):
            row = np.zeros_like(value)
            for k in range(4):
                row = fma(w[k], knots[:, j + n, i + k], row)
            value = fma(z[n], row, value)
        return value

    def halved(self, at, x, y, s):
        """Values at points of spacing s from those of spacing 2 s. Places are in metres; at() gives several fields."""
        u, v, values = x // (2 * s) * (2 * s), y // (2 * s) * (2 * s), None
        around = np.arange(-1, 3) * (2 * s)
        for odd_x in (False, True):
            for odd_y in (False, True):
                which = np.flatnonzero(((x != u) == odd_x) & ((y != v) == odd_y))
                if which.size == 0:
                    continue
                us = u[which, None, None] + (around if odd_x else np.zeros(1, np.int64))[None, None, :]
                vs = v[which, None, None] + (around if odd_y else np.zeros(1, np.int64))[None, :, None]
                found = at(us, vs)
                values = values or [np.empty(x.shape, np.float32) for _ in found]
                for value, f in zip(values, found):
                    rows = four(*[f[:, :, t] for t in range(4)]) if odd_x else f[:, :, 0]
                    value[which] = four(*[rows[:, t] for t in range(4)]) if odd_y else rows[:, 0]
        return values

    def corners(self, x, y, S):
        u, v = x // S * S, y // S * S
        return np.stack((u, u + S * (x > u), u, u + S * (x > u))), np.stack((v, v, v + S * (y > v), v + S * (y > v)))

    def linear(self, at, x, y, S):
        a, b = number(x % S) / number(S), number(y % S) / number(S)
        values = []
        for nw, ne, sw, se in at(*self.corners(x, y, S)):
            north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
            values.append(fma(b, south - north, north))
        return values

    @remembered
    def warp(self, x, y):
        """East, south and patch of points of spacing 32 m."""
        east, south, patch = [np.full(x.shape, np.float32(start)) for start in (0, 0, 0.5)]
        for m in range(11):
            s = self.spline(288 + m, 17 - m, x, y, 3)
            size = (0.3 if m < 5 else 0.14 if m < 9 else 0.1) * number(131072 >> m)
            east, south = fma(size, s[0], east), fma(size, s[1], south)
            if m >= 8:
                patch = fma(0.42, s[2], patch)
        return east, south, patch

    def warp_at(self, x, y):
        """East and south of points of any spacing."""
        def coarse(x, y):
            return self.warp(x, y)[:2]

        def middle(x, y):
            x, y = np.broadcast_arrays(x, y)
            found = self.halved(coarse, x.ravel(), y.ravel(), 16)
            return [f.reshape(x.shape) for f in found]

        def fine(x, y):
            found = self.halved(middle, x.ravel(), y.ravel(), 8)
            return [f.reshape(x.shape) for f in found]

        return self.linear(fine, x, y, 8)

    def place(self, x, y, east, south):
        east, south = [integer(np.rint(f * 128.0)) for f in (east, south)]
        return (59 * x - 25 * y) * 2 + east, (25 * x + 59 * y) * 2 + south

    # ---- provinces ----

    WEIGHTS = np.array(((1.0, 0.62, 0.3844, 0.238328, 0.14776336, 0.0, 0.0, 0.0),
                        (0.5, 1.0, 0.45, 0.2, 0.08, 0.0, 0.0, 0.0),
                        (0.0, 1.0, 0.7, 0.35, 0.15, 0.08, 0.0, 0.0),
                        (0.0, 1.0, 0.8, 0.5, 0.3, 0.15, 0.0, 0.0),
                        (0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.6, 0.5),
                        (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.2, 0.5)), np.float32)

    def province(self, X, Y, F):
        sums = [np.full(X.shape, np.float32(start)) for start in (0, 0, 0, 0, 1, 0)]
        for m in range(F):
            s = self.spline(304 + m, 26 - m, X, Y, 4)
            for n, of in enumerate((0, 1, 2, 3, 0, 1)):
                sums[n] = fma(self.WEIGHTS[n][m], s[of], sums[n])
            gate = s[3] if m == 0 else fma(0.5, s[2], gate) if m == 1 else gate
        land, belt, plate, hills, local, rock = sums
        belt_width = 0.22 * (1.0 + 0.9 * self.uplift)
        across = most(0.0, 1.0 - abs(belt) / belt_width)
        BELT = across * across * (3.0 - 2.0 * across) * smoothstep((gate + 0.5 * self.uplift + 0.12) * (1.0 / 0.22))
        HILL = smoothstep((hills + 0.7 * self.hills + 0.2) * (1.0 / 0.6))
        table = plate + 0.6 * self.plateau
        PLATEAU = smoothstep((table - 0.24) * 6.25) * (1.0 - BELT)
        PLAIN = (1.0 - BELT) * (1.0 - PLATEAU)
        DRY = smoothstep((plate - 0.35 * gate + self.dryness + 0.45) * (1.0 / 1.1))
        base = 1500.0 * (land + 0.5 * self.land) + 60.0
        shelf = 260.0 * (1.0 - BELT)
        base = np.where(shelf > 1.0, base * abs(base) / (abs(base) + shelf), base)
        INLAND = smoothstep((base + 250.0) * (1.0 / 230.0))
        M = (0.035 + 0.75 * HILL * HILL) * (1.0 - BELT) + 3.2 * BELT
        M = np.where(M < 1.9, M + PLATEAU * (1.9 - M), M)
        BAD = DRY * most(self.dryness, 0.0) * HILL
        HARD = clamp(1.0 + 0.6 * rock, 0.3, 2.0)
        v = SimpleNamespace()
        v.relief = HARD * M * most(local, 0.35) * (0.06 + 0.94 * INLAND) * self.relief
        v.cap = HARD * ((0.72 + 0.16 * HILL - 0.1 * BELT) * (1.0 - PLATEAU) + 1.6 * PLATEAU)
        v.round = 12.0 + 28.0 * PLATEAU + (388.0 * (1.0 - HILL) + 90.0 * HILL) * PLAIN * (1.0 - 0.8 * BAD)
        v.top = most(base, 0.0) + 420.0 + 250.0 * table
        v.upper = 1.0 - 0.93 * PLATEAU
        v.ice = clamp(BELT * (1.0 - PLATEAU) * (1.0 + self.ice) + most(self.ice, 0.0) * HILL * PLAIN, 0.0, 1.0)
        breadth = (0.010 - 0.002 * HILL + 0.006 * most(self.ice, 0.0) * v.ice) * (1.0 - PLATEAU) + 0.0022 * PLATEAU
        v.breadth = breadth * (1.4 * most(1.0 + 1.5 * (1.0 - HARD), 0.2))
        v.flat = (1.0 - HILL) * PLAIN
        v.slope = hillslope(v.relief, v.cap, v.round, 8)
        v.alpine = most(BELT + PLATEAU * (1.0 - BELT), BAD)
        v.dry = DRY
        v.height = base + 350.0 * BELT + 220.0 * PLATEAU * INLAND
        return v

    @remembered
    def knot(self, i, j):
        v = self.province(i << 19, j << 19, 8)
        return [getattr(v, name) for name in PROVINCE]

    def province_between(self, X, Y):
        i, j = X >> 19, Y >> 19
        i0, j0 = i.min(), j.min()
        rows, columns = np.mgrid[j0:j.max() + 2, i0:i.max() + 2]
        knots = dict(zip(PROVINCE, self.knot(columns, rows)))
        i, j = i - i0, j - j0
        a, b = [number(Z & (1 << 19) - 1) * (np.float32(2.0) ** np.float32(-19)) for Z in (X, Y)]
        v = SimpleNamespace()
        for name in PROVINCE[:-1]:
            f = knots[name]
            north, south = [fma(a, f[j + n, i + 1] - f[j + n, i], f[j + n, i]) for n in (0, 1)]
            setattr(v, name, fma(b, south - north, north))
        return v

    def province_at(self, n, cx, cy, x, y):
        """The province at a node (x, y) of the cell (cx, cy) of level n."""
        size = 1 << 24 - n
        X, Y = [c * size + integer(np.floor(z * number(size))) for c, z in ((cx, x), (cy, y))]
        return self.province(X, Y, min(n + 5, 8)) if n < 5 else self.province_between(X, Y)

    # ---- nodes ----

    def roots(self, x0, y0, x1, y1):
        cx, cy = np.arange(x0, x1 + 1)[None, :], np.arange(y0, y1 + 1)[:, None]
        words = self.words(256, cx, cy)
        x, y = rounded(default(frac(words, 0))), rounded(default(frac(words, 1)))
        v = self.province_at(0, cx, cy, x, y)
        z = v.height * (1.0 + 0.3 * sym(words, 2)) + 25.0 * sym(words, 3)
        N = Window(x0=x0, y0=y0, x=x, y=y, z=z, to=np.full(z.shape, SINK), area=np.full(z.shape, 65536))
        low = z
        for d in range(8):
            there = N.at(DX[d], DY[d]).z
            N.to = np.where(there < low, d, N.to)
            low = least(there, low)
        low = np.full(z.shape, np.float32(1e30))
        for a, b in FIVE:
            o = N.at(a, b)
            comes = (o.to != SINK) & (a + DX[o.to] == 0) & (b + DY[o.to] == 0)
            if a or b:
                low = np.where(comes, low, least(low, o.z))
        N.lake = np.where((N.to == SINK) & (z > 0.0), z + least(60.0, 0.4 * (low - z)), NO_LAKE)
        for _ in range(16):
            area = np.full(z.shape, 65536)
            for d in range(8):
                o = N.at(DX[d], DY[d])
                area = area + np.where(o.to == (d + 4) % 8, o.area, 0)
            N.lake = np.where(N.to == SINK, N.lake, N.at(DX[N.to], DY[N.to]).lake)
            N.area = area
        N.half = v.breadth * root(N.area)
        N.own, N.kind = np.zeros_like(N.area), np.full(z.shape, OLD)
        return N

    def nodes(self, n, x0, y0, x1, y1):
        """Nodes of level n, cells (x0, y0) to (x1, y1)."""
        if n == 0:
            return self.roots(x0 - 19, y0 - 19, x1 + 19, y1 + 19).cropped(x0, y0, x1, y1)
        coarse = self.nodes(n - 1, (x0 >> 1) - 7, (y0 >> 1) - 7, (x1 >> 1) + 7, (y1 >> 1) + 7)
        return self.refined(n, coarse).cropped(x0, y0, x1, y1)

    # ---- refinement ----

    def refined(self, n, P):
        cx, cy = P.cells()
        v = self.province_at(n - 1, cx, cy, P.x, P.y)
        h, w = P.x.shape
        cells = 2 * P.x0 + np.arange(2 * w)[None, :], 2 * P.y0 + np.arange(2 * h)[:, None]
        words = self.words(256 + n, *cells)
        e = self.edges(n, P, v, default(frac(words, 0)), default(frac(words, 1)))
        N = self.children(n, P, e, words, cells)
        of_child = self.province_at(n, *cells, N.x, N.y)
        is_new = (N.kind == EXIT) | (N.kind == ENTRY)
        N.half = np.where(is_new, most(N.half, of_child.breadth * root(N.area)), N.half)
        N = self.corner_nodes(n, P, e, N)
        return self.free_nodes(n, N, words, of_child)

    def edges(self, n, P, v, default_x, default_y):
        """Step 1 and 2: the edge of each coarse cell, a field a quantity. Cells without an edge have any values."""
        cx, cy = P.cells()
        dx, dy = DX[P.to], DY[P.to]
        Q = P.at(dx, dy)
        e = Window(x0=P.x0, y0=P.y0, x=P.x, dx=dx, dy=dy, L=number(65536 >> n), is_edge=P.to != SINK, P=P, Q=Q)
        e.default_x, e.default_y, e.words = default_x, default_y, self.words(272 + n, cx, cy)
        e.px, e.py, e.qx, e.qy = 2.0 * P.x, 2.0 * P.y, number(2 * dx) + 2.0 * Q.x, number(2 * dy) + 2.0 * Q.y
        e.exit_x, e.exit_y = (dx > 0).astype(int), (dy > 0).astype(int)
        e.entry_x, e.entry_y = 2 * dx + (dx < 0), 2 * dy + (dy < 0)
        wall = np.where(dx > 0, 2.0, 0.0)
        c = e.py + (wall - e.px) / (e.qx - e.px) * (e.qy - e.py) + 0.5 * sym(e.words, 0)
        e.exit_y, e.entry_y = [np.where(dy == 0, c > 1.0, f).astype(int) for f in (e.exit_y, e.entry_y)]
        wall = np.where(dy > 0, 2.0, 0.0)
        c = e.px + (wall - e.py) / (e.qy - e.py) * (e.qx - e.px) + 0.5 * sym(e.words, 0)
        e.exit_x, e.entry_x = [np.where(dx == 0, c > 1.0, f).astype(int) for f in (e.exit_x, e.entry_x)]
        straight = 0.45 if n > 3 else 0.315
        e.straight, e.pull = straight, straight + 0.35 * v.flat if n in (6, 7) else straight
        e.old_x, e.old_y = (P.x >= 0.5).astype(int), (P.y >= 0.5).astype(int)
        e.exits_old = (e.exit_x == e.old_x) & (e.exit_y == e.old_y)
        e.depth = self.lake_depth(n, P, e, v)
        x, y = self.edge_place(e, e.exit_x, e.exit_y, 0.15, 0.6, e.pull)
        e.out_x, e.out_y = rounded(x - number(e.exit_x)), rounded(y - number(e.exit_y))
        e.out_half = self.narrowing(e, x, y)
        e.exit_z = np.where(e.exits_old, P.z, np.where(e.depth > 0.0, Q.z - e.depth, self.descent(e, x, y)))
        x, y = self.edge_place(e, e.entry_x, e.entry_y, 0.4, 0.85, e.pull)
        e.in_x, e.in_y = rounded(x - number(e.entry_x)), rounded(y - number(e.entry_y))
        e.in_half = self.narrowing(e, x, y)
        f = self.descent(e, x, y)
        f = np.where((f >= e.exit_z) & (P.z > Q.z), 0.5 * (e.exit_z + Q.z), f)
        e.in_z = np.where(e.depth > 0.0, Q.z - e.depth, f)
        return e

    def edge_place(self, e, a, b, low, high, pull):
        vx, vy, fa, fb = e.qx - e.px, e.qy - e.py, number(a), number(b)
        t = clamp(((fa + 0.5 - e.px) * vx + (fb + 0.5 - e.py) * vy) / (vx * vx + vy * vy), low, high)
        ax = clamp(e.px + t * vx, fa + 0.08, fa + 1.0 - 0.08)
        ay = clamp(e.py + t * vy, fb + 0.08, fb + 1.0 - 0.08)
        x, y = children_of(e.default_x, a, b), children_of(e.default_y, a, b)
        return ax + pull * (fa + x - ax), ay + pull * (fb + y - ay)

    def narrowing(self, e, x, y):
        d1, d2 = length(x - e.px, y - e.py), length(x - e.qx, y - e.qy)
        return most(e.P.half - d1 * e.L, e.Q.half - d2 * e.L)

    def descent(self, e, x, y):
        d1, d2 = length(x - e.px, y - e.py), length(x - e.qx, y - e.qy)
        s, f = d1 / (d1 + d2), e.P.z - e.Q.z
        k = 0.3 * (1.0 - 1.15 * clamp(2.0 * f / (length(e.qx - e.px, e.qy - e.py) * e.L), 0.0, 1.0))
        return e.P.z - f * s * (1.0 + k * (1.0 - s))

    def lake_depth(self, n, P, e, v):
        if not 4 <= n <= 7:
            return np.zeros_like(P.z)
        dx, dy, Q = e.dx, e.dy, e.Q
        there = e.at(dx, dy)  # Q's cell
        in_x, in_y = e.entry_x - 2 * dx, e.entry_y - 2 * dy
        rx, ry = dx + DX[Q.to], dy + DY[Q.to]
        holds = e.is_edge & ~is_lake(P.lake) & ~is_lake(Q.lake) & (Q.z > 1.0) & (Q.to != SINK) & (P.z - Q.z > 4.0)
        holds &= ~e.exits_old & ~((in_x == there.old_x) & (in_y == there.old_y))
        holds &= ~((in_x == there.exit_x) & (in_y == there.exit_y)) & ((abs(rx) > 1) | (abs(ry) > 1))
        for a, b in AROUND + [(0, 0)]:
            is_q = (a == dx) & (b == dy)
            holds &= is_q | (P.at(a, b).z >= Q.z + 4.0)
        for a, b in AROUND:
            o = P.at(dx + a, dy + b)
            is_p, is_r = (dx + a == 0) & (dy + b == 0), (dx + a == rx) & (dy + b == ry)
            holds &= is_r | (o.z >= Q.z + 4.0)
            comes = (o.to == direction(-a, -b)) & ~is_p
            holds &= ~comes | ((o.area < P.area) & (o.area <= 3052))
        ice = look(v.ice, dx, dy)
        holds &= frac(e.words, 1) < 0.9 * (ice + 0.1 * (1.0 - ice))
        return np.where(holds, least(0.03 * e.L, 0.35 * (P.z - Q.z) + 3.0), 0.0)

    def children(self, n, Q, e, words, cells):
        """Step 3, without the floors. Each field of `c` has the four children of every coarse cell."""
        place = [rounded(default(frac(words, k))) for k in (0, 1)]
        C = Window(x0=0, y0=0, x=[], y=[])
        quarters = [(slice(k >> 1, None, 2), slice(k & 1, None, 2)) for k in range(4)]
        C.x, C.y = [np.stack([f[q] for q in quarters]) for f in place]
        shape, O = C.x.shape, Q.at(e.dx, e.dy)
        C.z, C.half = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        C.area, C.own, C.lake = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.full(shape, NO_LAKE)
        C.to, C.kind = np.full(shape, SINK), np.full(shape, FREE)
        ax, ay = np.array([0, 1, 0, 1])[:, None, None], np.array([0, 0, 1, 1])[:, None, None]

        def put(where, **fields):
            for name, value in fields.items():
                setattr(C, name, np.where(where, value, getattr(C, name)))

        is_old = (ax == e.old_x) & (ay == e.old_y)
        put(is_old, x=2.0 * Q.x - number(e.old_x), y=2.0 * Q.y - number(e.old_y), z=Q.z, area=Q.area, own=Q.own,
            half=Q.half, lake=Q.lake, kind=OLD, to=Q.to)
        put(is_old & e.is_edge, to=np.where(e.exits_old, direction(e.entry_x - e.old_x, e.entry_y - e.old_y),
                                            direction(e.exit_x - e.old_x, e.exit_y - e.old_y)))
        has_exit = e.is_edge & ~e.exits_old
        is_exit = has_exit & (ax == e.exit_x) & (ay == e.exit_y)
        put(is_exit, x=e.out_x, y=e.out_y, z=e.exit_z, half=e.out_half, kind=EXIT,
            lake=np.where(e.depth > 0.0, O.z, most(Q.lake, O.lake)),
            to=direction(e.entry_x - e.exit_x, e.entry_y - e.exit_y))
        best, direct, come = np.full(shape, -1), np.zeros(shape, np.int64), np.zeros(Q.area.shape, np.int64)
        for a, b in AROUND:
            P, i = Q.at(a, b), e.at(a, b)
            comes = (P.to == direction(-a, -b))
            here = comes & (ax == i.entry_x + 2 * a) & (ay == i.entry_y + 2 * b)
            put(here & (C.kind == EXIT) & ~is_lake(Q.lake) & (is_lake(P.lake) | (i.depth > 0.0)), z=most(C.z, Q.z))
            come, direct = come + np.where(comes, P.area, 0), direct + np.where(here, P.area, 0)
            put(here & (C.kind == FREE), z=np.float32(1e30), kind=ENTRY)
            here = here & (C.kind == ENTRY)
            put(here & (P.area > best), x=i.in_x, y=i.in_y)
            best = np.where(here, np.maximum(best, P.area), best)
            put(here, z=least(C.z, i.in_z), lake=most(C.lake, np.where(i.depth > 0.0, Q.z, most(P.lake, Q.lake))),
                half=most(C.half, i.in_half))

        def chosen(field, mask):
            return np.where(mask, field, 0).sum(0, dtype=field.dtype)

        old_x, old_y, out_x, out_y = [chosen(f, m) for m in (is_old, is_exit) for f in (C.x, C.y)]
        to_exit = has_exit & ~is_lake(C.lake) & (e.depth == 0.0) & (chosen(C.z, is_exit) < C.z)
        to_exit &= abs(ax - e.exit_x) + abs(ay - e.exit_y) == 1
        to_exit &= (length(number(ax - e.exit_x) + (C.x - out_x), number(ay - e.exit_y) + (C.y - out_y)) <
                    length(number(ax - e.old_x) + (C.x - old_x), number(ay - e.old_y) + (C.y - old_y)))
        is_entry = C.kind == ENTRY
        to_x, to_y = np.where(to_exit, e.exit_x, e.old_x), np.where(to_exit, e.exit_y, e.old_y)
        put(is_entry, to=direction(to_x - ax, to_y - ay))
        count, rest = (C.kind != FREE).sum(0), np.maximum(Q.area - come, 0)
        each = rest // count
        is_last = np.where(has_exit, is_exit, is_old)
        put(C.kind != FREE, own=np.where(is_last, rest - each * (count - 1), each))
        put(is_entry, area=direct + C.own)
        old = chosen(direct + C.own, is_old) + chosen(C.area, is_entry & ~to_exit)
        put(is_old, area=old)
        put(is_exit, area=chosen(direct + C.own, is_exit) + old + chosen(C.area, is_entry & to_exit))
        fields = {name: woven(getattr(C, name)) for name in NODE}
        return Window(x0=2 * Q.x0, y0=2 * Q.y0, **fields)

    def corner_nodes(self, n, P, e, N):
        """Step 4."""
        cx, cy = P.cells()
        kx, ky = np.where(e.dx > 0, 2.0, 0.0), np.where(e.dy > 0, 2.0, 0.0)
        off = (e.py + (kx - e.px) / (e.qx - e.px) * (e.qy - e.py) - ky) + 0.5 * sym(e.words, 2)
        same = (off > 0.0) == (e.dy > 0)
        mx, my = np.where(same, e.exit_x, e.entry_x), np.where(same, e.entry_y, e.exit_y)
        h, w = N.x.shape
        rows, columns = 2 * np.arange(h // 2)[:, None] + my, 2 * np.arange(w // 2) + mx
        claims = (e.dx != 0) & (e.dy != 0) & ~(abs(off) < 0.15) & (children_of(N.kind, mx, my) == FREE)
        claims &= (rows >= 0) & (rows < h) & (columns >= 0) & (columns < w)
        E = SimpleNamespace(**{name: children_of(getattr(N, name), e.exit_x, e.exit_y) for name in NODE})
        I = SimpleNamespace(**{name: children_of(getattr(N, name), e.entry_x, e.entry_y) for name in NODE})
        x, y = self.edge_place(e, mx, my, 0.3, 0.7, e.straight)
        x, y = [np.where(claims, rounded(f - number(m)), 0.5) for f, m in ((x, mx), (y, my))]
        v = self.province_at(n, 2 * cx + mx, 2 * cy + my, x, y)
        own, area = E.own // 2, E.area
        half = most(0.5 * (E.half + I.half), v.breadth * root(area))
        m = dict(x=x, y=y, z=0.5 * (E.z + I.z), area=area, own=own, half=half,
                 lake=most(E.lake, I.lake), to=direction(e.entry_x - mx, e.entry_y - my), kind=np.full(x.shape, CORNER))
        exit_rows, exit_columns = 2 * np.arange(h // 2)[:, None] + e.exit_y, 2 * np.arange(w // 2) + e.exit_x
        changes = dict(to=direction(mx - e.exit_x, my - e.exit_y), own=E.own - own, area=E.area - own)
        for name in NODE:
            field = getattr(N, name).copy()
            field[rows[claims], columns[claims]] = m[name][claims]
            if name in changes:
                field[exit_rows[claims], exit_columns[claims]] = changes[name][claims]
            setattr(N, name, field)
        return N

    def free_nodes(self, n, N, words, v):
        """Step 5 and 6."""
        L, is_free = number(65536 >> n), N.kind == FREE
        slope = hillslope(v.relief * (1.0 + 0.4 * sym(words, 2)), v.cap * (0.94 + 0.12 * frac(words, 3)), v.round, n)

        def flank(z, dist, f):
            return z + rise(v, z, slope * (profile(dist, f) + 0.02 * dist))

        def crosses(dx, dy):
            a, b = N.at(dx, 0), N.at(0, dy)
            return ((a.kind != FREE) & (a.to == direction(-dx, dy))) | ((b.kind != FREE) & (b.to == direction(dx, -dy)))

        total, weighted = np.zeros_like(N.z), np.zeros_like(N.z)
        lowest = nearest = np.full(N.z.shape, np.float32(1e30))
        half, D = v.breadth * L, np.zeros(N.z.shape, int)
        for d in range(8):
            dx, dy = DX[d], DY[d]
            c = N.at(dx, dy)
            counts = c.kind != FREE
            if d % 2:
                counts &= ~crosses(dx, dy)
            ax, ay = number(dx) + (c.x - N.x), number(dy) + (c.y - N.y)
            d1 = length(ax, ay) * L
            f1 = flank(c.z, d1, c.half)
            weight = 1.0 / (d1 * d1 + 0.01 * L * L)
            total = np.where(counts, total + weight, total)
            weighted = np.where(counts, weighted + weight * c.z, weighted)
            D = np.where(counts & (f1 < nearest), d, D)
            nearest = np.where(counts & (f1 < nearest), f1, nearest)
            wider = most(half, c.half - d1)
            ex, ey = DX[c.to], DY[c.to]
            o = N.at(dx + ex, dy + ey)
            vx, vy = number(ex) + (o.x - c.x), number(ey) + (o.y - c.y)
            t = np.where(c.to == SINK, 0.0, clamp(-(ax * vx + ay * vy) / (vx * vx + vy * vy), 0.0, 1.0))
            cz, ch = c.z + t * (o.z - c.z), c.half + t * (o.half - c.half)
            d2 = length(ax + t * vx, ay + t * vy) * L
            lowest = np.where(counts, least(lowest, least(f1, flank(cz, d2, ch))), lowest)
            half = np.where(counts, most(wider, ch - d2), half)
        c = N.at(DX[D], DY[D])
        even = lowest + 0.92 * (weighted / total - lowest)
        z = most(most(lowest, even), c.z + 0.03 * slope * L * v.upper)
        new = dict(to=D, lake=c.lake, z=z, half=half)
        if n == 8:
            new["kind"] = np.where(frac(words, 4) >= 0.7, BARE, FREE)
        for name, value in new.items():
            setattr(N, name, np.where(is_free, value, getattr(N, name)))
        count = np.ones(N.z.shape, np.int64)
        for d in range(8):
            o = N.at(DX[d], DY[d])
            count = count + ((o.kind <= BARE) & (o.to == (d + 4) % 8))
        c, count = N.at(DX[D], DY[D]), look(count, DX[D], DY[D])
        share = number(c.own) / number(count) if n == 8 else c.own // count
        N.area = np.where(is_free, share, number(N.area) if n == 8 else N.area)
        return N

    # ---- channels ----

    def channels(self, N):
        """The channel of every node of level 8, and its smooth place, as fields of the window."""
        cx, cy = N.cells()
        N.channel = N.kind != BARE
        N.main, greatest = np.full(N.z.shape, SINK), np.full(N.z.shape, np.float32(-1.0))
        for d in range(8):
            o = N.at(DX[d], DY[d])
            is_greatest = o.channel & (o.to == (d + 4) % 8) & (o.area > greatest)
            N.main, greatest = np.where(is_greatest, d, N.main), np.where(is_greatest, o.area, greatest)
        words, v = self.words(287, cx, cy), self.province_at(8, cx, cy, N.x, N.y)
        N.floor = least(N.half, 150.0) * (0.4 + 0.6 * frac(words, 0))
        N.broad = 0.75 + 0.6 * frac(words, 1)
        N.roam = 2.2 * least(0.6 * least(N.half, 150.0) + 8.0, 64.0) * smoothstep(N.area * (1.0 / 2.0) - 1.0)
        N.wander = N.roam
        for a, b in AROUND:
            N.wander = most(N.wander, N.at(a, b).roam)
        self.smooth_places(N)
        N.steep, N.inflow = v.slope * (1.0 + 0.15 * sym(words, 2)), np.zeros_like(N.z)
        N.sill, room = np.zeros(N.z.shape, bool), np.full(N.z.shape, np.float32(1e30))
        lake_below = room
        for a, b in FIVE:
            o = N.at(a, b)
            dist = most(length(o.sx - N.sx + number(256 * a), o.sy - N.sy + number(256 * b)), 64.0)
            higher = o.z - N.z
            steep = most(N.steep, least(1.05 * higher / valley(dist, N.floor), 1.4))
            N.steep = np.where(o.channel & (higher > 0.0), steep, N.steep)
            steep = most(N.steep, least((N.lake + 2.0 - N.z) / valley(0.45 * dist, N.floor), 3.0))
            N.steep = np.where(o.channel & is_lake(N.lake) & (o.lake != N.lake) & (o.z < N.lake + 4.0), steep, N.steep)
            if max(abs(a), abs(b)) != 1:
                continue
            comes = o.channel & (o.to == direction(-a, -b))
            N.inflow = np.where(comes, most(N.inflow, higher / dist), N.inflow)
            N.sill |= comes & is_lake(o.lake) & ~is_lake(N.lake)
            room = np.where(comes & (o.z > o.lake), least(room, higher), room)
            lake_below = np.where(comes & (o.z <= o.lake), least(lake_below, o.lake), lake_below)
        up = most(least(least(lake_below - N.z, 0.0) + water_drop(bed_width(N.area)), room), 0.0)
        N.up = np.where(N.sill, up, 0.0)

    def smooth_places(self, N):
        x0, y0 = N.x * 256.0, N.y * 256.0
        N.sx, N.sy = x0, y0
        ia, ib, oa, ob = DX[N.main], DY[N.main], DX[N.to], DY[N.to]
        moves = (N.main != SINK) & (N.to != SINK)
        move, reach = 0.5 * least(1.0, 0.3 + N.half * (1.0 / 256.0)), 0.35 * 256.0
        for _ in range(4):
            I, O = N.at(ia, ib), N.at(oa, ob)
            x = N.sx + move * (0.5 * ((I.sx + number(256 * ia)) + (O.sx + number(256 * oa))) - N.sx)
            y = N.sy + move * (0.5 * ((I.sy + number(256 * ib)) + (O.sy + number(256 * ob))) - N.sy)
            x, y = clamp(x, x0 - reach, x0 + reach), clamp(y, y0 - reach, y0 + reach)
            N.sx, N.sy = np.where(moves, x, N.sx), np.where(moves, y, N.sy)

    # ---- courses and pieces ----

    def others(self, N, X, Y):
        lowest = np.full(X.shape, np.float32(1e30))
        for a, b in FIVE:
            if not (a or b):
                continue
            o = N.at(a, b)
            ea, eb = DX[o.to], DY[o.to]
            e = N.at(a + ea, b + eb)
            x, y = X - number(256 * a), Y - number(256 * b)
            vx, vy = e.sx + number(256 * ea) - o.sx, e.sy + number(256 * eb) - o.sy
            s = vx * vx + vy * vy
            along = np.where(s > 0.0, ((x - o.sx) * vx + (y - o.sy) * vy) / s, 0.0)
            t, fell = clamp(along, 0.0, 1.0), most(o.z - e.z, 0.0)
            past = np.where(along < 0.0, -along * (1.3 * most(fell, o.inflow * np.sqrt(s))), (along - t) * (0.5 * fell))
            dist = length(x - o.sx - t * vx, y - o.sy - t * vy)
            side = o.z + t * (e.z - o.z) + o.steep * valley(dist, o.floor + t * (e.floor - o.floor)) + past
            lowest = np.where(o.channel, least(lowest, most(side, o.lake)), lowest)
        return lowest

    def courses(self, N):
        """Points g0 to g3 of the course of each cell."""
        a, b = DX[N.to], DY[N.to]
        Q = N.at(a, b)
        c, d = a + DX[Q.to], b + DY[Q.to]
        R = N.at(c, d)

        def end(o, a, b):
            return SimpleNamespace(x=o.sx + number(256 * a), y=o.sy + number(256 * b), z=o.z + o.up, slope=o.steep,
                                   half=o.floor, wander=o.wander, broad=o.broad)

        e0, e1, e2 = end(N, 0, 0), end(Q, a, b), end(R, c, d)
        e1.z = np.where(Q.sill, np.where(N.z > N.lake, e1.z, Q.z), e1.z)
        e2.z = np.where(Q.sill, e1.z, e2.z)
        e2.z = np.where((Q.to != SINK) & (Q.z <= Q.lake), R.z, e2.z)
        g = [SimpleNamespace() for _ in range(4)]
        for name in END:
            p, q, r = [getattr(e, name) for e in (e0, e1, e2)]
            first = np.where(N.main < 8, p + 0.3 * (q - p), p)
            g1, g3 = q + 0.3 * (p - q), q + 0.3 * (r - q)
            for point, value in zip(g, (first, g1, 0.25 * (g1 + g3) + 0.5 * q, g3)):
                setattr(point, name, value)
        g[0].z = np.where(N.sill, e0.z, g[0].z)
        is_river = (N.area > RIVER) & (N.lake <= N.z) & (N.to != SINK)
        for i in (1, 2):
            z = least(most(least(g[i].z, self.others(N, g[i].x, g[i].y)), g[3].z), g[i - 1].z)
            g[i].z = np.where(is_river, z, g[i].z)
        cx, cy = N.cells()
        for p in g:
            X, Y = 65536 * cx + integer(np.trunc(p.x * 256.0)), 65536 * cy + integer(np.trunc(p.y * 256.0))
            sx, sy = np.zeros_like(p.x), np.zeros_like(p.x)
            for t in range(3):
                s = self.spline(300 + t, 17 - t, X, Y, 2)
                sx, sy = sx + s[0], sy + s[1]
            p.x = np.where(p.wander > 0.0, p.x + clamp(p.wander * sx, -64.0, 64.0), p.x)
            p.y = np.where(p.wander > 0.0, p.y + clamp(p.wander * sy, -64.0, 64.0), p.y)
            p.x, p.y = np.rint(p.x * 256.0) * (1.0 / 256.0), np.rint(p.y * 256.0) * (1.0 / 256.0)
        return g, Q, R

    def pieces(self, x0, y0, x1, y1):
        """All pieces of the cells (x0, y0) to (x1, y1), in order: one array a field."""
        N = self.nodes(8, x0 - 10, y0 - 10, x1 + 10, y1 + 10)
        self.channels(N)
        g, Q, R = self.courses(N)
        begin = np.where(N.main < 8, N.area, least(N.area, 1.0))
        end = np.where((N.to != SINK) & (Q.main == (N.to + 4) % 8), Q.area, N.area)
        cut = most(water_drop(bed_width(end)) - rim(end), 0.0)
        part, upstream, rows = np.array([0.0, 0.4, 0.7, 1.0], np.float32), N.inflow, []
        for i in range(3):
            p, q, f = g[i], g[i + 1], {}
            for name in ("x", "y", "z", "slope", "half"):
                f[name], f["d" + name] = getattr(p, name), getattr(q, name) - getattr(p, name)
            s = f["dx"] * f["dx"] + f["dy"] * f["dy"]
            f["inv"] = np.where(s > 0.0, 1.0 / s, 0.0)
            steep = np.where(s > 0.0, most(-f["dz"] / np.sqrt(s), 0.0), 0.0)
            f["before"], f["after"] = 1.3 * most(steep, upstream) * np.sqrt(s), 0.5 * steep * np.sqrt(s)
            upstream = most(steep, 0.7 * upstream)
            f["area"], f["darea"] = begin + part[i] * (end - begin), (part[i + 1] - part[i]) * (end - begin)
            last = bed_width(f["area"] + f["darea"])
            f["width"], f["fall"] = bed_width(f["area"]) * p.broad, water_drop(bed_width(f["area"]))
            f["dwidth"], f["dfall"] = last * q.broad - f["width"], water_drop(last) - f["fall"]
            lake = most(N.lake, Q.lake)
            f["lake"] = np.where(q.z - cut < R.lake, most(lake, R.lake), lake)
            rows.append(f)
        cx, cy = np.broadcast_arrays(*N.cells())
        inner = N.channel & (cx >= x0) & (cx <= x1) & (cy >= y0) & (cy <= y1)
        found = {name: np.stack([row[name] for row in rows], 2)[inner].ravel() for name in rows[0]}
        assert all(f.dtype == np.float32 for f in found.values())
        return SimpleNamespace(cx=np.repeat(cx[inner], 3), cy=np.repeat(cy[inner], 3), **found)

    def pieces_near(self, X, Y):
        """Pieces of a window with all cells that are up to 6 cells away from the places."""
        rect = (X.min() >> 16) - 6, (Y.min() >> 16) - 6, (X.max() >> 16) + 6, (Y.max() >> 16) + 6
        for known, found in self.surveys:
            if known[0] <= rect[0] and known[1] <= rect[1] and known[2] >= rect[2] and known[3] >= rect[3]:
                return found
        rect = rect[0] - 4, rect[1] - 4, rect[2] + 4, rect[3] + 4
        self.surveys.append((rect, self.pieces(*rect)))
        return self.surveys[-1][1]

    def feet(self, X, Y, p):
        """along, t, q of the feet of places on pieces: one row a place, one column a piece."""
        rx = number(X[:, None] - 65536 * p.cx) / 256.0 - p.x
        ry = number(Y[:, None] - 65536 * p.cy) / 256.0 - p.y
        along = (rx * p.dx + ry * p.dy) * p.inv
        t = least(most(along, 0.0), 1.0)
        ax, ay = fma(-t, p.dx, rx), fma(-t, p.dy, ry)
        return along, t, fma(ax, ax, ay * ay)

    # ---- the ground ----

    @remembered
    def ground(self, x, y):
        east, south, patch = self.warp(x, y)
        X, Y = self.place(x, y, east, south)
        v, pieces = self.province_between(X, Y), self.pieces_near(X, Y)
        cells, values = (Y >> 16) * (1 << 40) + (X >> 16), [np.empty(x.shape, np.float32) for _ in GROUND]
        for cell in np.unique(cells):
            which = np.flatnonzero(cells == cell)
            cx, cy = X[which[0]] >> 16, Y[which[0]] >> 16
            near = np.flatnonzero((abs(pieces.cx - cx) <= 6) & (abs(pieces.cy - cy) <= 6))
            p = SimpleNamespace(**{k: f[near] for k, f in vars(pieces).items()})
            own = SimpleNamespace(**{k: f[which] for k, f in vars(v).items()})
            for value, found in zip(values, self.ground_of_cell(X[which], Y[which], own, patch[which], p)):
                value[which] = found
        return values

    def ground_of_cell(self, X, Y, v, patch, p):
        q = self.feet(X, Y, p)[2]
        keep = (q < 2.8 * 2.8 * 256.0 * 256.0).any(0)
        p = SimpleNamespace(**{k: f[keep] for k, f in vars(p).items()})
        along, t, q = self.feet(X, Y, p)
        counts = q < 2.8 * 2.8 * 256.0 * 256.0
        column = SimpleNamespace(top=v.top[:, None], upper=v.upper[:, None])
        z, slope, half = fma(t, p.dz, p.z), fma(t, p.dslope, p.slope), fma(t, p.dhalf, p.half)
        past = np.where(along < 0.0, -along * p.before, (along - t) * p.after)

        def side(dist, dd):
            far = most(0.0, dd * (1.0 / (256.0 * 256.0)) - 2.0 * 2.0) * (1.0 / (2.8 * 2.8 - 2.0 * 2.0))
            return z + rise(column, z, slope * valley(dist, half)) + past + 8.0 * 256.0 * far * far

        s = side(np.sqrt(q), q)
        d = most(np.sqrt(q) - 80.0, 0.0)
        ring, blend = side(d, d * d), least(0.36 * 256.0 * slope, 0.7 * (s - z))
        lowest = np.argmin(np.where(counts, s, np.float32(np.inf)), 1)

        def of_lowest(f):
            return np.take_along_axis(np.broadcast_to(f, s.shape), lowest[:, None], 1)

        low, z0, q0, lake0 = map(of_lowest, (s, z, q, p.lake))
        area0 = of_lowest(fma(t, p.darea, p.area))
        drained = np.where((area0 > RIVER) & ~is_lake(lake0), z0, np.float32(1e30))
        over = s - low

        def least_of(values):
            return np.where(counts, values, np.float32(np.inf)).min(1, keepdims=True)

        def raised_to(mask, values):
            return np.where(mask, values, NO_LAKE).max(1, keepdims=True)

        blend0 = least_of(fma(2.0, s, blend)) - 2.0 * low
        high = least_of(fma(12.0, s, s - z)) - 12.0 * low
        r = least(blend0, blend)
        k = 1.0 - over / r
        k = np.where(counts & (over < r), k * k, 0.0)
        total = np.cumsum(k, 1)[:, -1:]
        raised = np.cumsum(np.where(k > 0.0, k * over, 0.0), 1)[:, -1:]
        beyond, is_held = least(ring, s - 80.0 * slope) - p.lake - 1.0, counts & is_lake(p.lake)
        is_inside = (s < p.lake) & (p.lake <= drained)
        held = raised_to(is_held & (beyond < 0.0), p.lake)
        inside = raised_to(is_held & is_inside, p.lake)
        dam = raised_to(is_held & ~is_inside & (beyond < 15.0), least(p.lake, p.lake - 2.0 * beyond))
        crest = np.where(total > 0.0, low + raised / total, low)
        height = np.where(dam > inside, most(crest, dam), crest)
        above = least(high + (height - low), height - held)
        return self.ground_fields(*[f[:, 0] for f in (height, held, above, q0, area0)], v, patch)

    def ground_fields(self, height, lake, above, q0, area0, v, patch):
        plateau, slope_m = (1.0 - v.upper) * (1.0 / 0.93), v.slope * (1.0 / 2.0)
        strength = least(1.6 * slope_m, 1.2) * (1.0 - plateau * smoothstep((height - v.top + 40.0) * (1.0 / 80.0)))
        strength = strength * (0.1 + 0.9 * smoothstep((height - self.sea + 30.0) * (1.0 / 60.0)))
        strength = strength * smoothstep(slope_m * (1.0 / 0.06))
        rate = 1.0 / (2.0 * (1.0 + 1.5 * v.ice) * most(strength, 0.01))
        gain = 0.75 * (1.0 - 0.8 * plateau)
        hillside = 0.8 * most(slope_m, 0.005) * 512.0
        fade = clamp(2.0 * above / hillside - 1.0, -0.1, 1.0)
        pp = clamp(patch, 0.0, 1.0)
        pp = pp * pp
        rough = fma(6.0, pp * pp, 0.3) * (0.3 + 0.7 * smoothstep(most(above, 0.0) / hillside * (1.0 / 0.15)))
        return height, lake, above, strength, v.alpine, rate, gain, fade, 2.0 * np.sqrt(q0), area0 * 262144.0, rough

    def ground_at(self, x, y, *names):
        """Fields of the ground, linear between the points of spacing 32 m."""
        wanted = [GROUND.index(name) for name in names]
        return self.linear(lambda u, v: [self.ground(u, v)[k] for k in wanted], x, y, 32)

    def around(self, x, y, name):
        """A field of the ground at the four corners of spacing 32 m."""
        return self.ground(*self.corners(x, y, 32))[GROUND.index(name)]

    # ---- displacement ----

    NOISE = {16: np.float32(0.0), 8: np.float32(0.02), 4: np.float32(0.04), 2: np.float32(0.085), 1: np.float32(0.07)}
    RILLS = {16: np.float32(0.08), 8: np.float32(0.12), 4: np.float32(0.14)}

    def displaced(self, s, x, y, f, rough):
        """Displacement of points of spacing s. f: values at the corners nw, ne, sw, se of their squares."""
        i, j, k = x // s, y // s, s.bit_length() - 1
        nw, ne, sw, se = f
        gx, gy = 0.5 * ((ne + se) - (nw + sw)), 0.5 * ((sw + se) - (nw + ne))
        size = (length(gx, gy) + 0.02 * number(2 * s)) * (most(rough, 0.5) if s < 4 else rough)
        loud = np.where((i & 1 == 1) & (j & 1 == 1), self.NOISE[s] * 0.6, self.NOISE[s])
        r = (number(self.byte(320 + k, i, j)) - 127.5) * (loud * (1.0 / 127.5))
        if s >= 4:
            inv = 1.0 / (most(abs(gx), abs(gy)) + 1e-12)
            ex, ey, total = gx * inv, gy * inv, np.zeros_like(gx)
            for n in range(-4, 5):
                at = [z + integer(np.rint(e * number(n))) for z, e in ((i, ex), (j, ey))]
                total = total + number(self.byte(320 + k, *at))
            m = (total - 1147.5) * (1.0 / 382.5)
            r = fma(self.RILLS[s], m - 0.5 * (m * m - 1.0 / 3.0), r)
        return size * r

    def square(self, s, x, y):
        """Corners of the squares of new points of spacing s."""
        u, v = x // (2 * s) * (2 * s), y // (2 * s) * (2 * s)
        return np.stack((u, u + 2 * s, u, u + 2 * s)), np.stack((v, v, v + 2 * s, v + 2 * s))

    # ---- gullies ----

    CELL, STEP = (128, 32), (32, 16)
    WAVES, AMP, SOFT = (np.array(f, np.float32) for f in ((0.5, 0.35355339), (20.66, 12.3), (0.9, 0.5)))

    @remembered
    def kernel(self, o, rounds, cx, cy):
        """kx, ky, cosine, sine, mask of a cell of octave o after so many rounds."""
        if rounds > 0:
            near = np.array([(0, 0)] + AROUND)[:, :, None]
            blocks = [f for f in np.stack(self.kernel(o, rounds - 1, cx + near[:, 0], cy + near[:, 1]), 1)]
            kx, ky, cosine, sine, mask = blocks[0]
            inv = 1.0 / most(kx * kx + ky * ky, 1e-12)
            C, D = 0.1 * cosine, 0.1 * sine
            for (a, b), (bx, by, bc, bs, _) in zip(AROUND, blocks[1:]):
                w = most(0.0, (kx * bx + ky * by) * inv) * (0.4966 if a == 0 or b == 0 else 0.2466)
                c1, s1 = turn(-0.5 * ((kx + bx) * number(a) + (ky + by) * number(b)))
                lc, ls = w * c1, w * s1
                C, D = fma(lc, bc, fma(-ls, bs, C)), fma(ls, bc, fma(lc, bs, D))
            scale = 1.0 / (np.sqrt(C * C + D * D) + 1e-9)
            return kx, ky, C * scale, D * scale, mask
        c = self.CELL[o]
        at = np.stack((cx, cx + 1, cx, cx + 1)) * c, np.stack((cy, cy, cy + 1, cy + 1)) * c
        H, T = [self.ground(*at)[GROUND.index(name)] for name in ("height", "strength")]
        if o:
            H = H + self.carved(0, *at)[0]
        mean, scale = 0.25 * ((T[0] + T[1]) + (T[2] + T[3])), 0.5 / number(c)
        gx, gy = ((H[1] + H[3]) - (H[0] + H[2])) * scale, ((H[2] + H[3]) - (H[0] + H[1])) * scale
        g, n = np.sqrt(gx * gx + gy * gy) + 1e-12, self.byte(316 + o, cx, cy)
        turns = (1.0 + 0.35 * (number(n >> 4) - 7.5) * (1.0 / 7.5)) * self.WAVES[o] / g
        cosine, sine = turn(number(n & 15) * (1.0 / 16.0))
        mask = smoothstep((g / (0.62 * most(mean, 1e-6)) - 0.05) * (1.0 / 0.45)) * (
            1.0 + 0.8 * (number((n * 7 >> 2) & 15) * (1.0 / 7.5) - 1.0))
        return -gy * turns, gx * turns, cosine, sine, mask

    def gully(self, o, x, y, f):
        c = self.CELL[o]
        ux, uy = (x - c // 2) // c, (y - c // 2) // c
        in_x, in_y = number(x - c // 2 - ux * c) / number(c), number(y - c // 2 - uy * c) / number(c)
        C, D, strong, total = [np.zeros(x.shape, np.float32) for _ in range(4)]
        corners = np.array(((0, 0), (1, 0), (0, 1), (1, 1)))
        kernels = self.kernel(o, 3, ux + corners[:, :1], uy + corners[:, 1:])
        for (ox, oy), kx, ky, cosine, sine, mask in zip(corners, *kernels):
            tx, ty = in_x - number(ox), in_y - number(oy)
            e = most(0.0, 1.0 - (tx * tx + ty * ty) * (1.0 / 1.2))
            w = e * e * e
            c1, s1 = turn(kx * tx + ky * ty)
            C, D = C + w * (c1 * cosine - s1 * sine), D + w * (s1 * cosine + c1 * sine)
            strong, total = strong + w * mask, total + w
        inv = 1.0 / total
        C, D = C * inv, D * inv
        alpine, strength, rough = self.ground_at(x, y, "alpine", "strength", "rough")
        m = np.sqrt(C * C + D * D) + 1e-6
        k = C / m
        ridge = 1.0 - (np.sqrt((1.0 - k) * 0.5 + 0.2) - 0.44721359) * 3.08531713
        trough = (np.sqrt((1.0 + k) * 0.5 + 0.003) - 0.0547722578) * 2.11254215 - 1.0
        n = k + (alpine * 0.85 + 0.1) * (ridge - k) + 0.9 * (trough - k)
        n = (n + 1.0) * smoothstep(m * 2.0) - 1.0
        enter = strong * inv * least(1.0, 3.0 * (1.0 - f * f))
        enter = most(0.04, enter + (1.0 - enter) * smoothstep((f + 0.2) * (1.0 / 0.6)))
        f = f + (n - f) * enter
        soft = self.SOFT[o]
        return (rough if o else 0.7) * self.AMP[o] * (soft + (1.0 - soft) * alpine) * strength * f, f

    def before(self, o, x, y):
        """State of points of spacing 32 or 16 m before octave o."""
        if o == 0:
            zero = np.zeros(x.shape, np.float32)
            return [zero, zero, self.ground(x, y)[GROUND.index("fade")]]
        return self.halved(lambda u, v: self.carved(0, u, v), x, y, 16)

    @remembered
    def seen(self, o, x, y):
        c, value = self.CELL[o], np.empty(x.shape, np.float32)
        for s in [self.STEP[o] << k for k in range(8)]:
            is_last = s == 2 * c
            which = np.flatnonzero((x % s == 0) & (y % s == 0) & (is_last | (x % (2 * s) != 0) | (y % (2 * s) != 0)))
            if which.size and is_last:
                value[which] = self.gully(o, x[which], y[which], self.before(o, x[which], y[which])[2])[0]
            elif which.size:
                value[which] = self.halved(lambda u, v: self.seen(o, u, v), x[which], y[which], s)[0]
            if is_last:
                return [value]

    @remembered
    def carved(self, o, x, y):
        """whole, kept and fade of points after octave o."""
        whole, kept, f = self.before(o, x, y)
        V, f = self.gully(o, x, y, f)
        above, rate, gain = self.ground_at(x, y, "above", "rate", "gain")
        change = V - self.seen(o, x, y)[0]
        stay = smoothstep((above + kept) * rate * (1.0 / self.AMP[o]))
        return whole + V, kept + change * stay * np.where(change < 0.0, 0.9, gain), f

    def kept(self, x, y):
        """What gullies leave of points of spacing 16 m. At points where an octave changes nothing it is left out."""
        value = np.zeros(x.shape, np.float32)
        coarse, middle = (x % 256 == 0) & (y % 256 == 0), (x % 64 == 0) & (y % 64 == 0)
        for o, which in ((0, middle & ~coarse), (1, ~middle)):
            which = np.flatnonzero(which)
            if which.size:
                value[which] = self.carved(o, x[which], y[which])[1]
        new = np.flatnonzero((x % 32 != 0) | (y % 32 != 0))
        if new.size:
            corners = self.square(16, x[new], y[new])
            f, rough = [self.ground(*corners)[GROUND.index(name)] for name in ("height", "rough")]
            value[new] = value[new] + self.displaced(16, x[new], y[new], f, rough[0])
        return value

    # ---- heights ----

    @remembered
    def height(self, x, y):
        """Heights before rivers, shores and beaches."""
        value = np.empty(x.shape, np.float32)
        for s in (16, 8, 4, 2, 1):
            has_point = (x % s == 0) & (y % s == 0)
            which = np.flatnonzero(has_point & ((s == 16) | (x % (2 * s) != 0) | (y % (2 * s) != 0)))
            if which.size:
                value[which] = (self.height_16 if s == 16 else self.new_height)(s, x[which], y[which])
        return [value]

    def height_16(self, s, x, y):
        z = self.halved(lambda u, v: [self.ground(u, v)[0]], x, y, 16)[0]
        lake, kept = self.around(x, y, "lake").min(0), self.kept(x, y)
        z = np.where(is_lake(lake), most(z, self.around(x, y, "height").min(0)), z)
        return z + np.where(is_lake(lake), kept * smoothstep((z - lake) * (1.0 / 8.0)), kept)

    def new_height(self, s, x, y):
        m = self.halved(self.height, x, y, s)[0]
        corners = self.square(s, x, y)
        nw = corners[0][0], corners[1][0]
        around = self.height(*corners)[0]
        d = self.displaced(s, x, y, around, self.ground_at(*nw, "rough")[0])
        lake = self.around(*nw, "lake").min(0)
        held = most(m + d * smoothstep((m - lake) * (1.0 / 8.0)), around.min(0))
        return np.where(is_lake(lake), held, m + d)

    # ---- water and layers ----

    def river(self, x, y, X, Y):
        """The river at one sample; without one, gap is 1e30."""
        pieces = self.pieces_near(X, Y)
        near = (abs(pieces.cx - (X >> 16)) <= 3) & (abs(pieces.cy - (Y >> 16)) <= 3)
        near &= pieces.area + pieces.darea > BROOK
        p = SimpleNamespace(**{k: f[near] for k, f in vars(pieces).items()})
        r = SimpleNamespace(gap=np.float32(1e30), extent=np.float32(0.0), bank=NO_LAKE)
        along, t, q = [f[0] for f in self.feet(X, Y, p)]
        w = fma(t, p.dwidth, p.width)
        gap, extent = 2.0 * np.sqrt(q) - w, least(12.0 + 6.0 * w, 36.0)
        a, under = fma(t, p.darea, p.area), fma(t, p.dfall, p.fall)
        over, counts = rim(a), np.flatnonzero(gap < extent)
        if counts.size == 0:
            return r
        third, back = extent * (1.0 / 3.0), most(along, 0.0) - 5.0 * np.sqrt(p.inv)
        low = 1.0 - least(most(gap, 0.0) / third, 1.0)
        crown = most(fma(back, p.dz, p.z) + over - under * low, p.lake)
        bank = np.where(a >= 1.8 * BROOK, crown - 0.4 * most(gap - third, 0.0), NO_LAKE)
        n = counts[np.argmin(gap[counts])]
        r = SimpleNamespace(gap=gap[n], extent=extent[n], width=w[n], fall=under[n], lake=p.lake[n],
                            off=q[n] * (2.0 * 2.0), area=a[n] * 262144.0, wet=a[n] >= 2.0 * BROOK,
                            bank=bank[counts].max())
        r.z = most(fma(t, p.dz, p.z) + over, p.lake)[n]
        above = self.ground_at(x, y, "height")[0][0] + 2.0
        r.z = most(least(r.z, above), r.lake)
        r.bank = least(r.bank, most(above, r.z) + 8.0)
        return r

    def beach(self, a):
        d = a - self.sea
        return d * (0.75 * d * d / (d * d + 36.0) + 0.25) + self.sea

    def water(self, h, lake, r):
        """Height and level of water of one sample."""
        drowned = h < lake
        level, close = lake if drowned else NO_LAKE, r.gap < r.extent
        if close:
            k = most(r.gap, 0.0)
            bevel = most(fma(k, fma(k, 0.03, 0.2 + 0.5 / (1.0 + r.width)), r.z), lake)
            soften = 3.0 * least(k * (1.0 / 6.0), 1.0) * least((r.extent - r.gap) * 4.0 / r.extent, 1.0)
            t = most(1.0 - abs(h - bevel) / soften, 0.0) if soften > 0.0 else 0.0
            h = least(h, bevel) - 0.25 * soften * t * t
        rim = False
        if r.gap < 0.0:
            bed = r.z - bed_depth(r.width) * (1.0 - r.off / (r.width * r.width))
            h = least(h, bed)
            if r.wet:
                level = most(level, r.lake if drowned else most(r.z - r.fall, r.lake))
            rim = not drowned and bed >= level
        if close and (h >= level - 0.01 or rim):
            h = most(h, most(r.bank, lake))
        h = self.beach(h)
        if is_lake(level):
            level = self.beach(level)
        return h, most(level, self.sea) if h < self.sea else level

    def sample(self, x, y):
        x, y = np.array([x], np.int64), np.array([y], np.int64)
        X, Y = self.place(x, y, *self.warp_at(x, y))
        v, r = self.province_between(X, Y), self.river(x, y, X, Y)
        h, level = self.water(self.height(x, y)[0][0], self.around(x, y, "lake").min(0)[0], r)
        distance, area = [f[0] for f in self.ground_at(x, y, "distance", "area")]
        is_bed = r.gap < 0.0
        layers = (h, level if level > h else np.float32(math.nan),
                  (r.area if is_bed else area) * (self.spacing * self.spacing),
                  (np.sqrt(r.off) if is_bed else distance) * self.spacing, v.relief[0] / self.spacing, v.flat[0],
                  ((1.0 - v.upper) * (1.0 / 0.93))[0], v.ice[0], v.dry[0])
        assert all(value.dtype == np.float32 for value in layers)
        return layers


# ---- the test ----


def bits(value):
    return "nan" if math.isnan(value) else "%08x" % np.float32(value).view(np.uint32)


def check(path, every):
    worlds, n_samples, wrong = {}, 0, 0
    lines = [line.split() for line in open(path) if not line.startswith("#")]
    for words in lines[::every]:
        key = (int(words[0]),) + tuple(float(w) for w in words[1:10])
        world = worlds.setdefault(key, World(*key))
        x, y = int(words[11]), int(words[12])
        n_samples += 1
        for name, expected, value in zip(LAYERS, words[13:22], world.sample(x, y)):
            if expected != bits(value):
                wrong += 1
                where = "seed %d, lod %s at %d,%d" % (key[0], words[10], x, y)
                print("%s: %s is %s, expected %s" % (where, name, bits(value), expected))
    print("%d of %d samples, %d values, %d wrong" % (n_samples, len(lines), n_samples * len(LAYERS), wrong))
    return 1 if wrong or n_samples == 0 else 0


def main():
    np.seterr(all="ignore")
    if len(sys.argv) < 3 or sys.argv[2] == "all":
        return check(sys.argv[1], EVERY if len(sys.argv) < 3 else 1)
    for place in sys.argv[2:]:
        seed, lod, x, y = (int(w) for w in place.split(":"))
        layers = World(seed, 0, 1, 0, 0, 0, 0, 0, 0, 1).sample(x, y)
        print(place, *["%s %s %.9g" % (n, bits(v), v) for n, v in zip(LAYERS, layers)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
