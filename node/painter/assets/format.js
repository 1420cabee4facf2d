// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Numbers, places and times as people read them.

const minus = (text) => text.replace(/-/g, '−');

// value formats a number with the digits that its standard deviation leaves meaningful.
export function value(v, stdDev) {
  if (!Number.isFinite(v)) return '–';
  let digits = 3;
  if (stdDev > 0) digits = Math.min(Math.max(1 - Math.floor(Math.log10(stdDev)), 0), 12);
  else if (v !== 0) digits = Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(v))), 0), 12);
  return minus(v.toFixed(digits));
}

export function metres(m) {
  if (!Number.isFinite(m)) return '–';
  if (m < 10) return `${m.toFixed(1)} m`;
  if (m < 1000) return `${m.toFixed(0)} m`;
  return `${(m / 1000).toFixed(2)} km`;
}

// duration formats seconds.
export function duration(s) {
  if (s < 100) return `${Math.round(s)} s`;
  const minutes = Math.round(s / 60);
  if (minutes < 100) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

// age formats how old something is.
export const age = (s) => (s < 10 ? `${s.toFixed(0)} s` : duration(s));

// about formats a value with the limits of its 2σ interval. If the model has the logarithm of the value, they are not equally far away: then
// each has the digits that its own distance leaves meaningful.
export function about(v, low, high, units) {
  const [below, above] = [(v - low) / 2, (high - v) / 2];
  const aside = low > 0 && Math.abs(above - below) > 0.01 * (high - low);
  return `${value(v, below)}${units ? ` ${units}` : ''} (${value(low, aside ? Math.min(below, 10 * low) : below)} to ${value(high, above)})`;
}

// real returns the units that people see of a scene, whether values are logarithms, and the function that undoes these.
export function real({ units = '', log } = {}) {
  return { log: Boolean(log), units, of: log === 'ln' ? Math.exp : log ? (v) => 10 ** v : (v) => v };
}

// lonLat returns the longitude and latitude of a place of the map, m, by the radii of WGS 84 at the
// datum: to a centimetre within 2 km of it.
export function lonLat(datum, [east, north]) {
  const [lon, lat] = datum;
  const [a, e2, degree] = [6378137, 0.00669437999, Math.PI / 180];
  const w = Math.sqrt(1 - e2 * Math.sin(lat * degree) ** 2);
  const [across, along] = [a / w, (a * (1 - e2)) / w ** 3];
  const bend = (Math.tan(lat * degree) * east * east) / (2 * across);
  const phi = lat + (north - bend) / along / degree;
  return [lon + (east / across) * (1 + (Math.tan(lat * degree) * north) / across) / Math.cos(lat * degree) / degree, phi];
}

// place formats a place in degrees where there is a datum, else in metres.
export function place(at, datum) {
  if (!datum) return minus(`(${at[0].toFixed(1)}, ${at[1].toFixed(1)}) m`);
  const [lon, lat] = lonLat(datum, at);
  return `${Math.abs(lat).toFixed(5)}° ${lat < 0 ? 'S' : 'N'}, ${Math.abs(lon).toFixed(5)}° ${lon < 0 ? 'W' : 'E'}`;
}

// told is a sentence of the explorer with its places as the page shows them.
export const told = (text, datum) => text.replace(/\((-?[\d.]+), (-?[\d.]+)\) m\b/g, (_, x, y) => place([+x, +y], datum));

export const count = (n, thing) => `${n} ${thing}${n === 1 ? '' : 's'}`;

// clock formats a stamp: the time of day, or the seconds of a simulation.
export function clock(stamp) {
  if (stamp > 1e9) return new Date(stamp * 1000).toLocaleTimeString([], { hour12: false });
  const s = Math.floor(stamp);
  const two = (n) => String(n).padStart(2, '0');
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

export function bytes(n) {
  if (n < 1000) return `${n} B`;
  if (n < 1e6) return `${(n / 1e3).toFixed(0)} kB`;
  return `${(n / 1e6).toFixed(1)} MB`;
}
