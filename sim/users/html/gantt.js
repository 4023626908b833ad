// SPDX-License-Identifier: LGPL-2.1-or-later
// A Gantt chart on a canvas: groups of lanes (hosts, then links) on one time axis, each lane with one or more strips
// (planned above simulated). Only bars within the window are looked at, by binary search in each strip; bars narrower
// than a pixel are added up and drawn as shares of their pixel. Groups that do not fit scroll, and all of them stay in
// sight. Bars are drawn by paint.js; mouse and keys are in gantt_input.js.
//
//   iasim.gantt(root, model) -> chart
//     the model: {label, tick_s (seconds of a tick), end (ticks), groups: [{name, lanes: [{name, strips: [{name, bars,
//     shares, overlay, waits, pale}]}]}], kinds, describe(bar), text(bar), onPick(bar)}
//   bars      iasim.bars([{start, end, kind, id, hop}..]) in ticks; kind is an index of model.kinds [{name, colour,
//             part}]
//   shares    [{kind, percent: [..]}] equal intervals from 0 to the end, in place of bars
//   overlay   {start, end, percent}: a share of the strip's height, hatched;  waits: {start, end}: a line below
//   chart.show(from, to), chart.whole(), chart.mark(marks, path), chart.pick(bar), chart.find(f), chart.box(bar),
//   chart.setGroups(groups); iasim.charts has all of them. A bar is {group, lane, strip, i}.
'use strict';

iasim.charts = [];

(() => {
  const el = iasim.el;
  const AXIS = 24, HEAD = 18, MARGIN = 8; // pixels: of the time axis, of a group's name, on the right
  const LINE = 30, LEAST_TICKS = 20;      // the height of a line of the overview; the shortest window
  const FONT = '12px system-ui, sans-serif';

  // `low` where `high` is below it.
  const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
  const sum = (list, f) => list.reduce((total, x) => total + f(x), 0);

  const sizeCanvas = (canvas, width, height) => {
    const ratio = Math.min(2, devicePixelRatio || 1);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + 'px';
    canvas.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
  };

  const clip = (pen, left, top, right, bottom, draw) => {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, right - left, bottom - top);
    pen.clip();
    draw();
    pen.restore();
  };

  // ---- layout: of strips and lanes within their group, and of groups within the chart ----

  // In units of the height of a strip without overlaps.
  const stripUnits = strip => clamp((strip.bars?.rows ?? 1) / 2, 1, 3);

  const layOutGroup = (group, unit) => {
    let at = 0;
    for (const lane of group.lanes) {
      lane.y = at;
      for (const strip of lane.strips) {
        strip.y = at;
        strip.height = unit * stripUnits(strip);
        at += strip.height + 1;
      }
      at += unit > 9 ? 5 : 3;
      lane.height = at - lane.y;
    }
    group.content = at;
  };

  // Small groups get all they need, the others an equal part of the rest.
  const shareHeight = (groups, room) => {
    const open = [...groups].sort((a, b) => a.content - b.content);
    open.forEach((group, i) => {
      const part = room / (open.length - i);
      group.height = group.content <= part ? Math.ceil(group.content) : Math.floor(part);
      room -= group.height;
    });
  };

  const placeGroups = groups => {
    let top = AXIS;
    for (const group of groups) {
      group.top = top + HEAD;
      group.scroll = clamp(group.scroll ?? 0, 0, group.content - group.height);
      top = group.top + group.height;
    }
  };

  // ---- the chart ----

  class Chart {
    constructor(root, model) {
      Object.assign(this, {root, model, view: {from: 0, to: model.end}});
      Object.assign(this, {marks: null, path: null, cursor: null, n_drawn: 0}); // what is marked, chosen, and was drawn
      Object.assign(this, {width: 0, height: 0, gutter: 0, asked: 0, lastSize: '', overviewWidth: 0});
      this.canvas = el('canvas', {
        class: 'gantt', tabindex: '0', role: 'application', 'aria-roledescription': 'Gantt chart',
          'aria-label': model.label,
        'aria-keyshortcuts': 'ArrowLeft ArrowRight ArrowUp ArrowDown Enter + - 0'});
      this.context = this.canvas.getContext('2d');
      this.overview = el('canvas', {class: 'overview', 'aria-hidden': 'true'});
      this.paper = el('div', {class: 'paper-only'});
      this.painter = iasim.painter(model, this.view, this, AXIS);
      root.append(this.overview, this.canvas, this.paper);
    }

    layOut() {
      const groups = this.model.groups, most = clamp(innerHeight * .8, 380, 820), heads = AXIS + HEAD * groups.length;
      const units = sum(groups, g => sum(g.lanes, lane => sum(lane.strips, stripUnits)));
      const unit = clamp((most - heads) / Math.max(1, units) - 2, 6, 16);
      this.width = this.root.clientWidth;
      this.gutter = this.widthOfNames();
      for (const group of groups) layOutGroup(group, unit);
      shareHeight(groups, most - heads);
      placeGroups(groups);
      this.height = heads + sum(groups, g => g.height);
    }

    widthOfNames() {
      const named = [...this.model.groups.flatMap(g => g.lanes), ...(this.model.overview ?? [])];
      this.context.font = FONT;
      const longest = Math.max(0, ...named.map(x => this.context.measureText(x.name).width));
      return Math.round(Math.min(longest + 14, Math.max(64, this.width * .2), 220));
    }

    geometry() {
      return {left: this.gutter, right: this.width - MARGIN, bottom: this.height};
    }

    // Where a bar is, in pixels of the canvas.
    box(bar) {
      const {start, end, row, rows} = bar.strip.bars, g = this.geometry(), k = this.painter.scale(g);
      const tall = bar.strip.height / rows;
      return {x: g.left + (start[bar.i] - this.view.from) * k,
              y: bar.group.top - bar.group.scroll + bar.strip.y + row[bar.i] * tall,
              width: Math.max(2, (end[bar.i] - start[bar.i]) * k), height: tall, g};
    }

    // ---- drawing ----

    draw() {
      this.asked ||= requestAnimationFrame(() => this.drawNow());
    }

    drawNow() {
      const pen = this.context, size = `${this.width} ${this.height} ${devicePixelRatio}`;
      this.asked = 0;
      if (size !== this.lastSize) sizeCanvas(this.canvas, this.width, this.height);
      this.lastSize = size;
      this.n_drawn = 0;
      pen.fillStyle = this.painter.pens.paper;
      pen.fillRect(0, 0, this.width, this.height);
      pen.font = FONT;
      this.painter.drawAxis(pen, this.geometry(), 0);
      for (const group of this.model.groups) this.drawGroup(group);
      if (this.path) this.drawPath();
      if (this.cursor) this.drawCursor();
      this.drawOverview();
    }

    drawGroup(group) {
      const pen = this.context, {pens, drawLane} = this.painter, shift = group.top - group.scroll;
      const isInSight = lane => lane.y + lane.height > group.scroll && lane.y < group.scroll + group.height;
      pen.fillStyle = pens.faint;
      pen.textAlign = 'left';
      pen.textBaseline = 'middle';
      pen.fillText(group.name, 0, group.top - HEAD / 2);
      pen.fillStyle = pens.line;
      pen.fillRect(0, group.top - 1, this.width, 1);
      clip(pen, 0, group.top, this.width, group.top + group.height, () => {
        for (const lane of group.lanes)
          if (isInSight(lane)) drawLane(pen, lane, this.geometry(), shift);
      });
      if (group.content > group.height + 1) this.drawScrollBar(group);
    }

    drawScrollBar(group) {
      const pen = this.context, {pens} = this.painter, ratio = group.height / group.content;
      pen.fillStyle = pens.line;
      pen.fillRect(this.width - 4, group.top, 4, group.height);
      pen.fillStyle = pens.faint;
      pen.fillRect(this.width - 4, group.top + group.scroll * ratio, 4, group.height * ratio);
    }

    drawCursor() {
      const pen = this.context, group = this.cursor.group, b = this.box(this.cursor);
      clip(pen, this.gutter, group.top, this.width, group.top + group.height, () => {
        pen.strokeStyle = this.painter.pens.ink;
        pen.lineWidth = 2;
        pen.strokeRect(b.x - 1, b.y - 1, b.width + 2, b.height + 2);
      });
    }

    // The chain as a line through the middles of its bars, from the last to the first.
    drawPath() {
      const pen = this.context;
      pen.strokeStyle = this.painter.pens.ink;
      pen.lineWidth = 1.2;
      clip(pen, this.gutter, AXIS, this.width, this.height, () => {
        let last = null;
        pen.beginPath();
        for (const bar of this.path) {
          const b = this.box(bar), y = clamp(b.y + b.height / 2, bar.group.top, bar.group.top + bar.group.height);
          if (last) {
            pen.moveTo(last.x, last.y);
            pen.lineTo(b.x + b.width, y);
          }
          last = {x: b.x, y};
        }
        pen.stroke();
      });
    }

    // ---- overview: how much is used, over all time, and the window ----

    drawOverview() {
      const pen = this.overview.getContext('2d'), lines = this.model.overview ?? [], tall = LINE * lines.length + 4;
      if (this.overviewWidth !== this.width) sizeCanvas(this.overview, this.overviewWidth = this.width, tall);
      pen.clearRect(0, 0, this.width, tall);
      pen.font = FONT;
      lines.forEach((line, i) => this.drawOverviewLine(pen, line, LINE * (i + 1)));
      this.drawOverviewWindow(pen, tall);
    }

    drawOverviewLine(pen, line, base) {
      const {pens, short} = this.painter, {left, right} = this.geometry(), tall = LINE - 4;
      pen.fillStyle = pens.faint;
      pen.textAlign = 'right';
      pen.textBaseline = 'middle';
      pen.fillText(short(pen, line.name, left - 8), left - 6, base - tall / 2);
      pen.fillStyle = pens.raised;
      pen.fillRect(left, base - tall, right - left, tall);
      for (const {kind, ratio} of line.areas) {
        const step = (right - left) / ratio.length;
        pen.fillStyle = kind < 0 ? pens.hatch : pens.kinds[kind];
        pen.globalAlpha = kind < 0 ? 1 : .8;
        pen.beginPath();
        pen.moveTo(left, base);
        ratio.forEach((r, i) => {
          pen.lineTo(left + i * step, base - tall * r);
          pen.lineTo(left + (i + 1) * step, base - tall * r);
        });
        pen.lineTo(right, base);
        pen.fill();
        pen.globalAlpha = 1;
      }
    }

    drawOverviewWindow(pen, tall) {
      const {left, right} = this.geometry(), x = t => left + t / this.model.end * (right - left);
      const from = x(this.view.from), to = x(this.view.to);
      pen.fillStyle = this.painter.pens.paper;
      pen.globalAlpha = .6;
      pen.fillRect(left, 4, from - left, tall);
      pen.fillRect(to, 4, right - to, tall);
      pen.globalAlpha = 1;
      pen.strokeStyle = this.painter.pens.accent;
      pen.lineWidth = 1.5;
      pen.strokeRect(from, 3, Math.max(2, to - from), tall - 4);
    }

    // ---- the window ----

    show(from, to) {
      const length = clamp(to - from, LEAST_TICKS, this.model.end);
      this.view.from = clamp(from, 0, this.model.end - length);
      this.view.to = this.view.from + length;
      this.draw();
    }

    whole() {
      this.show(0, this.model.end);
    }

    // What is at x stays there.
    zoom(factor, x = (this.gutter + this.width) / 2) {
      const {from, to} = this.view, t = this.timeAt(x), length = (to - from) * factor, ratio = (t - from) / (to - from);
      this.show(t - ratio * length, t - ratio * length + length);
    }

    // By a part of the window.
    pan(ratio) {
      const {from, to} = this.view, shift = (to - from) * ratio;
      this.show(from + shift, to + shift);
    }

    timeAt(x) {
      const {left, right} = this.geometry();
      return this.view.from + (x - left) / (right - left) * (this.view.to - this.view.from);
    }

    scrollBy(group, y) {
      if (group) group.scroll = clamp(group.scroll + y, 0, group.content - group.height);
      this.draw();
    }

    // ---- what is where ----

    groupAt(y) {
      return this.model.groups.find(g => y >= g.top && y < g.top + g.height);
    }

    // {group, lane}, beside strips; {group, lane, strip, i}: i is undefined where there is no bar.
    barAt(x, y) {
      const group = this.groupAt(y), within = group ? y - group.top + group.scroll : 0;
      const lane = group?.lanes.find(l => within >= l.y && within < l.y + l.height);
      const strip = lane?.strips.find(s => within >= s.y - 1 && within < s.y + s.height + 1);
      if (!strip) return lane ? {group, lane} : null;
      if (!strip.bars || x < this.gutter) return {group, lane, strip};
      const rows = strip.bars.rows, row = clamp(Math.floor((within - strip.y) / strip.height * rows), 0, rows - 1);
      return {group, lane, strip, i: this.shortestAt(strip.bars, row, x)};
    }

    // Of the bars of this row within three pixels of x.
    shortestAt(bars, row, x) {
      const slack = 3 / this.painter.scale(this.geometry()), t = this.timeAt(x);
      const length = i => bars.end[i] - bars.start[i];
      const first = iasim.firstWhere(bars.n, i => bars.reach[i] >= t - slack);
      let best;
      for (let i = first; i < bars.n && bars.start[i] <= t + slack; i++) {
        if (bars.end[i] < t - slack || bars.row[i] !== row) continue;
        if (best === undefined || length(i) < length(best)) best = i;
      }
      return best;
    }

    // The first bar with f(strip, i).
    find(f) {
      for (const group of this.model.groups)
        for (const lane of group.lanes)
          for (const strip of lane.strips)
            for (let i = 0; i < (strip.bars?.n ?? 0); i++)
              if (f(strip, i)) return {group, lane, strip, i};
      return null;
    }

    // ---- choosing and marking ----

    // Into sight, without changing the scale unless the bar would not be seen.
    reveal({group, lane, strip, i}) {
      const start = strip.bars.start[i], end = strip.bars.end[i], {from, to} = this.view;
      if (start > to || end < from || end - start > to - from) {
        const half = Math.max(to - from, 2 * (end - start)) / 2, middle = (start + end) / 2;
        this.show(middle - half, middle + half);
      }
      if (lane.y < group.scroll) group.scroll = lane.y;
      if (lane.y + lane.height > group.scroll + group.height) group.scroll = lane.y + lane.height - group.height;
    }

    pick(bar) {
      this.cursor = bar;
      if (bar) {
        this.reveal(bar);
        iasim.announce(this.model.describe(bar).join('. '));
      }
      this.draw();
    }

    // `marks`: the keys of what is not pale; null: everything. `path`: bars to draw a line through.
    mark(marks, path) {
      this.marks = marks;
      this.path = path ?? null;
      this.draw();
    }

    setGroups(groups) {
      this.model.groups = groups;
      this.cursor = this.path = null;
      this.layOut();
      this.draw();
    }

    // ---- for another theme, width or medium ----

    redraw() {
      this.painter.setPens();
      this.paper.replaceChildren();
      if (iasim.isPrinting) return this.drawSheets();
      this.layOut();
      this.drawNow();
    }

    // For print: canvases of a few lanes each, so that no lane is cut by the end of a page.
    drawSheets() {
      const most = 400, kept = {width: this.width, gutter: this.gutter};
      this.width = 1000;
      this.gutter = Math.min(this.gutter, 200);
      for (const {name, lanes} of this.model.groups) {
        let from = 0;
        while (from < lanes.length) {
          let to = from + 1;
          while (to < lanes.length && lanes[to].y + lanes[to].height - lanes[from].y <= most) to++;
          this.paper.append(this.sheet(name, lanes.slice(from, to)));
          from = to;
        }
      }
      Object.assign(this, kept);
    }

    sheet(name, lanes) {
      const last = lanes[lanes.length - 1], top = lanes[0].y, tall = last.y + last.height - top + AXIS;
      const canvas = el('canvas', {width: 2 * this.width, height: Math.floor(2 * tall)}), pen = canvas.getContext('2d');
      const g = {...this.geometry(), bottom: tall};
      pen.setTransform(2, 0, 0, 2, 0, 0);
      pen.font = FONT;
      this.painter.drawAxis(pen, g, 0);
      pen.fillStyle = this.painter.pens.faint;
      pen.textAlign = 'left';
      pen.fillText(name, 0, AXIS / 2);
      for (const lane of lanes) this.painter.drawLane(pen, lane, g, AXIS - top);
      return canvas;
    }
  }

  iasim.gantt = (root, model) => {
    const chart = new Chart(root, model);
    iasim.charts.push(chart);
    iasim.ganttInput(chart);
    iasim.onRedraw(() => chart.redraw());
    chart.redraw();
    return chart;
  };
})();
