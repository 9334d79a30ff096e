// page.js - the page: choices, facts, what can be copied, the address, and the loop that draws.
"use strict";

const FADE_MS = 180;
const FOV_DEG = 55; // of a flight, from top to bottom
const STYLES = ["relief", "climate", "biome"];
const START = { world: "default", at: [-1019092, 1836332], tall: 420e3 }; // a range, lakes and a coast
const WIDEST_M = 20000e3; // of the shorter side of the view

const get = (id) => document.getElementById(id);
const state = { world: START.world, seed: null, others: {}, style: "relief", light: 315 };
let view, drawing, makers, store, choice, facts;
let wanted = true, lastFrame = 0, isStill = true, atPointer = null, mostPending = 0;

// ---- the world ----

const worlds = JSON.parse(get("worlds").textContent); // { name: { about, parameters, look } }

/** The style as the module counts it. */
function styleNumber() {
  return STYLES.indexOf(state.style);
}

function worldSeed() {
  return state.seed || worlds[state.world].parameters.seed;
}

/** Make the world that is chosen, and show a place in it. */
async function openWorld(at, tall) {
  const { parameters, look } = worlds[state.world];
  const described = { parameters: { ...parameters, seed: worldSeed(), ...state.others }, look };
  store.clear();
  choice = null;
  facts = await makers.open(described);
  get("message").classList.remove("is-error");
  choice = new TileChoice(facts, store);
  view.most = Math.min(2 ** (facts.levels + 0.49), WIDEST_M / facts.spacing / Math.min(...view.size) * 1.25);
  view.least = 2 ** -(facts.fine + 1.5);
  const [x, z] = at || facts.start;
  const most = facts.most / 2;
  view.go(Math.min(Math.max(x, -most), most), Math.min(Math.max(z, -most), most),
    (tall || START.tall) / facts.spacing / view.size[1]);
  for (const button of get("styles").children) button.hidden = !facts.rivers && button.dataset.style !== "relief";
  if (!facts.rivers) setStyle("relief");
  showChoices();
}

function openOrSay(at, tall) {
  openWorld(at, tall).catch((error) => say(error.message));
}

function say(text) {
  get("message").textContent = text;
  get("message").classList.add("is-error");
  get("message").style.opacity = 1;
}

// ---- the address ----

function addressOf() {
  const [x, z] = [Math.round(view.x * 16) / 16, Math.round(view.z * 16) / 16];
  const parts = [`world=${state.world}`];
  if (state.seed) parts.push(`seed=${state.seed}`);
  for (const [key, value] of Object.entries(state.others)) parts.push(`${key}=${value}`);
  if (state.style !== "relief") parts.push(`style=${state.style}`);
  if (state.light !== 315) parts.push(`light=${state.light}`);
  parts.push(`at=${x},${z}`, `tall=${Number((view.pixel * view.size[1] * facts.spacing).toPrecision(5))}`);
  return "#" + parts.join("&");
}

/** Read the address: the chosen world, and where in it. Other keys are parameters of the world. */
function readAddress() {
  const pairs = new URLSearchParams(location.hash.slice(1)), number = (text) => (isFinite(text) ? Number(text) : 0);
  let at = null, tall = null;
  Object.assign(state, { world: START.world, seed: null, others: {}, style: "relief", light: 315 });
  for (const [key, value] of pairs) {
    if (key === "world") state.world = worlds[value] ? value : START.world;
    else if (key === "seed") state.seed = value;
    else if (key === "style") state.style = STYLES.includes(value) ? value : "relief";
    else if (key === "light") state.light = number(value);
    else if (key === "at") at = value.split(",").slice(0, 2).map(number);
    else if (key === "tall") tall = number(value) || null;
    else state.others[key] = value;
  }
  if (at && at.length < 2) at = null;
  return [at || (state.world === START.world && !state.seed ? START.at : null), tall];
}

let shownAddress = location.hash;

function showAddress() {
  shownAddress = addressOf();
  if (location.hash !== shownAddress) history.replaceState(null, "", shownAddress);
}

// ---- what can be copied ----

function worldOptions() {
  const options = [];
  if (state.world !== START.world) options.push(` --world ${state.world}`);
  if (state.seed && state.seed !== worlds[state.world].parameters.seed) options.push(` --seed ${state.seed}`);
  for (const [key, value] of Object.entries(state.others)) options.push(` --${key.replaceAll("_", "-")} ${value}`);
  return options.join("");
}

const copies = {
  place: { name: "place", line: () => `${Math.round(view.x)},${Math.round(view.z)}` },
  fly: { name: "fly here", line: () => `terrane fly${worldOptions()} --at ${copies.place.line()}` },
  above: {
    name: "fly above",
    line: () => {
      const tall = view.pixel * view.size[1] * facts.spacing, ground = Math.max(heightAt(view.x, view.z) || 0, 0);
      const altitude = ground + tall / 2 / Math.tan((FOV_DEG * Math.PI) / 360);
      return `terrane fly${worldOptions()} --view ${copies.place.line()},${Math.round(altitude)},0,-90`;
    },
  },
  export: {
    name: "export",
    line: () => {
      const lod = choice.lodOf(view.pixel), step = 2 ** lod, [west, north, east, south] = view.bounds();
      const [i, j] = [west, north].map((n) => Math.floor(n / step));
      const size = [east - west, south - north].map((n) => Math.max(1, Math.ceil(n / step))).join("x");
      return `terrane export${worldOptions()} --at ${i * step},${j * step} --lod ${lod} --size ${size} -o land.tif`;
    },
  },
  link: { name: "link", line: () => location.href.split("#")[0] + addressOf() },
};

async function copyLine() {
  const text = get("line").textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // pages of file:// may not use the clipboard in some browsers
    const area = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  get("copy").textContent = "copied";
  setTimeout(() => { get("copy").textContent = "copy"; }, 1200);
}

// ---- facts ----

function lengthText(m) {
  return m >= 1000 ? `${Number((m / 1000).toPrecision(6)).toLocaleString("en")} km` : `${Number(m.toPrecision(3))} m`;
}

function heightAt(x, z) {
  return choice.height(x, z, styleNumber(), view.pixel);
}

function showFacts() {
  const [x, z] = atPointer ? view.place(...atPointer) : [view.x, view.z], height = heightAt(x, z);
  const digits = view.pixel < 1 ? 2 : 0, text = (n) => n.toLocaleString("en", { maximumFractionDigits: digits });
  const high = height === undefined ? "" : `${height.toFixed(digits ? 1 : 0)} m`;
  get("here").textContent = `x ${text(x)}   z ${text(z)}\n${high}${height < facts.sea ? " (sea bed)" : ""}`;
  const meters = view.pixel * facts.spacing, power = 10 ** Math.floor(Math.log10(140 * meters));
  const length = [5, 2, 1].map((n) => n * power).find((n) => n <= 140 * meters);
  get("scale").style.width = `${length / meters}px`;
  get("length").textContent = lengthText(length);
  get("line").textContent = copies[get("what").value].line();
}

// ---- drawing ----

/** Factor on slopes at a level of detail, which may be a fraction. */
function exaggerationOf(lod) {
  const list = facts.exaggerations, n = Math.min(Math.max((lod + facts.fine) * 4, 0), list.length - 1);
  const low = Math.floor(n), high = Math.min(low + 1, list.length - 1);
  return list[low] + (list[high] - list[low]) * (n - low);
}

function draw(elapsed) {
  const [width, height] = view.size, ratio = Math.min(devicePixelRatio || 1, 2);
  const [west, north] = view.bounds(), detail = Math.log2(view.pixel);
  drawing.resize(width, height, ratio);
  drawing.begin({ shaded: facts.shaded[styleNumber()], azimuth: state.light }, facts.span);
  let isFading = false;
  for (const { tile, level, x, y } of choice.drawn(view, styleNumber(), ratio)) {
    const size = facts.span * 2 ** level, left = (x * size - west) / view.pixel, top = (y * size - north) / view.pixel;
    const side = size / view.pixel, clip = (n, of) => (2 * n) / of - 1;
    tile.share = Math.min(1, tile.share + elapsed / FADE_MS);
    isFading = isFading || tile.share < 1;
    const place = [clip(left, width), -clip(top, height), clip(left + side, width), -clip(top + side, height)];
    drawing.tile(tile.textures, place, exaggerationOf(Math.max(level, detail)), tile.share);
  }
  return isFading;
}

function showProgress() {
  const pending = makers.pending;
  mostPending = pending === 0 ? 0 : Math.max(mostPending, pending);
  get("progress").style.opacity = pending === 0 ? 0 : 1;
  get("progress").style.width = pending === 0 ? "100%" : `${100 * (1 - pending / (mostPending + 1))}%`;
}

function frame(now) {
  requestAnimationFrame(frame);
  const elapsed = Math.min(now - lastFrame, 100);
  lastFrame = now;
  if (!choice || !(wanted || !isStill)) return;
  wanted = false;
  isStill = !view.advance(elapsed);
  makers.want(choice.missing(view, styleNumber(), devicePixelRatio || 1, true));
  if (draw(elapsed)) wanted = true;
  showFacts();
  showProgress();
  if (isStill) showAddressSoon();
}

let addressTimer = 0;

function showAddressSoon() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(showAddress, 250);
}

// ---- choices ----

function setStyle(style) {
  state.style = style;
  for (const button of get("styles").children) button.setAttribute("aria-checked", button.dataset.style === style);
  wanted = true;
}

function showChoices() {
  const directions = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
  get("world").value = state.world;
  get("seed").value = worldSeed();
  get("about").textContent = worlds[state.world].about;
  get("light").value = state.light;
  get("direction").textContent = "the " + directions[Math.round(state.light / 45) % 8];
  setStyle(state.style);
}

function nextSeed() {
  state.seed = String(Math.floor(Math.random() * 1e9));
  openOrSay([view.x, view.z], view.pixel * view.size[1] * facts.spacing);
}

function setAlone(isAlone) {
  document.body.classList.toggle("is-alone", isAlone);
  get("unfold").hidden = !isAlone;
}

function addControls() {
  for (const name of Object.keys(worlds)) get("world").append(new Option(name, name));
  for (const [key, { name }] of Object.entries(copies)) get("what").append(new Option(name, key));
  for (const style of STYLES) {
    const button = Object.assign(document.createElement("button"), { textContent: style });
    button.dataset.style = style;
    button.setAttribute("role", "radio");
    button.onclick = () => setStyle(style);
    get("styles").append(button);
  }
  get("what").value = "fly";
  get("what").onchange = () => { wanted = true; };
  get("world").onchange = () => {
    Object.assign(state, { world: get("world").value, seed: null, others: {} });
    openOrSay(state.world === START.world ? START.at : null, null);
  };
  get("seed").onchange = () => {
    const text = get("seed").value.trim();
    state.seed = /^\d+$/.test(text) ? text : null;
    openOrSay([view.x, view.z], view.pixel * view.size[1] * facts.spacing);
  };
  get("next").onclick = nextSeed;
  get("light").oninput = () => {
    state.light = Number(get("light").value);
    showChoices();
  };
  get("copy").onclick = copyLine;
  get("fold").onclick = () => setAlone(true);
  get("unfold").onclick = () => setAlone(false);
  const middle = () => view.size.map((n) => n / 2);
  get("nearer").onclick = () => view.zoom(0.5, ...middle());
  get("farther").onclick = () => view.zoom(2, ...middle());
  const keys = { n: nextSeed, h: () => setAlone(!document.body.classList.contains("is-alone")), c: copyLine };
  STYLES.forEach((style, n) => { keys[n + 1] = () => facts && facts.rivers && setStyle(style); });
  addEventListener("keydown", (event) => {
    if (/^(INPUT|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.toLowerCase()];
    if (act && choice) act();
  });
  const map = get("map");
  map.addEventListener("pointermove", (event) => { atPointer = [event.offsetX, event.offsetY]; wanted = true; });
  map.addEventListener("pointerleave", () => { atPointer = null; wanted = true; });
  addEventListener("resize", () => { wanted = true; });
  addEventListener("hashchange", () => { if (location.hash !== shownAddress) openOrSay(...readAddress()); });
}

// ---- start ----

/** The module is packed by gzip and written in base64. */
async function unpackModule() {
  const bytes = Uint8Array.from(atob(get("module").textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function start() {
  drawing = new Drawing(get("map"), get("source-map-light").textContent);
  view = new View(get("map"), () => { isStill = false; });
  const memory = navigator.deviceMemory || 4, threads = Math.max(1, (navigator.hardwareConcurrency || 4) - 1);
  store = new TileStore(memory >= 4 ? 400 : 200, (tile) => drawing.free(tile.textures));
  const onTile = (key, tile) => {
    store.add(key, { heights: tile.heights, side: tile.side, textures: drawing.upload(tile), share: 0 });
    if (!get("message").classList.contains("is-error")) get("message").style.opacity = 0;
    wanted = true;
  };
  const module = await unpackModule();
  const most = memory >= 8 ? 8 : memory >= 4 ? 4 : 2; // a module takes up to half a gigabyte
  makers = new TileMakers(module, get("source-worker").textContent, Math.min(threads, most), onTile, say);
  addControls();
  await openWorld(...readAddress());
  get("map").focus();
  requestAnimationFrame(frame);
  const isComplete = () =>
    isStill && !wanted && choice && choice.missing(view, styleNumber(), devicePixelRatio || 1, false).length === 0;
  window.terrane = { view, makers, store, state, isComplete }; // for tests and consoles
}

start().catch((error) => say(`This map needs a newer browser: ${error.message}`));
