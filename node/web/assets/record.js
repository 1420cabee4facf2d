// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The recording of a field: its buttons, what it says, and the editing of its rings.
import * as api from './api.js';
import { count, metres, place } from './format.js';
import { held, means, settles } from './hold.js';
import { make, set } from './panel.js';

const $ = (id) => document.getElementById(id);
const nudgeWait = 450; // ms after the last arrow key until the corner's new place is sent

export class Recorder {
  // order gives a command, say shows an answer, askToken asks for the token.
  constructor(state, map, { order, say, askToken }) {
    Object.assign(this, { state, map, order, say, askToken, chosen: null, provisional: null, busy: false });
    map.recorder = this;
    // Buttons that end or replace a recording must be held.
    for (const b of document.querySelectorAll('[data-record="save"], [data-record="discard"], #teach-buttons [data-record="outline"]')) this.held(b, () => this.command(b));
    for (const b of document.querySelectorAll('[data-record]:not(.hold), [data-edit]')) {
      b.addEventListener('click', () => {
        if (settles(b)) this.say(settles(b), false);
        else if (b.dataset.edit) this.act(b.dataset.edit);
        else this.command(b);
      });
    }
    $('map').addEventListener('blur', () => this.flush());
  }

  held(b, act) {
    held(b, { act, say: (text) => this.say(text, false) });
  }

  active() {
    return Boolean(this.state.recording?.active);
  }

  // editable reports whether the closed rings can be edited now.
  editable() {
    return this.active() && !this.state.recording.open;
  }

  async command(b) {
    await this.flush();
    const names = { keepout: 'keep-out', corner: 'corner here', drive: 'collecting', hold: 'corners only' };
    const { record } = b.dataset;
    if (record === 'undo') this.choose(null);
    while (this.busy) await this.busy; // the rings of an edit before have come
    const { version } = this.state.rings;
    const give = async () => {
      const done = await this.order(`record ${record}`, b, names[record] || record);
      if (done && record === 'undo') await this.renewal(version); // an edit that follows is of the rings as they are then
    };
    await this.alone(give());
  }

  // ring returns the corners of a ring, with one that is being moved where the finger is.
  ring(i) {
    const points = this.state.rings.rings[i]?.points || [];
    const p = this.provisional;
    if (!p || p.ring !== i) return points;
    return points.map((q, k) => (k === p.corner ? p.at : q));
  }

  corners() {
    return this.state.rings.rings.flatMap((r, ring) => (r.points || []).map((at, corner) => ({ ring, corner, at })));
  }

  choose(chosen) {
    this.chosen = chosen;
    this.show();
    this.map.follow();
    this.map.repaint();
  }

  // step chooses the next corner, or the one before.
  step(by) {
    const all = this.corners();
    if (!all.length) return;
    const at = this.chosen ? all.findIndex((c) => c.ring === this.chosen.ring && c.corner === this.chosen.corner) : by > 0 ? -1 : 0;
    const { ring, corner } = all[(at + by + all.length) % all.length];
    this.choose({ ring, corner });
    this.map.reveal(this.ring(ring)[corner]);
  }

  act(what) {
    const c = this.chosen;
    const steps = { choose: 1, next: 1, previous: -1 };
    if (steps[what]) this.flush().then(() => this.step(steps[what]));
    else if (what === 'done') this.flush().then(() => this.choose(null));
    else if (c && what === 'insert') this.insert(c.ring, c.corner);
    else if (c && what === 'delete') this.flush().then(() => this.edit({ op: 'delete', ...c }));
  }

  // insert adds a corner behind another one, in the middle or where the edge was tapped.
  async insert(ring, corner, at) {
    await this.flush();
    const points = this.ring(ring);
    const [a, b] = [points[corner], points[(corner + 1) % points.length]];
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    this.next = { ring, corner: corner + 1 }; // to be chosen when it is there
    if (!(await this.edit({ op: 'insert', ring, corner, at: at || middle }))) this.next = null;
  }

  // move moves a corner on the screen, and tells the server when it stays.
  move(ring, corner, at, stays) {
    this.provisional = { ring, corner, at };
    this.chosen = { ring, corner };
    this.show();
    this.map.repaint();
    if (stays) return this.edit({ op: 'move', ring, corner, at });
    return null;
  }

  // nudge moves the chosen corner by some metres; the place is sent when the keys rest.
  nudge(dx, dy) {
    const { ring, corner } = this.chosen;
    const [x, y] = this.ring(ring)[corner];
    this.move(ring, corner, [x + dx, y + dy], false);
    this.map.reveal([x + dx, y + dy]);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), nudgeWait);
    this.nudged = true;
  }

  async flush() {
    clearTimeout(this.timer);
    if (!this.nudged) return;
    this.nudged = false;
    const p = this.provisional;
    if (p) await this.edit({ op: 'move', ...p });
  }

  // edit sends a change and shows the server's answer. It returns whether it was done.
  async edit(change) {
    if (!this.state.commands) {
      this.provisional = null;
      this.askToken();
      return false;
    }
    while (this.busy) await this.busy;
    const send = async () => {
      const body = { version: this.state.rings.version, at: [0, 0], corner: 0, ...change };
      body.at = body.at.map((v) => Math.round(v * 1000) / 1000);
      try {
        const { done, text } = await api.edit(body);
        this.say(done ? text.charAt(0).toUpperCase() + text.slice(1) : `This was refused: ${text}`, done);
        if (!done) this.provisional = null;
        else await this.renewal(body.version);
        return done;
      } catch (e) {
        this.provisional = null;
        this.say(`The change ${api.outcome(e, 'was not made')}: ${e.message}`, false);
        if (e.status === 401) this.askToken();
        return false;
      } finally {
        this.show(); // a refused corner is back in its place
        this.map.repaint();
      }
    };
    return this.alone(send());
  }

  // alone makes other changes wait until this one is done.
  async alone(change) {
    this.busy = change;
    try {
      return await change;
    } finally {
      this.busy = false;
    }
  }

  // renewal waits until the rings of a version after this one have come.
  renewal(version) {
    if (this.state.rings.version !== version) return null;
    return Promise.race([new Promise((done) => { this.renew = done; }), new Promise((done) => { setTimeout(done, 3000); })]);
  }

  // renewed stores new rings, which are drawn next.
  renewed() {
    this.provisional = null;
    this.renew?.();
    if (this.next) [this.chosen, this.next] = [this.next, null];
    const c = this.chosen;
    if (c && !(c.corner < (this.state.rings.rings[c.ring]?.points || []).length)) {
      const left = (this.state.rings.rings[c.ring]?.points || []).length;
      this.chosen = left ? { ring: c.ring, corner: left - 1 } : null;
    }
  }

  showRings() {
    const { rings } = this.state.rings;
    const focused = [...$('rings').querySelectorAll('button')].indexOf(document.activeElement);
    $('rings').replaceChildren(...rings.flatMap((r, i) => {
      if (!r.points?.length) return [];
      const li = make('li', `${r.kind === 'outline' ? 'Outline' : `Keep-out ${rings.slice(0, i + 1).filter((q) => q.points?.length && q.kind !== 'outline').length}`}: ${
        r.area_m2 < 1000 ? `${r.area_m2.toFixed(0)} m²` : `${(r.area_m2 / 1e4).toPrecision(3)} ha`}, ${count(r.points.length, 'corner')}, edge ± ${r.stddev_m.toPrecision(2)} m `);
      const b = make('button', 'Remove', { type: 'button', class: 'small', 'aria-label': `Remove ${r.kind} ${i + 1}` });
      this.held(b, () => this.flush().then(() => this.edit({ op: 'remove', ring: i })));
      li.append(b);
      return [li];
    }));
    if (focused >= 0) $('rings').querySelectorAll('button')[focused]?.focus();
  }

  // show shows the state of the recording.
  show() {
    const r = this.state.recording;
    const active = this.active();
    if (active && !document.body.classList.contains('recording')) document.querySelector('main').scrollTo(0, 0);
    document.body.classList.toggle('recording', active);
    $('recorder').hidden = !active;
    $('recording-box').hidden = !active;
    $('recorder-note').hidden = !active;
    $('teach-box').hidden = !r || active;
    if (r && !active) {
      set('teach-refused', r.refused ? `It cannot be changed now: ${r.refused}.` : 'Before the mission begins, its outline can be recorded by driving along the edge, and edited.');
      for (const b of $('teach-buttons').children) b.dataset.useful = String(!r.refused);
    }
    if (!active) {
      this.chosen = this.provisional = null;
      return;
    }
    if (r.open || (this.chosen && !this.ring(this.chosen.ring)[this.chosen.corner])) this.chosen = null;
    const mode = r.open ? 'open' : this.chosen ? 'corner' : 'closed';
    const focused = document.activeElement;
    $('driving').dataset.record = r.driving ? 'hold' : 'drive';
    set('driving', r.driving ? 'Corners only' : 'Collect');
    let cell = 0;
    for (const b of $('recorder').children) {
      const shown = b.dataset.when.split(' ').includes(mode);
      means(b, shown ? `${b.dataset.record || b.dataset.edit} at ${cell++}` : '');
    }
    if (focused?.hidden && $('recorder').contains(focused)) [...$('recorder').children].find((b) => !b.hidden).focus();
    const has = (kind) => this.state.rings.rings.some((q) => q.kind === kind && q.points?.length);
    const useful = (selector, yes) => { document.querySelector(selector).dataset.useful = String(Boolean(yes)); };
    useful('#recorder [data-record="outline"]', !has('outline'));
    useful('#save-field', !r.problem);
    useful('[data-edit="choose"]', this.state.rings.rings.some((q) => q.points?.length));
    const first = !r.open && !this.state.rings.rings.length;
    set('recording-problem', first ? 'Nothing is recorded yet.' : r.problem && !r.open ? `It cannot be saved yet: ${r.problem}.` : r.open ? `The ${r.open} is open.` : 'It can be saved.');
    let note = '';
    let wrong = Boolean(r.trouble);
    if (this.chosen) {
      const points = this.ring(this.chosen.ring);
      const at = points[this.chosen.corner];
      note = `Corner ${this.chosen.corner + 1} of ${points.length} of the ${this.state.rings.rings[this.chosen.ring].kind}: ${place(at)}`;
      wrong = false;
    } else if (r.earlier) {
      note = `Recorded by an earlier run: ${r.open ? `${count(r.points || 0, 'point')} of the ${r.open}` : count(this.state.rings.rings.length, 'ring')}. Continue or discard it.`;
    } else if (r.open) {
      note = `${r.open.charAt(0).toUpperCase() + r.open.slice(1)}: ${count(r.points || 0, 'point')}, ${metres(r.length_m || 0)}${r.driving ? '' : ', collecting no points'}${r.trouble ? `. Nothing can be recorded: ${r.trouble}.` : ''}`;
    } else if (first) {
      note = r.trouble ? `Not ready: ${r.trouble}` : 'Drive to the edge, then tap Outline.';
    } else {
      note = r.problem ? `Not ready to save: ${r.problem}` : 'Drag corners, tap an edge for a new one, or save.';
      wrong = Boolean(r.problem);
    }
    set('recorder-note', note);
    $('recorder-note').dataset.wrong = String(wrong);
  }

  // key carries out a key pressed on the map, and returns whether it has a meaning.
  key(e) {
    if (!this.editable()) return false;
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'z') {
      this.command(document.querySelector('#recorder [data-record="undo"]'));
      return true;
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return false;
    const step = (e.shiftKey ? 1 : 8) / this.map.view.scale;
    const arrows = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const acts = { PageDown: 'next', PageUp: 'previous', Delete: 'delete', Backspace: 'delete', Insert: 'insert', Escape: 'done' };
    if (this.chosen && arrows[e.key]) this.nudge(...arrows[e.key]);
    else if (acts[e.key] && (this.chosen || e.key.startsWith('Page'))) this.act(acts[e.key]);
    else return false;
    return true;
  }
}
