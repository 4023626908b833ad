// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures of groups of runs, as SVG: figures against a parameter (lines), figures by name (dots), distributions
// (boxes), and performance profiles (steps). Names are never cut: they break into lines. Each mark has the class
// `mark`; the pointer and the arrow keys show what it stands for; colours and signs are those of the classes c0, c1, ..
// of results.css. The number of runs that a picture shows is its attribute data-n-runs, that of its marks data-n-marks.
'use strict';

(() => {
  const el = iasim.el, COLOURS = 8;
  const SIGNS = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolCross,
                                             d3.symbolStar, d3.symbolWye];
  const FONT = 12, LINE = 15;

  // ---- text ----

  const pen = document.createElement('canvas').getContext('2d');
  const widthOf = (text, isBold = false) => {
    pen.font = `${isBold ? 600 : 400} ${FONT}px ${getComputedStyle(document.body).fontFamily}`;
    return Math.ceil(pen.measureText(text).width) + 1;
  };

  // How many of these letters fit, one at least.
  const howManyFit = (letters, fits) => {
    let n = letters.length - 1;
    while (n > 1 && !fits(letters.slice(0, n).join(''))) n--;
    return n;
  };

  // Breaks after blanks and signs, else between any two letters (code points).
  const wrap = (text, width, isBold) => {
    const lines = [''], fits = words => widthOf(words.trimEnd(), isBold) <= width;
    for (let piece of text.match(/[^ ,;\/\[\]=_+-]*[ ,;\/\[\]=_+-]?/g).filter(Boolean)) {
      if (!fits(lines[lines.length - 1] + piece) && lines[lines.length - 1]) lines.push('');
      let rest = fits(piece) ? [] : Array.from(piece);
      while (rest.length > 1 && !fits(rest.join(''))) {
        const n = howManyFit(rest, fits);
        lines.splice(-1, 1, rest.slice(0, n).join(''), '');
        rest = rest.slice(n);
        piece = rest.join('');
        if (n < 2 && width < 20) break;
      }
      lines[lines.length - 1] += piece;
    }
    return lines.map(l => l.trimEnd()).filter(Boolean);
  };

  const addLines = (at, lines, x, y, anchor, cls) => at.append('text').attr('class', cls).attr('text-anchor', anchor)
      .selectAll('tspan').data(lines).join('tspan').attr('x', x).attr('y', (_, i) => y + i * LINE).text(l => l);

  const addLine = (at, cls, [x1, x2], [y1, y2]) =>
    at.append('line').attr('class', cls).attr('x1', x1).attr('x2', x2).attr('y1', y1).attr('y2', y2);

  // ---- scales ----

  const tick = x => x !== 0 && (Math.abs(x) >= 1e6 || Math.abs(x) < 1e-3) ? x.toExponential().replace('e+', 'e')
    : String(Number(x.toPrecision(6)));

  // Logarithmic where figures differ by more than a factor of 30; then zeros stand at the end of the axis.
  // What other figures are compared with has a tick of its own, in place of ticks near it.
  const valueScale = (values, range, fromZero, base = []) => {
    const found = scaleOf([...values, ...base], range, fromZero);
    const near = t => base.some(b => Math.abs(found.scale(t) - found.scale(b)) < 16);
    return {scale: found.scale, ticks: [...found.ticks.filter(t => !near(t)), ...base]};
  };

  const scaleOf = (values, range, fromZero) => {
    const finite = values.filter(Number.isFinite), positive = finite.filter(x => x > 0);
    let low = d3.min(finite) ?? 0, up = d3.max(finite) ?? 1;
    const sorted = [...positive].sort((a, b) => a - b), smallest = sorted[Math.floor(sorted.length * 0.05)] ?? 1;
    if (low >= 0 && up / smallest > 30) {
      if (low > 0 && up / low <= 1e6) {
        const scale = d3.scaleLog([low / 1.15, up * 1.15], range);
        return {scale, ticks: logTicks(low / 1.15, up * 1.15)};
      }
      const least = Math.max(smallest, up * 1e-5), scale = d3.scaleSymlog([0, up * 1.15], range).constant(least);
      return {scale, ticks: [0, ...logTicks(least * 2, up * 1.15, true)]};
    }
    if (low === up) [low, up] = low === 0 ? [0, 1] : [Math.min(low * 0.9, low * 1.1), Math.max(low * 0.9, low * 1.1)];
    if (fromZero && low >= 0 && low < 0.5 * up) low = 0;
    const scale = d3.scaleLinear([low === 0 ? 0 : low - (up - low) * 0.06, up + (up - low) * 0.06], range);
    return {scale, ticks: scale.ticks(Math.max(2, Math.abs(range[1] - range[0]) / 70))};
  };

  const logTicks = (low, up, tensOnly = false) => {
    const ticks = [], digits = tensOnly || up / low > 2000 ? [1] : up / low > 50 ? [1, 3] : [1, 2, 5];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(up); power++)
      for (const d of digits) {
        const t = Number(`${d}e${power}`);
        if (t >= low && t <= up) ticks.push(t);
      }
    const step = Math.ceil(ticks.length / 8);
    return ticks.filter((_, i) => i % step === 0);
  };

  const numberScale = (values, range) => {
    const low = values[0], up = values[values.length - 1], n = values.length;
    const isLog = low > 0 && up / low >= 10 && (n < 3 || values[n - 1] / values[n - 2] >= 1.5);
    const scale = isLog ? d3.scaleLog([low, up], range) : d3.scaleLinear([low, up], range);
    const places = values.map(scale);
    const letters = i => tick(values[i]).length;
    const fit = n <= 12 &&
      places.every((p, i) => i === 0 || p - places[i - 1] > letters(i) * 4 + letters(i - 1) * 4 + 4);
    return {scale, ticks: fit ? values : isLog ? logTicks(low, up)
      : scale.ticks(Math.max(2, (range[1] - range[0]) / 70))};
  };

  // ---- marks ----

  // Pointer and arrow keys; marks are in the order in which they were drawn.
  const explain = svg => {
    const marks = svg.selectAll('.mark').nodes(), show = (mark, x, y) => iasim.tip(d3.select(mark).datum().tip(), x, y);
    let at = -1;
    for (const mark of marks) {
      mark.onpointermove = event => show(mark, event.clientX, event.clientY);
      mark.onpointerleave = () => iasim.tip(null);
    }
    const step = by => {
      if (!marks.length) return;
      marks[at]?.classList.remove('chosen');
      at = (at + by + marks.length) % marks.length;
      marks[at].classList.add('chosen');
      const box = marks[at].getBoundingClientRect();
      show(marks[at], box.right, box.top);
      iasim.announce(d3.select(marks[at]).datum().tip().textContent);
    };
    const keys = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
    svg.attr('tabindex', 0).node().addEventListener('keydown', event => {
      if (!keys[event.key]) return;
      event.preventDefault();
      if (at < 0 && keys[event.key] < 0) at = 0;
      step(keys[event.key]);
    });
    svg.node().addEventListener('blur', () => {
      marks[at]?.classList.remove('chosen');
      at = -1;
      iasim.tip(null);
    });
    svg.attr('data-n-marks', marks.length);
  };

  const sign = (index, size = 46) => d3.symbol().type(SIGNS[index % SIGNS.length]).size(size)();
  const colour = index => 'c' + index % COLOURS + ' d' + Math.floor(index / COLOURS) % 3;

  const begin = (width, height, label, nRuns) =>
    d3.create('svg').attr('viewBox', `0 0 ${width} ${height}`).attr('width', width).attr('height', height)
        .attr('role', 'img').attr('aria-label', label + '; arrow keys go through its marks').attr('data-n-runs', nRuns);

  const grid = (svg, ticks, place, from, to, horizontal) =>
    svg.append('g').attr('class', 'grid').selectAll('line').data(ticks).join('line')
        .attr(horizontal ? 'x1' : 'y1', from).attr(horizontal ? 'x2' : 'y2', to)
        .attr(horizontal ? 'y1' : 'x1', place).attr(horizontal ? 'y2' : 'x2', place);

  const labelTicks = (svg, ticks, place, at, horizontal) =>
    svg.append('g').attr('class', 'ticks').selectAll('text').data(ticks).join('text').text(tick)
        .attr('x', horizontal ? at : place).attr('y', horizontal ? d => place(d) + 4 : at)
          .attr('text-anchor', horizontal ? 'end' : 'middle');

  // How many pictures stand side by side, and how wide they are.
  const share = (width, n, least) => {
    const columns = Math.max(1, Math.min(n, Math.floor((width + 16) / (least + 16))));
    return Math.floor((width - 16 * (columns - 1)) / columns);
  };
  const row = svgs => el('div', {class: 'pictures'}, svgs.map(s => s.node()));
  const total = groups => d3.sum(groups, g => g.n);
  const extent = groups => groups.flatMap(g => [g.mean, g.low, g.high]);

  // Marks of one place stand beside one another, as far as they remain far from those of the next.
  const besideOneAnother = (places, n) => {
    const gap = d3.min(d3.pairs(places), ([a, b]) => b - a) ?? 60, step = Math.min(3, 0.3 * gap / n);
    return k => step < 1 ? 0 : (k - (n - 1) / 2) * step;
  };

  // panels: [{title, series: [{index, name, points: [{x, group, tip}]}]}]
  const lines = ({width, panels, xValues, xLabel, yLabel, base}) => {
    const all = panels.flatMap(p => p.series.flatMap(s => s.points.map(x => x.group)));
    const w = share(width, panels.length, 300), nSeries = d3.max(panels, p => p.series.length) ?? 0;
    return row(panels.map(p => {
      const title = wrap(p.title, w, true), label = wrap(yLabel, w);
      const top = 8 + (title.length + label.length) * LINE, height = top + Math.min(300, Math.max(190, w * 0.6)) + 40;
      const left = 52;
      const svg = begin(w, height, `${p.title ? p.title + ': ' : ''}${yLabel} against ${xLabel}`,
        total(p.series.flatMap(s => s.points.map(x => x.group))));
      const y = valueScale(extent(all), [height - 40, top + 6], true, base);
      const x = numberScale(xValues, [left + 14, w - 14]), dodge = besideOneAnother(xValues.map(x.scale), nSeries);
      addLines(svg, title, 0, FONT, 'start', 'title');
      addLines(svg, label, 0, FONT + title.length * LINE, 'start', 'label');
      grid(svg, y.ticks, y.scale, left, w - 2, true);
      labelTicks(svg, y.ticks, y.scale, left - 6, true);
      labelTicks(svg, x.ticks, x.scale, height - 24, false);
      svg.append('text').attr('class', 'label').attr('text-anchor', 'middle').attr('x', (left + w) / 2)
        .attr('y', height - 6).text(xLabel);
      for (const b of base) addLine(svg, 'base', [left, w - 2], [y.scale(b), y.scale(b)]);
      p.series.forEach((s, k) => {
        const points = s.points.filter(d => Number.isFinite(d.group.mean)), at = d => x.scale(d.x) + dodge(k);
        const g = svg.append('g').attr('class', 'series ' + colour(s.index));
        g.append('path').attr('class', 'line').attr('d', d3.line().x(at).y(d => y.scale(d.group.mean))(points));
        g.selectAll('.whisker').data(points.filter(d => Number.isFinite(d.group.low))).join('line')
          .attr('class', 'whisker')
            .attr('x1', at).attr('x2', at).attr('y1', d => y.scale(d.group.low)).attr('y2', d => y.scale(d.group.high));
        g.selectAll('.mark').data(points).join('path').attr('class', 'mark').attr('d', sign(s.index))
            .attr('transform', d => `translate(${at(d)},${y.scale(d.group.mean)})`);
      });
      explain(svg);
      return svg;
    }));
  };

  // Rows with a label each; `content(g, y, height, item)` draws into them. The value axis is below and, where it is
  // long, above.
  const rows = (w, title, label, items, values, base, heightOf, content) => {
    const isNarrow = w < 420, most = d3.max(items, i => widthOf(i.label)) ?? 0;
    const left = isNarrow ? 8 : Math.min(w * 0.42, most + 10);
    const heads = wrap(title, w, true), foot = wrap(label, w - left);
    const names = items.map(i => wrap(i.label, isNarrow ? w : left - 8));
    const tall = items.map((item, k) => isNarrow ? names[k].length * LINE + heightOf(item) + 4
      : Math.max(names[k].length * LINE + 4, heightOf(item)));
    const top = 8 + heads.length * LINE, bottom = top + d3.sum(tall), height = bottom + 24 + foot.length * LINE;
    const value = valueScale(values, [left + 8, w - 14], false, base);
    const svg = begin(w, height, `${title ? title + ': ' : ''}${label}`, 0);
    addLines(svg, heads, 0, FONT, 'start', 'title');
    grid(svg, value.ticks, value.scale, top, bottom, false);
    labelTicks(svg, value.ticks, value.scale, bottom + 16, false);
    addLines(svg, foot, (left + w) / 2, bottom + 32, 'middle', 'label');
    for (const b of base) addLine(svg, 'base', [value.scale(b), value.scale(b)], [top, bottom]);
    let y = top;
    items.forEach((item, k) => {
      if (k > 0) addLine(svg, 'between', [0, w], [y, y]);
      const own = isNarrow ? names[k].length * LINE : 0, middle = y + (tall[k] - names[k].length * LINE) / 2;
      addLines(svg, names[k], isNarrow ? 0 : left - 6, (isNarrow ? y : middle) + FONT, isNarrow ? 'start' : 'end',
        'name');
      content(svg.append('g'), y + own, tall[k] - own, item, value.scale);
      y += tall[k];
    });
    explain(svg);
    return svg;
  };

  // panels: [{title, rows: [{label, marks: [{index, group, tip}]}]}]
  const dots = ({width, panels, label, base}) => {
    const values = panels.flatMap(p => p.rows.flatMap(r => extent(r.marks.map(m => m.group))));
    const w = share(width, panels.length, 400);
    return row(panels.map(p => rows(w, p.title, label, p.rows, values, base, r => Math.max(20, 7 * r.marks.length + 10),
        (g, y, height, r, x) => {
      const marks = r.marks.filter(m => Number.isFinite(m.group.mean));
      const step = Math.min(9, (height - 8) / Math.max(1, marks.length));
      marks.forEach((m, k) => {
        const at = y + height / 2 + (k - (marks.length - 1) / 2) * step;
        const own = g.append('g').attr('class', 'series ' + colour(m.index));
        if (Number.isFinite(m.group.low))
          addLine(own, 'whisker', [x(m.group.low), x(m.group.high)], [at, at]);
        own.append('path').datum(m).attr('class', 'mark').attr('d', sign(m.index))
          .attr('transform', `translate(${x(m.group.mean)},${at})`);
      });
    }).attr('data-n-runs', total(p.rows.flatMap(r => r.marks.map(m => m.group))))));
  };

  // items: [{label, index, group, tip}]. Beyond `most` points a row shows that many, evenly spread over the sorted
  // figures.
  const boxes = ({width, items, label, most = 200}) => {
    const w = Math.min(width, 900);
    const quarters = i => [0, 0.25, 0.5, 0.75, 1].map(q => iasim.stats.quantile(i.group.values, q));
    return row([rows(w, '', label, items, items.flatMap(quarters), [], () => 34, (g, y, height, item, x) => {
      const values = item.group.values, n = Math.min(most, values.length), middle = y + height / 2;
      const own = g.attr('class', 'series ' + colour(item.index)), q = iasim.stats.quantile;
      if (!values.length) return;
      const chosen = Array.from({length: n},
        (_, k) => values[n < 2 ? 0 : Math.round(k * (values.length - 1) / (n - 1))]);
      own.selectAll('circle').data(chosen).join('circle').attr('class', 'point').attr('r', 2)
          .attr('cx', x).attr('cy', (_, k) => middle + ((k * 0.618034) % 1 - 0.5) * 22);
      addLine(own, 'whisker', [x(item.group.min), x(item.group.max)], [middle, middle]);
      own.append('rect').datum(item).attr('class', 'mark box').attr('x', x(q(values, 0.25))).attr('y', middle - 8)
          .attr('width', Math.max(2, x(q(values, 0.75)) - x(q(values, 0.25)))).attr('height', 16);
      addLine(own, 'median', [x(item.group.median), x(item.group.median)], [middle - 8, middle + 8]);
    }).attr('data-n-runs', total(items.map(i => i.group)))]);
  };

  // series: [{index, name, ratios, tip}] of sorted ratios, at least 1.
  const steps = ({width, series, n, xLabel, yLabel}) => {
    const w = Math.min(width, 760), height = Math.min(400, Math.max(240, w * 0.5)), left = 44, bottom = height - 40;
    const finite = series.flatMap(s => [...s.ratios].filter(Number.isFinite));
    const at95 = series.map(s => s.ratios[Math.ceil(0.95 * n) - 1]).filter(Number.isFinite);
    const end = Math.max(1.02, Math.min(d3.max(finite) ?? 1, 1.05 * (d3.max(at95) ?? Infinity)));
    const x = end > 8 ? d3.scaleLog([1, end], [left, w - 14]) : d3.scaleLinear([1, end], [left, w - 14]);
    const y = d3.scaleLinear([0, 1], [bottom, 24]);
    const svg = begin(w, height, `${yLabel} against ${xLabel}`, n * series.length);
    const xs = end > 8 ? logTicks(1, end) : x.ticks(Math.max(2, w / 90));
    addLines(svg, [yLabel], 0, FONT, 'start', 'label');
    grid(svg, y.ticks(5), y, left, w - 14, true);
    labelTicks(svg, y.ticks(5), y, left - 6, true);
    labelTicks(svg, xs, x, bottom + 16, false);
    svg.append('text').attr('class', 'label').attr('text-anchor', 'middle').attr('x', (left + w) / 2)
      .attr('y', height - 6).text(xLabel);
    for (const s of series) {
      const points = [[1, iasim.stats.profileShare(s.ratios, 1)]];
      for (let i = 0; i < n && s.ratios[i] <= end; i++)
        if (s.ratios[i] > points[points.length - 1][0])
          points.push([s.ratios[i], iasim.stats.profileShare(s.ratios, s.ratios[i])]);
      points.push([end, points[points.length - 1][1]]);
      svg.append('g').attr('class', 'series ' + colour(s.index)).append('path').datum(s).attr('class', 'line mark step')
          .attr('d', d3.line().x(d => x(d[0])).y(d => y(d[1])).curve(d3.curveStepAfter)(points));
    }
    explain(svg);
    return row([svg]);
  };

  // The sign of a legend.
  const key = index => {
    const svg = d3.create('svg').attr('width', 26).attr('height', 14).attr('viewBox', '-13 -7 26 14')
      .attr('aria-hidden', 'true');
    const g = svg.append('g').attr('class', 'series ' + colour(index));
    g.append('path').attr('class', 'line').attr('d', 'M-13,0H13');
    g.append('path').attr('class', 'mark').attr('d', sign(index));
    return svg.node();
  };

  iasim.plots = {lines, dots, boxes, steps, key};
})();
