// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The stream of events. It reconnects by itself, tells the server what it has already, and knows
// how old its data are.

const silenceAllowed = 3500; // ms without a byte after which the connection counts as lost

// now is a clock that goes on while a phone sleeps and is not set back.
let lastNow = 0;
const epoch = Date.now() - performance.now();
export function now() {
  lastNow = Math.max(lastNow, performance.now(), Date.now() - epoch);
  return lastNow;
}

// browser names this browser, so that the server does not send to more of its tabs than it has connections for.
function browser() {
  try {
    localStorage.browser ||= crypto.getRandomValues(new Uint32Array(3)).join('');
    return localStorage.browser;
  } catch {
    return ''; // a person allows no storage
  }
}

export class Stream {
  // have returns what the page has: {id, samples, team, track, log}. on is called with each event, and must not throw.
  constructor(have, on) {
    this.have = have;
    this.on = on;
    this.heard = 0; // when the last byte came, ms; 0: never
    this.silence = 0; // for how long the explorer had not answered then, s
    this.connected = false;
    this.parked = false; // it is ended for newer ones of this browser, until a person looks here
    this.wait = 500;
    addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => document.hidden || this.retry());
    for (const type of ['focus', 'pointerdown', 'keydown']) addEventListener(type, () => this.parked && this.retry());
    setInterval(() => {
      if (this.connected && now() - this.heard > silenceAllowed) this.abort.abort();
    }, 500);
  }

  // age returns how old the newest data are, s; Infinity before the first.
  age() {
    return this.heard ? (now() - this.heard) / 1000 + this.silence : Infinity;
  }

  // retry connects at once instead of waiting.
  retry() {
    this.wait = 500;
    this.parked = false;
    this.rouse?.();
  }

  // renew ends the stream and begins another.
  renew() {
    this.abort?.abort();
    this.retry();
  }

  // run follows one stream after another; each is ended before the next begins.
  async run() {
    for (;;) {
      this.abort = new AbortController();
      try {
        await this.connect(this.abort.signal);
      } catch { /* the age says it */ }
      this.abort.abort();
      this.connected = false;
      await new Promise((done) => {
        this.rouse = done;
        if (!this.parked) setTimeout(done, this.wait);
      });
      this.rouse = null;
      this.wait = Math.min(this.wait * 1.6, 5000);
    }
  }

  async connect(signal) {
    const timer = setTimeout(() => this.abort.abort(), 8000);
    let answer;
    try {
      answer = await fetch('/api/events?' + new URLSearchParams({ ...this.have(), browser: browser() }), { signal, cache: 'no-store', priority: 'low' });
    } finally {
      clearTimeout(timer);
    }
    if (!answer.ok) {
      const { error } = await answer.json().catch(() => ({}));
      this.on('refused', { status: answer.status, text: error || `the server answers ${answer.status}` });
      return;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      let text = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        this.connected = true;
        this.wait = 500;
        this.heard = now();
        text += value;
        const parts = text.split('\n\n');
        text = parts.pop();
        for (const part of parts) this.take(part);
      }
    } finally {
      reader.cancel().catch(() => {}); // it may have failed already
    }
  }

  take(part) {
    const [, name, data] = part.match(/^event: (\w+)\ndata: (.*)$/s) || [];
    if (!name) return;
    const value = JSON.parse(data);
    if (name === 'beat') this.silence = value.silence;
    else if (name === 'pose' || name === 'usage' || name === 'status') this.silence = 0;
    else if (name === 'elsewhere') this.parked = true;
    this.on(name, value);
  }
}
