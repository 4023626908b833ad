// SPDX-License-Identifier: LGPL-2.1-or-later
// The runs of a database: read from the section's data, chosen, divided into groups, compared. No document is needed,
// and nothing is drawn. A choice says what is shown:
//   metric                    its name
//   as                        '': the figure; 'to': over that of the run with the value `to.value` of the parameter
//                             `to.param`; 'best': over the best of the runs that differ only in the parameters `best`
//   x, series, panels         parameters whose values are told apart: along an axis, by colour, in pictures of their
//   own
//   filters                   {NAME: [values that are kept]}
'use strict';

(() => {
  const numbers = text => text === '' ? [] : text.split(',').map(t => t === '' ? NaN : Number(t));

  // The name of a file without folders and .xml, where that still tells the values apart.
  const labelsOf = param => {
    const short = param.values.map(v => v.replace(/^.*\//, '').replace(/\.xml$/, ''));
    return param.is_file && new Set(short).size === short.length ? short : param.values;
  };

  const decode = data => {
    const n = data.n;
    const params = data.params.map(p => {
      const values = p.values.map(v => v ?? ''), asNumbers = values.map(v => v.trim() === '' ? NaN : Number(v));
      return {name: p.name, unit: p.unit === 'file' ? '' : p.unit, meaning: p.meaning, values,
        labels: labelsOf({...p, values}),
              varies: values.length > 1, isInstance: p.is_instance,
              numbers: values.length > 0 && asNumbers.every(Number.isFinite) ? asNumbers : null,
              of: p.rows === undefined ? new Uint32Array(n) : Uint32Array.from(numbers(p.rows))};
    });
    const metrics = data.metrics.map(m => {
      const of = n === 1 && m.rows === '' ? Float64Array.of(NaN) : Float64Array.from(numbers(m.rows));
      return {name: m.name, unit: m.unit, meaning: m.meaning, better: m.better, of, has: of.some(Number.isFinite)};
    });
    const errors = new Array(n).fill(null);
    for (const e of data.errors) for (const row of e.rows) errors[row] = e.text;
    return {n, params, metrics, errors, keys: n ? data.keys.split(',') : [],
      instances: Int32Array.from(numbers(data.instances)),
            param: name => params.find(p => p.name === name), metric: name => metrics.find(m => m.name === name),
            tolerance: data.digits < 17 ? 2 * 10 ** (1 - data.digits) : 1e-9};
  };

  // ---- cases ----

  // [row]: the number of the combination of values of these parameters.
  const combine = (runs, params) => {
    let of = new Uint32Array(runs.n), n = 1;
    for (const p of params) {
      if (!p.varies) continue;
      const dense = new Map(), next = new Uint32Array(runs.n);
      for (let i = 0; i < runs.n; i++) {
        const key = of[i] * p.values.length + p.of[i];
        if (!dense.has(key)) dense.set(key, dense.size);
        next[i] = dense.get(key);
      }
      of = next;
      n = dense.size;
    }
    return {of, n: runs.n ? n : 0};
  };

  // Runs of a case differ only in these parameters.
  const cases = (runs, names) => combine(runs, runs.params.filter(p => !names.includes(p.name)));

  const nearlyEqual = (a, b, tolerance) => Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));

  const overBest = (runs, metric, names) => {
    const {of, n} = cases(runs, names), best = new Float64Array(n).fill(NaN), higher = metric.better === 'higher';
    for (let i = 0; i < runs.n; i++) {
      const x = metric.of[i], b = best[of[i]];
      if (!Number.isNaN(x) && (Number.isNaN(b) || (higher ? x > b : x < b))) best[of[i]] = x;
    }
    return metric.of.map((x, i) => nearlyEqual(x, best[of[i]], runs.tolerance) ? 1 : x / best[of[i]]);
  };

  const overValue = (runs, metric, {param: name, value}) => {
    const param = runs.param(name), place = param ? param.values.indexOf(value) : -1;
    const {of, n} = cases(runs, [name]), base = new Float64Array(n).fill(NaN);
    for (let i = 0; i < runs.n; i++) if (param && param.of[i] === place) base[of[i]] = metric.of[i];
    return metric.of.map((x, i) => iasim.stats.ratio(x, base[of[i]]));
  };

  // [row]: what the choice shows; NaN: nothing.
  const figures = (runs, choice) => {
    const metric = runs.metric(choice.metric);
    if (!metric) return new Float64Array(runs.n).fill(NaN);
    if (choice.as === 'best') return overBest(runs, metric, choice.best);
    return choice.as === 'to' ? overValue(runs, metric, choice.to) : metric.of;
  };

  // The rows that pass the filters, which change neither what is best nor what others are compared with.
  const pick = (runs, filters) => {
    const kept = Object.entries(filters).map(([name, values]) => ({p: runs.param(name), values: new Set(values)}))
      .filter(f => f.p)
        .map(f => ({of: f.p.of, is: f.p.values.map(v => f.values.has(v))}));
    const rows = [];
    for (let i = 0; i < runs.n; i++) if (kept.every(f => f.is[f.of[i]])) rows.push(i);
    return rows;
  };

  // ---- groups ----

  // The runs of the rows divided by these parameters, in the order of their values: [{at: [place, ..], rows, nFailed,
  // nCopies, ..describe}].
  const groups = (runs, rows, of, names) => {
    const params = names.map(name => runs.param(name)), found = new Map();
    for (const i of rows) {
      const key = params.map(p => p.of[i]).join();
      if (!found.has(key)) found.set(key, {at: params.map(p => p.of[i]), rows: []});
      found.get(key).rows.push(i);
    }
    const order = (a, b) => {
      for (let k = 0; k < a.at.length; k++) if (a.at[k] !== b.at[k]) return a.at[k] - b.at[k];
      return 0;
    };
    return [...found.values()].sort(order).map(g => ({
      ...g, nFailed: g.rows.filter(i => runs.errors[i] !== null).length,
        nCopies: g.rows.filter(i => runs.instances[i] < 0).length,
      ...iasim.stats.describe(g.rows.map(i => of[i]), g.rows.map(i => runs.instances[i]))}));
  };

  // ---- profiles ----

  // Of the values of a parameter, over the cases in which each of the values that the rows have has a run, as `iasim
  // compare` has them: {variants: [place], ratios: [sorted], n}; null: this metric has no better direction, or a figure
  // is below 0.
  const profile = (runs, rows, metric, name) => {
    const param = runs.param(name);
    if (!metric || !param || metric.better === 'neither' || rows.some(i => metric.of[i] < 0)) return null;
    const variants = [...new Set(rows.map(i => param.of[i]))].sort((a, b) => a - b), {of} = cases(runs, [name]);
    const byCase = new Map();
    for (const i of rows) {
      if (!byCase.has(of[i])) byCase.set(of[i], new Map());
      byCase.get(of[i]).set(param.of[i], metric.of[i]);
    }
    const complete = [...byCase.values()].filter(c => c.size === variants.length);
    const matrix = variants.map(v => Float64Array.from(complete, c => c.get(v)));
    return {variants, n: complete.length, ratios: iasim.stats.profileRatios(matrix, metric.better === 'higher',
      runs.tolerance)};
  };

  iasim.runs = {decode, figures, pick, groups, profile, cases};
})();
