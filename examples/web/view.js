// view.js - the part of the plane that is in view, and its motion by mouse, fingers and keys.
"use strict";

const COAST_MS = 260; // how long a thrown map coasts
const ZOOM_MS = 110;  // how fast the zoom follows the wheel

class View {
  /** element: gets the events; onChange is called when the view begins to change */
  constructor(element, onChange) {
    Object.assign(this, { element, onChange, x: 0, z: 0, pixel: 1, least: 1 / 64, most: 1 });
    this.target = { pixel: 1, at: [0, 0] }; // zoom that the view approaches, and the point on the screen that stays
    this.speed = [0, 0];
    this.pointers = new Map();
    this.keys = new Set();
    this.listen();
  }

  get size() {
    return [this.element.clientWidth, this.element.clientHeight];
  }

  /** West, north, east, south in lattice steps. */
  bounds() {
    const [w, h] = this.size.map((n) => (n / 2) * this.pixel);
    return [this.x - w, this.z - h, this.x + w, this.z + h];
  }

  /** Place below a point on the screen. */
  place(px, py) {
    const [w, h] = this.size;
    return [this.x + (px - w / 2) * this.pixel, this.z + (py - h / 2) * this.pixel];
  }

  /** Go to a place at once. pixel: lattice steps */
  go(x, z, pixel) {
    Object.assign(this, { x, z, pixel: this.limit(pixel) });
    this.target = { pixel: this.pixel, at: [0, 0] };
    this.speed = [0, 0];
    this.onChange();
  }

  limit(pixel) {
    return Math.min(Math.max(pixel, this.least), this.most);
  }

  zoom(factor, px, py) {
    const [w, h] = this.size;
    this.target = { pixel: this.limit(this.target.pixel * factor), at: [px - w / 2, py - h / 2] };
    this.onChange();
  }

  move(dx, dy) {
    this.x -= dx * this.pixel;
    this.z -= dy * this.pixel;
    this.onChange();
  }

  setPixel(pixel, at) {
    this.x += at[0] * (this.pixel - pixel);
    this.z += at[1] * (this.pixel - pixel);
    this.pixel = pixel;
  }

  /** Continue the motion. Returns whether the view still moves. */
  advance(elapsed) {
    const ratio = this.target.pixel / this.pixel, isZooming = Math.abs(Math.log(ratio)) > 1e-4;
    if (isZooming) this.setPixel(this.pixel * ratio ** (1 - Math.exp(-elapsed / ZOOM_MS)), this.target.at);
    else this.setPixel(this.target.pixel, this.target.at);
    const fast = Math.hypot(...this.speed) > 0.01 && this.pointers.size === 0;
    if (fast) {
      this.move(this.speed[0] * elapsed, this.speed[1] * elapsed);
      this.speed = this.speed.map((s) => s * Math.exp(-elapsed / COAST_MS));
    }
    const held = (a, b) => (this.keys.has(a) ? 1 : 0) - (this.keys.has(b) ? 1 : 0);
    const dx = held("ArrowLeft", "ArrowRight"), dy = held("ArrowUp", "ArrowDown"), near = held("-", "+");
    if (dx || dy) this.move(dx * elapsed * 0.7, dy * elapsed * 0.7);
    if (near) this.zoom(Math.exp(near * elapsed / 450), ...this.size.map((n) => n / 2));
    return isZooming || fast || dx !== 0 || dy !== 0 || near !== 0;
  }

  listen() {
    const element = this.element;
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 24 : 1, slow = event.ctrlKey ? 6 : 1; // a pinch on a trackpad has ctrlKey
      const amount = Math.min(Math.max(event.deltaY * lines * slow, -240), 240);
      this.zoom(Math.exp(amount / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    element.addEventListener("dblclick", (event) => this.zoom(event.shiftKey ? 2 : 0.5, event.offsetX, event.offsetY));
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => this.release(event));
    addEventListener("keydown", (event) => this.key(event, true));
    addEventListener("keyup", (event) => this.key(event, false));
    addEventListener("blur", () => this.keys.clear());
  }

  key(event, isDown) {
    const key = event.key === "=" ? "+" : event.key === "_" ? "-" : event.key;
    const isTyping = /^(INPUT|SELECT)$/.test(event.target.tagName) && event.target.type !== "radio";
    if (!/^(Arrow.*|\+|-)$/.test(key) || (isDown && (isTyping || event.ctrlKey || event.metaKey))) return;
    if (isDown) {
      event.preventDefault();
      this.keys.add(key);
      this.onChange();
    } else this.keys.delete(key);
  }

  press(event) {
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.speed = [0, 0];
    this.target = { pixel: this.pixel, at: [0, 0] };
    this.last = event.timeStamp;
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId), now = [event.offsetX, event.offsetY];
    if (!before) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (others.length === 0) {
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]], elapsed = Math.max(event.timeStamp - this.last, 1);
      this.speed = [dx, dy].map((d, n) => 0.7 * (d / elapsed) + 0.3 * this.speed[n]);
      this.last = event.timeStamp;
      this.move(dx, dy);
    } else this.pinch(before, now, others[0]);
    this.pointers.set(event.pointerId, now);
  }

  /** Two fingers: the places below them stay below them. */
  pinch(before, now, other) {
    const [w, h] = this.size, length = (a) => Math.max(Math.hypot(a[0] - other[0], a[1] - other[1]), 1);
    const middle = (a) => [(a[0] + other[0]) / 2, (a[1] + other[1]) / 2], from = middle(before), to = middle(now);
    this.move(to[0] - from[0], to[1] - from[1]);
    this.setPixel(this.limit((this.pixel * length(before)) / length(now)), [to[0] - w / 2, to[1] - h / 2]);
    this.target = { pixel: this.pixel, at: [0, 0] };
    this.speed = [0, 0];
  }

  release(event) {
    this.pointers.delete(event.pointerId);
    if (event.timeStamp - this.last > 60) this.speed = [0, 0];
  }
}
