// SPDX-License-Identifier: LGPL-2.1-or-later
// A Gantt chart on a canvas: groups of lanes (hosts, then links) on one time axis, each lane with one or more strips (planned above
// simulated). Only bars within the window are looked at, by binary search in each strip; bars narrower than a pixel are added
// up and drawn as shares of their pixel. Groups that do not fit scroll, and all of them stay in sight.
//
//   iasim.gantt(root, model) -> chart        the model: {label, tick_s (seconds of a tick), end (ticks), groups: [{name, lanes: [{name,
//     strips: [{name, bars, shares, overlay, waits, pale}]}]}], kinds, describe(bar), text(bar), onPick(bar)}
//   bars      iasim.bars([{start, end, kind, id, hop}..]) in ticks; kind is an index of model.kinds [{name, colour, part}]
//   shares    [{kind, percent: [..]}] equal intervals from 0 to the end, in place of bars
//   overlay   {start, end, percent}: a share of the strip's height, hatched;  waits: {start, end}: a line below
//   chart.show(from, to), chart.whole(), chart.mark(marks, path), chart.pick(bar), chart.find(f), chart.box(bar),
//   chart.setGroups(groups); iasim.charts has all of them
'use strict';

iasim.charts = [];

// Sorted by start; bars that overlap get rows of their own, as long as there are few. `reach` is the latest end so far.
iasim.bars = list => {
  list.sort((a, b) => a.start - b.start || a.end - b.end || a.kind - b.kind || a.id - b.id);
  const n = list.length, most = 6, free = [];
  const bars = {n, rows: 1, start: new Int32Array(n), end: new Int32Array(n), reach: new Int32Array(n), kind: new Uint8Array(n),
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

iasim.gantt = (root, model) => {
  const el = iasim.el, axisHeight = 24, headHeight = 18;
  const canvas = el('canvas', {class: 'gantt', tabindex: '0', role: 'application', 'aria-roledescription': 'Gantt chart',
                               'aria-label': model.label, 'aria-keyshortcuts': 'ArrowLeft ArrowRight ArrowUp ArrowDown Enter + - 0'});
  const overview = el('canvas', {class: 'overview', 'aria-hidden': 'true'});
  const context = canvas.getContext('2d');
  const view = {from: 0, to: model.end};
  const chart = {model, view, canvas, marks: null, path: null, cursor: null, n_drawn: 0};
  let width = 0, height = 0, gutter = 0, asked = 0, lastSize = '';
  const {pens, setPens, scale, drawAxis, short, drawLane} = iasim.painter(model, view, chart, axisHeight), firstWhere = iasim.firstWhere;
  iasim.charts.push(chart);

  // ---- where everything is ----

  const stripHeight = (group, size) => strip => size * Math.min(3, Math.max(1, (strip.bars?.rows ?? 1) / 2));
  const layOut = () => {
    width = root.clientWidth;
    context.font = '12px system-ui, sans-serif';
    const names = [...model.groups.flatMap(g => g.lanes), ...(model.overview ?? [])].map(x => x.name);
    const longest = Math.max(0, ...names.map(name => context.measureText(name).width));
    gutter = Math.round(Math.min(longest + 14, Math.max(64, width * .2), 220));
    const most = Math.max(380, Math.min(innerHeight * .8, 820));
    const heads = axisHeight + headHeight * model.groups.length;
    const strips = model.groups.reduce((sum, g) => sum + g.lanes.reduce((s, l) => s + l.strips.reduce((a, x) => a + stripHeight(g, 1)(x), 0), 0), 0);
    const size = Math.max(6, Math.min(16, (most - heads) / Math.max(1, strips) - 2));
    for (const group of model.groups) {
      let at = 0;
      for (const lane of group.lanes) {
        lane.y = at;
        for (const strip of lane.strips) {
          strip.y = at;
          strip.height = stripHeight(group, size)(strip);
          at += strip.height + 1;
        }
        at += size > 9 ? 5 : 3;
        lane.height = at - lane.y;
      }
      group.content = at;
    }
    shareHeight(most - heads);
    height = heads + model.groups.reduce((sum, g) => sum + g.height, 0);
    let top = axisHeight;
    for (const group of model.groups) {
      group.top = top + headHeight;
      group.scroll = Math.max(0, Math.min(group.scroll ?? 0, group.content - group.height));
      top = group.top + group.height;
    }
  };
  // Small groups get all they need, the others an equal part of the rest.
  const shareHeight = room => {
    const open = [...model.groups].sort((a, b) => a.content - b.content);
    open.forEach((group, i) => {
      group.height = group.content <= room / (open.length - i) ? Math.ceil(group.content) : Math.floor(room / (open.length - i));
      room -= group.height;
    });
  };

  const clip = (pen, left, top, right, bottom, f) => {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, right - left, bottom - top);
    pen.clip();
    f();
    pen.restore();
  };

  const drawGroup = (pen, group, g) => {
    pen.fillStyle = pens.faint;
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.fillText(group.name, 0, group.top - headHeight / 2);
    pen.fillStyle = pens.line;
    pen.fillRect(0, group.top - 1, width, 1);
    clip(pen, 0, group.top, width, group.top + group.height, () => {
      const shift = group.top - group.scroll;
      for (const lane of group.lanes)
        if (lane.y + lane.height > group.scroll && lane.y < group.scroll + group.height) drawLane(pen, lane, g, shift);
    });
    if (group.content > group.height + 1) { // where in the group we are
      pen.fillStyle = pens.line;
      pen.fillRect(width - 4, group.top, 4, group.height);
      pen.fillStyle = pens.faint;
      pen.fillRect(width - 4, group.top + group.scroll / group.content * group.height, 4, group.height * group.height / group.content);
    }
  };

  const boxOf = bar => {
    const strip = bar.strip, g = geometry(), k = scale(g), tall = strip.height / strip.bars.rows;
    return {x: g.left + (strip.bars.start[bar.i] - view.from) * k, y: bar.group.top - bar.group.scroll + strip.y + strip.bars.row[bar.i] * tall,
            width: Math.max(2, (strip.bars.end[bar.i] - strip.bars.start[bar.i]) * k), height: tall, g};
  };
  chart.box = boxOf;
  const drawCursor = () => {
    const bar = chart.cursor, b = boxOf(bar);
    clip(context, gutter, bar.group.top, width, bar.group.top + bar.group.height, () => {
      context.strokeStyle = pens.ink;
      context.lineWidth = 2;
      context.strokeRect(b.x - 1, b.y - 1, b.width + 2, b.height + 2);
    });
  };

  // The chain as a line through the middles of its bars, from the last to the first.
  const drawPath = () => {
    context.strokeStyle = pens.ink;
    context.lineWidth = 1.2;
    clip(context, gutter, axisHeight, width, height, () => {
      let last = null;
      context.beginPath();
      for (const bar of chart.path) {
        const b = boxOf(bar), y = Math.max(bar.group.top, Math.min(bar.group.top + bar.group.height, b.y + b.height / 2));
        if (last) {
          context.moveTo(last.x, last.y);
          context.lineTo(b.x + b.width, y);
        }
        last = {x: b.x, y};
      }
      context.stroke();
    });
  };

  const geometry = () => ({left: gutter, right: width - 8, bottom: height});
  const sizeCanvas = (c, w, h) => {
    const ratio = Math.min(2, devicePixelRatio || 1);
    c.width = Math.round(w * ratio);
    c.height = Math.round(h * ratio);
    c.style.height = h + 'px';
    c.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
  };

  const draw = () => {
    asked = 0;
    const size = `${width} ${height} ${devicePixelRatio}`;
    if (size !== lastSize) sizeCanvas(canvas, width, height);
    lastSize = size;
    chart.n_drawn = 0;
    context.fillStyle = pens.paper;
    context.fillRect(0, 0, width, height);
    context.font = '12px system-ui, sans-serif';
    drawAxis(context, geometry(), 0);
    for (const group of model.groups) drawGroup(context, group, geometry());
    if (chart.path) drawPath();
    if (chart.cursor) drawCursor();
    drawOverview();
  };
  chart.draw = () => { asked ||= requestAnimationFrame(draw); };

  // ---- overview: how much is used, over all time, and the window ----

  let overviewWidth = 0;
  const overviewHeight = 30 * (model.overview?.length ?? 0) + 4;
  const overviewX = t => gutter + t / model.end * (width - 8 - gutter);
  const drawOverview = () => {
    const pen = overview.getContext('2d'), right = width - 8;
    if (overviewWidth !== width) sizeCanvas(overview, overviewWidth = width, overviewHeight);
    pen.clearRect(0, 0, width, overviewHeight);
    pen.font = '12px system-ui, sans-serif';
    (model.overview ?? []).forEach((line, i) => {
      const base = 30 * i + 30, tall = 26;
      pen.fillStyle = pens.faint;
      pen.textAlign = 'right';
      pen.textBaseline = 'middle';
      pen.fillText(short(pen, line.name, gutter - 8), gutter - 6, base - tall / 2);
      pen.fillStyle = pens.raised;
      pen.fillRect(gutter, base - tall, right - gutter, tall);
      for (const area of line.areas) {
        const step = (right - gutter) / area.ratio.length;
        pen.fillStyle = area.kind < 0 ? pens.hatch : pens.kinds[area.kind];
        pen.globalAlpha = area.kind < 0 ? 1 : .8;
        pen.beginPath();
        pen.moveTo(gutter, base);
        area.ratio.forEach((r, j) => {
          pen.lineTo(gutter + j * step, base - tall * r);
          pen.lineTo(gutter + (j + 1) * step, base - tall * r);
        });
        pen.lineTo(right, base);
        pen.fill();
        pen.globalAlpha = 1;
      }
    });
    pen.fillStyle = pens.paper;
    pen.globalAlpha = .6;
    pen.fillRect(gutter, 4, overviewX(view.from) - gutter, overviewHeight);
    pen.fillRect(overviewX(view.to), 4, right - overviewX(view.to), overviewHeight);
    pen.globalAlpha = 1;
    pen.strokeStyle = pens.accent;
    pen.lineWidth = 1.5;
    pen.strokeRect(overviewX(view.from), 3, Math.max(2, overviewX(view.to) - overviewX(view.from)), overviewHeight - 4);
  };
  const centreOn = event => {
    const t = (event.offsetX - gutter) / (width - 8 - gutter) * model.end, half = (view.to - view.from) / 2;
    chart.show(t - half, t + half);
  };
  overview.addEventListener('pointerdown', event => {
    overview.setPointerCapture(event.pointerId);
    centreOn(event);
  });
  overview.addEventListener('pointermove', event => { if (event.buttons) centreOn(event); });

  // ---- the window ----

  const least = 20; // ticks
  chart.show = (from, to) => {
    const length = Math.max(least, Math.min(model.end, to - from));
    view.from = Math.max(0, Math.min(model.end - length, from));
    view.to = view.from + length;
    chart.draw();
  };
  chart.whole = () => chart.show(0, model.end);
  chart.zoom = (factor, x = (gutter + width) / 2) => {
    const t = timeAt(x), length = (view.to - view.from) * factor, ratio = (t - view.from) / (view.to - view.from);
    chart.show(t - ratio * length, t - ratio * length + length);
  };
  chart.pan = ratio => chart.show(view.from + (view.to - view.from) * ratio, view.to + (view.to - view.from) * ratio);
  const timeAt = x => view.from + (x - gutter) / (width - 8 - gutter) * (view.to - view.from);
  const scrollBy = (group, y) => {
    if (group) group.scroll = Math.max(0, Math.min(group.content - group.height, group.scroll + y));
    chart.draw();
  };
  const groupAt = y => model.groups.find(g => y >= g.top && y < g.top + g.height);

  // ---- what is where ----

  const barAt = (x, y) => {
    const group = groupAt(y), within = group ? y - group.top + group.scroll : 0;
    const lane = group?.lanes.find(l => within >= l.y && within < l.y + l.height);
    const strip = lane?.strips.find(s => within >= s.y - 1 && within < s.y + s.height + 1);
    if (!strip) return lane ? {group, lane} : null;
    if (!strip.bars || x < gutter) return {group, lane, strip};
    const bars = strip.bars, slack = 3 / scale(geometry()), t = timeAt(x), row = Math.floor((within - strip.y) / strip.height * bars.rows);
    let best = -1;
    for (let i = firstWhere(bars.n, j => bars.reach[j] >= t - slack); i < bars.n && bars.start[i] <= t + slack; i++) {
      if (bars.end[i] < t - slack || bars.row[i] !== Math.max(0, Math.min(bars.rows - 1, row))) continue;
      if (best < 0 || bars.end[i] - bars.start[i] < bars.end[best] - bars.start[best]) best = i;
    }
    return {group, lane, strip, i: best < 0 ? undefined : best};
  };
  const tipOf = bar => el('div', {}, model.describe(bar).map((line, i) => el('div', {class: i ? null : 'tip-title'}, line)));

  chart.find = f => { // the first bar with f(strip, i)
    for (const group of model.groups)
      for (const lane of group.lanes)
        for (const strip of lane.strips)
          for (let i = 0; i < (strip.bars?.n ?? 0); i++)
            if (f(strip, i)) return {group, lane, strip, i};
    return null;
  };

  // Into sight, without changing the scale unless the bar would not be seen.
  const reveal = bar => {
    const bars = bar.strip.bars, from = bars.start[bar.i], to = bars.end[bar.i], length = view.to - view.from;
    if (from > view.to || to < view.from || to - from > length) {
      const half = Math.max(length, 2 * (to - from)) / 2;
      chart.show((from + to) / 2 - half, (from + to) / 2 + half);
    }
    const group = bar.group;
    if (bar.lane.y < group.scroll) group.scroll = bar.lane.y;
    if (bar.lane.y + bar.lane.height > group.scroll + group.height) group.scroll = bar.lane.y + bar.lane.height - group.height;
  };
  chart.pick = (bar, isQuiet) => {
    chart.cursor = bar;
    if (bar) reveal(bar);
    if (bar && !isQuiet) iasim.announce(model.describe(bar).join('. '));
    chart.draw();
  };
  const tipAtCursor = () => {
    const b = boxOf(chart.cursor), box = canvas.getBoundingClientRect();
    iasim.tip(tipOf(chart.cursor), box.left + Math.max(gutter, Math.min(width, b.x + Math.min(b.width, 40))), box.top + b.y + b.height);
  };
  chart.mark = (marks, path) => {
    chart.marks = marks;
    chart.path = path ?? null;
    chart.draw();
  };

  // ---- mouse and touch ----

  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener('wheel', event => {
    // Before a click on the chart, and where it shows everything already, the wheel scrolls the page.
    const isAll = view.to - view.from >= model.end && event.deltaY > 0 && !event.shiftKey && !event.altKey && event.offsetX >= gutter;
    if (!event.ctrlKey && (document.activeElement !== canvas || isAll)) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      chart.pan((event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX) * unit / 800);
    else if (event.altKey || event.offsetX < gutter) scrollBy(groupAt(event.offsetY), event.deltaY * unit);
    else chart.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * unit * .002))), Math.max(gutter, event.offsetX));
  }, {passive: false});
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
    moved = 0;
  });
  canvas.addEventListener('pointermove', event => {
    const before = pointers.get(event.pointerId);
    if (!before) return hover(event);
    const others = [...pointers].filter(([id]) => id !== event.pointerId);
    if (others.length > 0) {
      const other = others[0][1], was = Math.abs(before.x - other.x), is = Math.abs(event.offsetX - other.x);
      if (was > 8 && is > 8) chart.zoom(was / is, (event.offsetX + other.x) / 2);
      moved = 99;
    } else {
      moved += Math.abs(event.offsetX - before.x) + Math.abs(event.offsetY - before.y);
      if (moved > 4) {
        chart.pan((before.x - event.offsetX) / (width - 8 - gutter));
        scrollBy(groupAt(event.offsetY), before.y - event.offsetY);
        iasim.tip(null);
      }
    }
    before.x = event.offsetX;
    before.y = event.offsetY;
  });
  const release = event => {
    if (event.type === 'pointerup' && pointers.size === 1 && moved <= 4) click(event);
    pointers.delete(event.pointerId);
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => iasim.tip(null));
  const hover = event => {
    const bar = barAt(event.offsetX, event.offsetY);
    if (bar?.i !== undefined) iasim.tip(tipOf(bar), event.clientX, event.clientY);
    else iasim.tip(bar && event.offsetX < gutter ? bar.lane.name : null, event.clientX, event.clientY);
    canvas.classList.toggle('over', bar?.i !== undefined);
  };
  const click = event => {
    const bar = barAt(event.offsetX, event.offsetY);
    canvas.focus({preventScroll: true});
    chart.pick(bar?.i !== undefined ? bar : null);
    model.onPick(chart.cursor);
  };

  // ---- keyboard ----

  const allStrips = () => model.groups.flatMap(group => group.lanes.flatMap(
    lane => lane.strips.filter(s => s.bars?.n > 0).map(strip => ({group, lane, strip}))));
  const inStrip = (at, t) => {
    const bars = at.strip.bars, i = firstWhere(bars.n, j => bars.start[j] > t);
    return {...at, i: Math.max(0, i - 1)};
  };
  const step = (along, across) => {
    const strips = allStrips();
    if (strips.length === 0) return;
    let bar = chart.cursor;
    if (!bar) bar = inStrip(strips[0], view.from);
    else if (across) {
      const k = strips.findIndex(s => s.strip === bar.strip) + across;
      if (k >= 0 && k < strips.length) bar = inStrip(strips[k], bar.strip.bars.start[bar.i]);
    } else bar = {...bar, i: Math.max(0, Math.min(bar.strip.bars.n - 1, bar.i + along))};
    chart.pick(bar);
    tipAtCursor();
  };
  const keys = {
    ArrowLeft: event => event.shiftKey ? chart.pan(-.2) : step(-1, 0),
    ArrowRight: event => event.shiftKey ? chart.pan(.2) : step(1, 0),
    ArrowUp: () => step(0, -1),
    ArrowDown: () => step(0, 1),
    Home: () => step(-Infinity, 0),
    End: () => step(Infinity, 0),
    '+': () => chart.zoom(1 / 1.5, chart.cursor ? middleOfCursor() : undefined),
    '=': () => keys['+'](),
    '-': () => chart.zoom(1.5),
    0: () => chart.whole(),
    Enter: () => model.onPick(chart.cursor),
    Escape: () => {
      chart.pick(null);
      model.onPick(null);
    },
  };
  const middleOfCursor = () => {
    const b = boxOf(chart.cursor);
    return Math.max(gutter, Math.min(width - 8, b.x + b.width / 2));
  };
  canvas.addEventListener('keydown', event => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key](event);
  });
  canvas.addEventListener('blur', () => iasim.tip(null));

  // ---- print: strips of lanes, each a canvas of its own that is not cut by the end of a page ----

  const paper = el('div', {class: 'paper-only'});
  const drawStrips = () => {
    const wide = 1000, most = 400, kept = {width, gutter};
    width = wide;
    gutter = Math.min(gutter, 200);
    for (const group of model.groups) {
      let from = 0;
      while (from < group.lanes.length) {
        let to = from + 1;
        while (to < group.lanes.length && group.lanes[to].y + group.lanes[to].height - group.lanes[from].y <= most) to++;
        const top = group.lanes[from].y, tall = group.lanes[to - 1].y + group.lanes[to - 1].height - top + axisHeight;
        const sheet = el('canvas'), pen = sheet.getContext('2d'), g = {left: gutter, right: wide - 8, bottom: tall};
        sheet.width = 2 * wide;
        sheet.height = 2 * tall;
        pen.setTransform(2, 0, 0, 2, 0, 0);
        pen.font = '12px system-ui, sans-serif';
        drawAxis(pen, g, 0);
        pen.fillStyle = pens.faint;
        pen.textAlign = 'left';
        pen.fillText(group.name, 0, axisHeight / 2);
        for (const lane of group.lanes.slice(from, to)) drawLane(pen, lane, g, axisHeight - top);
        paper.append(sheet);
        from = to;
      }
    }
    ({width, gutter} = kept);
  };

  iasim.onRedraw(() => {
    setPens();
    paper.replaceChildren();
    if (iasim.isPrinting) return drawStrips();
    layOut();
    draw();
  });

  chart.setGroups = groups => {
    model.groups = groups;
    chart.cursor = chart.path = null;
    layOut();
    chart.draw();
  };

  root.append(overview, canvas, paper);
  setPens();
  layOut();
  draw();
  return chart;
};
