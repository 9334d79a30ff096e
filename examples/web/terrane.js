// terrane.js - opens the WebAssembly module of scripts/build-web, and calls its functions (module.c). It is used by the
// page's workers, and by tests under node.
"use strict";

/** What the module imports: functions of WASI for a clock and for output. It only prints if an assertion fails. */
function terraneImports(memory) {
  const wasi = {
    clock_time_get(_id, _precision, at) {
      new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_write(_fd, vectors, count, at) {
      const view = new DataView(memory().buffer);
      let size = 0;
      for (let n = 0; n < count; n++) {
        const [start, length] = [view.getUint32(vectors + 8 * n, true), view.getUint32(vectors + 8 * n + 4, true)];
        console.error(new TextDecoder().decode(new Uint8Array(memory().buffer, start, length)));
        size += length;
      }
      view.setUint32(at, size, true);
      return 0;
    },
    proc_exit(status) {
      throw new Error("the module ended with status " + status);
    },
  };
  const refuse = (name) => () => { throw new Error("the module called " + name); };
  const known = { wasi_snapshot_preview1: wasi, env: { emscripten_notify_memory_growth() {} } };
  return (module) => {
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] = imports[from] || {};
      imports[from][name] = (known[from] || {})[name] || refuse(name);
    }
    return imports;
  };
}

/** Terrane in a module of its own. Errors of the library are thrown with their sentences. */
class Terrane {
  /** module: a WebAssembly.Module */
  constructor(module) {
    this.instance = new WebAssembly.Instance(module, terraneImports(() => this.call.memory)(module));
    this.call = this.instance.exports;
    this.call._initialize();
  }

  get text() {
    const bytes = new Uint8Array(this.call.memory.buffer, this.call.web_text(), 4096);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  set text(value) {
    const bytes = new TextEncoder().encode(value + "\0");
    new Uint8Array(this.call.memory.buffer, this.call.web_text(), 4096).set(bytes);
  }

  check(result) {
    if (!result) throw new Error(this.text);
    return result;
  }

  /** Copy an array out of the module. kind: a typed array's constructor */
  copy(kind, address, length) {
    return new kind(this.call.memory.buffer, address, length).slice();
  }

  /** Make a world. parameters, look: keys and values of a world file. Returns facts about the world. */
  open(parameters, look = {}) {
    this.call.web_begin();
    for (const [isLook, values] of [[0, parameters], [1, look]])
      for (const [key, value] of Object.entries(values)) {
        this.text = key + "=" + value;
        this.check(this.call.web_set(isLook));
      }
    this.check(this.call.web_open());
    this.call.web_describe();
    return JSON.parse(this.text);
  }

  /** Samples of layers, such as ["height", "water"]: for each an array of width * height floats, row by row from the
   * north. i, j: of the north-western sample on the lattice of the level of detail */
  fill(layers, lod, i, j, width, height) {
    this.text = layers.join(",");
    const address = this.check(this.call.web_fill(lod, i, j, width, height)), count = width * height;
    return layers.map((_, n) => this.copy(Float32Array, address + n * count * 4, count));
  }

  /** A tile of the map: arrays of side * side pixels. style: 0 relief, 1 climate, 2 biomes */
  tile(style, lod, i, j, side) {
    this.check(this.call.web_tile(style, lod, i, j));
    const count = side * side, call = this.call;
    return {
      colors: this.copy(Uint8Array, call.web_tile_colors(), count * 4),
      slopes: this.copy(Float32Array, call.web_tile_slopes(), count * 2),
      water: this.copy(Uint8Array, call.web_tile_water(), count * 2),
      heights: this.copy(Float32Array, call.web_tile_heights(), count),
    };
  }
}

if (typeof module !== "undefined") module.exports = { Terrane };
