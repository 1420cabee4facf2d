// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The raster of a layer: its bytes, its edge cells and its isolines.

// noLevel is the level of a cell without a value.
export const noLevel = 255;

// decode reads a layer; package painter describes its bytes.
export function decode(layer, data) {
  const view = new DataView(data);
  if (view.getUint32(0, false) !== 0x5547504d || view.getUint32(4, true) !== 1) throw new Error('the map has another format');
  const [x, y, cell, low, high] = [16, 24, 32, 40, 48].map((i) => view.getFloat64(i, true));
  const [nx, ny] = [view.getUint32(8, true), view.getUint32(12, true)];
  return { layer, nx, ny, x, y, cell, low, high, levels: new Uint8Array(data, 56, nx * ny), faded: new Uint8Array(data, 56 + nx * ny) };
}

// grown gives cells beside those with a level the same byte, so that the colours reach the outline, by
// which they are clipped, in the cells that it crosses.
export function grown(bytes, levels, nx, ny) {
  const r = bytes.slice();
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const k = j * nx + i;
      if (levels[k] !== noLevel) continue;
      if (i > 0 && levels[k - 1] !== noLevel) r[k] = bytes[k - 1];
      else if (i + 1 < nx && levels[k + 1] !== noLevel) r[k] = bytes[k + 1];
      else if (j > 0 && levels[k - nx] !== noLevel) r[k] = bytes[k - nx];
      else if (j + 1 < ny && levels[k + nx] !== noLevel) r[k] = bytes[k + nx];
    }
  }
  return r;
}

// isoline returns the pieces, m, of the line along which a map has a value: where it crosses the
// squares between the centres of four cells.
export function isoline({ x, y, cell, nx, ny, low, high }, levels, v) {
  const level = (254 * (v - low)) / (high - low);
  const pieces = [];
  for (let j = 0; j + 1 < ny; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const square = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
      const at = square.map(([a, b]) => levels[b * nx + a]);
      if (at.includes(noLevel)) continue;
      const cuts = square.flatMap(([a, b], k) => {
        const m = (k + 1) % 4;
        if (at[k] < level === at[m] < level) return [];
        const share = (level - at[k]) / (at[m] - at[k]);
        const [c, d] = square[m];
        return [[x + cell * (a + share * (c - a) + 0.5), y + cell * (b + share * (d - b) + 0.5)]];
      });
      for (let k = 0; k + 1 < cuts.length; k += 2) pieces.push([cuts[k], cuts[k + 1]]);
    }
  }
  return pieces;
}
