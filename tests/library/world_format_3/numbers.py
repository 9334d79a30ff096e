"""numbers.py - arithmetic of binary32 numbers, and the functions of numbers in the section "Conventions" of
docs/world-format-3.md."""

import ast
import inspect
import sys

import numpy as np


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
    scope = sys.modules[thing.__module__].__dict__
    ast.increment_lineno(tree, inspect.getsourcelines(thing)[1] - 1)
    scope.update(names)
    exec(compile(ast.fix_missing_locations(tree), inspect.getsourcefile(thing), "exec"), scope)
    return scope[thing.__name__]


def number(x):
    return np.asarray(x).astype(np.float32)


def integer(x):
    return x.astype(np.int64)


def fma(a, b, c):
    """a b + c with one rounding. Rounding the binary64 sum to binary32 is right, unless that sum lies exactly midway
    between two binary32 numbers. Then the part of the sum that binary64 has lost decides."""
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
    return (
        t * t * t * (1.0 / 6.0),
        fma(a * a, fma(a, 0.5, -1.0), 2.0 / 3.0),
        fma(t * t, fma(t, 0.5, -1.0), 2.0 / 3.0),
        a * a * a * (1.0 / 6.0),
    )


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
