// SPDX-License-Identifier: LGPL-2.1-or-later
// The bars of a strip of a chart (gantt.js) as columns, sorted, so that a window's bars are found by binary search; and
// how much of many strips is taken over time, for the overview. Nothing is drawn here.
'use strict';

// The first i in 0..n with f(i), where f changes from false to true once.
iasim.firstWhere = (n, f) => {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (f(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

// Sorted by start; bars that overlap get rows of their own, as long as there are few. `reach` is the latest end so far.
iasim.bars = list => {
  list.sort((a, b) => a.start - b.start || a.end - b.end || a.kind - b.kind || a.id - b.id);
  const n = list.length, most = 6, free = [];
  const bars = {n, rows: 1, start: new Int32Array(n), end: new Int32Array(n), reach: new Int32Array(n),
    kind: new Uint8Array(n),
                id: new Int32Array(n), hop: new Uint16Array(n), row: new Uint8Array(n)};
  list.forEach((b, i) => {
    bars.start[i] = b.start;
    bars.end[i] = b.end;
    bars.kind[i] = b.kind;
    bars.id[i] = b.id;
    bars.hop[i] = b.hop ?? 0;
    bars.reach[i] = Math.max(b.end, i > 0 ? bars.reach[i - 1] : 0);
    if (b.floats) return; // lies on others
    let row = free.findIndex(end => end <= b.start + 1);
    if (row < 0) row = free.length < most ? free.length : free.indexOf(Math.min(...free));
    free[row] = Math.max(free[row] ?? 0, b.end);
    bars.row[i] = row;
  });
  bars.rows = Math.max(1, free.length);
  return bars;
};

// Intervals [[from, to]]; those that overlap become one.
iasim.merged = intervals => {
  const merged = [];
  for (const [from, to] of intervals.sort((a, b) => a[0] - b[0])) {
    const last = merged[merged.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
};

// For the overview: how much of all these strips is taken, in 400 intervals; f(strip, add, addShares) calls
// add(from, to, share), and addShares(is) for the shares of the strip whose kind is(kind).
iasim.usage = (strips, end, f) => {
  const n = 400, sum = new Float64Array(n), each = end / n;
  const add = (from, to, share) => {
    for (let i = Math.max(0, Math.floor(from / each)); i < n && i * each < to; i++)
      sum[i] += share * Math.max(0, Math.min(to, (i + 1) * each) - Math.max(from, i * each)) / each;
  };
  const addShares = strip => is => {
    for (const {kind, percent} of strip.shares ?? [])
      if (is(kind)) percent.forEach((p, i) => add(i * end / percent.length, (i + 1) * end / percent.length, p / 100));
  };
  for (const strip of strips) f(strip, add, addShares(strip));
  return Array.from(sum, s => Math.min(1, s / Math.max(1, strips.length)));
};

// For iasim.usage: bars and shares of these kinds; what is stolen; any bar, however many there are at once.
iasim.ofKinds = kinds => (strip, add, addShares) => {
  const b = strip.bars;
  for (let i = 0; i < (b?.n ?? 0); i++) if (kinds.includes(b.kind[i])) add(b.start[i], b.end[i], 1);
  addShares(kind => kinds.includes(kind));
};
iasim.ofStolen = ({overlay}, add, addShares) => {
  overlay?.start.forEach((from, i) => add(from, overlay.end[i], overlay.percent[i] / 100));
  addShares(kind => kind < 0);
};
iasim.ofAny = ({bars}, add, addShares) => {
  for (const [from, to] of iasim.merged(Array.from(bars.start, (from, i) => [from, bars.end[i]]))) add(from, to, 1);
  addShares(() => true);
};
