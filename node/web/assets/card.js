// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The card of the tapped place or sample.
import { about, clock, metres, place } from './format.js';
import { means } from './hold.js';
import { make, set } from './panel.js';

const $ = (id) => document.getElementById(id);

// Why a sample does not count.
const struckNotes = {
  person: 'It is struck: maps and answer ignore it.',
  far_out: 'It is far outside all others, so maps and answer ignore it. Restore it if it is right.',
  by_robot: 'The robot that took it has struck it: maps and answer ignore it.',
};

// showCard shows the card, and marks its place on the map.
export function showCard(state, map) {
  const c = state.card;
  $('card').hidden = !c;
  map.marked = c ? c.sample?.at || c.place : null;
  if (!c) return;
  const rows = [];
  const { of, units } = state.real;
  const quantity = state.scene?.quantity || 'value';
  const { sample: s, answer: a } = c;
  const where = (at) => place(at, state.datum());
  let note = '';
  if (s) {
    set('card-title', s.robot ? `Sample ${s.n} of ${s.robot}` : `Sample ${s.n}`);
    const spread = Math.sqrt((s.cov[0] + s.cov[2]) / 2);
    rows.push([quantity, about(of(s.v), of(s.v - 2 * s.sd), of(s.v + 2 * s.sd), units)]);
    rows.push(['taken at', `${where(s.at)} ± ${metres(spread)}`]);
    rows.push(['target', where(s.to) + (s.short ? ', not reached' : '')]);
    if (s.k) rows.push(['readings', `${s.k}${s.path ? ` along ${metres(s.path)}` : ''}`]);
    if (s.true) rows.push(['true place', `${metres(Math.hypot(s.true[0] - s.at[0], s.true[1] - s.at[1]))} away (simulation)`]);
    rows.push(['time', clock(s.t)]);
    note = struckNotes[state.whyStruck(s)] ?? '';
  } else {
    set('card-title', where(c.place));
    if (a?.mean !== undefined) rows.push(['expected', `${quantity} ${about(of(a.mean), of(a.low), of(a.high), units)}`]);
    else if (a?.inside) rows.push(['expected', 'nothing is known before the first sample']);
    if (a?.refused) note = `The robot cannot be sent here: ${state.told(a.refused)}`;
    else if (!a) note = c.text || 'asking …';
  }
  $('card-facts').replaceChildren(...rows.flatMap(([k, v]) => [make('dt', k), make('dd', v)]));
  set('card-note', note);
  $('card-note').hidden = !note;
  means($('goto'), a && !a.refused ? `goto ${c.place}` : '');
  const strikes = s && !s.robot ? `${state.whyStruck(s) ? 'restore' : 'strike'} ${s.n}` : '';
  set('strike', strikes.startsWith('restore') ? 'Restore' : 'Strike');
  means($('strike'), strikes);
}
