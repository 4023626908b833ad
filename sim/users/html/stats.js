// SPDX-License-Identifier: LGPL-2.1-or-later
// Statistics of the view of results: groups chosen in the page cannot be computed before. The same formulas, draws and
// places in the sorted resamples as sim/results/stats (bootstrap.c, profile.c, quantile.c), so the page and `iasim
// report` show the same intervals; test/browser/test_statistics.py compares them with the program. No document is
// needed.
'use strict';

(() => {
  // ---- random numbers: Philox 4x32-10 [Salmon 2011] ----

  // The upper and the lower half of a product of two 32-bit numbers.
  const high = (a, b) => {
    const a1 = a >>> 16, a0 = a & 0xffff, b1 = b >>> 16, b0 = b & 0xffff;
    const middle = a1 * b0 + (a0 * b0 >>> 16), low = a0 * b1 + (middle & 0xffff);
    return (a1 * b1 + Math.floor(middle / 65536) + Math.floor(low / 65536)) >>> 0;
  };

  const philox = (counter, stream, seed) => {
    let x = [counter >>> 0, Math.floor(counter / 2 ** 32), stream >>> 0, Math.floor(stream / 2 ** 32)];
    let k0 = seed >>> 0, k1 = Math.floor(seed / 2 ** 32);
    for (let round = 0; round < 10; round++) {
      x = [(high(0xcd9e8d57, x[2]) ^ x[1] ^ k0) >>> 0, Math.imul(0xcd9e8d57, x[2]) >>> 0,
           (high(0xd2511f53, x[0]) ^ x[3] ^ k1) >>> 0, Math.imul(0xd2511f53, x[0]) >>> 0];
      k0 = (k0 + 0x9e3779b9) >>> 0;
      k1 = (k1 + 0xbb67ae85) >>> 0;
    }
    return x;
  };

  // below(n): a number from 0 to n - 1, from 64 random bits; n < 2^26.
  const stream = (seed, number) => {
    let counter = 0, block = [], left = 0;
    const next = () => {
      if (left === 0) {
        block = philox(counter++, number, seed);
        left = 4;
      }
      return block[4 - left--];
    };
    return n => {
      const r = 2 ** 32 % n, reject = r * r % n;
      let upper, lower;
      do {
        upper = next();
        lower = next();
      } while (upper === 0 && lower < reject);
      return (upper % n * r + lower % n) % n;
    };
  };

  // ---- samples ----

  const ascending = (a, b) => a - b;

  const median = sorted => {
    const n = sorted.length;
    if (n === 0) return NaN;
    const low = sorted[n - 1 >> 1], up = sorted[n >> 1];
    return low === up ? low : low * 0.5 + up * 0.5;
  };

  // The place (n - 1) q between the sorted values.
  const quantile = (sorted, q) => {
    const at = (sorted.length - 1) * q, low = Math.floor(at);
    const next = sorted[Math.min(low + 1, sorted.length - 1)];
    return sorted.length === 0 ? NaN : sorted[low] + (at - low) * (next - sorted[low]);
  };

  const RESAMPLES = 1000, CONFIDENCE = 0.95;

  // The draws depend on the size of the sample alone, so groups of one size share them.
  const drawn = new Map();
  const draws = n => {
    if (!drawn.has(n)) {
      const below = stream(1, n), places = new Uint32Array(RESAMPLES * n);
      for (let i = 0; i < places.length; i++) places[i] = below(n);
      if (drawn.size >= 16) drawn.clear();
      drawn.set(n, places);
    }
    return drawn.get(n);
  };

  // The percentile interval of the bootstrapped mean of the values, in their order: [low, high], or null where there is
  // but one.
  const intervalOfMean = values => {
    const n = values.length;
    if (n < 2) return null;
    const places = draws(n), means = new Float64Array(RESAMPLES);
    for (let k = 0, at = 0; k < RESAMPLES; k++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += values[places[at++]];
      means[k] = sum / n;
    }
    means.sort();
    const k = Math.floor((RESAMPLES + 1) * (1 - CONFIDENCE) / 2 * (1 + 1e-12));
    return [means[k - 1], means[RESAMPLES - k]];
  };

  // What is known about runs: figures[i] of instance instances[i]; NaN: no figure. The runs of an instance give one
  // mean, and instances below 0 are copies of others, which do not count.
  const describe = (figures, instances) => {
    const of = new Map(), values = [];
    for (let i = 0; i < figures.length; i++) {
      if (!(instances[i] >= 0) || !Number.isFinite(figures[i])) continue;
      values.push(figures[i]);
      const one = of.get(instances[i]);
      if (one) {
        one.sum += figures[i];
        one.n++;
      } else of.set(instances[i], {sum: figures[i], n: 1});
    }
    const means = [...of].sort((a, b) => a[0] - b[0]).map(([, one]) => one.sum / one.n);
    values.sort(ascending);
    const interval = intervalOfMean(means);
    return {n: values.length, nInstances: means.length,
      mean: means.length ? means.reduce((a, b) => a + b, 0) / means.length : NaN,
            low: interval ? interval[0] : NaN, high: interval ? interval[1] : NaN, median: median(values),
            min: values.length ? values[0] : NaN, max: values.length ? values[values.length - 1] : NaN, values};
  };

  // ---- ratios ----

  const ratio = (larger, smaller) => larger === smaller ? 1 : larger / smaller;

  // Performance profiles [Dolan 2002]: figures[variant][case], NaN for a failure. Ratios to the best of the case,
  // sorted for each variant; a failure's is infinite, and so are all where everything failed.
  const profileRatios = (figures, higherIsBetter, tolerance) => {
    const n = figures.length ? figures[0].length : 0, best = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      best[i] = NaN;
      for (const f of figures)
        if (!Number.isNaN(f[i]) && (Number.isNaN(best[i]) ||
          (higherIsBetter ? f[i] > best[i] : f[i] < best[i]))) best[i] = f[i];
    }
    return figures.map(f => Float64Array.from(f, (x, i) => {
      const r = Number.isNaN(x) ? Infinity : higherIsBetter ? ratio(best[i], x) : ratio(x, best[i]);
      return r - 1 <= tolerance ? 1 : r;
    }).sort());
  };

  // The share of sorted ratios that are at most tau.
  const profileShare = (sorted, tau) => {
    let low = 0, up = sorted.length;
    while (low < up) {
      const middle = low + up >> 1;
      if (sorted[middle] <= tau) low = middle + 1;
      else up = middle;
    }
    return sorted.length ? low / sorted.length : NaN;
  };

  iasim.stats = {stream, median, quantile, intervalOfMean, describe, ratio, profileRatios, profileShare, RESAMPLES,
    CONFIDENCE};
})();
