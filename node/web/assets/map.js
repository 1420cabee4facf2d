// The map on its canvas: what is drawn, and how fingers, mouse and keys move it.
import { colour, colourMapOf, table } from './colours.js';
import { noLevel } from './api.js';
import { age, value } from './format.js';

const tapRadius = 24; // px within which a tap means a sample
const zoomStep = 1.4;
const grabRadius = 24; // px about a corner within which a finger takes it
const edgeRadius = 18; // px about an edge within which a tap inserts a corner
const leastFit = 20; // m, of the part of the field that is shown while nothing else is known

// grown gives cells beside those with a value the same one, so that the colours reach the outline,
// by which they are clipped, in the cells that it crosses.
function grown(levels, nx, ny) {
  const r = levels.slice();
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const k = j * nx + i;
      if (levels[k] !== noLevel) continue;
      if (i > 0 && levels[k - 1] !== noLevel) r[k] = levels[k - 1];
      else if (i + 1 < nx && levels[k + 1] !== noLevel) r[k] = levels[k + 1];
      else if (j > 0 && levels[k - nx] !== noLevel) r[k] = levels[k - nx];
      else if (j + 1 < ny && levels[k + nx] !== noLevel) r[k] = levels[k + nx];
    }
  }
  return r;
}

export class FieldMap {
  // state is what the page knows; tapped is called with {sample} or {place}.
  constructor(canvas, state, tapped) {
    Object.assign(this, { canvas, state, tapped, raster: null, marked: null, pointers: new Map(), fitted: false, due: false });
    this.context = canvas.getContext('2d');
    this.view = { x: 0, y: 0, scale: 1 }; // the place in the middle, m, and px per m
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.repaint());
    canvas.toScreen = (place) => this.toScreen(place); // for tests
    this.listen();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const ratio = Math.min(devicePixelRatio || 1, 3);
    if (this.moved && this.width) this.view.scale *= Math.min(w, h) / Math.min(this.width, this.height); // the same part of the field
    Object.assign(this, { width: w, height: h, ratio });
    this.canvas.width = Math.round(w * ratio);
    this.canvas.height = Math.round(h * ratio);
    if (!this.moved) this.fit();
    this.paint();
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

  fit() {
    const { state } = this;
    const points = (state.scene?.boundary || []).flat();
    if (state.recording?.active) {
      points.push(...state.edge, ...state.rings.rings.flatMap((r) => r.points || []));
      if (state.pose) points.push([state.pose.x, state.pose.y]);
    }
    if (!points.length || !this.width) return;
    const xs = points.map((p) => p[0]);
    const ys = points.map((p) => p[1]);
    let [x0, x1, y0, y1] = [xs, xs, ys, ys].map((list, i) => list.reduce((a, b) => (i % 2 ? Math.max(a, b) : Math.min(a, b))));
    if (state.recording?.active) {
      const more = Math.max(0, leastFit - Math.max(x1 - x0, y1 - y0)) / 2;
      [x0, x1, y0, y1] = [x0 - more, x1 + more, y0 - more, y1 + more];
    }
    // The buttons lie above the field, the legend and the scale below it.
    const top = state.recording?.active ? 84 : 52;
    const bottom = 72;
    const side = (this.width > 560 ? 60 : 50) + (state.recording?.active ? 16 : 0);
    const scale = Math.min((this.width - side - 16) / (x1 - x0), (this.height - top - bottom) / (y1 - y0));
    this.view = { x: (x0 + x1) / 2 - (side - 16) / 2 / scale, y: (y0 + y1) / 2 + (top - bottom) / 2 / scale, scale };
    this.moved = false;
    this.repaint();
  }

  // follow fits the map to what is recorded, unless somebody has moved it or is editing: it must not
  // jump under a finger.
  follow() {
    if (!this.moved && !this.pointers.size && !this.recorder?.chosen) this.fit();
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

  zoom(factor, about = [this.width / 2, this.height / 2]) {
    const fixed = this.toField(about);
    this.view.scale = Math.min(2000, Math.max(0.005, this.view.scale * factor));
    const [x, y] = this.toField(about);
    this.view.x += fixed[0] - x;
    this.view.y += fixed[1] - y;
    this.moved = true;
    this.repaint();
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y += dy / this.view.scale;
    this.moved = true;
    this.repaint();
  }

  listen() {
    const { canvas, pointers } = this;
    const at = (e) => [e.offsetX, e.offsetY];
    canvas.addEventListener('pointerdown', (e) => {
      canvas.setPointerCapture(e.pointerId);
      pointers.set(e.pointerId, at(e));
      this.tap = pointers.size === 1 ? { at: at(e), time: e.timeStamp } : null;
      if (pointers.size === 1) this.grab = this.cornerAt(at(e));
      else this.letGo(); // two fingers zoom
    });
    canvas.addEventListener('pointermove', (e) => {
      const before = pointers.get(e.pointerId);
      if (!before) return;
      const p = at(e);
      if (this.tap && Math.hypot(p[0] - this.tap.at[0], p[1] - this.tap.at[1]) < 8) return;
      this.tap = null;
      if (this.grab) {
        this.grab.moved = true;
        this.recorder.move(this.grab.ring, this.grab.corner, this.grabbed(p), false);
      } else if (pointers.size === 1) this.pan(p[0] - before[0], p[1] - before[1]);
      if (pointers.size === 2) {
        const [other] = [...pointers].filter(([id]) => id !== e.pointerId).map(([, q]) => q);
        const length = (q) => Math.hypot(q[0] - other[0], q[1] - other[1]);
        this.pan((p[0] - before[0]) / 2, (p[1] - before[1]) / 2);
        this.zoom(length(p) / Math.max(1, length(before)), [(p[0] + other[0]) / 2, (p[1] + other[1]) / 2]);
      }
      pointers.set(e.pointerId, p);
    });
    const up = (e) => {
      pointers.delete(e.pointerId);
      const { grab } = this;
      if (grab?.moved && e.type === 'pointerup') {
        this.grab = null;
        this.recorder.move(grab.ring, grab.corner, this.grabbed(at(e), grab), true);
      } else if (grab?.moved) this.letGo();
      this.grab = null;
      if (e.type === 'pointerup' && this.tap && (this.recorder?.editable() || e.timeStamp - this.tap.time < 800)) this.pick(this.tap.at);
      this.tap = null;
    };
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      this.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), at(e));
    }, { passive: false });
    canvas.addEventListener('keydown', (e) => {
      if (this.recorder?.key(e)) {
        e.preventDefault();
        return;
      }
      const step = 60;
      const keys = {
        ArrowLeft: () => this.pan(step, 0), ArrowRight: () => this.pan(-step, 0), ArrowUp: () => this.pan(0, step), ArrowDown: () => this.pan(0, -step),
        '+': () => this.zoom(zoomStep), '=': () => this.zoom(zoomStep), '-': () => this.zoom(1 / zoomStep), 0: () => this.fit(),
        Enter: () => this.pick([this.width / 2, this.height / 2]),
      };
      if (!keys[e.key] || e.ctrlKey || e.metaKey) return;
      e.preventDefault();
      keys[e.key]();
    });
    for (const type of ['focus', 'blur']) canvas.addEventListener(type, () => this.repaint());
  }

  // letGo leaves a corner that was being dragged where it was.
  letGo() {
    if (this.grab?.moved) this.recorder.provisional = null;
    this.grab = null;
    this.repaint();
  }

  // grabbed returns where a corner is that was taken beside its middle.
  grabbed(p, grab = this.grab) {
    return this.toField([p[0] + grab.off[0], p[1] + grab.off[1]]);
  }

  // cornerAt returns the corner of a recorded ring under a finger, the chosen one first.
  cornerAt(px) {
    const { recorder } = this;
    if (!recorder?.editable()) return null;
    let best = null;
    let least = grabRadius;
    for (const { ring, corner, at } of recorder.corners()) {
      const [x, y] = this.toScreen(at);
      const chosen = recorder.chosen?.ring === ring && recorder.chosen.corner === corner;
      const d = Math.hypot(x - px[0], y - px[1]) - (chosen ? 8 : 0);
      if (d < least) [best, least] = [{ ring, corner, off: [x - px[0], y - px[1]] }, d];
    }
    return best;
  }

  // edgeAt returns the edge of a recorded ring under a finger, and the place on it.
  edgeAt(px) {
    let best = null;
    let least = edgeRadius;
    this.state.rings.rings.forEach((r, ring) => (r.points || []).forEach((p, corner) => {
      const a = this.toScreen(p);
      const b = this.toScreen(r.points[(corner + 1) % r.points.length]);
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const t = Math.min(1, Math.max(0, ((px[0] - a[0]) * dx + (px[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
      const on = [a[0] + t * dx, a[1] + t * dy];
      const d = Math.hypot(on[0] - px[0], on[1] - px[1]);
      if (d < least) [best, least] = [{ ring, corner, at: this.toField(on) }, d];
    }));
    return best;
  }

  // pickCorner chooses the corner that was tapped, or inserts one into the edge that was.
  pickCorner(px) {
    const { recorder } = this;
    const corner = this.cornerAt(px);
    if (corner) {
      recorder.choose({ ring: corner.ring, corner: corner.corner });
      return;
    }
    const edge = this.edgeAt(px);
    if (edge) recorder.insert(edge.ring, edge.corner, edge.at);
    else recorder.choose(null);
  }

  // reveal moves a place into view.
  reveal(at) {
    const [x, y] = this.toScreen(at);
    const [side, top] = [40, 60];
    if (x < side || y < top || x > this.width - side || y > this.height - side) {
      [this.view.x, this.view.y] = at;
      this.moved = true;
    }
    this.repaint();
  }

  pick(px) {
    if (this.recorder?.editable()) {
      this.pickCorner(px);
      return;
    }
    let nearest = null;
    let least = tapRadius;
    for (const s of this.state.allSamples()) {
      const [x, y] = this.toScreen(s.at);
      const d = Math.hypot(x - px[0], y - px[1]);
      if (d < least) [nearest, least] = [s, d];
    }
    this.tapped(nearest ? { sample: nearest } : { place: this.toField(px) });
  }

  // uncover moves the marked place out from under a card of that height at the bottom.
  uncover(height) {
    if (!this.marked) return;
    const [, y] = this.toScreen(this.marked);
    const most = Math.max(70, this.height - height - 40);
    if (y > most) this.view.y += (most - y) / this.view.scale;
    this.repaint();
  }

  // show makes a decoded map the layer; null: none.
  show(map) {
    this.map = map;
    this.raster = null;
    if (map && map.nx > 0 && map.ny > 0) {
      const canvas = new OffscreenCanvas(map.nx, map.ny);
      const context = canvas.getContext('2d');
      const image = context.createImageData(map.nx, map.ny);
      const colours = table(colourMapOf(map.layer));
      const levels = grown(grown(map.levels, map.nx, map.ny), map.nx, map.ny);
      for (let j = 0; j < map.ny; j++) {
        for (let i = 0; i < map.nx; i++) {
          const level = levels[j * map.nx + i];
          if (level === noLevel) continue;
          const c = colours[Math.round((level * 255) / 254)];
          image.data.set([c[0], c[1], c[2], 255], 4 * ((map.ny - 1 - j) * map.nx + i));
        }
      }
      context.putImageData(image, 0, 0);
      this.raster = canvas;
    }
    this.repaint();
  }

  paint() {
    const { context: c, state, width, height } = this;
    if (!width) return;
    this.styles ||= getComputedStyle(document.documentElement);
    this.ink = (name) => this.styles.getPropertyValue(`--${name}`).trim();
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.ink('panel');
    c.fillRect(0, 0, width, height);
    c.lineJoin = c.lineCap = 'round';
    if (!state.scene) return;
    this.paintField();
    this.paintPaths();
    this.paintRecording();
    this.paintSamples();
    this.paintMarks();
    this.labelSamples();
    this.paintRobot();
    this.paintScale();
    if (document.activeElement === this.canvas && this.canvas.matches(':focus-visible')) this.cross([width / 2, height / 2], this.ink('accent'));
  }

  trace(points, closed) {
    const { context: c } = this;
    points.forEach((p, i) => c[i ? 'lineTo' : 'moveTo'](...this.toScreen(p)));
    if (closed) c.closePath();
  }

  // stroke draws the present path with a halo, so that it shows on any colour.
  stroke(style, width, { dash = [], halo = 2.5 } = {}) {
    const { context: c } = this;
    if (halo) {
      c.setLineDash([]);
      c.strokeStyle = this.ink('halo');
      c.lineWidth = width + halo;
      c.stroke();
    }
    c.setLineDash(dash);
    c.strokeStyle = style;
    c.lineWidth = width;
    c.stroke();
    c.setLineDash([]);
  }

  paintField() {
    const { context: c, state, map } = this;
    const outline = () => {
      c.beginPath();
      for (const ring of state.scene.boundary) this.trace(ring, true);
    };
    outline();
    c.fillStyle = this.ink('field');
    c.fill('evenodd');
    if (this.raster) {
      c.save();
      outline();
      c.clip('evenodd');
      c.imageSmoothingEnabled = true;
      const [x, y] = this.toScreen([map.x, map.y + map.ny * map.cell]);
      c.drawImage(this.raster, x, y, map.nx * map.cell * this.view.scale, map.ny * map.cell * this.view.scale);
      c.restore();
    }
    for (const polygon of state.scene.keep_outs || []) this.hatch(polygon, polygon[0][0]);
    c.beginPath();
    for (const piece of state.scene.free || []) this.trace(piece);
    c.globalAlpha = 0.7;
    this.stroke(this.ink('soft'), 1, { dash: [3, 4], halo: 0 });
    c.globalAlpha = 1;
    outline();
    this.stroke(this.ink('ink'), 2, { halo: 0 });
  }

  paintPaths() {
    const { context: c, state } = this;
    if (state.track.length > 1) {
      c.beginPath();
      this.trace(state.track);
      this.stroke(this.ink('track'), 1.6);
    }
    if (state.plan.length > 1) {
      c.beginPath();
      this.trace(state.plan);
      this.stroke(this.ink('stop'), 3, { dash: [9, 7], halo: 2 });
    }
    const goal = state.status?.target || state.plan[state.plan.length - 1];
    if (goal && (state.status?.target || state.plan.length)) this.cross(this.toScreen(goal), this.ink('stop'), true);
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

  // paintRecording draws the rings that were recorded with their corners, the one that is being
  // driven, and where one crosses itself.
  paintRecording() {
    const { context: c, state, recorder } = this;
    if (!recorder?.active()) return;
    const rings = state.rings.rings.map((r, i) => ({ kind: r.kind, points: recorder.ring(i) })).filter((r) => r.points.length);
    for (const r of rings.filter((q) => q.kind === 'outline')) {
      c.beginPath();
      this.trace(r.points, true);
      c.globalAlpha = 0.85;
      c.fillStyle = this.ink('field');
      c.fill();
      c.globalAlpha = 1;
      this.stroke(this.ink('ink'), 2.5);
    }
    for (const r of rings.filter((q) => q.kind !== 'outline')) this.hatch([r.points], r.points[0]);
    if (state.recording.open && state.edge.length) {
      c.beginPath();
      this.trace(state.edge);
      if (state.pose && state.recording.driving) c.lineTo(...this.toScreen([state.pose.x, state.pose.y]));
      this.stroke(this.ink('accent'), 3.5);
      const [x, y] = this.toScreen(state.edge[0]);
      c.beginPath();
      c.rect(x - 6, y - 6, 12, 12);
      c.fillStyle = this.ink('paper');
      c.fill();
      this.stroke(this.ink('accent'), 3, { halo: 0 });
    }
    if (recorder.editable()) this.paintCorners();
    for (const at of state.recording.crossings || []) {
      const [x, y] = this.toScreen(at);
      c.beginPath();
      c.arc(x, y, 14, 0, 2 * Math.PI);
      c.moveTo(x - 9, y - 9);
      c.lineTo(x + 9, y + 9);
      c.moveTo(x + 9, y - 9);
      c.lineTo(x - 9, y + 9);
      this.stroke(this.ink('stop'), 3.5);
    }
  }

  paintCorners() {
    const { context: c, recorder } = this;
    const all = recorder.corners();
    const radius = all.length > 200 ? 4 : 7;
    let chosen = null;
    for (const { ring, corner } of all) {
      const [x, y] = this.toScreen(recorder.ring(ring)[corner]);
      if (recorder.chosen?.ring === ring && recorder.chosen.corner === corner) {
        chosen = [x, y];
        continue;
      }
      c.beginPath();
      c.arc(x, y, radius, 0, 2 * Math.PI);
      c.fillStyle = this.ink('paper');
      c.fill();
      this.stroke(this.ink('accent'), 2.5, { halo: 0 });
    }
    if (!chosen) return;
    c.beginPath();
    c.arc(...chosen, 9, 0, 2 * Math.PI);
    c.fillStyle = this.ink('accent');
    c.fill();
    this.stroke(this.ink('paper'), 2, { halo: 0 });
    c.beginPath();
    c.arc(...chosen, this.grab?.moved ? 34 : 16, 0, 2 * Math.PI); // so wide that a finger does not cover it
    this.stroke(this.ink('accent'), 3);
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

  paintSamples() {
    const { context: c, state } = this;
    const all = state.allSamples();
    if (!all.length) return;
    const low = Math.min(...all.map((s) => s.v));
    const high = Math.max(...all.map((s) => s.v));
    for (const s of all) {
      this.ellipse(s.at, s.cov);
      this.stroke(this.ink('ink'), 1.2, { halo: 1.6 });
      const [x, y] = this.toScreen(s.at);
      c.beginPath();
      if (s.robot) c.rect(x - 5, y - 5, 10, 10);
      else c.arc(x, y, 5.5, 0, 2 * Math.PI);
      c.fillStyle = colour('viridis', high > low ? (s.v - low) / (high - low) : 0.5);
      c.fill();
      this.stroke('#ffffff', 2, { halo: 0 });
      c.beginPath();
      if (s.robot) c.rect(x - 6.5, y - 6.5, 13, 13);
      else c.arc(x, y, 7, 0, 2 * Math.PI);
      this.stroke('#000000', 1.2, { halo: 0 });
    }
  }

  // labelSamples writes the values, the newest first, where they do not cover each other.
  labelSamples() {
    const { context: c } = this;
    const all = this.state.allSamples();
    c.font = '600 12px system-ui, sans-serif';
    c.textBaseline = 'middle';
    const taken = [];
    for (let i = all.length - 1; i >= 0 && taken.length < 60; i--) {
      const [x, y] = this.toScreen(all[i].at);
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      const text = value(all[i].v, all[i].sd);
      const box = [x + 10, y - 8, x + 14 + c.measureText(text).width, y + 8];
      if (taken.some((t) => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3])) continue;
      taken.push(box);
      this.write(text, x + 12, y);
    }
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
    if (home) this.polygon(home, 9, [[Math.PI / 2, 1.1], [0.2, 1], [0.2 - 0.9, 1.05], [Math.PI + 0.7, 1.05], [Math.PI - 0.2, 1]], '#ffffff');
    if (state.status?.best) {
      const star = Array.from({ length: 10 }, (_, i) => [Math.PI / 2 + (i * Math.PI) / 5, i % 2 ? 0.45 : 1]);
      this.polygon(state.status.best.at, 14, star, '#ffffff');
      this.polygon(state.status.best.at, 10.5, star, '#d55e00');
    }
    if (this.marked) {
      const { context: c } = this;
      const [x, y] = this.toScreen(this.marked);
      c.beginPath();
      c.arc(x, y, 13, 0, 2 * Math.PI);
      this.stroke(this.ink('accent'), 3, { halo: 3 });
    }
  }

  paintRobot() {
    const { context: c, state } = this;
    const { pose } = state;
    if (!pose) return;
    const old = state.poseAge() > state.poseLimit();
    this.ellipse([pose.x, pose.y], pose.cov);
    if (!old) {
      c.globalAlpha = 0.3;
      c.fillStyle = this.ink('accent');
      c.fill();
      c.globalAlpha = 1;
    }
    this.stroke(old ? this.ink('old') : this.ink('accent'), 2, { dash: old ? [4, 4] : [] });
    const arrow = [[0, 1.25], [2.5, 1], [Math.PI, 0.45], [-2.5, 1]].map(([a, r]) => [a + pose.yaw, r]);
    if (!old) {
      this.polygon([pose.x, pose.y], 14, arrow, '#ffffff');
      this.polygon([pose.x, pose.y], 11, arrow, '#0072b2');
      return;
    }
    this.polygon([pose.x, pose.y], 12, arrow, this.ink('panel'));
    const [x, y] = this.toScreen([pose.x, pose.y]);
    c.font = '700 13px system-ui, sans-serif';
    c.textBaseline = 'middle';
    this.write(`was here ${age(state.poseAge())} ago`, Math.min(x + 16, this.width - 130), y, this.ink('bad'));
  }

  // paintScale draws the scale bar and the arrow of the map's y axis, which is north with a datum.
  paintScale() {
    const { context: c, view } = this;
    const most = Math.min(140, this.width * 0.3) / view.scale;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].map((k) => k * power).find((l) => l <= most);
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
}
