"""cells.py - directions between cells, kinds of nodes, and fields: arrays with a number for each cell of a window."""

from types import SimpleNamespace

import numpy as np

DX = np.array((1, 1, 0, -1, -1, -1, 0, 1, 0))
DY = np.array((0, 1, 1, 1, 0, -1, -1, -1, 0))
NUMBERS = np.full((3, 3), 8)
NUMBERS[DY[:8] + 1, DX[:8] + 1] = np.arange(8)
AROUND = [(a, b) for b in (-1, 0, 1) for a in (-1, 0, 1) if a or b]  # row by row
FIVE = [(a, b) for b in range(-2, 3) for a in range(-2, 3)]
SINK = 8
FREE, BARE, OLD, EXIT, ENTRY, CORNER = range(6)
NO_LAKE = np.float32(-1e9)


def direction(dx, dy):
    """Number of the direction to the cell (dx, dy) cells away. If that cell is not a neighbour, the number has no
    meaning."""
    return NUMBERS[np.clip(dy, -1, 1) + 1, np.clip(dx, -1, 1) + 1]


def is_lake(level):
    return level > -1e8


def look(field, dx, dy):
    """For each cell, the field at the cell (dx, dy) cells away. If that is outside of the window, the value has no
    meaning."""
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
        part = {
            k: v[b : b + y1 - y0 + 1, a : a + x1 - x0 + 1] for k, v in vars(self).items() if isinstance(v, np.ndarray)
        }
        return Window(x0=x0, y0=y0, **part)


def children_of(field, a, b):
    """For each coarse cell, the field of children at the child (a, b) children away from the cell's first child."""
    h, w = field.shape
    rows, columns = 2 * np.arange(h // 2)[:, None] + b, 2 * np.arange(w // 2) + a
    return field[np.clip(rows, 0, h - 1), np.clip(columns, 0, w - 1)]


def woven(fields):
    """One field of children from the fields of the four children of each coarse cell."""
    h, w = fields[0].shape
    field = np.empty((2 * h, 2 * w), fields[0].dtype)
    for k in range(4):
        field[k >> 1 :: 2, k & 1 :: 2] = fields[k]
    return field
