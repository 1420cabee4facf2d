// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Colour maps that people with colour vision deficiency can read, and whose lightness increases
// evenly, so that they survive glare too. Control points of matplotlib's maps (CC0).
const maps = {
  viridis: ['440154', '481a6c', '472f7d', '414487', '39568c', '31688e', '2a788e', '23888e', '1f988b', '22a884', '35b779', '54c568', '7ad151', 'a5db36', 'd2e21b', 'fde725'],
  cividis: ['00224e', '123570', '3b496c', '575d6d', '707173', '8a8678', 'a59c74', 'c3b369', 'e1cc55', 'fee838'],
};

// The sought quantity's values in viridis, as in the report; its standard deviation, other quantities and rasters in another map, to tell them apart.
export const colourMapOf = (layer) => (/^(stddev|raster|secondary|also)/.test(layer) ? 'cividis' : 'viridis');

const tables = {};

// table returns 256 colours as [r, g, b].
export function table(name) {
  if (!tables[name]) {
    const stops = maps[name].map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));
    tables[name] = Array.from({ length: 256 }, (_, i) => {
      const at = (i / 255) * (stops.length - 1);
      const k = Math.min(Math.floor(at), stops.length - 2);
      return stops[k].map((c, j) => Math.round(c + (stops[k + 1][j] - c) * (at - k)));
    });
  }
  return tables[name];
}

// colour returns the colour of a fraction from 0 to 1 for CSS.
export function colour(name, fraction) {
  const i = Math.round(255 * Math.min(1, Math.max(0, fraction)));
  return `rgb(${table(name)[i].join(' ')})`;
}

// paintBar paints the colours of a layer from the lowest to the highest value.
export function paintBar(canvas, layer) {
  const bar = canvas.getContext('2d');
  for (let i = 0; i < 256; i++) {
    bar.fillStyle = colour(colourMapOf(layer), i / 255);
    bar.fillRect(i, 0, 1, 1);
  }
}
