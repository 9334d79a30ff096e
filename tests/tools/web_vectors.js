// web_vectors.js WASM DATA PROGRAM - the WebAssembly module WASM makes every value of the test vectors in the folder
// DATA, bit for bit, and its windows of heights have the bytes of the exports of PROGRAM. test_web_module.sh runs it.
"use strict";
const { execFileSync } = require("child_process");
const { createHash } = require("crypto");
const fs = require("fs");
const path = require("path");
const { Terrane } = require("../../examples/web/terrane.js");

const [wasm, data, program] = process.argv.slice(2);
const terrane = new Terrane(new WebAssembly.Module(fs.readFileSync(wasm)));

let failed = 0;

function fail(text) {
  console.error("FAILED: " + text);
  failed++;
}

function bitsOf(value) {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return Number.isNaN(value) ? "nan" : view.getUint32(0).toString(16).padStart(8, "0");
}

/** Check a file. Its first line names the columns: parameters, lod, x, z, layers; further columns are decimal. */
function checkVectors(name) {
  const text = fs.readFileSync(path.join(data, name), "utf8").trim();
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
  const columns = lines.shift().slice(1), at = columns.indexOf("lod");
  const names = columns.slice(at + 3).map((column) => column.replace("_bits_hex", ""));
  const layers = names.filter((column) => !/decimal|^(the|same|in)$/.test(column));
  let facts, before;
  for (const line of lines) {
    const world = Object.fromEntries(columns.slice(0, at).map((key, n) => [key, line[n]]));
    if (JSON.stringify(world) !== before) facts = terrane.open(world);
    before = JSON.stringify(world);
    const [lod, x, z] = line.slice(at, at + 3).map(Number);
    terrane.fill(layers, lod, x / 2 ** lod, z / 2 ** lod, 1, 1).forEach(([value], n) => {
      const found = bitsOf(value), expected = line[at + 3 + n];
      if (found !== expected)
        fail(`${name}, ${line.slice(0, at + 3).join(" ")}: ${layers[n]} is ${found}, expected ${expected}`);
    });
  }
  if (lines.length < 40) fail(`${name} has only ${lines.length} lines`);
  console.log(`${name}: ${lines.length} lines of ${layers.length} layers, ${facts.simd}`);
}

function hashOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Compare windows with exports of the program. */
function checkExports() {
  let count = 0;
  for (const basis of ["fluvial", "smooth"]) {
    terrane.open({ basis });
    for (const lod of [-2, 0, 3, 6, 9, 12]) {
      const step = 2 ** lod, [i, j] = [-1078272, 1921024].map((n) => Math.floor(n / step)), file = `${basis}${lod}.r32`;
      const place = `${Math.floor(i * step)},${Math.floor(j * step)}`;
      execFileSync(program, ["export", "--basis", basis, "--backend", "cpu", "--lod", String(lod), "--at", place,
        "--size", "96x80", "--format", "r32", "-o", file], { stdio: ["ignore", "ignore", "inherit"] });
      const [heights] = terrane.fill(["height"], lod, i, j, 96, 80);
      if (hashOf(new Uint8Array(heights.buffer)) !== hashOf(fs.readFileSync(file)))
        fail(`${basis}, lod ${lod}: the module's heights have other bytes than ${file}`);
      count++;
    }
  }
  console.log(`windows with the bytes of exports: ${count}`);
}

["vectors.txt", "vectors-fluvial.txt", "vectors-climate.txt", "vectors-sand.txt", "vectors-craters.txt"].forEach(checkVectors);
checkExports();
process.exit(failed ? 1 : 0);
