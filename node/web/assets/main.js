// The page: keeps what it knows of the mission, and wires the stream, the map and the buttons.
import * as api from './api.js';
import { age, clock, count, metres, place, value, withDeviation } from './format.js';
import { FieldMap } from './map.js';
import { paintBar } from './painter.js';
import { confirmed, make, set, showBest, showChecks, showFiles, showLog, showRegret, showStatus, showUsage } from './panel.js';
import { Recorder } from './record.js';
import { now, Stream } from './stream.js';

const $ = (id) => document.getElementById(id);

const state = {
  id: '', commands: false, scene: null, status: null, usage: null, maps: null, pose: null, poseAt: 0,
  plan: [], track: [], samples: [], team: [], lines: 0, degrees: false, layer: 'mean', shown: null,
  recording: null, rings: { version: 0, rings: [] }, edge: [], // of a field that is recorded
  allSamples: () => [...state.team, ...state.samples],
  // poseAge returns how old the pose is now, s: on the mission's clock when it was sent, and on
  // ours since then. While the explorer sends others, an unchanged pose is one that stands.
  poseAge: () => (state.pose ? state.pose.age + Math.max(0, stream.age() > 1.5 ? (now() - state.poseAt) / 1000 : 0) : Infinity),
  poseLimit: () => Math.max(1, state.scene?.pose_timeout_s || 2),
};

const map = new FieldMap($('map'), state, tapped);
const recorder = new Recorder(state, map, { order, say, askToken });
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
      closeCard();
      showBest(state);
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
    $('places-box').hidden = !scene.datum;
    if (first) map.fit();
    if (state.status) showStatus(state);
    showLegend();
    map.repaint();
  },
  pose(pose) {
    state.pose = pose;
    state.poseAt = now();
    if (state.recording?.active) map.follow();
    map.repaint();
  },
  status(status) {
    state.status = status;
    showStatus(state);
    showUseful();
    showResults();
    map.repaint();
  },
  usage(usage) {
    state.usage = usage;
    showUsage(usage);
  },
  checks: showChecks,
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
    showLog(lines.slice(Math.max(0, state.lines - from)));
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
    state.recording = recording;
    recorder.show();
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

function showLayers() {
  const there = state.maps?.layers || [];
  for (const b of document.querySelectorAll('[data-layer]')) {
    const available = there.includes(b.dataset.layer);
    b.setAttribute('aria-disabled', String(!available));
    b.hidden = b.dataset.layer === 'truth' && !available;
    b.setAttribute('aria-checked', String(b.dataset.layer === state.layer));
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

const layerNames = { mean: 'expected', stddev: 'standard deviation', acquisition: 'acquisition', truth: 'true' };
const legendWords = { mean: '', stddev: '± ', truth: 'true ' };

function showLegend() {
  const m = state.shown;
  const units = state.layer === 'acquisition' ? state.scene?.model_units : state.scene?.units;
  const quantity = state.layer === 'acquisition' ? 'acquisition' : legendWords[state.layer] + (state.scene?.quantity || 'value');
  set('legend-title', `${quantity}${units ? `, ${units}` : ''}`);
  const spread = m ? (m.high - m.low) / 10 : 0;
  paintBar($('legend-bar'), state.layer);
  for (const [id, v] of [['legend-low', m?.low], ['legend-middle', m && (m.low + m.high) / 2], ['legend-high', m?.high]]) set(id, m ? value(v, spread) : '');
  if (!m) set('legend-low', 'no map yet');
  $('legend-bar').setAttribute('aria-label', m ? `Colour bar from ${value(m.low, spread)} to ${value(m.high, spread)}` : 'Colour bar');
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
for (const b of document.querySelectorAll('[data-layer]')) {
  b.addEventListener('click', () => {
    state.layer = b.dataset.layer;
    showLayers();
    showLegend();
    loadLayer();
  });
}
for (const b of document.querySelectorAll('[data-places]')) {
  b.addEventListener('click', () => {
    state.degrees = b.dataset.places === 'deg';
    for (const other of document.querySelectorAll('[data-places]')) other.setAttribute('aria-checked', String(other === b));
    showBest(state);
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
  showCard(what.sample ? what : { place: what.place, text: 'asking the model …' });
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
    // Without an answer the map that is shown still says something.
    const m = state.shown;
    const v = m ? api.valueAt(m, ...at) : NaN;
    done({ text: e.message, map: Number.isFinite(v) ? { v, m } : null });
  }
}

function showCard(c) {
  card = c;
  const rows = [];
  const units = state.scene?.units;
  const quantity = state.scene?.quantity || 'value';
  const s = c.sample;
  if (s) {
    map.marked = s.at;
    set('card-title', s.robot ? `Sample ${s.n} of ${s.robot}` : `Sample ${s.n}`);
    const spread = Math.sqrt((s.cov[0] + s.cov[2]) / 2);
    rows.push([quantity, withDeviation(s.v, s.sd, units)]);
    rows.push(['taken at', `${place(s.at, s.ll, state.degrees)} ± ${metres(spread)}`]);
    rows.push(['meant for', place(s.to, null, false) + (s.short ? ', not reached' : '')]);
    if (s.k) rows.push(['readings', `${s.k}${s.path ? ` along ${metres(s.path)}` : ''}`]);
    if (s.true) rows.push(['true place', `${place(s.true, null, false)}, ${metres(Math.hypot(s.true[0] - s.at[0], s.true[1] - s.at[1]))} away`]);
    rows.push(['time', clock(s.t)]);
  } else {
    map.marked = c.place;
    set('card-title', place(c.place, c.answer?.lon_lat, state.degrees));
    if (c.answer?.mean !== undefined) {
      rows.push(['expected', withDeviation(c.answer.mean, c.answer.stddev, units)]);
    } else if (c.answer) rows.push(['expected', 'nothing is known before the first sample']);
    else rows.push(['expected', c.text]);
    if (c.map) rows.push([layerNames[c.map.m.layer], `${value(c.map.v, (c.map.m.high - c.map.m.low) / 10)}, read from the map, ${age(stream.age())} old`]);
  }
  $('card-facts').replaceChildren(...rows.flatMap(([k, v]) => [make('dt', k), make('dd', v)]));
  $('card-note').hidden = c.answer?.mean === undefined;
  if (c.answer) set('card-note', `${quantity} by the model of ${count(c.answer.samples, 'sample')}, for a robot that is sent here`);
  $('goto').hidden = Boolean(s);
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

// useful says in which states a command does something. The others can be given all the same: the
// explorer decides, and says why not.
const useful = {
  start: ['idle'], pause: ['planning', 'travelling', 'sampling', 'returning', 'heading'], resume: ['paused', 'fault'],
  home: ['planning', 'travelling', 'sampling', 'paused', 'fault'], skip: ['travelling', 'sampling', 'paused'],
};

function showUseful() {
  for (const b of document.querySelectorAll('footer [data-command]')) {
    const states = useful[b.dataset.command];
    if (states) b.dataset.useful = String(states.includes(state.status.state));
  }
  $('goto').dataset.useful = String(['planning', 'travelling', 'sampling', 'paused'].includes(state.status.state));
}

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
    const text = answer.text.replace(/^(\w+): (?=\1)/, ''); // the state stands in the sentence already
    say(done ? `${title}: ${text}` : `${title} was refused: ${text}`, done);
    return done;
  } catch (e) {
    say(`${title} ${api.outcome(e, 'was not given')}: ${e.message}`, false);
    if (e.status === 401) askToken();
    return false;
  } finally {
    button.removeAttribute('aria-busy');
  }
}

for (const b of document.querySelectorAll('footer [data-command]')) {
  confirmed(b, () => order(b.dataset.command, b), () => b.dataset.useful === 'true');
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

function showAge() {
  const a = stream.age();
  let text = 'live';
  let live = true;
  if (a > 2) {
    live = false;
    const old = Number.isFinite(a) ? `data ${age(a)} old` : 'no data yet';
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
