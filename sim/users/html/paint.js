// SPDX-License-Identifier: LGPL-2.1-or-later
// Draws the lanes of a chart (gantt.js): bars, shares, what is hatched, names, the axis. Where they are drawn is a
// geometry {left, right, bottom}, so paper and screen use the same code. Only bars within the window are looked at, by
// binary search; those narrower than a pixel are added up and drawn as shares of their pixel.
'use strict';

iasim.painter = (model, view, chart, axisHeight) => {
  const firstWhere = iasim.firstWhere, pens = {};

  // ---- colours ----

  const hatch = (colour, step) => {
    const tile = new OffscreenCanvas(step, step), pen = tile.getContext('2d');
    pen.strokeStyle = colour;
    pen.lineWidth = 1.4;
    pen.beginPath();
    for (const shift of [-step, 0, step]) {
      pen.moveTo(shift - 1, step + 1);
      pen.lineTo(shift + step + 1, -1);
    }
    pen.stroke();
    return pen.createPattern(tile, 'repeat');
  };
  const setPens = () => {
    const colour = iasim.colour;
    Object.assign(pens, {
      paper: colour('paper'), raised: colour('raised'), ink: colour('ink'), faint: colour('faint'),
        line: colour('line'),
      accent: colour('accent'), onBar: colour('on-bar'), onPale: colour('on-pale'), onLight: colour('on-light'),
      waits: colour('purple'), hatch: hatch(colour('ink'), 6), kinds: model.kinds.map(k => colour(k.colour)),
    });
  };

  const scale = geometry => (geometry.right - geometry.left) / Math.max(1, view.to - view.from);

  const drawAxis = (pen, g, y) => {
    const unit = iasim.timeUnit(model.end * model.tick_s), tick = model.tick_s / unit.s;
    const d = d3.scaleLinear([view.from * tick, view.to * tick], [g.left, g.right]);
    let n = Math.max(2, Math.floor((g.right - g.left) / 90));
    const collide = () => d.ticks(n).some((t, i, all) => i > 0 &&
      d(t) - d(all[i - 1]) < pen.measureText(d.tickFormat(n)(t)).width + 14);
    while (n > 2 && collide()) n--;
    const ticks = d.ticks(n), format = d.tickFormat(n);
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = pens.faint;
    pen.strokeStyle = pens.line;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const t of ticks) {
      const x = Math.round(d(t)) + .5;
      pen.moveTo(x, y + axisHeight - 4);
      pen.lineTo(x, g.bottom);
      if (x > g.left + 12 && x < g.right - 20 - pen.measureText(format(t)).width / 2)
        pen.fillText(format(t), x, y + axisHeight / 2);
    }
    pen.stroke();
    pen.textAlign = 'right';
    pen.fillText(unit.name, g.right, y + axisHeight / 2);
  };

  // The middle of long names is left out; letters are code points.
  const short = (pen, words, room) => {
    const wide = pen.measureText(words).width;
    if (wide <= room) return words;
    const letters = Array.from(words);
    for (let keep = Math.max(2, Math.floor(letters.length * room / wide) - 1); keep > 2; keep--) {
      const cut = [...letters.slice(0, Math.ceil(keep / 2)), '…',
        ...letters.slice(letters.length - Math.floor(keep / 2))].join('');
      if (pen.measureText(cut).width <= room) return cut;
    }
    return room > 12 ? letters[0] + '…' : '';
  };

  const isMarked = (bars, i) => chart.marks === null || chart.marks.has(model.key(bars, i));

  // Bars below a pixel are added up in `taken`, by row and pixel.
  const drawBars = (pen, strip, g, y) => {
    const bars = strip.bars, k = scale(g), n_pixels = Math.ceil(g.right - g.left);
    const first = firstWhere(bars.n, i => bars.reach[i] >= view.from), rowHeight = strip.height / bars.rows;
    const taken = new Map(), wide = new Map(), labels = [];
    for (let i = first; i < bars.n && bars.start[i] <= view.to; i++) {
      if (bars.end[i] < view.from) continue;
      const x0 = (bars.start[i] - view.from) * k, x1 = (bars.end[i] - view.from) * k;
      const part = model.kinds[bars.kind[i]].part ?? 0;
      const style = bars.kind[i] * 2 + (isMarked(bars, i) ? 1 : 0);
      chart.n_drawn++;
      if (x1 - x0 < 1.5) {
        const key = (style * 8 + bars.row[i]), pixel = Math.max(0, Math.min(n_pixels - 1, Math.floor(x0)));
        let row = taken.get(key);
        if (!row) taken.set(key, row = new Float32Array(n_pixels));
        row[pixel] += Math.max(.12, x1 - x0);
        continue;
      }
      const left = Math.max(g.left, g.left + x0), right = Math.min(g.right, g.left + x1);
      let list = wide.get(style);
      if (!list) wide.set(style, list = []);
      const top = y + bars.row[i] * rowHeight + (part ? rowHeight * part : 0), tall = rowHeight * (part ? 1 - part : 1);
      list.push(left, top, Math.max(1, right - left - (x1 - x0 > 4 ? 1 : 0)),
        Math.max(1, tall - (bars.rows > 1 && tall > 4 ? 1 : 0)));
      if (right - left > 26 && tall >= 10 && model.kinds[bars.kind[i]].hasText) labels.push(i, left, right, top, tall);
    }
    const alpha = style => (strip.pale ? .5 : 1) * (style % 2 ? 1 : .25);
    for (const [style, list] of wide) {
      pen.fillStyle = pens.kinds[style >> 1];
      pen.globalAlpha = alpha(style);
      pen.beginPath();
      for (let i = 0; i < list.length; i += 4) pen.rect(list[i], list[i + 1], list[i + 2], list[i + 3]);
      pen.fill();
    }
    for (const [key, row] of taken) {
      const top = y + (key & 7) * rowHeight;
      drawTaken(pen, row, pens.kinds[key >> 4], alpha((key >> 3) & 1), g.left, top, rowHeight);
    }
    pen.globalAlpha = 1;
    return () => drawTexts(pen, strip, labels);
  };

  // Shares in four steps, neighbours of one step together.
  const drawTaken = (pen, row, colour, alpha, left, y, tall) => {
    pen.fillStyle = colour;
    for (let step = 1; step <= 4; step++) {
      pen.globalAlpha = alpha * step / 4;
      pen.beginPath();
      for (let x = 0; x < row.length; x++) {
        if (row[x] === 0 || Math.min(4, Math.ceil(row[x] * 4)) !== step) continue;
        const from = x;
        while (x + 1 < row.length && row[x + 1] > 0 && Math.min(4, Math.ceil(row[x + 1] * 4)) === step) x++;
        pen.rect(left + from, y, x + 1 - from, Math.max(1, tall - .5));
      }
      pen.fill();
    }
  };

  const drawTexts = (pen, strip, labels) => {
    const bars = strip.bars;
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.font = '11px system-ui, sans-serif';
    for (let i = 0; i < labels.length; i += 5) {
      const words = short(pen, model.text(bars, labels[i]), labels[i + 2] - labels[i + 1] - 8);
      const isDim = strip.pale || !isMarked(bars, labels[i]), isLight = model.kinds[bars.kind[labels[i]]].isLight;
      pen.fillStyle = isDim ? pens.onPale : isLight ? pens.onLight : pens.onBar;
      if (words.length > 2) pen.fillText(words, labels[i + 1] + 4, labels[i + 3] + labels[i + 4] / 2 + .5);
    }
    pen.font = '12px system-ui, sans-serif';
  };

  // Heights are whole pixels, so neighbours are often one rectangle.
  const drawShares = (pen, strip, g, y) => {
    for (const {kind, percent} of strip.shares) {
      const each = model.end / percent.length, k = scale(g), last = Math.min(percent.length, Math.ceil(view.to / each));
      const tall = i => percent[i] > 0 ? Math.max(1, Math.round(strip.height * percent[i] / 100)) : 0;
      pen.fillStyle = kind < 0 ? pens.hatch : pens.kinds[kind];
      pen.globalAlpha = strip.pale ? .5 : .85;
      for (let i = Math.max(0, Math.floor(view.from / each)); i < last; i++) {
        const from = i, height = tall(i);
        while (i + 1 < last && tall(i + 1) === height) i++;
        const x0 = Math.max(g.left, Math.round(g.left + (from * each - view.from) * k));
        const x1 = Math.min(g.right, Math.round(g.left + ((i + 1) * each - view.from) * k));
        if (height > 0 && x1 > x0) pen.fillRect(x0, y + strip.height - height, x1 - x0, height);
      }
      pen.globalAlpha = 1;
    }
  };

  // Overlays are disjoint and in order; those below a pixel give the pixel their mean.
  const drawOverlay = (pen, o, g, y, tall, fill) => {
    const k = scale(g), n = o.start.length;
    pen.fillStyle = fill;
    pen.beginPath();
    let pixel = -1, sum = 0;
    const flush = () => {
      if (sum > 0.02) pen.rect(g.left + pixel, y + tall * (1 - Math.min(1, sum)), 1, tall * Math.min(1, sum));
      sum = 0;
    };
    for (let i = firstWhere(n, j => o.end[j] >= view.from); i < n && o.start[i] <= view.to; i++) {
      const x0 = Math.max(0, (o.start[i] - view.from) * k), x1 = Math.min(g.right - g.left, (o.end[i] - view.from) * k);
      const share = o.percent ? o.percent[i] / 100 : 1;
      if (x1 - x0 >= 1.5) {
        pen.rect(g.left + x0, y + tall * (1 - share), x1 - x0, tall * share);
        continue;
      }
      if (Math.floor(x0) !== pixel) {
        flush();
        pixel = Math.floor(x0);
      }
      sum += share * (x1 - x0);
    }
    flush();
    pen.fill();
  };

  const drawLane = (pen, lane, g, shift) => {
    for (const strip of lane.strips) {
      const y = strip.y + shift;
      const drawNames = strip.bars && drawBars(pen, strip, g, y);
      if (strip.shares) drawShares(pen, strip, g, y);
      if (strip.overlay) drawOverlay(pen, strip.overlay, g, y, strip.height, pens.hatch);
      if (strip.waits) drawOverlay(pen, strip.waits, g, y + strip.height - 1, 2, pens.waits);
      drawNames?.();
    }
    pen.fillStyle = pens.ink;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    pen.fillText(short(pen, lane.name, g.left - 8), g.left - 6, lane.y + shift + (lane.height - 4) / 2);
  };

  return {pens, setPens, scale, drawAxis, short, drawLane};
};
