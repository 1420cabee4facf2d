// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Buttons that make a robot move, spend its budget or lose something act when they are held for a second. A
// button whose place has got another meaning does nothing for two seconds.

const holdFor = 1000; // ms
const settleFor = 2000; // ms
const slide = 40; // px by which a finger that slides off lets go
const again = 10000; // ms within which a screen reader's second activation counts

// settles says why a button does nothing yet, "" if it acts.
export const settles = (b) => (b.dataset.inert === 'true' ? 'This button has just appeared or changed: it works in two seconds.' : '');

// means sets the meaning of a button at its place; '' hides it. With a new meaning, it is inert for a while.
export function means(b, meaning) {
  if (b.dataset.means === meaning) return;
  b.dataset.means = meaning;
  b.hidden = !meaning;
  b.drop?.();
  clearTimeout(b.settling);
  const inert = (yes) => {
    b.dataset.inert = String(yes);
    b.toggleAttribute('aria-disabled', false);
    if (yes) b.setAttribute('aria-disabled', 'true');
  };
  inert(true);
  b.settling = setTimeout(() => inert(false), settleFor);
}

// held calls act when the button was held for a second, by a finger, Enter or Space; for a screen reader, when it
// was activated twice, a second apart. refuses says why nothing can be done now. Taps are enough for what tapped
// says.
export function held(b, { act, say, refuses = () => '', tapped = () => false }) {
  let timer = 0;
  let asked = -Infinity; // when a screen reader activated it first
  let pointer = -Infinity; // when a finger was last on it
  const name = () => b.getAttribute('aria-label') || b.textContent;
  b.classList.add('hold');
  b.setAttribute('aria-describedby', 'hold-help');
  b.drop = () => {
    clearTimeout(timer);
    timer = 0;
    delete b.dataset.hold;
  };
  const refused = () => {
    const why = settles(b) || refuses();
    if (why) say(why);
    return Boolean(why);
  };
  const press = () => {
    if (timer || tapped() || refused()) return;
    b.dataset.hold = 'on';
    timer = setTimeout(() => {
      b.drop();
      act();
    }, holdFor);
  };
  const release = () => {
    if (!timer) return;
    b.drop();
    say(`Hold ${name()} for a second, until it is filled.`);
  };
  let at = [0, 0]; // where the finger came down, px
  b.addEventListener('pointerdown', (e) => {
    pointer = performance.now();
    if (e.button) return;
    at = [e.clientX, e.clientY];
    press();
    try {
      b.setPointerCapture(e.pointerId); // a page that moves takes no button from under the finger
    } catch { /* the finger has gone already */ }
  });
  b.addEventListener('pointermove', (e) => {
    if (Math.hypot(e.clientX - at[0], e.clientY - at[1]) > slide) release();
  });
  for (const type of ['pointerup', 'pointercancel']) {
    b.addEventListener(type, () => {
      pointer = performance.now();
      release();
    });
  }
  b.addEventListener('contextmenu', (e) => e.preventDefault()); // which a long touch opens
  b.addEventListener('blur', b.drop);
  b.addEventListener('keydown', (e) => {
    if (tapped() || ![' ', 'Enter'].includes(e.key)) return;
    e.preventDefault();
    if (!e.repeat) press();
  });
  b.addEventListener('keyup', (e) => {
    if (tapped() || ![' ', 'Enter'].includes(e.key)) return;
    e.preventDefault();
    release();
  });
  b.addEventListener('click', () => {
    const now = performance.now();
    if (tapped() || now - pointer < 500 || refused()) return;
    const since = now - asked;
    asked = now;
    if (since > again) say(`Activate ${name()} once more, after a second.`);
    else if (since >= holdFor) {
      asked = -Infinity;
      act();
    }
  });
}
