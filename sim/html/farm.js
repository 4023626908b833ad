// SPDX-License-Identifier: LGPL-2.1-or-later
// The view of a farm: what every node did and received over time, how much moved, and where each loses against the bound.
// Data: the comment at the top of farm_html.c.
'use strict';

(() => {
  const el = iasim.el, seconds = iasim.seconds, number = iasim.number;
  const COMPUTES = 0, STARVES = 1, RECEIVES = 3;
  const kinds = [{name: 'computing', colour: 'blue', hasText: true}, {name: 'starving', colour: 'yellow', part: .7},
                 {name: 'done', colour: 'line'}, {name: 'receiving', colour: 'green', hasText: true}];

  const spans = s => {
    const list = [];
    let at = 0;
    s.start.forEach((gap, i) => {
      const start = at + gap;
      at = start + s.length[i];
      list.push({start, end: at, kind: s.kind[i], id: i, task: s.task[i], value: s.value[i]});
    });
    return list;
  };

  const makeLane = (data, n) => {
    if (data.shares) {
      const s = data.shares[n];
      return [{name: 'does', shares: [{kind: COMPUTES, percent: s.computes}, {kind: -1, percent: s.charged}], lists: null},
              {name: 'receives', shares: [{kind: RECEIVES, percent: s.receives}], lists: null}];
    }
    const doings = spans(data.doings[n]), receives = spans(data.transfers[n]), charges = spans(data.charges[n]);
    const strip = (name, all, list) => ({name, bars: Object.assign(iasim.bars(list), {all})});
    const does = strip('does', doings, doings.filter(d => d.kind === COMPUTES || d.kind === STARVES));
    does.overlay = {start: charges.map(c => c.start), end: charges.map(c => c.end), percent: charges.map(c => c.value)};
    return receives.length > 0 ? [does, strip('receives', receives, receives.map(r => ({...r, kind: RECEIVES})))] : [does];
  };

  const lossTables = data => {
    const x = data.losses, words = key => key.replaceAll('_', ' '), causes = Object.keys(x.loss_by_cause);
    const real = x => Math.abs(x) > 1e-9 * data.losses.bound_tasks_per_s ? x : 0; // what rounding has left of nothing is nothing
    const part = (value, whole) => Number((100 * value / whole).toFixed(2));
    const nodes = x.nodes.map(n => [n.host, ...['computing_s', 'stolen_s', 'starved_s', 'done_s'].map(k => part(n[k], data.makespan_s)), n.held_by,
                                    n.bound_tasks_per_s, n.tasks_per_s, ...causes.map(c => real(n.loss_by_cause[c]))]);
    return [
      el('h3', {}, 'What it loses'),
      el('p', {}, `The farm reaches ${number(part(x.tasks_per_s, x.bound_tasks_per_s))}\u00a0% of the bound: ${number(x.tasks_per_s)} of ${number(x.bound_tasks_per_s)} tasks/s.`),
      x.warning && el('p', {}, x.warning),
      iasim.plainTable({title: 'By cause', columns: ['cause', 'tasks/s', '% of the bound'],
                        rows: causes.map(c => [words(c), real(x.loss_by_cause[c]), part(x.loss_by_cause[c], x.bound_tasks_per_s)])}),
      iasim.longTable('By node: its time in % of the makespan; tasks/s of the bound, computed, and lost by cause',
        ['host', 'computing %', 'stolen %', 'starved %', 'done %', 'held by', 'bound', 'computed', ...causes.map(words)], nodes),
    ].filter(Boolean);
  };

  iasim.views.farm = (root, data) => {
    const tick = data.tick_s, lanes = data.hosts.map((name, n) => ({name, node: n, strips: makeLane(data, n)}));
    const original = (bars, i) => bars.all[bars.id[i]];
    const describe = ({lane, strip, i}) => {
      const x = original(strip.bars, i), kind = strip.bars.kind[i], length = (x.end - x.start) * tick;
      const lines = [`${lane.name}: ${kinds[kind].name}${x.task > 0 ? ' task ' + x.task : ''}`,
                     `${seconds(x.start * tick)} to ${seconds(x.end * tick)}, ${seconds(length)}`];
      if (kind === COMPUTES && x.value > 0) lines.push(`stolen by transfers: ${seconds(x.value / 1e4 * length)}`);
      if (kind === RECEIVES) lines.push(`from ${data.hosts[data.parents[lane.node]]}`);
      return lines;
    };
    const stolen = lanes.some(l => l.strips[0].overlay?.start.length > 0 || l.strips[0].shares?.some(s => s.kind < 0));
    const model = {
      label: `What each of ${data.hosts.length} nodes did until ${seconds(data.makespan_s)}. Arrows go from bar to bar, plus and minus zoom, 0 shows all.`,
      tick_s: tick, end: data.end, kinds, groups: [{name: 'nodes, and what each receives', lanes}],
      overview: [{name: 'nodes', areas: [
        {kind: COMPUTES, ratio: iasim.usage(lanes.map(l => l.strips[0]), data.end, (s, add, addShares) => {
          if (s.bars) for (let i = 0; i < s.bars.n; i++) if (s.bars.kind[i] === COMPUTES) add(s.bars.start[i], s.bars.end[i], 1);
          addShares(kind => kind === COMPUTES);
        })},
        {kind: -1, ratio: iasim.usage(lanes.map(l => l.strips[0]), data.end, (s, add, addShares) => {
          s.overlay?.start.forEach((from, i) => add(from, s.overlay.end[i], s.overlay.percent[i] / 100));
          addShares(kind => kind < 0);
        })}]},
        {name: 'rates', areas: [{kind: RECEIVES, ratio: data.rates.map(p => p / 100)}]}],
      key: (bars, i) => i, describe,
      text: (bars, i) => original(bars, i).task > 0 ? String(original(bars, i).task) : '',
      onPick: () => {},
    };
    const button = (words, f, label) => el('button', {type: 'button', onclick: f, 'aria-label': label}, words);
    const swatch = (css, words) => el('li', {}, el('span', {class: 'swatch ' + css}), words);
    root.append(
      el('p', {class: 'about'}, data.about),
      iasim.figures([['makespan', seconds(data.makespan_s)], ['throughput', number(data.tasks_per_s) + ' tasks/s'],
                     ['in the steady phase', number(data.steady_tasks_per_s) + ' tasks/s'],
                     ['bound', number(data.losses.bound_tasks_per_s) + ' tasks/s'], ['most moved at once', number(data.top_bytes_per_s / 1e6) + ' MB/s']]),
      data.shares ? el('p', {class: 'aggregated'}, 'There are too many tasks to show each: what nodes do is shown as shares of time, in 1,000 intervals.') : '',
      el('div', {class: 'controls row'}, button('+', () => chart.zoom(1 / 1.6), 'Zoom in'), button('−', () => chart.zoom(1.6), 'Zoom out'),
         button('◂', () => chart.pan(-.3), 'Earlier'), button('▸', () => chart.pan(.3), 'Later'), button('All', () => chart.whole(), 'Show all of it')),
      el('p', {class: 'hint controls'}, 'Wheel after a click, Ctrl and wheel, or pinch: zoom; over the names: scroll. Drag: move. Arrow keys: from bar to bar; with Shift: move.'),
      el('ul', {class: 'legend'}, swatch('colour-blue', 'computing'), data.shares ? '' : swatch('colour-yellow', 'starving'), swatch('colour-green', 'receiving a task'),
         stolen && swatch('hatched', 'stolen by transfers')));
    const holder = el('div', {class: 'chart'});
    root.append(holder);
    const chart = iasim.gantt(holder, model);
    root.dataset.nodes = data.hosts.length;
    root.append(...lossTables(data));
  };
})();
