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
