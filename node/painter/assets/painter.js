// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The painter of maps, for the page and for the report: what is known of a mission on a canvas.
import { colour, colourMapOf, table } from './colours.js';
import { value } from './format.js';
import { grown, isoline, noLevel } from './raster.js';

// corners returns the lower left and the upper right corner about places.
export const corners = (points) => [
  [0, 1].map((k) => points.reduce((a, p) => Math.min(a, p[k]), Infinity)),
  [0, 1].map((k) => points.reduce((a, p) => Math.max(a, p[k]), -Infinity)),
];

export class Painter {
  // state is what is known: scene, status.best, allSamples(), and optionally lines, marks, texts, real, the
  // units of people, whyStruck(sample), '' for one that counts, and photo: whether the scene's is shown, below a layer that is half transparent. It may change before each repaint.
  constructor(canvas, state) {
    Object.assign(this, { canvas, state, raster: null, line: [], due: false });
    this.context = canvas.getContext('2d');
    this.view = { x: 0, y: 0, scale: 1 }; // the place in the middle, m, and px per m
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.repaint());
    canvas.toScreen = (place) => this.toScreen(place); // for tests, as the next
    canvas.badges = () => this.badges();
  }

  // resize paints in the size of the canvas on the screen, or in another, px.
  resize({ clientWidth: width, clientHeight: height } = this.canvas, ratio = Math.min(devicePixelRatio || 1, 3)) {
    if (this.moved && this.width) this.view.scale *= Math.min(width, height) / Math.min(this.width, this.height); // the same part of the field
    Object.assign(this, { width, height, ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (!this.moved) this.fit();
    this.paint();
  }

  // extent returns places about all that is drawn.
  extent() {
    const { state } = this;
    return [
      ...(state.scene?.boundary || []).flat(), ...(state.lines || []).flatMap((l) => l.points.flat()), ...(state.marks || []).flatMap((m) => m.at),
      ...state.allSamples().flatMap(({ at: [x, y], cov }) => {
        const r = 2 * Math.sqrt(Math.max(cov[0], cov[2]));
        return [[x - r, y - r], [x + r, y + r]];
      }),
    ];
  }

  // fit shows all places, and at least `least` metres, in the canvas less the room at its sides, px.
  fit([top, right, bottom, left] = [20, 20, 50, 20], least = 1) {
    const points = this.extent();
    if (!points.length || !this.width) return;
    const [[x0, y0], [x1, y1]] = corners(points);
    const small = Math.max(x1 - x0, y1 - y0) < least;
    const scale = Math.min((this.width - left - right) / (small ? least : x1 - x0), (this.height - top - bottom) / (small ? least : y1 - y0));
    this.view = { x: (x0 + x1) / 2 - (left - right) / 2 / scale, y: (y0 + y1) / 2 + (top - bottom) / 2 / scale, scale };
    this.repaint();
  }

  // repaint draws soon, once for all reasons.
  repaint() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.paint();
    });
  }

  // toScreen and toField convert between metres and CSS pixels.
  toScreen([x, y]) {
    const { view } = this;
    return [this.width / 2 + (x - view.x) * view.scale, this.height / 2 - (y - view.y) * view.scale];
  }

  toField([px, py]) {
    const { view } = this;
    return [view.x + (px - this.width / 2) / view.scale, view.y - (py - this.height / 2) / view.scale];
  }

  // show makes a decoded map the layer; null: none.
  show(map) {
    this.map = map;
    this.raster = null;
    this.line = [];
    if (map && map.nx > 0 && map.ny > 0) {
      const canvas = new OffscreenCanvas(map.nx, map.ny);
      const context = canvas.getContext('2d');
      const image = context.createImageData(map.nx, map.ny);
      const colours = table(colourMapOf(map.layer));
      const once = grown(map.levels, map.levels, map.nx, map.ny);
      const levels = grown(once, once, map.nx, map.ny);
      const faded = grown(grown(map.faded, map.levels, map.nx, map.ny), once, map.nx, map.ny); // empty: nothing is
      for (let j = 0; j < map.ny; j++) {
        for (let i = 0; i < map.nx; i++) {
          const level = levels[j * map.nx + i];
          if (level === noLevel) continue;
          const c = colours[Math.round((level * 255) / 254)];
          image.data.set([c[0], c[1], c[2], 255 - 0.8 * (faded[j * map.nx + i] || 0)], 4 * ((map.ny - 1 - j) * map.nx + i));
        }
      }
      context.putImageData(image, 0, 0);
      this.raster = canvas;
      const threshold = ['mean', 'truth'].includes(map.layer) ? this.state.scene?.threshold : undefined;
      if (threshold > map.low && threshold < map.high) this.line = isoline(map, levels, threshold);
    }
    this.repaint();
  }

  // begin prepares a painting, and returns false if there is nothing to paint.
  begin() {
    const { context: c, width, height } = this;
    if (!width) return false;
    this.styles ||= getComputedStyle(document.documentElement);
    this.ink = (name) => this.styles.getPropertyValue(`--${name}`).trim() || name;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.ink('panel');
    c.fillRect(0, 0, width, height);
    c.lineJoin = c.lineCap = 'round';
    return Boolean(this.state.scene);
  }

  paint() {
    if (!this.begin()) return;
    this.paintField();
    this.paintLines();
    this.paintSamples();
    this.paintMarks();
    this.labelSamples();
    this.paintTexts();
    this.paintScale();
    this.paintLegend();
  }

  trace(points, closed) {
    const { context: c } = this;
    points.forEach((p, i) => c[i ? 'lineTo' : 'moveTo'](...this.toScreen(p)));
    if (closed) c.closePath();
  }

  // stroke draws the present path with a halo, so that it shows on any colour.
  stroke(style, width, { dash = [], halo = 2.5, edge = this.ink('halo') } = {}) {
    const { context: c } = this;
    if (halo) {
      c.setLineDash([]);
      c.strokeStyle = edge;
      c.lineWidth = width + halo;
      c.stroke();
    }
    c.setLineDash(dash);
    c.strokeStyle = style;
    c.lineWidth = width;
    c.stroke();
    c.setLineDash([]);
  }

  // photo returns the picture below the map where it is asked for and has come.
  photo() {
    const { scene: { photo }, photo: wanted } = this.state;
    if (!photo || !wanted) return null;
    if (this.picture?.of !== photo.src) {
      this.picture = Object.assign(new Image(), { of: photo.src, onload: () => this.repaint(), src: photo.src });
    }
    return this.picture.naturalWidth ? this.picture : null;
  }

  paintField() {
    const { context: c, state, map } = this;
    const photo = this.photo();
    const outline = () => {
      c.beginPath();
      for (const ring of state.scene.boundary) this.trace(ring, true);
    };
    if (photo) {
      const { x, y, width, height } = state.scene.photo;
      c.drawImage(photo, ...this.toScreen([x, y + height]), width * this.view.scale, height * this.view.scale);
    } else {
      outline();
      c.fillStyle = this.ink('field');
      c.fill('evenodd');
      this.paintGrid();
    }
    if (this.raster) {
      c.save();
      outline();
      c.clip('evenodd');
      c.imageSmoothingEnabled = true;
      if (photo) c.globalAlpha = 0.5;
      const [x, y] = this.toScreen([map.x, map.y + map.ny * map.cell]);
      c.drawImage(this.raster, x, y, map.nx * map.cell * this.view.scale, map.ny * map.cell * this.view.scale);
      c.globalAlpha = 1;
      if (this.line.length) {
        c.beginPath();
        for (const piece of this.line) this.trace(piece);
        this.stroke('#ffffff', 2, { halo: 1.6, edge: '#000000' });
      }
      c.restore();
    }
    for (const polygon of state.scene.keep_outs || []) this.hatch(polygon, polygon[0][0]);
    c.beginPath();
    for (const piece of state.scene.free || []) this.trace(piece);
    c.globalAlpha = 0.7;
    this.stroke(this.ink('soft'), 1, { dash: [3, 4], halo: 0 });
    c.globalAlpha = 1;
    outline();
    this.stroke(this.ink('ink'), 2, { halo: photo ? 2 : 0 });
  }

  // length of the scale bar and of the background's squares, m.
  length() {
    const most = Math.min(140, this.width * 0.3) / this.view.scale;
    const power = 10 ** Math.floor(Math.log10(most));
    return [5, 2, 1].map((k) => k * power).find((l) => l <= most);
  }

  paintGrid() {
    const { context: c, width, height } = this;
    const step = this.length();
    const [[x0, y0], [x1, y1]] = [this.toField([0, height]), this.toField([width, 0])];
    c.beginPath();
    for (let x = Math.ceil(x0 / step) * step; x < x1; x += step) this.trace([[x, y0], [x, y1]]);
    for (let y = Math.ceil(y0 / step) * step; y < y1; y += step) this.trace([[x0, y], [x1, y]]);
    c.globalAlpha = 0.3;
    this.stroke(this.ink('line'), 1, { halo: 0 });
    c.globalAlpha = 1;
  }

  paintLines() {
    const { context: c, state } = this;
    for (const { points, colour: name, edge = 'halo', dash } of state.lines || []) {
      c.beginPath();
      for (const piece of points) this.trace(piece);
      this.stroke(this.ink(name), 1.4, { dash: dash ? [6, 4] : [], halo: dash ? 0 : 1.6, edge: this.ink(edge) });
    }
  }

  // sign draws a mark: a square or a cross.
  sign({ sign, colour: name }, [x, y]) {
    const { context: c } = this;
    c.beginPath();
    if (sign === 'square') c.rect(x - 5, y - 5, 10, 10);
    else for (const s of [1, -1]) {
      c.moveTo(x - 4.5, y - 4.5 * s);
      c.lineTo(x + 4.5, y + 4.5 * s);
    }
    this.stroke(this.ink(name), 1.8);
  }

  hatch(rings, at) {
    const { context: c } = this;
    c.save();
    c.beginPath();
    for (const ring of rings) this.trace(ring, true);
    c.fillStyle = '#9aa3ab';
    c.fill('evenodd');
    c.clip('evenodd');
    c.beginPath();
    const [x, y] = this.toScreen(at);
    for (let k = -4000; k < 4000; k += 9) {
      c.moveTo(x + k - 2000, y - 2000);
      c.lineTo(x + k + 2000, y + 2000);
    }
    c.strokeStyle = '#20262c';
    c.lineWidth = 1.2;
    c.stroke();
    c.restore();
    c.beginPath();
    for (const ring of rings) this.trace(ring, true);
    this.stroke('#20262c', 1.5, { halo: 0 });
  }

  cross([x, y], style, boxed) {
    const { context: c } = this;
    c.beginPath();
    if (boxed) c.rect(x - 8, y - 8, 16, 16);
    c.moveTo(x - 13, y);
    c.lineTo(x + 13, y);
    c.moveTo(x, y - 13);
    c.lineTo(x, y + 13);
    this.stroke(style, 2.2);
  }

  // ellipse traces the 2σ ellipse of a covariance [xx, xy, yy], m².
  ellipse(at, [xx, xy, yy]) {
    const { context: c, view } = this;
    const mean = (xx + yy) / 2;
    const apart = Math.hypot((xx - yy) / 2, xy);
    const [x, y] = this.toScreen(at);
    c.beginPath();
    c.ellipse(x, y, 2 * Math.sqrt(Math.max(0, mean + apart)) * view.scale, 2 * Math.sqrt(Math.max(0, mean - apart)) * view.scale,
      -Math.atan2(2 * xy, xx - yy) / 2, 0, 2 * Math.PI);
  }

  // counting returns the samples that are not struck.
  counting() {
    return this.state.allSamples().filter((s) => !this.state.whyStruck?.(s));
  }

  // measured returns the samples that count, on the map of another quantity with its values, and without the samples that have none.
  measured() {
    const all = this.counting();
    const [, k] = /^also(\d+)$/.exec(this.map?.layer) || [];
    if (!k) return all;
    const sd = (this.map.high - this.map.low) / 10;
    return all.filter((s) => Number.isFinite(s.also?.[k - 1])).map((s) => ({ ...s, v: s.also[k - 1], sd, own: true }));
  }

  paintSamples() {
    const { context: c, state } = this;
    const counting = this.counting();
    const all = this.measured();
    for (const s of state.allSamples()) {
      if (counting.includes(s)) continue;
      const [x, y] = this.toScreen(s.at);
      c.beginPath();
      for (const k of [-1, 1]) {
        c.moveTo(x - 5, y - 5 * k);
        c.lineTo(x + 5, y + 5 * k);
      }
      this.stroke(this.ink('ink'), 2, { halo: 2 });
    }
    if (!all.length) return;
    // The colours are those of the map; one sample alone has none.
    const own = all[0].own;
    const shown = own || ['mean', 'truth'].includes(this.map?.layer) ? this.map : { low: Math.min(...all.map((s) => s.v)), high: Math.max(...all.map((s) => s.v)) };
    const { low, high } = shown;
    for (const s of all) {
      this.ellipse(s.at, s.cov);
      this.stroke(this.ink('ink'), 1.2, { halo: 1.6 });
      const [x, y] = this.toScreen(s.at);
      c.beginPath();
      if (s.robot) c.rect(x - 5, y - 5, 10, 10);
      else c.arc(x, y, 5.5, 0, 2 * Math.PI);
      c.fillStyle = high > low ? colour(own ? colourMapOf(this.map.layer) : 'viridis', (s.v - low) / (high - low)) : this.ink('field');
      c.fill();
      this.stroke('#ffffff', 2, { halo: 0 });
      c.beginPath();
      if (s.robot) c.rect(x - 6.5, y - 6.5, 13, 13);
      else c.arc(x, y, 7, 0, 2 * Math.PI);
      this.stroke('#000000', 1.2, { halo: 0 });
    }
  }

  // labelSamples writes the values, the newest first, beside their samples where they cover nothing.
  labelSamples() {
    const { context: c, state } = this;
    const all = this.measured();
    const of = (!all[0]?.own && state.real?.of) || ((v) => v);
    c.font = '600 12px system-ui, sans-serif';
    c.textBaseline = 'middle';
    const about = (at, r) => {
      const [x, y] = this.toScreen(at);
      return [x - r, y - r, x + r, y + r];
    };
    const taken = all.map((s) => about(s.at, 7));
    for (const at of [state.status?.best?.at, state.scene.home, state.status?.target, state.pose && [state.pose.x, state.pose.y]]) if (at) taken.push(about(at, 14));
    for (const [x, y] of this.badges()) taken.push([x - 14, y - 14, x + 14, y + 14]);
    let written = 0;
    for (let i = all.length - 1; i >= 0 && written < 60; i--) {
      const [x, y] = this.toScreen(all[i].at);
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      const { v, sd } = all[i];
      const text = value(of(v), (of(v + sd) - of(v - sd)) / 2);
      const w = c.measureText(text).width;
      // Farther off where a mark, such as the star of the best place, covers the sample.
      for (const [left, top] of [12, 18].flatMap((d) => [[d, 0], [-d - w, 0], [-w / 2, -d - 5], [-w / 2, d + 5]])) {
        const box = [x + left - 2, y + top - 8, x + left + w + 2, y + top + 8];
        if (box[0] < 0 || box[2] > this.width || taken.some((t) => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3])) continue;
        taken.push(box);
        this.write(text, x + left, y + top);
        written++;
        break;
      }
    }
  }

  // badges returns where the texts are written, px: at their places or, where two would touch, beside them.
  badges() {
    const placed = [];
    for (const { at } of this.state.texts || []) {
      const [x, y] = this.toScreen(at);
      const around = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [x + 34 * Math.cos((k * Math.PI) / 4), y - 34 * Math.sin((k * Math.PI) / 4)]);
      const free = ([u, v]) => u > 12 && v > 12 && u < this.width - 12 && v < this.height - 12 && placed.every(([p, q]) => Math.hypot(u - p, v - q) > 26);
      placed.push([[x, y], ...around].find(free) || [x, y]);
    }
    return placed;
  }

  // paintTexts writes each text in a circle of its own, with a line to its place if it stands beside that.
  paintTexts() {
    const { context: c } = this;
    const badges = this.badges();
    c.font = '700 16px system-ui, sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    (this.state.texts || []).forEach(({ at, text }, i) => {
      c.beginPath();
      this.trace([at]);
      c.lineTo(...badges[i]);
      this.stroke(this.ink('ink'), 1.5);
      c.beginPath();
      c.arc(...badges[i], 11, 0, 2 * Math.PI);
      c.fillStyle = this.ink('halo');
      c.fill();
      this.stroke(this.ink('ink'), 1.5, { halo: 0 });
      this.write(text, badges[i][0], badges[i][1] + 1);
    });
    c.textAlign = 'start';
  }

  write(text, x, y, style = this.ink('ink')) {
    const { context: c } = this;
    c.strokeStyle = this.ink('halo');
    c.lineWidth = 4;
    c.strokeText(text, x, y);
    c.fillStyle = style;
    c.fillText(text, x, y);
  }

  polygon(at, radius, shape, fill) {
    const { context: c } = this;
    const [x, y] = this.toScreen(at);
    c.beginPath();
    shape.forEach(([a, r], i) => c[i ? 'lineTo' : 'moveTo'](x + radius * r * Math.cos(a), y - radius * r * Math.sin(a)));
    c.closePath();
    c.fillStyle = fill;
    c.fill();
    this.stroke('#000000', 1.4, { halo: 0 });
  }

  paintMarks() {
    const { state } = this;
    const { home } = state.scene;
    for (const m of state.marks || []) for (const at of m.at) this.sign(m, this.toScreen(at));
    if (home) this.polygon(home, 9, [[Math.PI / 2, 1.1], [0.2, 1], [0.2 - 0.9, 1.05], [Math.PI + 0.7, 1.05], [Math.PI - 0.2, 1]], '#ffffff');
    if (state.status?.best) {
      const star = Array.from({ length: 10 }, (_, i) => [Math.PI / 2 + (i * Math.PI) / 5, i % 2 ? 0.45 : 1]);
      this.polygon(state.status.best.at, 14, star, '#ffffff');
      this.polygon(state.status.best.at, 10.5, star, '#d55e00');
    }
  }

  // paintScale draws the scale bar and the arrow of the map's y axis, which is north with a datum.
  paintScale() {
    const { context: c, view } = this;
    const length = this.length();
    const y = this.height - 14;
    c.beginPath();
    c.moveTo(12, y - 6);
    c.lineTo(12, y);
    c.lineTo(12 + length * view.scale, y);
    c.lineTo(12 + length * view.scale, y - 6);
    this.stroke(this.ink('ink'), 2);
    c.font = '700 13px system-ui, sans-serif';
    c.textBaseline = 'alphabetic';
    this.write(length >= 1000 ? `${length / 1000} km` : `${+length.toPrecision(1)} m`, 16, y - 6);
    const x = this.width - 20;
    c.beginPath();
    c.moveTo(x, 44);
    c.lineTo(x, 14);
    c.moveTo(x - 6, 22);
    c.lineTo(x, 14);
    c.lineTo(x + 6, 22);
    this.stroke(this.ink('ink'), 2.2);
    const name = this.state.scene.datum ? 'N' : 'y';
    this.write(name, x - c.measureText(name).width / 2, 60);
  }

  // paintLegend draws the colours of the layer, where state.legend names them.
  paintLegend() {
    const { context: c, map, state } = this;
    if (!map || !state.legend) return;
    const width = 160;
    const [x, y] = [this.width - width - 14, this.height - 28];
    for (let i = 0; i < width; i++) {
      c.fillStyle = colour(colourMapOf(map.layer), i / width);
      c.fillRect(x + i, y, 1, 10);
    }
    c.font = '600 12px system-ui, sans-serif';
    const undone = ['mean', 'truth', 'stddev'].includes(map.layer) && state.real.log;
    const [low, high] = [map.low, map.high].map((v) => (undone ? state.real.of(v) : v));
    const text = (v) => (undone && map.layer === 'stddev' ? `× ${value(v, 0.1)}` : value(v, (high - low) / 10));
    this.write(text(low), x, y + 22);
    c.textAlign = 'end';
    this.write(text(high), x + width, y + 22);
    this.write(state.legend, x + width, y - 6);
    c.textAlign = 'start';
  }
}
