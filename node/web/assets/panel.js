// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The panels beside the map.
import { paintBar } from './colours.js';
import { age, bytes, clock, count, duration, metres, real, value } from './format.js';

const $ = (id) => document.getElementById(id);

// set changes a text only if it differs, so that screen readers read only what is new.
export function set(id, text) {
  const e = typeof id === 'string' ? $(id) : id;
  if (e.textContent !== text) e.textContent = text;
}

export function make(tag, text, attributes = {}) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
}

const stateNames = {
  idle: 'Ready', planning: 'Choosing', travelling: 'Driving', sampling: 'Sampling', returning: 'Driving home', done: 'Done', paused: 'Paused', fault: 'Fault', passive: 'Observing', heading: 'Finding the heading', recording: 'Recording the field',
};

// showStatus shows the mission's state. still says that the robot has not moved for some time, and
// stale for how long nothing was heard, s; 0: it is live.
export function showStatus(state, still, stale) {
  const { status, scene, usage, refused } = state;
  if (!status) {
    $('state').dataset.state = '';
    set('state', 'Connecting');
    set('sentence', refused ? `There is no connection: ${refused}.` : 'Waiting for the explorer.');
    return;
  }
  const stands = ['travelling', 'returning'].includes(status.state) && (still || status.stopped_by);
  const name = stands ? 'Waiting' : stateNames[status.state] || status.state;
  set('state', stale ? `Last known: ${name.toLowerCase()}` : name);
  $('state').dataset.state = stale ? '' : stands ? 'waiting' : status.state;
  let { text } = status;
  if (stands) text = status.waiting || `the robot does not move: ${text}`;
  if (status.state === 'idle' && status.waiting) text = `it waits for ${status.waiting}.`;
  text = state.told(text);
  const away = usage?.to_home_m;
  if (status.state === 'done' && away > 5) text += `. The robot is ${metres(away)} from home.`;
  text = text.charAt(0).toUpperCase() + text.slice(1);
  set('sentence', text);
  if ($('spoken').dataset.of !== name + status.waiting) set('spoken', `${name}. ${text}`); // not each metre of a way
  $('spoken').dataset.of = name + status.waiting;
  document.title = `${name} – ${scene?.name || scene?.quantity || 'mission'}`;
}

// mapLink returns a link that opens a phone's map, or a map on the web.
function mapLink(decimal) {
  const at = decimal.replace(' ', '');
  if (/android/i.test(navigator.userAgent)) return `geo:${at}?q=${at}`;
  if (/iphone|ipad/i.test(navigator.userAgent)) return `https://maps.apple.com/?ll=${at}&q=${at}`;
  const [lat, lon] = at.split(',');
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=18/${lat}/${lon}`;
}

export function showAnswer({ status }) {
  const { text = 'none yet', note, decimal } = status?.answer || {};
  set('best-title', status?.over ? 'Answer' : 'Answer so far');
  set('best', text);
  set('best-note', note || '');
  $('best-at').hidden = !decimal;
  if (!decimal) return;
  set('best-decimal', decimal);
  $('best-map').href = mapLink(decimal);
}

// copy copies a text that is shown: the clipboard's own interface needs a secure connection.
$('best-copy').addEventListener('click', () => {
  getSelection().selectAllChildren($('best-decimal'));
  set('best-copy', document.execCommand('copy') ? 'Copied' : 'Selected');
  setTimeout(() => set('best-copy', 'Copy'), 3000);
});

function meter(name, text, share, low) {
  set(`${name}-text`, text);
  const bar = $(`${name}-bar`);
  const known = share !== null && Number.isFinite(share);
  bar.dataset.limit = known ? 'some' : 'none';
  if (!known) {
    bar.removeAttribute('aria-valuenow');
    bar.setAttribute('aria-valuetext', text);
    return;
  }
  const percent = Math.round(100 * Math.min(1, Math.max(0, share)));
  bar.setAttribute('aria-valuenow', percent);
  bar.setAttribute('aria-valuetext', text);
  bar.firstElementChild.style.width = `${percent}%`;
  bar.firstElementChild.dataset.low = low;
}

export function showUsage(u) {
  const row = (name, { used, limit } = {}, format) =>
    meter(name, used === undefined ? '–' : limit ? `${format(used)} of ${format(limit)}` : `${format(used)}, no limit`, limit ? used / limit : null, limit && used > 0.9 * limit && name !== 'samples');
  row('samples', u?.samples, (n) => `${n}`);
  row('distance', u?.distance_m, metres);
  row('time', u?.time_s, duration);
}

// showLeft shows the expected rest of the mission, including the way home, and the share that is
// done, as the explorer states them; stamp is the mission's time, s.
export function showLeft({ status, usage }, stamp) {
  const left = usage?.left;
  const now = status?.state;
  const before = ['idle', 'recording'].includes(now);
  let text = '\u00a0';
  if (left && now && now !== 'done') {
    const end = !before && now !== 'paused' && now !== 'fault' && stamp > 1e9;
    const what = now === 'returning' ? 'to home' : `${before ? 'in all' : 'left'}, including the way home`;
    text = `About ${duration(left.time_s)} and ${metres(left.distance_m)} ${what}${end ? `: done at ${clock(stamp + left.time_s).slice(0, -3)}` : ''}`;
  }
  set('left', text);
  const known = left && now && !before;
  $('done-bar').parentElement.hidden = !known;
  if (known) meter('done', `${Math.floor(100 * left.done)} %`, left.done, false);
}

export function showBattery(b) {
  $('battery').hidden = !b;
  if (!b) return;
  const parts = [];
  if (b.percent !== undefined) parts.push(`${b.percent.toFixed(0)} %`);
  if (b.voltage !== undefined) parts.push(`${b.voltage.toFixed(1)} V`);
  if (b.charging) parts.push('charging');
  if (b.age_s >= 30) parts.push(`${duration(b.age_s)} ago`);
  meter('battery', parts.join(', ') || 'unknown', b.percent === undefined ? null : b.percent / 100, b.percent < 20);
}

// showChecks shows the problems, or those of the last message, stale seconds ago.
export function showChecks({ checks, told }, stale) {
  const item = (c) => {
    const li = make('li', undefined, { 'data-level': c.level });
    li.append(make('b', `${c.name}: `), told(c.text || 'nothing is wrong'));
    return li;
  };
  const wrong = checks.filter((c) => c.text).sort((a, b) => b.level - a.level);
  const fine = checks.filter((c) => !c.text);
  if (!checks.length) {
    $('checks').replaceChildren(make('li', 'not known yet', { 'data-level': '' }));
    set('fine-title', 'Checks');
    $('fine-list').replaceChildren();
    return;
  }
  $('checks').replaceChildren(...(wrong.length ? wrong.map(item) : [make('li', stale ? `nothing was wrong ${age(stale)} ago` : 'nothing is wrong', { 'data-level': stale ? '' : 0 })]));
  set('fine-title', stale ? 'Not known now' : `${count(fine.length, 'check')} passed`);
  $('fine-list').replaceChildren(...fine.map(item));
}

const mostLines = 300;

export function showLog(lines, told) {
  const log = $('log');
  const atTop = log.scrollTop < 4;
  for (const l of lines || []) {
    const li = make('li', undefined, { 'data-level': l.level });
    li.append(make('time', clock(l.t)), told(l.text));
    log.prepend(li);
  }
  while (log.childElementCount > mostLines) log.lastElementChild.remove();
  if (atTop) log.scrollTop = 0;
}

// named returns the layer with a key if it has a name of its own: another quantity, or a raster.
export const named = (state, layer) => state.maps?.named?.find((l) => l.layer === layer);
export const withUnits = ({ name, units }) => (units ? `${name}, ${units}` : name);

const legendWords = { mean: '', stddev: '± ', truth: 'true ', acquisition: 'benefit of a sample' };

// ends returns the texts below the colours: values, or words where numbers mean nothing to people.
function ends(state, m) {
  if (m.layer === 'acquisition') return ['low', '', 'high'];
  const of = named(state, m.layer) || (m.layer === 'stddev' && state.real.log) ? (v) => v : state.real.of;
  const values = [m.low, (m.low + m.high) / 2, m.high].map(of);
  return values.map((v) => (m.layer === 'stddev' && state.real.log ? `× ${value(state.real.of(v), 0.1)}` : value(v, (values[2] - values[0]) / 10)));
}

export function showLegend(state) {
  const m = state.shown;
  const { layer, real: { units, log } } = state;
  const next = layer === 'acquisition';
  const own = named(state, layer);
  if (own) set('legend-title', withUnits(own));
  else set('legend-title', (next ? '' : layer === 'stddev' && log ? 'uncertainty of ' : legendWords[layer]) + (next ? legendWords[layer] : `${state.scene?.quantity || 'value'}${units && !(layer === 'stddev' && log) ? `, ${units}` : ''}`));
  paintBar($('legend-bar'), layer);
  const words = m ? ends(state, m) : ['after 2 samples', '', ''];
  ['legend-low', 'legend-middle', 'legend-high'].forEach((id, i) => set(id, words[i]));
  $('legend-bar').setAttribute('aria-label', m ? `Colour bar from ${words[0]} to ${words[2]}` : 'Colour bar');
}

export function showRegret(list, scene) {
  $('regret-box').hidden = !list?.length;
  if (!list?.length) return;
  const [w, h, left, bottom] = [360, 120, 46, 18];
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const last = list[list.length - 1];
  const { log, units, of } = real(scene || {});
  // A difference of logarithms is a factor.
  const shown = (r) => (log ? `× ${value(of(r), (of(r) - 1) / 10)}` : value(r, r / 10));
  const text = `${shown(last.r)}${log || !units ? '' : ` ${units}`} after ${count(last.n, 'sample')}`;
  svg.setAttribute('viewBox', `0 0 ${w} ${h}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `Regret over samples: ${text}`);
  const most = Math.max(...list.map((p) => p.r)) || 1;
  const n1 = Math.max(2, last.n);
  const x = (n) => left + ((n - 1) / (n1 - 1)) * (w - left - 8);
  const y = (r) => 8 + (1 - r / most) * (h - 8 - bottom);
  const add = (name, attributes, words) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (words !== undefined) e.textContent = words;
    svg.append(e);
  };
  add('path', { d: `M${left} 8V${y(0)}H${w - 8}`, fill: 'none', stroke: 'currentColor', 'stroke-opacity': 0.6 });
  add('text', { x: left - 5, y: 13, 'text-anchor': 'end', 'font-size': 11, fill: 'currentColor' }, shown(most));
  add('text', { x: left - 5, y: y(0) + 3, 'text-anchor': 'end', 'font-size': 11, fill: 'currentColor' }, log ? '× 1' : '0');
  add('text', { x: w - 8, y: h - 3, 'text-anchor': 'end', 'font-size': 11, fill: 'currentColor' }, count(last.n, 'sample'));
  add('path', { d: list.map((p, i) => `${i ? 'H' : 'M'}${x(p.n)}${i ? 'V' : ' '}${y(p.r)}`).join(''), fill: 'none', stroke: 'currentColor', 'stroke-width': 2 });
  $('regret').replaceChildren(svg);
  set('regret-text', `${text}: the highest true value of the map's cells ${log ? 'divided by' : 'minus'} the true value at the best place, without variation within a cell`);
}

// showFiles lists the files of a mission by their titles, in the server's order.
export function showFiles(list) {
  const files = list || [];
  $('report').hidden = !files.some((f) => f.name === 'report.html');
  $('files').replaceChildren(...files.map((f) => {
    const li = make('li');
    const name = f.name.split('/').pop();
    li.append(make('a', f.title || name, { href: '/files/' + f.name.split('/').map(encodeURIComponent).join('/'), download: name }), ' ', make('small', `${f.name}, ${bytes(f.size)}`));
    return li;
  }));
}
