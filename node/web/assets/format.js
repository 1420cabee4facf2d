// Numbers, places and times as people read them.

export const minus = (text) => text.replace(/-/g, '−');

// value formats a number with the digits that its standard deviation leaves meaningful.
export function value(v, stdDev) {
  if (!Number.isFinite(v)) return '–';
  let digits = 3;
  if (stdDev > 0) digits = Math.min(Math.max(1 - Math.floor(Math.log10(stdDev)), 0), 12);
  else if (v !== 0) digits = Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(v))), 0), 12);
  return minus(v.toFixed(digits));
}

export const withDeviation = (v, stdDev, units) => `${value(v, stdDev)} ± ${value(stdDev, stdDev)}${units ? ' ' + units : ''}`;

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

// place formats a place in metres or, where it is known and wanted, in degrees.
export function place(at, lonLat, degrees) {
  if (degrees && lonLat) return minus(`${lonLat[1].toFixed(6)}° N, ${lonLat[0].toFixed(6)}° E`);
  return minus(`(${at[0].toFixed(1)}, ${at[1].toFixed(1)}) m`);
}

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
