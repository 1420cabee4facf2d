// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The page: keeps what it knows of the mission, draws all of it from whatever has come, and wires the buttons.
// Messages only change the state. STOP is not here but in safety.js, which needs nothing of this.
import * as api from './api.js';
import { showCard } from './card.js';
import { age, count, duration, metres, real, told } from './format.js';
import { held, means, settles } from './hold.js';
import { FieldMap } from './map.js';
import { make, named, set, showAnswer, showBattery, showChecks, showFiles, showLeft, showLegend, showLog, showRegret, showStatus, showUsage, withUnits } from './panel.js';
import { Recorder } from './record.js';
import { Steering } from './steer.js';
import { now, Stream } from './stream.js';

const $ = (id) => document.getElementById(id);

// nothing is the state of the page before the first message of an explorer.
const nothing = () => ({
  scene: null, status: null, usage: null, checks: [], maps: null, pose: null, poseAt: 0, movedAt: 0, plan: [], track: [], samples: [], team: [], struck: [], regret: null,
  lines: 0, unshown: [], // of the log: how many have come, and those that are not on the page yet
  recording: null, rings: { version: 0, rings: [] }, edge: [], // of a field that is recorded
  layer: 'mean', photo: false, shown: null, files: null, card: null, fit: false, follow: false,
});

export const state = {
  id: '', commands: false, refused: '', degrees: true, ...nothing(),
  get real() { return real(state.scene || {}); },
  allSamples: () => [...state.team, ...state.samples],
  // whyStruck returns why a sample does not count, as a code; '' for one that counts.
  whyStruck: (s) => state.struck.find((x) => x.n === s.n && (x.robot || '') === (s.robot || ''))?.why || '',
  // datum returns the origin with which places are shown in degrees; null: they are shown in metres.
  datum: () => (state.degrees && state.scene?.datum) || null,
  // told returns a sentence of the explorer with places as people have chosen to see them.
  told: (text) => told(text, state.datum()),
  // poseAge returns how old the pose is now, s: on the mission's clock when it was sent, and on
  // ours since then. While the explorer sends others, an unchanged pose is one that stands.
  poseAge: () => (state.pose ? state.pose.age + Math.max(0, stream.age() > 1.5 ? (now() - state.poseAt) / 1000 : 0) : Infinity),
  poseLimit: () => Math.max(1, state.scene?.pose_timeout_s || 2),
};

const map = new FieldMap($('map'), state, { tapped, changed: () => changed(true) });
const recorder = new Recorder(state, map, { order, say, askToken, changed });
const steering = new Steering(state, recorder, { say, askToken });
const stream = new Stream(
  () => ({ id: state.id, samples: state.samples.length, team: state.team.length, track: state.track.length, log: state.lines }), receive);

// --- messages

// extend adds elements from an index on, which may repeat some.
function extend(list, from, more) {
  if (from > list.length) return; // something is missing: a new connection brings it
  list.length = from;
  for (const e of more) list.push(e);
}

const handlers = {
  hello({ id, commands }) {
    if (state.id && state.id !== id) Object.assign(state, nothing()); // another explorer: nothing of the old one holds
    Object.assign(state, { id, commands, refused: '' });
    if ($('login').open && commands) $('login').close();
  },
  scene(scene) {
    state.fit = !state.scene;
    state.scene = scene;
    state.photo = Boolean(scene.photo && (state.photo || state.recording?.active));
  },
  pose(pose) {
    state.pose = pose;
    state.poseAt = now();
    if (Math.abs(pose.v) > 0.03) state.movedAt = now();
    state.follow = Boolean(state.recording?.active);
  },
  status(status) {
    if (!status.files) state.files = null;
    state.status = status;
  },
  usage: (usage) => { state.usage = usage; },
  checks: (checks) => { state.checks = checks || []; },
  plan: (plan) => { state.plan = plan || []; },
  track: ({ from, points }) => extend(state.track, from, points),
  samples: ({ from, team, list }) => extend(team ? state.team : state.samples, from, list),
  struck: (struck) => { state.struck = struck || []; },
  log({ from, lines }) {
    state.unshown.push(...lines.slice(Math.max(0, state.lines - from)));
    state.lines = from + lines.length;
  },
  maps: (maps) => { state.maps = maps; },
  regret: (regret) => { state.regret = regret; },
  recording(recording) {
    if (recording?.active || state.recording?.active) state.photo = Boolean(recording?.active && state.scene?.photo); // without layers to choose from
    state.recording = recording;
  },
  rings(rings) {
    state.rings = { version: rings.version, rings: rings.rings || [] };
    recorder.renewed();
    state.follow = true;
  },
  edge: ({ from, points }) => extend(state.edge, from, points),
  refused({ status, text }) {
    state.refused = text;
    if (status === 401) askToken();
  },
};
const unmapped = ['hello', 'usage', 'checks', 'log', 'regret', 'refused'];

// receive processes a message. A message that fails does not prevent later ones.
export function receive(name, data) {
  if (!Object.hasOwn(handlers, name)) return;
  try {
    handlers[name](data);
  } catch (e) {
    safety.trouble(`message ${name}`, e);
  }
  changed(!unmapped.includes(name));
}

// --- drawing

let due = false;
let mapDue = true;

// changed draws the state soon, once for all changes; the map only if it shows them.
function changed(onMap) {
  mapDue ||= Boolean(onMap);
  if (due) return;
  due = true;
  if (document.hidden) setTimeout(render);
  else requestAnimationFrame(render);
}
document.addEventListener('visibilitychange', render);

const parts = []; // {name, of, draw, drawn}

// part is drawn whenever an element of the list that of returns has changed; without of, every time.
function part(name, of, draw) {
  parts.push({ name, of, draw, drawn: null });
}

// render draws all parts. A part that fails is reported, and the others are drawn.
export function render() {
  due = false;
  for (const p of parts) {
    try {
      const of = p.of?.();
      if (of && p.drawn && of.every((v, i) => Object.is(v, p.drawn[i]))) continue;
      p.drawn = of || null; // what has failed is not tried again before it changes
      p.draw();
      safety.mended(p.name);
    } catch (e) {
      safety.trouble(p.name, e);
    }
  }
}

part('state', null, showHead);
part('age', null, showAge);
part('answer', () => [state.status?.answer, state.status?.over], () => showAnswer(state));
part('battery', () => [state.status?.battery], () => showBattery(state.status?.battery));
part('budget', () => [state.usage], () => showUsage(state.usage));
part('what is left', null, () => showLeft(state, state.pose?.t));
part('checks', () => [state.checks, state.datum(), Math.floor(staleFor())], () => showChecks(state, staleFor()));
part('regret', () => [state.regret, state.scene], () => showRegret(state.regret, state.scene));
part('events', () => [state.id, state.lines], showEvents);
part('buttons', null, showUseful);
part('results', () => [state.status, state.files], showResults);
part('files', () => [state.files], () => state.files && showFiles(state.files));
part('layers', () => [state.scene, state.maps, state.layer, state.photo], showLayers);
part('layer', () => [state.maps, state.layer], loadLayer);
part('legend', () => [state.scene, state.maps, state.layer, state.shown], () => showLegend(state));
part('recording', null, () => recorder.show());
part('rings', () => [state.rings], () => recorder.showRings());
part('steering', null, () => steering.show());
part('place', () => [state.card, state.scene, state.degrees, state.struck], () => showCard(state, map));
part('map', null, () => {
  if (!mapDue) return;
  mapDue = false;
  if (state.fit) map.fit();
  else if (state.follow) map.follow();
  state.fit = state.follow = false;
  map.paint();
});

let eventsOf = '';
function showEvents() {
  if (eventsOf !== state.id) $('log').replaceChildren();
  eventsOf = state.id;
  showLog(state.unshown.splice(0), state.told);
}

// --- layers

let buttons = '[]'; // those of the named layers

function showLayers() {
  const there = state.maps?.layers || [];
  const layers = state.maps?.named || [];
  if (JSON.stringify(layers) !== buttons) {
    const before = JSON.parse(buttons).map((l) => l.layer);
    before.forEach((layer) => document.querySelector(`[data-layer="${layer}"]`).remove());
    $('layers').append(...layers.map((l) => make('button', l.name, { type: 'button', role: 'radio', 'data-layer': l.layer, title: withUnits(l) })));
    buttons = JSON.stringify(layers);
    if (before.includes(state.layer) && !named(state, state.layer)) state.layer = 'mean';
  }
  $('places-box').hidden = !state.scene?.datum;
  for (const b of document.querySelectorAll('[data-layer]')) {
    const { layer } = b.dataset;
    const available = layer === 'photo' ? state.scene?.photo : there.includes(layer);
    b.setAttribute('aria-disabled', String(!available));
    b.hidden = ['truth', 'photo'].includes(layer) && !available;
    b.setAttribute('aria-checked', String(layer === (state.photo ? 'photo' : state.layer)));
  }
}

// loading is the layer that is being fetched; the next one follows it.
let loading = false;
async function loadLayer() {
  if (loading) return;
  loading = true;
  try {
    for (;;) {
      const { id, layer } = state;
      const version = state.maps?.version;
      if (!state.maps?.layers?.includes(layer)) {
        if (map.map) map.show(null);
        state.shown = null;
        break;
      }
      if (state.shown?.layer === layer && state.shown.version === version) break;
      const m = await api.map(layer);
      m.version = version;
      if (id !== state.id || layer !== state.layer) continue; // another one was chosen meanwhile
      state.shown = m;
      map.show(m);
      if (version === state.maps?.version) break;
    }
  } catch (e) {
    if (!(e instanceof api.Refusal)) safety.trouble('layer', e); // else the next version, or the next connection, tries again
  }
  loading = false;
  changed(true);
}

for (const group of document.querySelectorAll('[role="radiogroup"]')) {
  group.addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const radios = [...group.querySelectorAll('[role="radio"]:not([hidden])')];
    const next = radios[(radios.indexOf(document.activeElement) + step + radios.length) % radios.length];
    next.focus();
    next.click();
  });
}
$('layers').addEventListener('click', (e) => {
  const b = e.target.closest('[data-layer]');
  if (!b) return;
  state.photo = b.dataset.layer === 'photo'; // with the values above it
  state.layer = state.photo ? 'mean' : b.dataset.layer;
  b.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  changed(true);
});
for (const b of document.querySelectorAll('[data-places]')) {
  b.addEventListener('click', () => {
    state.degrees = b.dataset.places === 'deg';
    for (const other of document.querySelectorAll('[data-places]')) other.setAttribute('aria-checked', String(other === b));
    changed(true);
  });
}
$('zoom-in').addEventListener('click', () => map.zoom(1.5));
$('zoom-out').addEventListener('click', () => map.zoom(1 / 1.5));
$('zoom-fit').addEventListener('click', () => map.fit());

// --- the card of the tapped place or sample

function tapped(what) {
  if (state.recording?.active) return; // there is no model to ask, and no target
  state.card = what.sample ? what : { place: what.place };
  render();
  map.uncover($('card').offsetHeight);
  if (!what.sample) askAt(what.place);
}

// askAt asks the model what it expects at a place, and shows it unless another was tapped since.
async function askAt(at) {
  let more;
  try {
    more = { answer: await api.at(...at) };
  } catch (e) {
    more = { text: e.message };
  }
  if (state.card?.place !== at) return;
  state.card = { place: at, ...more };
  changed(true);
}

// What is expected at the place changes with the maps.
part('place asked', () => [state.maps], () => {
  if (state.card?.place) askAt(state.card.place);
});

function closeCard() {
  state.card = null;
  changed(true);
}
$('card-close').addEventListener('click', () => {
  closeCard();
  $('map').focus({ preventScroll: true });
});

// --- commands

const names = { start: 'Start', resume: 'Resume', pause: 'Pause' };

// showUseful shows the buttons of the commands that are possible now. Each has its own place.
function showUseful() {
  const { offers = [], state: now } = state.status || {};
  const offered = (word) => offers.includes(word);
  const main = ['resume', 'start', 'pause'].find(offered) || '';
  $('main').dataset.command = main;
  if (main) set('main', names[main]);
  if (main === 'pause') $('main').removeAttribute('aria-describedby'); // it is not held
  else $('main').setAttribute('aria-describedby', 'hold-help');
  means($('main'), main);
  for (const word of ['home', 'skip', 'stop']) means(document.querySelector(`[data-command="${word}"]`), offered(word) ? word : '');
  $('end-box').hidden = !offered('stop');
  $('more').hidden = !offered('more');
  nameMore(offered('more') ? state.usage : null, now);
  document.body.classList.toggle('stale', staleFor() > 0);
}

// nameMore labels the buttons that continue the mission with the increase of the budget.
function nameMore(u, now) {
  const [limit, format] = u?.samples.limit ? [u.samples.limit, (n) => count(Math.ceil(n), 'sample')]
    : u?.distance_m.limit ? [u.distance_m.limit, metres] : [u?.time_s.limit, duration];
  for (const b of $('more-buttons').children) {
    const share = b.dataset.command.split(' ')[1] / 100;
    set(b, `+${limit ? format(share * limit) : `${100 * share} %`}`);
    means(b, $('more').hidden ? '' : `${now}`);
  }
}

// unheard says why no command but a stop can be sent now, "" if one can.
const unheard = () => (staleFor() ? `Nothing was sent: there has been no connection for ${age(staleFor())}.` : '');

for (const b of document.querySelectorAll('[data-command]:not(#stop)')) {
  const pauses = () => b.dataset.command === 'pause';
  held(b, { act: () => order(b.dataset.command, b, b.textContent), say: (text) => say(text, false), refuses: unheard, tapped: pauses });
}
held($('goto'), {
  say: (text) => say(text, false), refuses: unheard,
  act: async () => {
    const [x, y] = state.card.place;
    if (await order(`goto ${x.toFixed(2)} ${y.toFixed(2)}`, $('goto'), 'go there')) closeCard();
  },
});
held($('strike'), {
  say: (text) => say(text, false), refuses: unheard,
  act: () => order($('strike').dataset.means, $('strike'), $('strike').textContent),
});
$('main').addEventListener('click', () => {
  if ($('main').dataset.command === 'pause' && settles($('main'))) say(settles($('main')), false);
});

// The next step of a person whose command was refused.
const nextStep = { idle: 'Hold Start', paused: 'Hold Resume', fault: 'Correct the problem, then hold Resume', done: 'Continue with more budget, or start the program again for another mission' };

let answerTimer = 0;
function say(text, done) {
  const box = $('answer');
  box.dataset.done = String(done);
  box.textContent = text; // also if it was said before: a screen reader says it again
  clearTimeout(answerTimer);
  answerTimer = setTimeout(() => set(box, ''), done ? 5000 : 12000);
}

// order sends a command and shows the explorer's answer. It returns whether it was done.
async function order(words, button, name = words) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  if (!state.commands) {
    askToken();
    return false;
  }
  if (!['record', 'stop', 'strike', 'restore'].includes(words.split(' ')[0])) safety.forget(); // a person wants the robot to drive, and not to stop any more
  button.setAttribute('aria-busy', 'true');
  say(`${title} sent, waiting for the answer …`, 'wait');
  try {
    const answer = await api.command(words);
    const { done } = answer;
    const text = state.told(answer.text);
    const next = nextStep[state.status?.state];
    if (done) say(`${title}: ${text}`, done);
    else say(`${title} was refused: ${text}${next ? `. ${next}.` : ''}`, done);
    return done;
  } catch (e) {
    say(`${title} ${api.outcome(e, 'was not given')}: ${e.message}`, false);
    if (e.status === 401) askToken();
    return false;
  } finally {
    button.removeAttribute('aria-busy');
  }
}

// The answer that safety.js got, in the words of the page.
document.addEventListener('stopped', (e) => {
  const { name, done, text, why, status } = e.detail;
  if (status === 401) askToken();
  if (text === undefined) say(`${name} was refused: ${why}`, false);
  else if (done) say(`${name}: ${state.told(text)}${state.recording?.active ? '' : '; hold Resume to continue'}`, true);
  else say(`The mission does not drive the robot: ${state.told(text)}`, false);
  e.preventDefault();
});

// --- results

let listing = false;
async function showResults() {
  $('results').hidden = !state.status?.files;
  if (!state.status?.files || state.files || listing) return;
  listing = true;
  try {
    const files = await api.files();
    if (state.status?.files) state.files = files;
  } catch { /* the next status tries again */ }
  listing = false;
  changed();
}

// --- token

function askToken() {
  if (!$('login').open) $('login').showModal();
}

async function login(token) {
  set('login-error', '');
  try {
    await api.login(token);
    $('login').close();
    stream.renew();
  } catch (e) {
    set('login-error', e.message);
    askToken();
  }
}
$('login-form').addEventListener('submit', (e) => {
  e.preventDefault();
  login($('token').value.trim());
});
$('login-cancel').addEventListener('click', () => $('login').close());

// --- age of the shown data

// staleFor returns the time since the last message, s; 0: the shown data are live.
const staleFor = () => (Number.isFinite(stream.age()) && stream.age() > 3 ? stream.age() : 0);

function showHead() {
  const stale = staleFor();
  showStatus(state, !stale && now() - state.movedAt > 4000, stale);
}

function showAge() {
  const a = stream.age();
  let text = 'live';
  let live = true;
  if (a > 2) {
    live = false;
    const old = Number.isFinite(a) ? `${age(a)} old` : 'no data yet';
    text = stream.parked ? `in another tab, ${old}` : stream.connected ? old : `offline, ${old}`;
  } else if (state.pose && state.poseAge() > state.poseLimit()) {
    live = false;
    text = `pose ${age(state.poseAge())} old`;
  }
  set('age', text);
  $('age').dataset.age = live ? 'live' : 'old';
  if (!live) mapDue = true;
}
setInterval(changed, 500);

async function begin() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token) {
    history.replaceState(null, '', location.pathname); // not on the screen, and not in the history
    await login(token);
  }
  render();
  stream.run();
}
begin();
