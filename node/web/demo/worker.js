// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Runs the demonstration apart from the page, and answers what the page asks.
importScripts('wasm_exec.js');

const ends = new Map(); // request → function that ends it
const early = []; // requests from before the program was there
let ask = null;

function take({ id, method, path, body, over }) {
  if (over) {
    ends.get(id)?.();
    return;
  }
  ends.set(id, ask(method, path, body,
    (status, type) => postMessage({ id, status, type }),
    (piece) => postMessage({ id, piece }, [piece.buffer]),
    (error) => {
      ends.delete(id);
      postMessage({ id, end: true, error });
    }));
}

onmessage = ({ data }) => (ask ? take(data) : early.push(data));

self.serve = (program) => {
  ask = program;
  early.splice(0).forEach(take);
};

(async () => {
  const go = new Go();
  go.argv = ['demo', self.name];
  const packed = await fetch('demo.wasm.gz');
  if (!packed.ok) throw new Error(`demo.wasm.gz: the server answers ${packed.status}`);
  const program = new Response(packed.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } });
  const { instance } = await WebAssembly.instantiateStreaming(program, go.importObject);
  await go.run(instance);
  throw new Error('the program has ended; the console says why');
})().catch((e) => postMessage({ failed: e.message }));
