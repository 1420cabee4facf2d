// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// This works even if everything else is broken: STOP and Pause, and the report of what is broken. The page loads
// this first, and it imports nothing.
(() => {
  const $ = (id) => document.getElementById(id);
  const tryFor = 60000; // ms for which a stop is tried again; later a person may want the robot to drive
  const patience = 2500; // ms for the answer to one try
  const silent = 900; // ms after which the page says that no answer has come
  let token = new URLSearchParams(location.hash.slice(1)).get('token'); // before it has become a cookie

  const post = (path, body, wait) => window.fetch(path, {
    method: 'POST', body: JSON.stringify(body), cache: 'no-store', priority: 'high', keepalive: true, signal: AbortSignal.timeout(wait),
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
  });

  // --- STOP

  let latest = 0; // number of the newest stop: it ends those before
  let clear = 0;

  function say(text, done) {
    clearTimeout(clear);
    $('stop-says').textContent = text;
    $('stop-says').dataset.done = done;
    if (done === 'true') clear = setTimeout(() => say('', ''), 6000);
  }

  const pause = (ms) => new Promise((then) => { setTimeout(then, ms); });

  // once gives the command once. It returns the answer, or why there is none.
  async function once() {
    try {
      const answer = await post('/api/command', { command: 'pause' }, patience);
      const { done, text, error } = await answer.json();
      if (answer.ok) return { done, text };
      if ([401, 429].includes(answer.status) && token) { // the cookie may do
        token = null;
        return { why: error, wait: 0 };
      }
      return { why: error, final: [400, 401, 403].includes(answer.status), status: answer.status };
    } catch (e) {
      return { why: e.name === 'TimeoutError' ? 'no answer came' : 'there is no connection to the explorer' };
    }
  }

  async function stop(b) {
    const mine = ++latest;
    const name = b.id === 'stop' ? 'STOP' : 'Pause';
    const begun = Date.now();
    const tell = (text, done) => mine === latest && say(text, done);
    const lacks = (why) => {
      const s = Math.round((Date.now() - begun) / 1000);
      tell(`${name} is not confirmed${s ? ` for ${s} s` : ''}: ${why}. The page keeps trying. If the robot drives, use its own emergency stop.`, 'false');
    };
    b.setAttribute('aria-busy', 'true');
    tell(`${name} sent, waiting for the answer …`, 'wait');
    let why = 'no answer has come yet';
    const timer = setInterval(() => lacks(why), silent);
    try {
      while (mine === latest) {
        if (Date.now() - begun > tryFor) { // a phone may have slept since the last try
          tell(`${name} was not confirmed: ${why}. The page has stopped trying: tap it again.`, 'false');
          return;
        }
        const answer = await once();
        if (mine !== latest) return;
        if (answer.text !== undefined || answer.final) {
          const text = answer.text ?? `was refused: ${answer.why}`;
          // The page puts it into its own words, if it can.
          const shown = !document.dispatchEvent(new CustomEvent('stopped', { cancelable: true, detail: { name, ...answer } }));
          tell(shown ? '' : `${name}: ${text}`, String(Boolean(answer.done)));
          return;
        }
        why = answer.why;
        if (answer.wait !== 0) {
          lacks(why);
          await pause(500);
        }
      }
    } finally {
      clearInterval(timer);
      if (mine === latest) rest();
    }
  }

  function rest() {
    for (const b of document.querySelectorAll('[data-command="pause"]')) b.removeAttribute('aria-busy');
  }

  // forget ends the retries of a stop: a person has given another command.
  function forget() {
    latest++;
    say('', '');
    rest();
  }

  // A finger stops the robot when it comes down; the click that follows is not another one. Keyboards and screen
  // readers send the click alone.
  let touched = false;
  const asked = (e) => {
    const b = e.target.closest?.('[data-command="pause"]');
    return b && b.dataset.inert !== 'true' ? b : null;
  };
  addEventListener('pointerdown', (e) => {
    touched = true;
    const b = e.button ? null : asked(e);
    if (b) stop(b);
  }, true);
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => setTimeout(() => { touched = false; }, 400), true);
  addEventListener('keydown', () => { touched = false; }, true);
  addEventListener('click', (e) => {
    const b = touched ? null : asked(e);
    if (b) stop(b);
  }, true);

  // --- broken parts

  const broken = new Set();
  const told = new Set();

  function show() {
    const line = $('broken');
    if (!line) return;
    line.textContent = broken.size ? `Not everything on this page works (${[...broken].join(', ')}): reload it. STOP works, and everything else on the page is up to date.` : '';
    line.hidden = !broken.size;
  }

  // trouble shows that a part of the page failed, and tells the explorer's log once.
  function trouble(part, error) {
    broken.add(part);
    show();
    const text = String(error?.stack ? `${error.message}\n${error.stack}` : error?.message || error).slice(0, 500);
    const once = `${part}: ${error?.message || error}`;
    if (told.has(once) || told.size >= 5) return;
    told.add(once);
    post('/api/trouble', { part, text }, 8000).catch(() => {});
  }

  function mended(part) {
    if (broken.delete(part)) show();
  }

  addEventListener('error', (e) => {
    if (/^ResizeObserver loop/.test(e.message)) return; // the browser only puts work off
    if (e.message) trouble('page', e.error || e.message);
    else if (/^(SCRIPT|LINK)$/.test(e.target?.tagName)) trouble('loading', `${e.target.src || e.target.href} was not loaded`);
  }, true);
  addEventListener('unhandledrejection', (e) => trouble('page', e.reason));
  document.addEventListener('DOMContentLoaded', show);

  window.safety = { trouble, mended, forget };
})();
