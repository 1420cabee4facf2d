// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Driving the simulated robot while a field is recorded: the held buttons are sent repeatedly. The server
// stops the robot half a second after the last message.
import * as api from './api.js';

const $ = (id) => document.getElementById(id);
const period = 100; // ms
const arrows = { ArrowUp: 'forward', ArrowDown: 'back', ArrowLeft: 'left', ArrowRight: 'right' };

export class Steering {
  constructor(state, recorder, { say, askToken }) {
    Object.assign(this, { state, recorder, say, askToken, held: new Set(), sending: false, stands: true });
    for (const b of $('steer').children) {
      const { steer } = b.dataset;
      b.addEventListener('pointerdown', (e) => {
        if (e.button) return;
        b.setPointerCapture(e.pointerId);
        this.hold(steer);
      });
      b.addEventListener('lostpointercapture', () => this.letGo(steer)); // whatever the reason
      b.addEventListener('blur', () => this.letGo(steer));
      b.addEventListener('contextmenu', (e) => e.preventDefault());
      const key = (e) => [' ', 'Enter'].includes(e.key);
      b.addEventListener('keydown', (e) => key(e) && this.hold(steer));
      b.addEventListener('keyup', (e) => key(e) && this.letGo(steer));
    }
    // Before the map, which the arrow keys move otherwise, but not where they move a corner or scroll a text.
    document.addEventListener('keydown', (e) => {
      const at = document.activeElement;
      if (!arrows[e.key] || !this.possible() || this.recorder.chosen || e.ctrlKey || e.metaKey || e.altKey || at?.closest('#side, header, dialog')) return;
      e.preventDefault();
      e.stopPropagation();
      this.hold(arrows[e.key]);
    }, true);
    document.addEventListener('keyup', (e) => arrows[e.key] && this.letGo(arrows[e.key]), true);
    for (const away of ['blur', 'pagehide']) window.addEventListener(away, () => this.letGo());
    setInterval(() => this.send(), period);
  }

  // possible reports whether a person can drive now.
  possible() {
    return Boolean(this.state.recording?.active && this.state.recording.steered);
  }

  show() {
    $('steer').hidden = !this.possible();
    if (!this.possible()) this.letGo();
  }

  hold(steer) {
    if (!this.state.commands) {
      this.askToken();
      return;
    }
    if (this.held.has(steer)) return; // a key repeats itself
    this.held.add(steer);
    this.changed();
  }

  // letGo lets go of a button, or of all.
  letGo(steer) {
    if (steer) this.held.delete(steer);
    else this.held.clear();
    this.changed();
  }

  changed() {
    for (const b of $('steer').children) b.dataset.held = String(this.held.has(b.dataset.steer));
    this.send();
  }

  // send sends the held buttons; one request at a time, so that they arrive in order, and zero once.
  async send() {
    const is = (steer) => Number(this.held.has(steer));
    const wish = { forward: is('forward') - is('back'), left: is('left') - is('right') };
    const stands = !wish.forward && !wish.left;
    if (this.sending || (stands && this.stands)) return;
    this.sending = true;
    try {
      const { done, text } = await api.steer(wish);
      this.stands = stands || !done;
      if (!done && !stands) this.refused(text);
    } catch (e) {
      this.stands = true; // by itself
      this.refused(e.message);
      if (e.status === 401) this.askToken();
    } finally {
      this.sending = false;
    }
    if (stands !== !this.held.size) this.send(); // without waiting for the next time
  }

  refused(text) {
    this.held.clear();
    this.changed();
    this.say(`The robot is not driven: ${text}`, false);
  }
}
