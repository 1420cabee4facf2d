// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The map of the page: how fingers, mouse and keys move it, and what is drawn only there.
import { age } from './format.js';
import { corners, Painter } from './painter.js';

const tapRadius = 24; // px within which a tap means a sample
const zoomStep = 1.4;
const grabRadius = 24; // px about a corner within which a finger takes it
const edgeRadius = 18; // px about an edge within which a tap inserts a corner
const leastFit = 20; // m, of the part of the field that is shown while nothing else is known

export class FieldMap extends Painter {
  // state is what the page knows; tapped is called with {sample} or {place}, and changed when the map is to be drawn.
  constructor(canvas, state, { tapped, changed }) {
    super(canvas, state);
    Object.assign(this, { tapped, changed, marked: null, pointers: new Map() });
    this.listen();
  }

  // repaint draws soon, with the rest of the page.
  repaint() {
    this.changed();
  }

  extent() {
    const { state } = this;
    const points = (state.scene?.boundary || []).flat();
    if (state.recording?.active) {
      points.push(...state.edge, ...state.rings.rings.flatMap((r) => r.points || []));
      if (state.pose) points.push([state.pose.x, state.pose.y]);
    }
    return points;
  }

  // fit shows the whole field. The buttons lie above it, the scale below; the legend below or beside it, where more is seen.
  fit() {
    const recording = this.state.recording?.active;
    const legend = document.getElementById('legend');
    const fit = (right, bottom) => {
      super.fit([recording ? 84 : 52, right, bottom, (this.width > 560 ? 60 : 50) + (recording ? 16 : 0)], recording ? leastFit : 1);
      return this.view.scale;
    };
    const below = fit(16, 72);
    if (!recording && fit(legend.offsetWidth + 16, 40) <= below) fit(16, 72);
    this.moved = false;
  }

  // follow fits the map to what is recorded, unless somebody has moved it or is editing: it must not
  // jump under a finger.
  follow() {
    if (!this.moved && !this.pointers.size && !this.recorder?.chosen) this.fit();
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

  paint() {
    if (!this.begin()) return;
    this.paintField();
    this.numberKeepOuts();
    this.paintPaths();
    this.paintRecording();
    this.paintSamples();
    this.paintMarks();
    this.labelSamples();
    this.paintRobot();
    this.paintScale();
    if (document.activeElement === this.canvas && this.canvas.matches(':focus-visible')) this.cross([this.width / 2, this.height / 2], this.ink('accent'));
  }

  // numberKeepOuts writes the numbers into the keep-outs by which sentences name them.
  numberKeepOuts() {
    const { context: c } = this;
    const rings = (this.state.scene.keep_outs || []).map((polygon) => polygon[0]);
    if (rings.length < 2) return;
    c.font = '700 14px system-ui, sans-serif';
    c.textBaseline = 'middle';
    c.textAlign = 'center';
    rings.forEach((ring, i) => {
      const [[x0, y0], [x1, y1]] = corners(ring);
      if (Math.min(x1 - x0, y1 - y0) * this.view.scale > 16) this.write(`${i + 1}`, ...this.toScreen([(x0 + x1) / 2, (y0 + y1) / 2]));
    });
    c.textAlign = 'start';
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

  paintMarks() {
    super.paintMarks();
    if (!this.marked) return;
    const [x, y] = this.toScreen(this.marked);
    this.context.beginPath();
    this.context.arc(x, y, 13, 0, 2 * Math.PI);
    this.stroke(this.ink('accent'), 3, { halo: 3 });
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
    const text = `was here ${age(state.poseAge())} ago`;
    const w = c.measureText(text).width;
    this.write(text, x + 16 + w > this.width ? x - 16 - w : x + 16, y, this.ink('bad'));
  }
}
