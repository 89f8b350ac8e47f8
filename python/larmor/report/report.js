// Behaviour of the page: zoom, readout, legends, full screen, downloads and copies. The description of each picture
// is JSON that larmor/report/vector_picture.py writes. Places are in points, the unit of the pictures.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const NARROW = window.matchMedia("(max-width: 640px)");
const LEAST_ZOOM = 0.5, MOST_ZOOM = 5000;
const REACH = 36; // Pixels between the cursor and the point of a curve that is read out.

const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
const make = (name, attributes = {}, text = "") => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};

// ---- numbers ----

const superscript = number => String(number).replace(/./g, sign => "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign] ?? "⁻");

function plainNumber(value, digits = 6) {
  if (value === null || !Number.isFinite(value)) return "unknown";
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4)) {
    const [front, power] = value.toExponential(digits - 1).split("e");
    return `${String(Number(front)).replace("-", "−")}×10${superscript(Number(power))}`;
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

// "1.443(2)": the error of the last digits in brackets.
function withError(value, error) {
  if (!error || !Number.isFinite(error) || value === null) return plainNumber(value);
  const digits = 1 - Math.floor(Math.log10(Number(error.toPrecision(2))));
  if (digits < 0 || digits > 12) return `${plainNumber(value)} ± ${plainNumber(error, 2)}`;
  return `${value.toFixed(digits).replace("-", "−")}(${Math.round(error * 10 ** digits)})`;
}

// Name and unit of an axis label: "Energy E (meV per site)".
function nameAndUnit(label) {
  const parts = /^(.*?)\s*\(([^()]*)\)$/.exec(label);
  return parts ? [parts[1], parts[2]] : [label, ""];
}

function quantity(label, fallback, text) {
  const [name, unit] = nameAndUnit(label || fallback);
  return `${name} = ${text}${unit ? " " + unit : ""}`;
}

// ---- axes: from fractions of their box to data and back ----

class Scale {
  constructor({scale, limits, samples}) {
    Object.assign(this, {scale, limits, samples});
  }
  value(fraction) {
    const [a, b] = this.limits;
    if (this.scale === "linear") return a + (b - a) * fraction;
    if (this.scale === "log") return Math.exp(Math.log(a) + (Math.log(b) - Math.log(a)) * fraction);
    const place = clamp(fraction, 0, 1) * (this.samples.length - 1), low = Math.min(Math.floor(place), this.samples.length - 2);
    return this.samples[low] + (place - low) * (this.samples[low + 1] - this.samples[low]);
  }
  fraction(value) {
    const [a, b] = this.limits;
    if (value === null) return NaN;
    if (this.scale === "linear") return (value - a) / (b - a);
    if (this.scale === "log") return value > 0 ? Math.log(value / a) / Math.log(b / a) : NaN;
    let low = 0, high = this.samples.length - 1;
    const rises = this.samples[high] > this.samples[0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.samples[middle] <= value === rises) low = middle; else high = middle;
    }
    return (low + (value - this.samples[low]) / (this.samples[high] - this.samples[low])) / (this.samples.length - 1);
  }
}

function linearTicks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(factor => factor * power >= rough * 0.999);
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) ticks.push(n * step);
  const digits = clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 15);
  const far = Math.max(Math.abs(low), Math.abs(high));
  const text = value => far >= 1e6 || (far < 1e-3 && far > 0)
    ? plainNumber(value, clamp(Math.ceil(Math.log10(far / step)) + 1, 1, 12))
    : (Math.abs(value) < step / 2 ? 0 : value).toFixed(digits).replace("-", "−");
  const minor = [];
  for (let n = Math.ceil(low / step * 5 - 1e-9); n * step / 5 <= high; n++) if (n % 5) minor.push(n * step / 5);
  return {ticks, text, minor};
}

function logTicks(low, high, count) {
  const first = Math.log10(low), last = Math.log10(high);
  if (last - first < 1.3) return linearTicks(low, high, count);
  const every = Math.max(1, Math.ceil((last - first) / count)), ticks = [], minor = [];
  for (let k = Math.floor(first); k <= last; k++) {
    if (k >= first - 1e-9 && k % every === 0) ticks.push(10 ** k);
    if (every === 1) for (let n = 2; n < 10; n++) if (n * 10 ** k >= low && n * 10 ** k <= high) minor.push(n * 10 ** k);
  }
  return {ticks, text: value => `10${superscript(Math.round(Math.log10(value)))}`, minor};
}

// ---- one pair of axes ----

const NUMBER = /-?\d*\.?\d+(?:e[-+]?\d+)?/gi;

class Axes {
  constructor(picture, place) {
    Object.assign(this, place);
    this.picture = picture;
    this.group = document.getElementById(place.id);
    this.scales = {x: new Scale(place.x), y: new Scale(place.y)};
    this.reset();
    this.prepared = false;
    this.giveBack();
  }
  reset() {
    this.k = [1, 1];
    this.t = [0, 0];
  }
  get isZoomed() {
    return this.k.some(k => Math.abs(k - 1) > 1e-9) || this.t.some(t => Math.abs(t) > 1e-9);
  }
  // Fractions of the box, from its left and upper ends, as the picture was drawn and as they are shown.
  shown(fraction, axis) { return this.k[axis] * fraction + this.t[axis]; }
  drawn(fraction, axis) { return (fraction - this.t[axis]) / this.k[axis]; }
  contains(x, y) {
    const [left, top, width, height] = this.box;
    return x >= left && x <= left + width && y >= top && y <= top + height;
  }
  // Data at a shown place in points.
  valueAt(x, y) {
    const [left, top, width, height] = this.box;
    return [this.scales.x.value(this.drawn((x - left) / width, 0)), this.scales.y.value(1 - this.drawn((y - top) / height, 1))];
  }
  placeOf(x, y) {
    const [left, top, width, height] = this.box;
    return [left + width * this.shown(this.scales.x.fraction(x), 0), top + height * this.shown(1 - this.scales.y.fraction(y), 1)];
  }
  zoom(factor, x, y, only = null) {
    const [left, top, width, height] = this.box;
    [(x - left) / width, (y - top) / height].forEach((place, axis) => {
      if (only !== null && only !== axis && !this.square) return;
      const k = clamp(this.k[axis] * factor, LEAST_ZOOM, MOST_ZOOM), f = k / this.k[axis];
      this.t[axis] = place - f * (place - this.t[axis]);
      this.k[axis] = k;
    });
  }
  pan(dx, dy) {
    this.t[0] += dx / this.box[2];
    this.t[1] += dy / this.box[3];
  }
  // Collects the elements that move, and clips them to the box.
  prepare() {
    if (this.prepared) return;
    this.prepared = true;
    const clip = `${this.id}-box`, [x, y, width, height] = this.box;
    const path = make("clipPath", {id: clip});
    path.append(make("rect", {x, y, width, height}));
    this.group.append(path);
    this.paths = [];
    this.uses = [];
    const shapes = new Set(this.shapes), movable = this.data.filter(id => !(id in this.texts));
    for (const id of movable) {
      const element = document.getElementById(id);
      if (!element) continue;
      if (shapes.has(id)) this.flatten(element);
      element.querySelectorAll("[clip-path]").forEach(part => part.removeAttribute("clip-path"));
      element.removeAttribute("clip-path");
      element.setAttribute("clip-path", `url(#${clip})`);
      const held = this.held[id] ?? [false, false];
      for (const part of element.querySelectorAll("path")) {
        if (!part.closest("defs")) this.paths.push({...this.parsed(part), held});
      }
      for (const part of element.querySelectorAll("use")) {
        this.uses.push({part, held, x: Number(part.getAttribute("x")), y: Number(part.getAttribute("y"))});
      }
    }
    this.images = [...this.group.querySelectorAll("image")].map(part => {
      const frame = make("g", {"clip-path": `url(#${clip})`}), mover = make("g");
      part.closest("[clip-path]")?.removeAttribute("clip-path");
      part.replaceWith(frame);
      frame.append(mover);
      mover.append(part);
      return mover;
    });
    this.axisGroups = ["x", "y"].map(axis => [...this.group.querySelectorAll(`[id^="${this.picture.prefix}-${axis}tick_"]`)]
      .map(group => ({group, place: this.tickPlace(group, axis)})));
  }
  // Copies of shapes in place of references to them, since their outlines change.
  flatten(element) {
    for (const use of [...element.querySelectorAll("use")]) {
      const source = document.getElementById(use.getAttribute("xlink:href").slice(1));
      const dx = Number(use.getAttribute("x")), dy = Number(use.getAttribute("y"));
      let isX = false;
      const d = (source.getAttribute("d") ?? "").replace(NUMBER, text => String(Number(text) + ((isX = !isX) ? dx : dy)));
      const style = [source.getAttribute("style"), use.getAttribute("style")].filter(Boolean).join("; ");
      use.replaceWith(make("path", {d, style}));
    }
  }
  parsed(part) {
    // The bar of an unknown error has no outline.
    const d = part.getAttribute("d") ?? "";
    return {part, words: d.split(NUMBER), numbers: (d.match(NUMBER) ?? []).map(Number)};
  }
  tickPlace(group, axis) {
    // The letters of labels are references too.
    const use = group.querySelector('[id*="line2d"] use');
    if (use) return Number(use.getAttribute(axis));
    const box = group.getBBox();
    return axis === "x" ? box.x + box.width / 2 : box.y + box.height / 2;
  }
  // Copies the numbers and the name of an axis from other axes of the same column (axis 0) or row (axis 1), because the
  // picture shows them only once. Returns the room that they need, in points; 0: none are missing.
  borrow(axis) {
    const name = "xy"[axis], hasNumbers = axes => axes[name].labels.some(Boolean);
    const isAligned = other => [axis, axis + 2].every(n => Math.abs(other.box[n] - this.box[n]) < 1);
    const lender = this["with" + name].map(number => this.picture.axes[number])
      .find(other => other.group && !other.bar && hasNumbers(other) && isAligned(other));
    const panel = this.picture.panelOf(lender);
    if (this.bar || !this.group || hasNumbers(this) || !panel || panel === this.picture.panelOf(this)) return 0;
    const shift = axis ? [this.box[0] - lender.box[0], 0] : [0, this.box[1] + this.box[3] - lender.box[1] - lender.box[3]];
    const take = element => {
      const group = make("g", {class: "borrowed", transform: `translate(${shift.join(" ")})`}), copy = element.cloneNode(true);
      copy.querySelectorAll("defs").forEach(part => part.remove());
      [copy, ...copy.querySelectorAll("[id]")].forEach(part => part.removeAttribute("id"));
      copy.removeAttribute("transform");
      copy.style.visibility = copy.style.display = "";
      group.append(copy);
      this.group.append(group);
      return group;
    };
    for (const tick of lender.group.querySelectorAll(`[id^="${this.picture.prefix}-${name}tick_"]`)) {
      const place = this.tickPlace(tick, name);
      for (const text of tick.querySelectorAll('[id*="-text_"]')) this.borrowed[axis].push({group: take(text), place, shift});
    }
    for (const part of ["label", "offset"]) {
      const element = document.getElementById(`${lender.id}-${name}${part}`);
      if (element && !document.getElementById(`${this.id}-${name}${part}`)?.childElementCount) this.taken.push(take(element));
    }
    return axis ? lender.box[0] - panel.box[0] : panel.box[1] + panel.box[3] - lender.box[1] - lender.box[3];
  }
  giveBack() {
    for (const part of [...(this.borrowed ?? []).flat().map(({group}) => group), ...(this.taken ?? [])]) part.remove();
    this.borrowed = [[], []];
    this.taken = [];
  }
  draw() {
    if (!this.prepared && !this.isZoomed) return;
    this.prepare();
    const [left, top, width, height] = this.box, [kx, ky] = this.k;
    const cx = left * (1 - kx) + width * this.t[0], cy = top * (1 - ky) + height * this.t[1];
    const short = number => Math.round(number * 100) / 100;
    const moved = held => [held[0] ? x => x : x => short(kx * x + cx), held[1] ? y => y : y => short(ky * y + cy)];
    for (const {part, words, numbers, held} of this.paths) {
      const [x, y] = moved(held);
      let d = words[0];
      for (let n = 0; n < numbers.length; n++) d += (n % 2 ? y : x)(numbers[n]) + words[n + 1];
      part.setAttribute("d", d);
    }
    for (const {part, x, y, held} of this.uses) {
      const [toX, toY] = moved(held);
      part.setAttribute("x", toX(x));
      part.setAttribute("y", toY(y));
    }
    for (const id of this.secondary) document.getElementById(id)?.style.setProperty("display", this.isZoomed ? "none" : "");
    for (const mover of this.images) mover.setAttribute("transform", `matrix(${kx} 0 0 ${ky} ${cx} ${cy})`);
    for (const [id, [x, y]] of Object.entries(this.texts)) {
      const element = document.getElementById(id), to = [kx * x + cx, ky * y + cy];
      if (!element) continue;
      element.setAttribute("transform", `translate(${short(to[0] - x)} ${short(to[1] - y)})`);
      const wasInside = this.contains(x, y);
      element.style.visibility = !wasInside || this.contains(...to) || !this.isZoomed ? "" : "hidden";
    }
    this.drawTicks();
  }
  drawTicks() {
    this.ticks?.remove();
    this.ticks = make("g", {class: "ticks"});
    this.group.append(this.ticks);
    ["x", "y"].forEach((name, axis) => {
      const isMoved = Math.abs(this.k[axis] - 1) > 1e-9 || Math.abs(this.t[axis]) > 1e-9, settings = this[name];
      const offset = document.getElementById(`${this.id}-${name}offset`);
      if (offset) offset.style.display = isMoved && settings.numbers ? "none" : "";
      for (const {group, place, shift = [0, 0]} of [...this.axisGroups[axis], ...this.borrowed[axis]]) {
        const begin = this.box[axis], length = this.box[axis + 2];
        const moved = begin + length * this.shown((place - begin) / length, axis);
        const isInside = moved >= begin - 0.1 && moved <= begin + length + 0.1;
        group.style.display = isMoved && (settings.numbers || !isInside) ? "none" : "";
        const to = axis ? [shift[0], moved - place] : [moved - place, shift[1]];
        group.setAttribute("transform", `translate(${to.join(" ")})`);
      }
      if (isMoved && settings.numbers) this.drawNumbers(name, axis, settings);
      this.moveLabel(name, axis);
    });
  }
  // New numbers may be wider than those of the picture, so the label of the axis makes room.
  moveLabel(name, axis) {
    const label = document.getElementById(`${this.id}-${name}label`);
    if (!axis || !label) return;
    label.removeAttribute("transform");
    label.style.visibility = "";
    const texts = [...this.ticks.querySelectorAll('[text-anchor="end"]')].map(text => text.getBBox().x);
    const box = label.getBBox(), over = box.x + box.width + 3 - Math.min(...texts);
    if (!texts.length || box.x > this.box[0] || over <= 0) return;
    label.setAttribute("transform", `translate(${-over} 0)`);
    // A label without room would be cut.
    if (box.x - over < label.ownerSVGElement.viewBox.baseVal.x - 3) label.style.visibility = "hidden";
  }
  drawNumbers(name, axis, settings) {
    const [left, top, width, height] = this.box, scale = this.scales[name];
    const ends = [this.drawn(0, axis), this.drawn(1, axis)].map(place => scale.value(axis ? 1 - place : place));
    const low = Math.min(...ends), high = Math.max(...ends), room = axis ? height / 28 : width / 50;
    const {ticks, text, minor} = (scale.scale === "log" ? logTicks : linearTicks)(low, high, clamp(Math.floor(room), 2, 8));
    const place = value => this.shown(axis ? 1 - scale.fraction(value) : scale.fraction(value), axis) * (axis ? height : width);
    const line = (at, length, far) => {
      const x = axis ? (far ? left + width : left) : left + at, y = axis ? top + at : (far ? top : top + height);
      const [dx, dy] = axis ? [far ? -length : length, 0] : [0, far ? length : -length];
      this.ticks.append(make("path", {d: `M${x} ${y}l${dx} ${dy}`, class: "tick"}));
    };
    for (const far of [false, true]) {
      if (!settings.ticks[Number(far)]) continue;
      for (const value of ticks) line(place(value), 3.5, far);
      for (const value of minor) line(place(value), 2, far);
    }
    for (const far of [false, true]) {
      if (!settings.labels[Number(far)] && (far || !this.borrowed[axis].length)) continue;
      for (const value of ticks) {
        const at = place(value), size = settings.size;
        const spot = axis ? {x: far ? left + width + 4 : left - 4, y: top + at + 0.36 * size, "text-anchor": far ? "start" : "end"}
          : {x: left + at, y: far ? top - 4 : top + height + 4 + 0.8 * size, "text-anchor": "middle"};
        this.ticks.append(make("text", {...spot, "font-size": size, class: "tick-label"}, text(value)));
      }
    }
  }
  // The nearest point of a visible curve: {curve, index, place, distance}, or null.
  nearest(x, y, reach, hidden) {
    let best = null, least = reach * reach;
    for (const curve of this.curves) {
      if (hidden.has(curve.id)) continue;
      for (let index = 0; index < curve.x.length; index++) {
        const place = this.placeOf(curve.x[index], curve.y[index]);
        const distance = (place[0] - x) ** 2 + (place[1] - y) ** 2;
        if (distance < least && this.contains(...place)) {
          least = distance;
          best = {axes: this, curve, index, place, distance};
        }
      }
    }
    return best;
  }
  // Value of a map under a place, as text; empty: there is none.
  mapAt(x, y) {
    const [at, up] = this.valueAt(x, y);
    for (const map of this.maps) {
      const cell = (edges, value) => {
        const rises = edges[edges.length - 1] > edges[0];
        return edges.findIndex((edge, n) => n + 1 < edges.length && (rises ? edge <= value && value < edges[n + 1] : edge >= value && value > edges[n + 1]));
      };
      const column = cell(map.x, at), row = cell(map.y, up);
      if (column >= 0 && row >= 0) return quantity(map.label, "Value", plainNumber(map.values[row][column], 4));
    }
    return "";
  }
}

// ---- one picture ----

class Picture {
  constructor(figure) {
    Object.assign(this, JSON.parse(figure.querySelector("script").textContent));
    this.figure = figure;
    this.frame = figure.querySelector(".frame");
    this.svg = this.frame.querySelector("svg");
    this.bubble = figure.querySelector(".bubble");
    this.readout = figure.querySelector(".readout");
    this.whole = this.svg.getAttribute("viewBox");
    this.widest = this.svg.style.maxWidth;
    this.parts = [];
    this.hidden = new Set();
    this.pointers = new Map();
    const curves = this.axes.flatMap(axes => axes.curves);
    for (const curve of curves) if (typeof curve.x === "number") curve.x = curves[curve.x].x;
    // A legend may have words of its own for a curve.
    for (const curve of curves) curve.label = this.legends.find(entry => entry.targets.includes(curve.id))?.label ?? curve.label;
    this.axes = this.axes.map(place => new Axes(this, place));
    this.axes.forEach(axes => { if (!axes.x.label) axes.x = {...axes.x, label: this.sharedLabel(axes, "x")}; });
    this.axes.forEach(axes => { if (!axes.y.label) axes.y = {...axes.y, label: this.sharedLabel(axes, "y")}; });
    this.zoomable = this.axes.filter(axes => axes.movable && axes.group);
    this.active = this.zoomable[0] ?? null;
    this.mark = make("circle", {class: "mark", r: 4.5});
    this.addLegends();
    this.addEvents();
    this.layOut();
    NARROW.addEventListener("change", () => this.layOut());
  }
  sharedLabel(axes, name) {
    return axes["with" + name].map(number => this.axes[number][name].label).find(Boolean) ?? "";
  }

  // On a narrow page, one part of the picture stands below the other.
  layOut() {
    const apart = NARROW.matches && this.panels.length > 1 && !this.figure.classList.contains("full");
    for (const part of this.parts) {
      this.svg.querySelector("g").append(...part.querySelector("g").children);
      part.remove();
    }
    this.parts = [];
    this.axes.forEach(axes => axes.giveBack());
    this.svg.setAttribute("viewBox", this.whole);
    this.svg.style.maxWidth = this.widest;
    if (apart) this.takeApart();
    this.draw();
  }
  takeApart() {
    this.panels.forEach((panel, number) => {
      let svg = this.svg;
      if (number > 0) {
        svg = make("svg", {class: "part"});
        svg.append(make("g"));
        svg.querySelector("g").append(...panel.parts.map(id => document.getElementById(id)).filter(Boolean));
        this.frame.insertBefore(svg, this.bubble);
        this.parts.push(svg);
      }
      const box = this.boxWithLabels(panel), [, , width, height] = box;
      svg.setAttribute("viewBox", box.join(" "));
      const isSmall = !panel.parts.some(id => this.zoomable.some(axes => axes.id === id));
      svg.classList.toggle("small", isSmall && number > 0);
      svg.style.width = isSmall && number > 0 ? `${Math.min(width, 130 * width / height)}px` : "";
      svg.style.maxWidth = `${1.35 * width}px`;
    });
  }

  panelOf(axes) {
    return this.panels.find(panel => panel.parts.includes(axes?.id));
  }
  // The box of a panel, with room for the labels that its axes borrow.
  boxWithLabels(panel) {
    let [left, top, width, height] = panel.box;
    for (const axes of this.axes.filter(axes => panel.parts.includes(axes.id))) {
      const below = axes.borrow(0), beside = axes.borrow(1);
      if (below) height = Math.max(height, axes.box[1] + axes.box[3] + below - top);
      if (beside && axes.box[0] - beside < left) [left, width] = [axes.box[0] - beside, width + left - axes.box[0] + beside];
    }
    return [left, top, width, height];
  }

  addLegends() {
    for (const entry of this.legends) {
      const text = document.getElementById(entry.text);
      const targets = entry.targets.filter(id => document.getElementById(id));
      if (!text || !targets.length) continue;
      const box = text.getBBox(), air = 3;
      const hit = make("rect", {
        x: box.x - entry.handle - 10, y: box.y - air, width: box.width + entry.handle + 13, height: box.height + 2 * air,
        class: "hit", tabindex: 0, role: "button", "aria-pressed": "true", "aria-label": `Curve ${entry.label}`,
      });
      hit.append(make("title", {}, `Hide or show ${entry.label}`));
      const toggle = event => {
        event.preventDefault();
        event.stopPropagation();
        const hide = hit.getAttribute("aria-pressed") === "true";
        hit.setAttribute("aria-pressed", String(!hide));
        text.style.opacity = hide ? 0.35 : "";
        for (const id of targets) {
          document.getElementById(id).style.display = hide ? "none" : "";
          this.hidden[hide ? "add" : "delete"](id);
        }
        this.quiet();
      };
      hit.addEventListener("click", toggle);
      hit.addEventListener("dblclick", event => event.stopPropagation());
      hit.addEventListener("pointerdown", event => event.stopPropagation());
      hit.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") toggle(event); });
      text.parentNode.append(hit);
    }
  }

  addEvents() {
    const frame = this.frame;
    frame.addEventListener("wheel", event => this.wheel(event), {passive: false});
    frame.addEventListener("pointerdown", event => this.press(event));
    frame.addEventListener("pointermove", event => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, event => this.release(event));
    frame.addEventListener("pointerleave", event => { if (event.pointerType === "mouse" && !this.pointers.size) this.quiet(); });
    frame.addEventListener("dblclick", () => this.reset());
    frame.addEventListener("keydown", event => this.key(event));
    this.figure.querySelector(".tools").addEventListener("click", event => {
      const action = event.target.closest("button")?.dataset.action;
      if (action) this[action]();
    });
    document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) this.leaveFull(); });
  }

  // Place of an event in points of the figure.
  place(event) {
    const svg = event.target.closest?.("svg") ?? this.svg;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return {x: at.x, y: at.y, size: svg.getScreenCTM().a || 1, svg};
  }
  axesAt({x, y, svg}) {
    return this.zoomable.find(axes => axes.contains(x, y) && svg.contains(axes.group)) ?? null;
  }
  // The axes whose numbers a place is at, and the axis: [axes, 0 for x or 1 for y].
  axisAt({x, y, svg}) {
    for (const axes of this.zoomable.filter(axes => svg.contains(axes.group))) {
      const [left, top, width, height] = axes.box;
      if (x >= left && x <= left + width && y > top + height && y < top + height + 32) return [axes, 0];
      if (y >= top && y <= top + height && x < left && x > left - 48) return [axes, 1];
    }
    return [null, null];
  }

  // All axes that move with one: those at the same place, and those that share an axis.
  follow(leader, change) {
    change(leader);
    for (const axes of this.zoomable) {
      if (axes === leader) continue;
      const isTwin = axes.box.every((number, n) => Math.abs(number - leader.box[n]) < 0.5);
      ["x", "y"].forEach((name, axis) => {
        if (isTwin || leader["with" + name].includes(this.axes.indexOf(axes))) {
          axes.k[axis] = leader.k[axis];
          axes.t[axis] = leader.t[axis];
        }
      });
    }
    this.active = leader;
    this.draw();
  }
  draw() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.axes.forEach(axes => axes.movable && axes.group && axes.draw());
      this.figure.classList.toggle("zoomed", this.zoomable.some(axes => axes.isZoomed));
    });
  }
  reset() {
    this.zoomable.forEach(axes => axes.reset());
    this.quiet();
    this.draw();
  }
  zoomBy(factor) {
    if (!this.active) return;
    const [left, top, width, height] = this.active.box;
    this.follow(this.active, axes => axes.zoom(factor, left + width / 2, top + height / 2));
  }
  zoomIn() { this.zoomBy(1.5); }
  zoomOut() { this.zoomBy(1 / 1.5); }

  // The wheel scrolls the page until the picture is chosen by a click or a key.
  wheel(event) {
    const isChosen = this.frame.contains(document.activeElement) || this.figure.classList.contains("full");
    if (!event.ctrlKey && !event.metaKey && !isChosen) {
      if (this.axesAt(this.place(event))) this.say("Click the picture, or hold Ctrl, to zoom with the wheel");
      return;
    }
    const place = this.place(event), inside = this.axesAt(place), [beside, axis] = inside ? [inside, null] : this.axisAt(place);
    if (!beside) return;
    event.preventDefault();
    const step = event.deltaMode === 1 ? 30 * event.deltaY : event.deltaY;
    this.follow(beside, axes => axes.zoom(Math.exp(-clamp(step, -120, 120) * 0.0025), place.x, place.y, axis));
  }
  press(event) {
    const place = this.place(event), axes = this.axesAt(place);
    this.frame.focus({preventScroll: true});
    if (!axes) return;
    this.pointers.set(event.pointerId, {...place, axes});
    this.active = axes;
    // A finger on a picture that is not zoomed scrolls the page.
    if (event.pointerType === "mouse" || this.pointers.size > 1 || this.figure.classList.contains("zoomed")) {
      this.frame.setPointerCapture(event.pointerId);
    }
    if (event.pointerType !== "mouse") this.read(place);
  }
  move(event) {
    const old = this.pointers.get(event.pointerId);
    if (!old) {
      if (event.pointerType === "mouse") this.read(this.place(event));
      return;
    }
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(old.svg.getScreenCTM().inverse());
    const now = {...old, x: at.x, y: at.y}, others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const other = others[0][1];
      const distance = place => Math.max(8, Math.hypot(place.x - other.x, place.y - other.y));
      this.follow(old.axes, axes => {
        axes.zoom(distance(now) / distance(old), (now.x + other.x) / 2, (now.y + other.y) / 2);
        axes.pan((now.x - old.x) / 2, (now.y - old.y) / 2);
      });
      this.quiet();
    } else if (event.pointerType === "mouse" || this.figure.classList.contains("zoomed")) {
      this.follow(old.axes, axes => axes.pan(now.x - old.x, now.y - old.y));
      this.quiet();
    } else {
      this.read(now);
    }
    this.pointers.set(event.pointerId, now);
  }
  release(event) {
    this.pointers.delete(event.pointerId);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const width = this.active?.box[2] ?? 0, height = this.active?.box[3] ?? 0;
    const pan = (dx, dy) => this.active && this.follow(this.active, axes => axes.pan(dx, dy));
    const actions = {
      ArrowLeft: () => pan(0.1 * width, 0), ArrowRight: () => pan(-0.1 * width, 0),
      ArrowUp: () => pan(0, 0.1 * height), ArrowDown: () => pan(0, -0.1 * height),
      "+": () => this.zoomIn(), "=": () => this.zoomIn(), "-": () => this.zoomOut(), 0: () => this.reset(),
      f: () => this.full(), n: () => this.step(1, 0), p: () => this.step(-1, 0), c: () => this.step(0, 1),
      Escape: () => this.figure.classList.contains("full") ? this.full() : this.frame.blur(),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }
  // Goes to the next point of a curve, or to the next curve, and reads it out.
  step(points, curves) {
    const all = this.zoomable.flatMap(axes => axes.curves.filter(curve => curve.x.length && !this.hidden.has(curve.id))
      .map(curve => ({axes, curve})));
    if (!all.length) return this.say("This picture has no curves");
    const now = Math.max(0, all.findIndex(({curve}) => curve === this.current?.curve));
    const {axes, curve} = all[(now + curves) % all.length];
    const from = this.current && !curves ? this.current.index + points : 0;
    const index = clamp(from, 0, curve.x.length - 1);
    this.active = axes;
    this.tell({axes, curve, index, place: axes.placeOf(curve.x[index], curve.y[index])});
    this.say(this.words(this.current).join(", "));
  }

  read(place) {
    const axes = this.axesAt(place);
    if (!axes) return this.quiet();
    const twins = this.zoomable.filter(other => other.contains(place.x, place.y) && place.svg.contains(other.group));
    const found = twins.map(other => other.nearest(place.x, place.y, REACH / place.size, this.hidden)).filter(Boolean)
      .sort((a, b) => a.distance - b.distance)[0];
    const [x, y] = axes.valueAt(place.x, place.y), map = axes.mapAt(place.x, place.y);
    this.say([quantity(axes.x.label, "x", plainNumber(x, 4)), quantity(axes.y.label, "y", plainNumber(y, 4)), map]
      .filter(Boolean).join("; "));
    if (found) this.tell(found);
    else if (map) this.show([map], [place.x, place.y], place.svg);
    else this.hideBubble();
  }
  words({axes, curve, index}) {
    return [
      curve.label,
      quantity(axes.x.label, "x", withError(curve.x[index], curve.ex?.[index])),
      quantity(axes.y.label, "y", withError(curve.y[index], curve.ey?.[index])),
    ].filter(Boolean);
  }
  tell(found) {
    this.current = found;
    const {axes, place} = found, svg = axes.group.ownerSVGElement;
    this.mark.setAttribute("cx", place[0]);
    this.mark.setAttribute("cy", place[1]);
    svg.append(this.mark);
    this.show(this.words(found), place, svg, Boolean(found.curve.label));
  }
  show(lines, place, svg, hasName = false) {
    this.bubble.replaceChildren(...lines.map((line, n) => {
      const element = document.createElement(n === 0 && hasName ? "b" : "span");
      element.textContent = line;
      return element;
    }));
    this.bubble.hidden = false;
    const at = new DOMPoint(...place).matrixTransform(svg.getScreenCTM()), frame = this.frame.getBoundingClientRect();
    const width = this.bubble.offsetWidth, height = this.bubble.offsetHeight;
    const left = at.x - frame.left + 14 + width > frame.width ? at.x - frame.left - width - 14 : at.x - frame.left + 14;
    this.bubble.style.left = `${clamp(left, 2, Math.max(2, frame.width - width - 2))}px`;
    this.bubble.style.top = `${clamp(at.y - frame.top - height - 10, 2, Math.max(2, frame.height - height - 2))}px`;
  }
  hideBubble() {
    this.bubble.hidden = true;
    this.mark.remove();
  }
  quiet() {
    this.hideBubble();
    this.say("");
  }
  say(text) {
    this.readout.textContent = text || "\u00a0";
  }

  full() {
    if (this.figure.classList.contains("full")) {
      if (document.fullscreenElement) document.exitFullscreen();
      this.leaveFull();
    } else {
      this.figure.classList.add("full");
      document.documentElement.classList.add("has-full");
      this.figure.requestFullscreen?.().catch(() => {});
      this.layOut();
      this.frame.focus();
    }
  }
  leaveFull() {
    if (!this.figure.classList.contains("full")) return;
    this.figure.classList.remove("full");
    document.documentElement.classList.remove("has-full");
    this.layOut();
  }

  // ---- downloads ----
  source() {
    this.hideBubble();
    const parts = this.parts.length;
    for (const part of this.parts) this.svg.querySelector("g").append(...part.querySelector("g").children);
    const copy = this.svg.cloneNode(true);
    copy.setAttribute("viewBox", this.whole);
    copy.setAttribute("width", `${this.width}pt`);
    copy.setAttribute("height", `${this.height}pt`);
    copy.removeAttribute("style");
    copy.querySelectorAll(".hit, .borrowed").forEach(part => part.remove());
    copy.prepend(make("style", {}, "*{stroke-linejoin:round;stroke-linecap:butt}.tick{stroke:#222;stroke-width:.8}" +
      ".tick-label{font-family:sans-serif;fill:#222}"));
    if (parts) this.layOut();
    return new XMLSerializer().serializeToString(copy);
  }
  saveSvg() { save(`${this.name}.svg`, new Blob([this.source()], {type: "image/svg+xml"})); }
  savePng() {
    const image = new Image(), scale = 4;
    const address = URL.createObjectURL(new Blob([this.source()], {type: "image/svg+xml"}));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = scale * this.width;
      canvas.height = scale * this.height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(address);
      canvas.toBlob(blob => save(`${this.name}.png`, blob), "image/png");
    };
    image.src = address;
  }
  // A row for each point of each curve.
  table() {
    const rows = [["axes", "curve", "x", "x_error", "y", "y_error", "x_label", "y_label"]];
    this.axes.forEach((axes, number) => axes.curves.forEach((curve, n) => curve.x.forEach((x, index) => rows.push([
      number + 1, curve.label || `curve ${n + 1}`, x ?? "", curve.ex?.[index] ?? "", curve.y[index] ?? "",
      curve.ey?.[index] ?? "", axes.x.label, axes.y.label]))));
    return rows;
  }
  saveCsv() { save(`${this.name}.csv`, new Blob([joined(this.table(), ",")], {type: "text/csv"})); }
}

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function joined(rows, separator) {
  const field = text => separator === "," && /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text.replace(/[\t\n]/g, " ");
  return rows.map(row => row.map(entry => field(String(entry))).join(separator)).join("\n") + "\n";
}

// ---- tables and texts to copy ----

// The numbers of a table in full precision; a column with errors becomes two.
function numbersOf(table) {
  const heads = [...table.querySelectorAll("thead th")], rows = [...table.querySelectorAll("tbody tr")];
  const hasErrors = heads.map((_, column) => rows.some(row => row.cells[column]?.dataset.error !== undefined));
  const names = heads.flatMap((head, column) => {
    const name = head.dataset.name ?? head.textContent.trim();
    return hasErrors[column] ? [name, head.dataset.error ?? `${name}_error`] : [name];
  });
  return [names, ...rows.map(row => heads.flatMap((_, column) => {
    const cell = row.cells[column], value = cell?.dataset.value ?? cell?.textContent.trim() ?? "";
    return hasErrors[column] ? [value, cell?.dataset.error ?? ""] : [value];
  }))];
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const label = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}

document.addEventListener("click", event => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.of);
  copy(button.dataset.copy === "text" ? source.textContent : joined(numbersOf(source), button.dataset.copy === "csv" ? "," : "\t"), button);
});

window.larmorReport = {
  pictures: [...document.querySelectorAll("figure.picture")].map(figure => new Picture(figure)),
  numbersOf,
};
