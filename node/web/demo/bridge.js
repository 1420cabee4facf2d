// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// What the page asks of its server goes to the worker, where that server runs. ?seed=N in the
// page's address gives another field.
const seed = new URLSearchParams(location.search).get('seed') || '1';
const worker = new Worker(new URL('worker.js', import.meta.url), { name: seed });
const waiting = new Map(); // request → what to do with the pieces of its answer
let last = 0;

worker.onmessage = ({ data }) => {
  if (data.failed) document.body.textContent = `The demonstration does not run: ${data.failed}.`;
  else waiting.get(data.id)?.(data);
};

window.fetch = (path, { method = 'GET', body = '', signal } = {}) => new Promise((resolve, reject) => {
  const id = ++last;
  let pieces = null;
  const fail = (error) => {
    waiting.delete(id);
    reject(error);
    pieces?.error(error);
    pieces = null;
  };
  const end = () => {
    worker.postMessage({ id, over: true });
    fail(signal.reason);
  };
  if (signal?.aborted) return end();
  signal?.addEventListener('abort', end, { once: true });
  waiting.set(id, ({ status, type, piece, end: over, error }) => {
    if (status) {
      const stream = new ReadableStream({ start: (c) => { pieces = c; }, cancel: () => worker.postMessage({ id, over: true }) });
      resolve(new Response(stream, { status, headers: { 'Content-Type': type } }));
    } else if (piece) {
      pieces?.enqueue(piece);
    } else if (over && error) {
      fail(new TypeError(error));
    } else if (over) {
      waiting.delete(id);
      signal?.removeEventListener('abort', end);
      pieces?.close();
    }
  });
  worker.postMessage({ id, method, path: String(path), body });
});
