// SPDX-License-Identifier: LGPL-2.1-or-later
// The view of a farm: what every node did and received over time, how much moved, and where each loses against the
// bound. Data: the comment at the top of farm_html.c.
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
      return [{name: 'does', shares: [{kind: COMPUTES, percent: s.computes}, {kind: -1, percent: s.charged}],
        lists: null},
              {name: 'receives', shares: [{kind: RECEIVES, percent: s.receives}], lists: null}];
    }
    const doings = spans(data.doings[n]), receives = spans(data.transfers[n]), charges = spans(data.charges[n]);
    const strip = (name, all, list) => ({name, bars: Object.assign(iasim.bars(list), {all})});
    const does = strip('does', doings, doings.filter(d => d.kind === COMPUTES || d.kind === STARVES));
    does.overlay = {start: charges.map(c => c.start), end: charges.map(c => c.end), percent: charges.map(c => c.value)};
    return receives.length > 0 ? [does, strip('receives', receives, receives.map(r => ({...r, kind: RECEIVES})))]
      : [does];
  };

  const lossTables = data => {
    const x = data.losses, words = key => key.replaceAll('_', ' '), causes = Object.keys(x.loss_by_cause);
    // What rounding has left of nothing is nothing.
    const real = rate => Math.abs(rate) > 1e-9 * x.bound_tasks_per_s ? rate : 0;
    const part = (value, whole) => Number((100 * value / whole).toFixed(2));
    const times = n => [n.computing_s, n.stolen_s, n.starved_s, n.done_s].map(s => part(s, data.makespan_s));
    const lost = n => causes.map(c => real(n.loss_by_cause[c]));
    const nodes = x.nodes.map(n => [n.host, ...times(n), n.held_by, n.bound_tasks_per_s, n.tasks_per_s, ...lost(n)]);
    const reached = `${number(part(x.tasks_per_s, x.bound_tasks_per_s))}\u00a0% of the bound`;
    return [
      el('h3', {}, 'What it loses'),
      el('p', {}, `The farm reaches ${reached}: ${number(x.tasks_per_s)} of ${number(x.bound_tasks_per_s)} tasks/s.`),
      x.warning && el('p', {}, x.warning),
      iasim.plainTable({title: 'By cause', columns: ['cause', 'tasks/s', '% of the bound'],
                        rows: causes.map(c => [words(c), real(x.loss_by_cause[c]),
                          part(x.loss_by_cause[c], x.bound_tasks_per_s)])}),
      iasim.longTable('By node: its time in % of the makespan; tasks/s of the bound, computed, and lost by cause',
        ['host', 'computing %', 'stolen %', 'starved %', 'done %', 'held by', 'bound', 'computed',
          ...causes.map(words)], nodes),
    ].filter(Boolean);
  };

  // ---- the view ----

  const original = (bars, i) => bars.all[bars.id[i]];

  const describe = (data, {lane, strip, i}) => {
    const tick = data.tick_s, x = original(strip.bars, i), kind = strip.bars.kind[i], length = (x.end - x.start) * tick;
    const lines = [`${lane.name}: ${kinds[kind].name}${x.task > 0 ? ' task ' + x.task : ''}`,
                   `${seconds(x.start * tick)} to ${seconds(x.end * tick)}, ${seconds(length)}`];
    if (kind === COMPUTES && x.value > 0) lines.push(`stolen by transfers: ${seconds(x.value / 1e4 * length)}`);
    if (kind === RECEIVES) lines.push(`from ${data.hosts[data.parents[lane.node]]}`);
    return lines;
  };

  const overview = (data, lanes) => {
    const usage = f => iasim.usage(lanes.map(l => l.strips[0]), data.end, f);
    const computes = usage(iasim.ofKinds([COMPUTES])), stolen = usage(iasim.ofStolen);
    return [{name: 'nodes', areas: [{kind: COMPUTES, ratio: computes}, {kind: -1, ratio: stolen}]},
            {name: 'rates', areas: [{kind: RECEIVES, ratio: data.rates.map(p => p / 100)}]}];
  };

  const makeModel = (data, lanes) => ({
    label: `What each of ${data.hosts.length} nodes did until ${seconds(data.makespan_s)}. ` +
      'Arrows go from bar to bar, plus and minus zoom, 0 shows all.',
    tick_s: data.tick_s, end: data.end, kinds, overview: overview(data, lanes),
    groups: [{name: 'nodes, and what each receives', lanes}],
    key: (bars, i) => i, describe: bar => describe(data, bar),
    text: (bars, i) => original(bars, i).task > 0 ? String(original(bars, i).task) : '',
    onPick: () => {},
  });

  const about = data => [
    el('p', {class: 'about'}, data.about),
    iasim.figures([['makespan', seconds(data.makespan_s)], ['throughput', number(data.tasks_per_s) + ' tasks/s'],
                   ['in the steady phase', data.steady_tasks_per_s === null ? 'none'
                     : number(data.steady_tasks_per_s) + ' tasks/s'],
                   ['bound', number(data.losses.bound_tasks_per_s) + ' tasks/s'],
                   ['most moved at once', number(data.top_bytes_per_s / 1e6) + ' MB/s']]),
    data.shares ? el('p', {class: 'aggregated'},
      'There are too many tasks to show each: what nodes do is shown as shares of time, in 1,000 intervals.') : '',
  ];

  const legend = (data, lanes) => {
    const isStolen = ({overlay, shares}) => overlay?.start.length > 0 || shares?.some(s => s.kind < 0);
    const sign = (css, words) => el('li', {}, el('span', {class: 'swatch ' + css}), words);
    return el('ul', {class: 'legend'}, sign('colour-blue', 'computing'),
              data.shares ? '' : sign('colour-yellow', 'starving'), sign('colour-green', 'receiving a task'),
              lanes.some(l => isStolen(l.strips[0])) && sign('hatched', 'stolen by transfers'));
  };

  iasim.views.farm = (root, data) => {
    const lanes = data.hosts.map((name, n) => ({name, node: n, strips: makeLane(data, n)}));
    const holder = el('div', {class: 'chart'});
    root.append(...about(data), holder);
    const chart = iasim.gantt(holder, makeModel(data, lanes));
    holder.before(el('div', {class: 'controls row'}, iasim.ganttButtons(chart)),
      el('p', {class: 'hint controls'}, iasim.ganttHint),
                  legend(data, lanes));
    root.dataset.nodes = data.hosts.length;
    root.append(...lossTables(data));
  };
})();
