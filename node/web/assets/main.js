// The page: keeps what it knows of the mission, and wires the stream, the map and the buttons.
import * as api from './api.js';
import { about, age, clock, count, duration, metres, place, real, told, value } from './format.js';
import { FieldMap } from './map.js';
import { paintBar } from './painter.js';
import { confirmed, make, set, showAnswer, showBattery, showChecks, showFiles, showLeft, showLog, showRegret, showStatus, showUsage } from './panel.js';
import { Recorder } from './record.js';
import { Steering } from './steer.js';
import { now, Stream } from './stream.js';

const $ = (id) => document.getElementById(id);

const state = {
  id: '', commands: false, scene: null, status: null, usage: null, checks: [], maps: null, pose: null, poseAt: 0, movedAt: 0, real: real(),
  plan: [], track: [], samples: [], team: [], lines: 0, degrees: true, layer: 'mean', photo: false, shown: null,
  recording: null, rings: { version: 0, rings: [] }, edge: [], // of a field that is recorded
  allSamples: () => [...state.team, ...state.samples],
  // datum returns by what places are shown in degrees; null: they are shown in metres.
  datum: () => (state.degrees && state.scene?.datum) || null,
  // poseAge returns how old the pose is now, s: on the mission's clock when it was sent, and on
  // ours since then. While the explorer sends others, an unchanged pose is one that stands.
  poseAge: () => (state.pose ? state.pose.age + Math.max(0, stream.age() > 1.5 ? (now() - state.poseAt) / 1000 : 0) : Infinity),
  poseLimit: () => Math.max(1, state.scene?.pose_timeout_s || 2),
};

const map = new FieldMap($('map'), state, tapped);
const recorder = new Recorder(state, map, { order, say, askToken });
const steering = new Steering(state, recorder, { say, askToken });
const stream = new Stream(
  () => ({ id: state.id, samples: state.samples.length, team: state.team.length, track: state.track.length, log: state.lines }),
  (name, data) => (handlers[name] || (() => {}))(data));

// extend adds elements from an index on, which may repeat some.
function extend(list, from, more) {
  if (from > list.length) return; // something is missing: a new connection brings it
  list.length = from;
  for (const e of more) list.push(e);
}

const handlers = {
  hello({ id, commands }) {
    if (state.id && state.id !== id) { // another explorer: nothing of the old one holds
      Object.assign(state, { scene: null, status: null, pose: null, plan: [], track: [], samples: [], team: [], lines: 0, maps: null, shown: null,
        recording: null, rings: { version: 0, rings: [] }, edge: [] });
      recorder.show();
      steering.show();
      closeCard();
      showAnswer(state);
      showLayers();
      $('log').replaceChildren();
      map.show(null);
    }
    state.id = id;
    state.commands = commands;
    if ($('login').open && commands) $('login').close();
  },
  scene(scene) {
    const first = !state.scene;
    state.scene = scene;
    state.real = real(scene.units);
    if (state.real.log) scene.quantity = scene.quantity.replace(/^(log10|ln) /, '');
    $('places-box').hidden = !scene.datum;
    if (first) map.fit();
    state.photo = Boolean(scene.photo && (state.photo || state.recording?.active));
    showLayers();
    showHead();
    showLegend();
    map.repaint();
  },
  pose(pose) {
    state.pose = pose;
    state.poseAt = now();
    if (Math.abs(pose.v) > 0.03) state.movedAt = now();
    if (state.recording?.active) map.follow();
    map.repaint();
  },
  status(status) {
    state.status = status;
    showHead();
    showAnswer(state);
    showBattery(status.battery);
    showLeft(state, state.pose?.t);
    showUseful();
    showResults();
    map.repaint();
  },
  usage(usage) {
    state.usage = usage;
    showUsage(usage);
    showLeft(state, state.pose?.t);
  },
  checks(checks) {
    state.checks = checks;
    showChecks(checks, staleFor());
  },
  plan(plan) {
    state.plan = plan || [];
    map.repaint();
  },
  track({ from, points }) {
    extend(state.track, from, points);
    map.repaint();
  },
  samples({ from, team, list }) {
    extend(team ? state.team : state.samples, from, list);
    map.repaint();
  },
  log({ from, lines }) {
    showLog(lines.slice(Math.max(0, state.lines - from)), state.datum());
    state.lines = from + lines.length;
  },
  maps(maps) {
    state.maps = maps;
    showLayers();
    loadLayer();
    if (card?.place) askAt(card.place);
  },
  regret: (list) => showRegret(list, state.scene),
  recording(recording) {
    if (recording?.active || state.recording?.active) state.photo = Boolean(recording?.active && state.scene?.photo); // without layers to choose from
    state.recording = recording;
    recorder.show();
    steering.show();
    map.repaint();
  },
  rings(rings) {
    state.rings = { version: rings.version, rings: rings.rings || [] };
    recorder.renewed();
  },
  edge({ from, points }) {
    extend(state.edge, from, points);
    map.repaint();
  },
  refused({ status }) {
    if (status === 401) askToken();
  },
};

// --- layers

let rasterNames = []; // those that have a button

function showLayers() {
  const there = state.maps?.layers || [];
  const rasters = state.maps?.rasters || [];
  if (rasters.join('/') !== rasterNames.join('/')) {
    document.querySelectorAll('[data-layer^="raster"]').forEach((b) => b.remove());
    $('layers').append(...rasters.map((name, i) => make('button', name, { type: 'button', role: 'radio', 'data-layer': `raster${i + 1}`, title: name })));
    rasterNames = rasters;
    if (state.layer.startsWith('raster')) state.layer = 'mean';
  }
  for (const b of document.querySelectorAll('[data-layer]')) {
    const { layer } = b.dataset;
    const available = layer === 'photo' ? state.scene?.photo : there.includes(layer);
    b.setAttribute('aria-disabled', String(!available));
    b.hidden = ['truth', 'photo'].includes(layer) && !available;
    b.setAttribute('aria-checked', String(layer === (state.photo ? 'photo' : state.layer)));
  }
}

// loading is the layer that is being fetched; another one that is due follows it.
let loading = false;
async function loadLayer() {
  if (loading) return;
  loading = true;
  try {
    for (;;) {
      const { layer } = state;
      const version = state.maps?.version;
      if (!state.maps?.layers?.includes(layer)) {
        state.shown = null;
        map.show(null);
        break;
      }
      if (state.shown?.layer === layer && state.shown.version === version) break;
      const m = await api.map(layer);
      m.version = version;
      if (layer !== state.layer) continue; // another one was chosen meanwhile
      state.shown = m;
      map.show(m);
      if (version === state.maps?.version) break;
    }
  } catch { /* the next version, or the next connection, tries again */ }
  loading = false;
  showLegend();
}

const legendWords = { mean: '', stddev: '± ', truth: 'true ', acquisition: 'worth a sample' };

// ends returns what stands below the colours: values, or words where numbers say nothing to people.
function ends(m) {
  if (m.layer === 'acquisition') return ['little', '', 'much'];
  const of = m.layer.startsWith('raster') || (m.layer === 'stddev' && state.real.log) ? (v) => v : state.real.of;
  const values = [m.low, (m.low + m.high) / 2, m.high].map(of);
  return values.map((v) => (m.layer === 'stddev' && state.real.log ? `× ${value(state.real.of(v), 0.1)}` : value(v, (values[2] - values[0]) / 10)));
}

function showLegend() {
  const m = state.shown;
  const { layer, real: { units, log } } = state;
  const next = layer === 'acquisition';
  if (layer.startsWith('raster')) set('legend-title', rasterNames[layer.slice(6) - 1]);
  else set('legend-title', (next ? '' : layer === 'stddev' && log ? 'uncertainty of ' : legendWords[layer]) + (next ? legendWords[layer] : `${state.scene?.quantity || 'value'}${units && !(layer === 'stddev' && log) ? `, ${units}` : ''}`));
  paintBar($('legend-bar'), layer);
  const words = m ? ends(m) : ['from 2 samples on', '', ''];
  ['legend-low', 'legend-middle', 'legend-high'].forEach((id, i) => set(id, words[i]));
  $('legend-bar').setAttribute('aria-label', m ? `Colour bar from ${words[0]} to ${words[2]}` : 'Colour bar');
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
  showLayers();
  showLegend();
  loadLayer();
  map.repaint();
});
for (const b of document.querySelectorAll('[data-places]')) {
  b.addEventListener('click', () => {
    state.degrees = b.dataset.places === 'deg';
    for (const other of document.querySelectorAll('[data-places]')) other.setAttribute('aria-checked', String(other === b));
    showHead();
    if (card) showCard(card);
  });
}
$('zoom-in').addEventListener('click', () => map.zoom(1.5));
$('zoom-out').addEventListener('click', () => map.zoom(1 / 1.5));
$('zoom-fit').addEventListener('click', () => map.fit());

// --- the card of what was tapped

let card = null;
let asked = 0;

function tapped(what) {
  if (state.recording?.active) return; // there is no model to ask, and no target
  asked++;
  showCard(what.sample ? what : { place: what.place });
  map.uncover($('card').offsetHeight);
  if (!what.sample) askAt(what.place);
}

// askAt asks the model what it expects at a place, and shows it unless another was tapped since.
async function askAt(at) {
  const mine = asked;
  const done = (more) => mine === asked && showCard({ place: at, ...more });
  try {
    done({ answer: await api.at(...at) });
  } catch (e) {
    done({ text: e.message });
  }
}

function showCard(c) {
  card = c;
  const rows = [];
  const { of, units } = state.real;
  const quantity = state.scene?.quantity || 'value';
  const { sample: s, answer: a } = c;
  const where = (at) => place(at, state.datum());
  let note = '';
  if (s) {
    map.marked = s.at;
    set('card-title', s.robot ? `Sample ${s.n} of ${s.robot}` : `Sample ${s.n}`);
    const spread = Math.sqrt((s.cov[0] + s.cov[2]) / 2);
    rows.push([quantity, about(of(s.v), of(s.v - 2 * s.sd), of(s.v + 2 * s.sd), units)]);
    rows.push(['taken at', `${where(s.at)} ± ${metres(spread)}`]);
    rows.push(['meant for', where(s.to) + (s.short ? ', not reached' : '')]);
    if (s.k) rows.push(['readings', `${s.k}${s.path ? ` along ${metres(s.path)}` : ''}`]);
    if (s.true) rows.push(['true place', `${metres(Math.hypot(s.true[0] - s.at[0], s.true[1] - s.at[1]))} away (simulation)`]);
    rows.push(['time', clock(s.t)]);
  } else {
    map.marked = c.place;
    set('card-title', where(c.place));
    if (a?.mean !== undefined) rows.push(['expected', `${quantity} ${about(of(a.mean), of(a.low), of(a.high), units)}`]);
    else if (a?.inside) rows.push(['expected', 'nothing is known before the first sample']);
    if (a?.refused) note = `The robot cannot be sent here: ${told(a.refused.replace(/^\(.*?\) m is/, 'it is'), state.datum())}`;
    else if (!a) note = c.text || 'asking …';
  }
  $('card-facts').replaceChildren(...rows.flatMap(([k, v]) => [make('dt', k), make('dd', v)]));
  set('card-note', note);
  $('card-note').hidden = !note;
  $('goto').hidden = !a || Boolean(a.refused);
  $('card').hidden = false;
  map.repaint();
}

function closeCard() {
  asked++;
  card = map.marked = null;
  $('card').hidden = true;
  map.repaint();
}
$('card-close').addEventListener('click', () => {
  closeCard();
  $('map').focus({ preventScroll: true });
});
$('goto').addEventListener('click', async () => {
  if (await order(`goto ${card.place[0].toFixed(2)} ${card.place[1].toFixed(2)}`, $('goto'), 'go there')) closeCard();
});

// --- commands

// What the main button does in each state; in the others there is none.
const mainOf = {
  idle: 'start', planning: 'pause', travelling: 'pause', sampling: 'pause', returning: 'pause', heading: 'pause', paused: 'resume', fault: 'resume',
};
const goes = ['planning', 'travelling', 'sampling', 'paused', 'fault'];

function showUseful() {
  const { state: now, text } = state.status;
  const main = text.includes('resume continues') ? 'resume' : mainOf[now];
  const show = (b, yes) => { b.hidden = !yes; };
  show($('main'), main);
  if (main) {
    $('main').dataset.command = main;
    set('main', main.charAt(0).toUpperCase() + main.slice(1));
  }
  show(document.querySelector('[data-command="home"]'), goes.includes(now));
  show(document.querySelector('[data-command="skip"]'), ['travelling', 'sampling', 'paused'].includes(now));
  show($('stop'), main);
  const goesOn = ['returning', 'done'].includes(now) && state.usage.samples.used > 0;
  show($('more'), goesOn);
  $('more').dataset.state = now;
  if (goesOn) nameMore(state.usage);
  document.body.classList.toggle('over', !main && !goesOn);
  show($('end-box'), !['idle', 'done', 'recording'].includes(now));
}

// nameMore names the buttons that go on by how much more of the budget they give.
function nameMore(u) {
  const [limit, format] = u.samples.limit ? [u.samples.limit, (n) => count(Math.ceil(n), 'sample')]
    : u.distance_m.limit ? [u.distance_m.limit, metres] : [u.time_s.limit, duration];
  for (const b of document.querySelectorAll('#more button')) {
    const share = b.dataset.command.split(' ')[1] / 100;
    set(b, `${b.previousElementSibling ? '' : 'Go on: '}+${limit ? format(share * limit) : `${100 * share} %`}`);
  }
}

// What a person can do next where a command was refused.
const nextStep = { idle: 'Tap Start', paused: 'Tap Resume', fault: 'Mend what is wrong, then tap Resume', done: 'Tap Go on, or start the program again for another mission' };

let answerTimer = 0;
function say(text, done) {
  const box = $('answer');
  box.dataset.done = String(done);
  set(box, text);
  clearTimeout(answerTimer);
  answerTimer = setTimeout(() => set(box, ''), done ? 5000 : 12000);
}

// order gives a command and shows the explorer's answer. It returns whether it was done.
async function order(words, button, name = words) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  if (!state.commands) {
    askToken();
    return false;
  }
  button.setAttribute('aria-busy', 'true');
  try {
    const answer = await api.command(words);
    const { done } = answer;
    const text = told(answer.text, state.datum());
    const now = state.status?.state;
    if (done) say(`${title}: ${text}${button === $('stop') ? '; tap Resume to go on' : ''}`, done);
    else if (button === $('stop')) say(`The mission does not drive the robot: ${text}`, done);
    else say(`${title} was refused: ${text}${nextStep[now] && !/tap \w/i.test(text) ? `. ${nextStep[now]}.` : ''}`, done);
    return done;
  } catch (e) {
    say(`${title} ${api.outcome(e, 'was not given')}: ${e.message}`, false);
    if (e.status === 401) askToken();
    return false;
  } finally {
    button.removeAttribute('aria-busy');
  }
}

for (const b of document.querySelectorAll('[data-command]')) {
  confirmed(b, () => order(b.dataset.command, b, b.textContent));
}

// --- results

let listed = false;
async function showResults() {
  const there = Boolean(state.status?.files);
  $('results').hidden = !there;
  if (!there) listed = false;
  if (!there || listed) return;
  listed = true;
  try {
    showFiles(await api.files());
  } catch {
    listed = false;
  }
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
    stream.abort?.abort();
    stream.retry();
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

// --- age of what is shown

// staleFor returns for how long nothing was heard, s; 0: what is shown is live.
const staleFor = () => (Number.isFinite(stream.age()) && stream.age() > 3 ? stream.age() : 0);

function showHead() {
  const stale = staleFor();
  showStatus(state, !stale && now() - state.movedAt > 4000, stale);
}

function showAge() {
  const a = stream.age();
  const stale = staleFor();
  if (stale || document.body.classList.contains('stale')) showChecks(state.checks, stale);
  document.body.classList.toggle('stale', stale > 0);
  showHead();
  let text = 'live';
  let live = true;
  if (a > 2) {
    live = false;
    const old = Number.isFinite(a) ? `${age(a)} old` : 'no data yet';
    text = stream.connected ? old : `offline, ${old}`;
  } else if (state.pose && state.poseAge() > state.poseLimit()) {
    live = false;
    text = `pose ${age(state.poseAge())} old`;
  }
  set('age', text);
  $('age').dataset.age = live ? 'live' : 'old';
  if (!live) map.repaint();
}
setInterval(showAge, 500);

async function begin() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token) {
    history.replaceState(null, '', location.pathname); // not on the screen, and not in the history
    await login(token);
  }
  showLayers();
  showLegend();
  stream.run();
}
begin();
