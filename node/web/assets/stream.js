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

export class Stream {
  // have returns what the page has: {id, samples, team, track, log}. on is called with each event.
  constructor(have, on) {
    this.have = have;
    this.on = on;
    this.heard = 0; // when the last byte came, ms; 0: never
    this.silence = 0; // for how long the explorer had not answered then, s
    this.connected = false;
    this.refused = null; // why the server does not let us in
    this.wait = 500;
    addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => document.hidden || this.retry());
    setInterval(() => {
      if (this.connected && now() - this.heard > silenceAllowed) this.abort?.abort();
    }, 500);
  }

  // age returns how old the newest data are, s; Infinity before the first.
  age() {
    return this.heard ? (now() - this.heard) / 1000 + this.silence : Infinity;
  }

  // retry connects at once instead of waiting.
  retry() {
    this.wait = 500;
    this.rouse?.();
  }

  async run() {
    for (;;) {
      try {
        await this.connect();
      } catch { /* the age says it */ }
      this.connected = false;
      await new Promise((done) => {
        this.rouse = done;
        setTimeout(done, this.wait);
      });
      this.wait = Math.min(this.wait * 1.6, 5000);
    }
  }

  async connect() {
    this.abort = new AbortController();
    const timer = setTimeout(() => this.abort.abort(), 8000);
    let answer;
    try {
      answer = await fetch('/api/events?' + new URLSearchParams(this.have()), { signal: this.abort.signal, cache: 'no-store' });
    } finally {
      clearTimeout(timer);
    }
    if (!answer.ok) {
      this.refused = answer.status;
      this.on('refused', { status: answer.status });
      this.abort.abort();
      return;
    }
    this.refused = null;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
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
  }

  take(part) {
    const [, name, data] = part.match(/^event: (\w+)\ndata: (.*)$/s) || [];
    if (!name) return;
    const value = JSON.parse(data);
    if (name === 'beat') this.silence = value.silence;
    else if (name === 'pose' || name === 'usage' || name === 'status') this.silence = 0;
    this.on(name, value);
  }
}
