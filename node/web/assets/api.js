// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The page's requests to the server. The token becomes a cookie that scripts cannot read.
import { decode } from './raster.js';

// Refusal is an answer that says no, with the reason.
export class Refusal extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function ask(path, options = {}, patience = 8000) {
  let answer;
  try {
    answer = await fetch(path, { ...options, signal: AbortSignal.timeout(patience), cache: 'no-store' });
  } catch (e) {
    if (e.name === 'TimeoutError') throw new Refusal(504, 'no answer came in time');
    throw new Refusal(0, 'there is no connection to the explorer');
  }
  if (answer.ok) return answer;
  let reason = `the server answers ${answer.status}`;
  try {
    reason = (await answer.json()).error || reason;
  } catch { /* not one of ours */ }
  throw new Refusal(answer.status, reason);
}

// outcome describes a failed request: without an answer, it may still be carried out.
export const outcome = (e, refused) => ({ 0: 'is not confirmed and may still happen', 503: 'is not confirmed', 504: 'is not confirmed and may still happen' })[e.status] || refused;

const post = (path, body) => ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

export const login = (token) => post('/api/login', { token });
export const command = async (words) => (await post('/api/command', { command: words })).json();
export const edit = async (change) => (await post('/api/outline', change)).json();
export const steer = async (wish) => (await post('/api/steer', wish)).json();
export const at = async (x, y) => (await ask(`/api/at?x=${x}&y=${y}`)).json();
export const files = async () => (await (await ask('/api/files')).json()).files || [];

// map fetches a layer.
export const map = async (layer) => decode(layer, await (await ask(`/api/map/${layer}`, {}, 30000)).arrayBuffer());
