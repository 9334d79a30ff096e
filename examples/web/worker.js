// worker.js - a web worker: it makes one tile after the other. A message names the world or a tile; each is answered.
"use strict";

let terrane = null;
let facts = null;

const answers = {
  open({ module, world }) {
    terrane = terrane || new Terrane(module);
    facts = terrane.open(world.parameters, world.look);
    const shaded = [0, 1, 2].map((style) => terrane.call.web_shaded(style));
    const count = (facts.levels + facts.fine) * 4 + 1; // one for each quarter of a level of detail
    const exaggerations = Array.from({ length: count }, (_, n) => terrane.call.web_exaggeration(n / 4 - facts.fine));
    return { facts: { ...facts, shaded, exaggerations } };
  },
  tile({ style, lod, x, y }) {
    const started = performance.now(), side = facts.span + 1;
    const tile = terrane.tile(style, lod, x * facts.span, y * facts.span, side);
    return { ...tile, side, milliseconds: performance.now() - started };
  },
};

onmessage = ({ data }) => {
  let answer;
  try {
    answer = answers[data.kind](data);
  } catch (error) {
    answer = { error: error.message };
  }
  const buffers = Object.values(answer).filter(ArrayBuffer.isView).map((array) => array.buffer);
  postMessage({ ...answer, kind: data.kind, generation: data.generation, key: data.key }, buffers);
};
