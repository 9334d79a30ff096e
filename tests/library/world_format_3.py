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

LAYERS = "height water flow shore relief plain plateau ice dryness".split()
EVERY = 4  # of the lines of the vectors, so many make one that is checked without `all`


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
    scope.update(names)
    exec(compile(ast.fix_missing_locations(tree), __file__, "exec"), scope)
    return scope[thing.__name__]


def number(x):
    return np.asarray(x).astype(np.float32)


def integer(x):
    return x.astype(np.int64)


def fma(a, b, c):
    """a b + c with one rounding. The rounding from binary64 is right except for ties, which the lost part of the sum
    decides."""
    product = np.multiply(a, b, dtype=np.float64)
    addend = np.asarray(c, np.float64)
    total = product + addend
    near = total.astype(np.float32)
    other = total + (total - near)
    is_tie = (other == other.astype(np.float32)) & (other != near)
    if not is_tie.any():
        return near
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
LAW = [np.float32(x) for x in (0.00340064, 0.00634575, 0.0118415, 0.0220970, 0.0412346, 0.0769464, 0.143587, 0.267943, 0.5)]


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
    return 0.5 * (t + np.sqrt(t * t + 0.25 * f * f)) - 0.0590170 * f


@binary32
def rise(v, z, u):
    r = least(most(v.top - z, 0.0), u)
    return r + v.upper * (u - r)


@binary32
def valley(dist, f):
    far = most(dist - 260.0, 0.0)
    return profile(dist, f + 8.0) * fma(-0.2, least(dist * (1.0 / 256.0), 1.0), 1.0) + 0.02 * dist + far * far * (1.0 / 600.0)


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
