// tiles.js - workers that make tiles, and the tiles that are in memory.
"use strict";

/** Workers, each with a module of its own. They make the tiles of a list, the first ones first. */
class TileMakers {
  /** onTile(key, tile) is called for each tile, onError(text) if the library refuses something */
  constructor(module, source, count, onTile, onError) {
    this.module = module;
    this.generation = 0; // of the world; answers of earlier worlds are dropped
    this.wanted = [];
    this.inWork = new Map();
    this.made = 0;
    this.milliseconds = 0;
    this.onTile = onTile;
    this.onError = onError;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.workers = Array.from({ length: count }, () => this.start(address));
  }

  start(address) {
    const worker = new Worker(address);
    worker.isReady = false;
    worker.onmessage = ({ data }) => this.answer(worker, data);
    worker.onerror = (event) => this.onError(event.message);
    return worker;
  }

  /** Make another world. Returns facts about it, as soon as one worker has it. */
  open(world) {
    this.generation++;
    this.wanted = [];
    this.inWork.clear();
    return new Promise((resolve, reject) => {
      this.opened = { resolve, reject };
      for (const worker of this.workers) {
        worker.isReady = false;
        worker.postMessage({ kind: "open", generation: this.generation, module: this.module, world });
      }
    });
  }

  answer(worker, data) {
    if (data.generation !== this.generation) return;
    worker.isReady = true;
    if (data.kind === "open") {
      if (data.error) this.opened.reject(new Error(data.error));
      else this.opened.resolve(data.facts);
    } else {
      this.inWork.delete(data.key);
      this.made++;
      this.milliseconds += data.milliseconds || 0;
      if (data.error) this.onError(data.error);
      else this.onTile(data.key, data);
    }
    this.feed();
  }

  /** Replace the list of tiles to make: { key, style, lod, x, y }, the most urgent ones first. */
  want(list) {
    this.wanted = list;
    this.feed();
  }

  feed() {
    for (const worker of this.workers) {
      while (worker.isReady && this.wanted.length > 0) {
        const tile = this.wanted.shift();
        if (this.inWork.has(tile.key)) continue;
        this.inWork.set(tile.key, tile);
        worker.isReady = false;
        worker.postMessage({ kind: "tile", generation: this.generation, ...tile });
      }
    }
  }

  /** Tiles that are still to be made. */
  get pending() {
    return this.wanted.length + this.inWork.size;
  }
}

/** Tiles in memory. The least recently drawn ones are dropped. */
class TileStore {
  /** free(tile) is called for each tile that is dropped */
  constructor(capacity, free) {
    this.capacity = capacity;
    this.free = free;
    this.tiles = new Map(); // in the order of their last use
  }

  static key(style, lod, x, y) {
    return `${style}/${lod}/${x}/${y}`;
  }

  has(key) {
    return this.tiles.has(key);
  }

  /** A tile, which is kept longer from now on; undefined if it is not in memory. */
  use(key) {
    const tile = this.tiles.get(key);
    if (tile) {
      this.tiles.delete(key);
      this.tiles.set(key, tile);
    }
    return tile;
  }

  add(key, tile) {
    if (this.tiles.has(key)) this.drop(key);
    this.tiles.set(key, tile);
    while (this.tiles.size > this.capacity) this.drop(this.tiles.keys().next().value);
  }

  drop(key) {
    this.free(this.tiles.get(key));
    this.tiles.delete(key);
  }

  clear() {
    for (const key of [...this.tiles.keys()]) this.drop(key);
  }
}

/** Which tiles a view draws, and which it lacks. */
class TileChoice {
  /** facts: of the world; store: TileStore */
  constructor(facts, store) {
    this.facts = facts;
    this.store = store;
  }

  /** Level of detail whose samples are about `pixel` lattice steps apart. */
  lodOf(pixel) {
    return Math.min(Math.max(Math.round(Math.log2(pixel)), -this.facts.fine), this.facts.levels);
  }

  /** Ranges of tiles of a level that a view shows; `margin` is in tiles. */
  range(view, lod, margin = 0) {
    const size = this.facts.span * 2 ** lod, most = Math.floor(this.facts.most / size) - 2;
    const bound = (n) => Math.min(Math.max(n, -most), most - 1);
    const [west, north, east, south] = view.bounds();
    return {
      x0: bound(Math.floor(west / size) - margin), x1: bound(Math.floor(east / size) + margin),
      z0: bound(Math.floor(north / size) - margin), z1: bound(Math.floor(south / size) + margin),
    };
  }

  /** Tiles to make for a view, coarse ones first, and of each level those near the middle first; at the end, if asked
   * for, those around the view. sharp: pixels of the screen in one of the view */
  missing(view, style, sharp, isAround) {
    const list = [], lod = this.lodOf(view.pixel), top = this.facts.levels;
    const levels = [[lod + 3, 0], [lod + 1, 0], [lod, 0]];
    if (sharp > 1.4) levels.push([lod - 1, 0]);
    if (isAround) levels.push([lod + 3, 1], [lod, 1]); // so that no motion soon finds a gap
    const seen = new Set();
    for (const [wanted, margin] of levels) {
      const level = Math.min(Math.max(wanted, -this.facts.fine), top), range = this.range(view, level, margin);
      const size = this.facts.span * 2 ** level, part = [];
      for (let y = range.z0; y <= range.z1; y++)
        for (let x = range.x0; x <= range.x1; x++) {
          const key = TileStore.key(style, level, x, y);
          if (seen.has(key) || this.store.has(key)) continue;
          seen.add(key);
          const away = Math.hypot((x + 0.5) * size - view.x, (y + 0.5) * size - view.z);
          part.push({ key, style, lod: level, x, y, away });
        }
      list.push(...part.sort((a, b) => a.away - b.away));
    }
    return list;
  }

  /** Tiles to draw, coarse ones first. A tile is left out if finer ones hide it. Finer tiles than the view's level are
   * drawn only where that level is missing. */
  drawn(view, style, sharp) {
    const lod = this.lodOf(view.pixel), finest = Math.max(lod - (sharp > 1.4 ? 1 : 0), -this.facts.fine);
    const last = Math.max(lod - 3, -this.facts.fine), first = Math.min(lod + 8, this.facts.levels), list = [];
    const [west, north, east, south] = view.bounds();
    const visit = (level, x, y) => { // returns whether the part of the tile that is in view is covered
      const size = this.facts.span * 2 ** level;
      if ((x + 1) * size <= west || x * size >= east || (y + 1) * size <= north || y * size >= south) return true;
      const tile = this.store.use(TileStore.key(style, level, x, y));
      const isComplete = tile && tile.share >= 1;
      let isHidden = level > last && !(isComplete && level <= finest);
      for (let n = 0; n < 4 && level > last && !(isComplete && level <= finest); n++)
        isHidden = visit(level - 1, 2 * x + (n & 1), 2 * y + (n >> 1)) && isHidden;
      if (tile && !isHidden) list.push({ tile, level, x, y });
      return isHidden || isComplete;
    };
    const range = this.range(view, first);
    for (let y = range.z0; y <= range.z1; y++)
      for (let x = range.x0; x <= range.x1; x++) visit(first, x, y);
    return list.sort((a, b) => b.level - a.level);
  }

  /** Height at a place from the finest tile in memory, and that tile's level; undefined if there is none. */
  height(x, z, style, pixel) {
    for (let lod = Math.max(this.lodOf(pixel) - 1, -this.facts.fine); lod <= this.facts.levels; lod++) {
      const step = 2 ** lod, size = this.facts.span * step, i = Math.floor(x / size), j = Math.floor(z / size);
      const tile = this.store.tiles.get(TileStore.key(style, lod, i, j));
      if (!tile) continue;
      const u = (x - i * size) / step, v = (z - j * size) / step, a = Math.floor(u), b = Math.floor(v);
      const at = (p, q) => tile.heights[q * tile.side + p], p = u - a, q = v - b;
      return (at(a, b) * (1 - p) + at(a + 1, b) * p) * (1 - q) + (at(a, b + 1) * (1 - p) + at(a + 1, b + 1) * p) * q;
    }
    return undefined;
  }
}
