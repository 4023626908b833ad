// SPDX-License-Identifier: LGPL-2.1-or-later
// The view of a replay: the plan above what happened, what made it as long as it was, and the chain of any task or
// transfer. Its data are read in replay.js, its lanes made in run_lanes.js.
'use strict';

(() => {
  const el = iasim.el, seconds = iasim.seconds, number = iasim.number, replays = iasim.replay;
  const {TASK, RECEIVE, DELAY, kinds} = replays;
  const percent = (ratio, digits) => number(100 * ratio, digits) + '\u00a0%';

  // ---- tables below the chart ----

  const sumTable = (title, what, sums, whole) => {
    const unit = iasim.timeUnit(whole);
    const some = [...sums].filter(([, s]) => s > 1e-9 * whole).sort((a, b) => b[1] - a[1]);
    const rows = some.map(([name, s]) => [name, s / unit.s, 100 * s / whole]);
    const columns = [what, unit.name, '% of the makespan'];
    if (rows.length > 12)
      return iasim.longTable(title, columns, rows.map(([name, s, share]) => [name, s, Number(share.toFixed(1))]), 10);
    return rows.length > 0 && iasim.plainTable({title, columns, digits: 4, decimals: {2: 1}, rows});
  };

  // What one segment of the critical chain is because of.
  const becauseOf = (replay, [n, ...list]) => {
    const names = list.map(x => x < 0 ? replays.edgeName(replay, ~x) : replay.data.tasks.name[x]);
    return names.join(', ') + (n > names.length ? ` and ${n - names.length} more` : '');
  };

  const explanation = replay => {
    const {data} = replay, s = data.segments, causes = new Map(), hosts = new Map(), links = new Map(), rows = [];
    const unit = iasim.timeUnit(data.makespan_s);
    const add = (map, key, x) => { if (key !== undefined) map.set(key, (map.get(key) ?? 0) + x); };
    s.cause.forEach((cause, i) => {
      const length = s.from_s[i + 1] - s.from_s[i], host = data.hosts[s.host[i]], link = data.links[s.link[i]];
      const doer = s.task[i] >= 0 ? data.tasks.name[s.task[i]] : replays.edgeName(replay, s.edge[i]);
      add(causes, s.causes[cause], length);
      add(hosts, host, length);
      add(links, link, length);
      rows.push([s.from_s[i] / unit.s, length / unit.s, s.causes[cause], doer, host ?? link ?? '',
        becauseOf(replay, s.with[i])]);
    });
    return {causes, hosts, links, rows};
  };

  const inOneSentence = (data, causes) => {
    const whole = data.makespan_s, best = data.what_ifs.find(([, s]) => s < whole * (1 - 1e-9));
    const top = [...causes].sort((a, b) => b[1] - a[1]).slice(0, 3)
      .map(([cause, s]) => `${cause} ${percent(s / whole, 3)}`);
    return el('p', {}, `The critical chain takes all ${seconds(whole)}.`,
      top.length > 0 && ` Most of it: ${top.join(', ')}.`,
              best && ` Of the changes that were simulated, “${best[0]}” helps most: ${seconds(best[1])}.`);
  };

  const whatIfTable = ({what_ifs, makespan_s}) => {
    const unit = iasim.timeUnit(makespan_s), columns = ['change', `makespan (${unit.name})`, 'change (%)'];
    return what_ifs.length > 0 && iasim.plainTable({
      title: 'What if: simulated, the order of the schedule kept', columns, digits: 4, decimals: {2: 1},
      rows: what_ifs.map(([change, s]) => [change, s == null ? null : s / unit.s,
        s == null ? null : 100 * (s / makespan_s - 1)])});
  };

  const whyTables = replay => {
    const {data} = replay, {causes, hosts, links, rows} = explanation(replay), whole = data.makespan_s;
    const {name} = iasim.timeUnit(whole);
    const columns = [`from (${name})`, `length (${name})`, 'cause', 'task or transfer', 'where', 'because of'];
    return [
      el('h3', {}, 'Why it took so long'),
      inOneSentence(data, causes),
      el('div', {class: 'beside'}, sumTable('By cause, % of the makespan', 'cause', causes, whole),
        sumTable('By host', 'host', hosts, whole),
         sumTable('By link', 'link', links, whole), whatIfTable(data)),
      el('details', {class: 'long'}, el('summary', {},
        `The critical chain, ${rows.length} segments from 0 to the makespan`),
         iasim.longTable('Critical chain', columns, rows)),
    ];
  };

  // ---- what a bar stands for ----

  const span = ({tick_s}, from, to) =>
    `${seconds(from * tick_s)} to ${seconds(to * tick_s)}, ${seconds((to - from) * tick_s)}`;

  // Planned, and simulated.
  const spans = (replay, part, i, what = '') =>
    replay.layers.map(layer => `${what}${layer.name}: ${span(replay, layer[part].from[i], layer[part].to[i])}`);

  // What flows took of a task's host while it ran: [[edge, s]]; ~edge: its receiving.
  const flowsOf = ({data, layers, tick_s, takenStart}, t) => {
    const length_s = (layers[1].task.to[t] - layers[1].task.from[t]) * tick_s, flows = [];
    for (let i = takenStart[t]; i < takenStart[t + 1]; i++)
      flows.push([data.taken.edge[i], data.taken.hundredths_percent[i] / 1e4 * length_s]);
    return flows;
  };

  const describeTask = (replay, t) => {
    const {layers, waits, tick_s} = replay, start = layers[1].task.from[t], flows = flowsOf(replay, t);
    const lines = [replay.data.tasks.name[t], 'on ' + replays.hostName(replay, t), ...spans(replay, 'task', t)];
    if (waits && start > waits.ready[t] + 1)
      lines.push(`its data were there at ${seconds(waits.ready[t] * tick_s)}; ` +
                 `it waited ${seconds((start - waits.ready[t]) * tick_s)}`);
    if (flows.length > 0) lines.push(`stolen: ${seconds(flows.reduce((s, f) => s + f[1], 0))}`);
    for (const [e, s] of flows.slice(0, 4))
      lines.push(`  by ${e < 0 ? 'receiving' : 'sending'} ${replays.edgeName(replay, e < 0 ? ~e : e)}: ${seconds(s)}`);
    if (flows.length > 4) lines.push(`  and ${flows.length - 4} more`);
    return lines;
  };

  const describeEdge = (replay, i) => {
    const {edges, layers, tick_s} = replay, e = edges.ids[i], {transfer} = layers[1], megabytes = edges.bytes[i] / 1e6;
    const length_s = (transfer.to[i] - transfer.from[i]) * tick_s;
    const ends = `from ${replays.hostName(replay, edges.src[e])} to ${replays.hostName(replay, edges.dst[e])}`;
    const lines = [replays.edgeName(replay, e), `${number(megabytes)} MB ${ends}`];
    if (edges.route[i].length > 0) lines.push('by ' + replays.routeName(replay, i));
    lines.push(...spans(replay, 'transfer', i, 'transfer '));
    if (length_s > 0) lines.push(`mean rate simulated: ${number(megabytes / length_s)} MB/s`);
    for (const part of ['send', 'receive']) {
      const {from, to} = layers[1][part];
      if (to[i] > from[i]) lines.push(`${part} simulated: ${span(replay, from[i], to[i])}`);
    }
    return lines;
  };

  const itemOf = ({strip, i}) => ({kind: strip.bars.kind[i], id: strip.bars.id[i], hop: strip.bars.hop[i]});
  const keyOf = ({kind, id}) => kind * 2 ** 26 + id;

  const describe = (replay, bar) => {
    const {kind, id} = itemOf(bar);
    const [name, ...lines] = kind === TASK ? describeTask(replay, id) : describeEdge(replay, id);
    return [`${name}: ${kinds[kind].name}, ${bar.strip.name}`, ...lines];
  };

  // ---- marking a chain ----

  // Of each item of the chain the first of its simulated bars.
  const barsOfChain = (groups, items) => {
    const wanted = new Map(), bars = [];
    items.forEach((item, at) => { if (!wanted.has(keyOf(item))) wanted.set(keyOf(item), at); });
    for (const group of groups) for (const lane of group.lanes) for (const strip of lane.strips) {
      if (strip.layer !== 1) continue;
      for (let i = 0; i < strip.bars.n; i++) {
        const bar = {group, lane, strip, i}, at = wanted.get(keyOf(itemOf(bar)));
        if (at !== undefined) bars[at] ??= bar;
      }
    }
    return bars.filter(Boolean);
  };

  const chainTable = (replay, items) => {
    const unit = iasim.timeUnit(replay.data.makespan_s), tick = replay.tick_s / unit.s;
    const rows = items.map(item => {
      const {from, to} = replays.datesOf(replay, item);
      const dates = [from * tick, to * tick];
      return [kinds[item.kind].name, replays.nameOf(replay, item), replays.placeOf(replay, item), ...dates];
    });
    return iasim.longTable('Chain', ['what', 'task or transfer', 'where', `from (${unit.name})`, `to (${unit.name})`],
      rows);
  };

  const makeMarking = (root, replay, chart) => {
    const panel = el('div', {class: 'chain', 'aria-live': 'polite'});
    const clear = () => {
      chart.mark(null);
      panel.replaceChildren();
    };
    const clearAll = () => {
      chart.pick(null);
      clear();
    };
    const mark = item => {
      const items = replay.chainTo(item.kind === DELAY ? RECEIVE : item.kind, item.id, item.hop);
      const n = `${items.length} item${items.length > 1 ? 's' : ''}`;
      const words = `The chain that ends with ${replays.nameOf(replay, item)}: ${n}.`;
      chart.mark(new Set(items.map(keyOf)), barsOfChain(chart.model.groups, items));
      panel.replaceChildren(el('p', {}, words, ' ', el('button', {type: 'button', onclick: clearAll}, 'Clear')),
                            el('details', {}, el('summary', {}, 'Its items, the last first'),
                              chainTable(replay, items)));
      root.dataset.chain = items.length;
    };
    // A task, in the middle of the window.
    const goTo = task => {
      const bar = chart.find((s, i) => s.layer === 1 && s.bars.kind[i] === TASK && s.bars.id[i] === task);
      if (bar) {
        const start = bar.strip.bars.start[bar.i], end = bar.strip.bars.end[bar.i];
        const length = Math.max(200, 12 * (end - start));
        chart.show((start + end - length) / 2, (start + end + length) / 2);
        chart.pick(bar);
      }
      mark({kind: TASK, id: task});
    };
    return {panel, clear, mark, goTo};
  };

  // ---- above the chart ----

  const error = ({planned_s, makespan_s}) => {
    if (planned_s > 0) return percent(Math.abs(makespan_s / planned_s - 1), 4);
    return makespan_s > 0 ? '–' : percent(0);
  };

  const about = ({data, edges}) => [
    el('p', {class: 'about'}, data.about),
    iasim.figures([['planned', seconds(data.planned_s)], ['simulated', seconds(data.makespan_s)],
      ['the plan was off by', error(data)],
                   ['tasks', number(data.tasks.host.length)], ['edges', `${data.n_edges} (${data.n_remote} remote)`]]),
    edges ? '' : el('p', {class: 'aggregated'},
      `There are ${data.n_remote} transfers: ` +
      'sends, receives and links are shown as shares of time, in 1,000 intervals.'),
  ];

  // A field, and below it a list of tasks to go to.
  const makeSearch = (names, goTo) => {
    const found = el('ul', {class: 'found'});
    const hit = t => el('li', {}, el('button', {type: 'button', onclick: () => goTo(t)}, names[t]));
    const search = () => {
      const words = input.value.trim().toLowerCase(), hits = [];
      for (let t = 0; words && t < names.length && hits.length < 8; t++)
        if (names[t].toLowerCase().includes(words)) hits.push(t);
      found.replaceChildren(...hits.map(hit));
      if (words && hits.length === 0) found.append(el('li', {}, 'No task has this in its name.'));
      return hits;
    };
    const onkeydown = event => {
      if (event.key !== 'Enter') return;
      const [first] = search();
      if (first !== undefined) goTo(first);
    };
    const input = el('input', {type: 'search', 'aria-label': 'Find a task by its name', placeholder: 'Find a task',
      oninput: search, onkeydown});
    return {input, found};
  };

  const makeControls = (replay, chart, marking, idle) => {
    const {input, found} = makeSearch(replay.data.tasks.name, marking.goTo);
    const markLast = () => {
      chart.whole();
      marking.mark({kind: TASK, id: replays.last(replay)});
    };
    const showIdle = event => chart.setGroups(iasim.runLanes.groups(replay, event.target.checked).groups);
    const controls = el('details', {class: 'controls'}, el('summary', {}, 'Controls'),
      el('div', {class: 'row'}, iasim.ganttButtons(chart),
        el('button', {type: 'button', onclick: markLast}, 'Critical chain'), input,
         idle.length > 0 && el('label', {}, el('input', {type: 'checkbox', onchange: showIdle}),
           ` Quiet hosts and links (${idle.length})`)),
      found,
      el('p', {class: 'hint'}, 'Click or Enter: the chain that ends there. ' + iasim.ganttHint));
    const isWide = matchMedia('(min-width: 700px)'), open = () => { controls.open = isWide.matches; };
    isWide.addEventListener('change', open);
    open();
    return controls;
  };

  // Only what this chart has.
  const legend = ({data, waits}, groups) => {
    const present = new Set(), strips = groups.flatMap(g => g.lanes.flatMap(lane => lane.strips));
    for (const {bars, shares} of strips) {
      for (const kind of bars.kind) present.add(kind);
      for (const {kind} of shares ?? []) present.add(kind);
    }
    const isStolen = data.stolen.some(s => s.start.length > 0) || data.bins.some(b => b.kind === 'stolen');
    const waited = waits?.lists.some(list => list.start.length > 0);
    const sign = (css, words) => el('li', {}, el('span', {class: 'swatch ' + css}), words);
    return el('ul', {class: 'legend'}, kinds.map((k, i) => present.has(i) && sign('colour-' + k.colour, k.name)),
              isStolen && sign('hatched', 'stolen by communication'),
                waited && sign('waits', 'a task is ready and waits'),
              sign('pale', 'planned (above), simulated (below)'));
  };

  // ---- the view ----

  const makeModel = (replay, groups) => {
    const {data} = replay, lengths = `planned ${seconds(data.planned_s)}, simulated ${seconds(data.makespan_s)}`;
    return {
      label: `Gantt chart: ${lengths}. Arrows go from bar to bar, Enter marks the chain that ends with one, ` +
        'plus and minus zoom, 0 shows all.',
      tick_s: data.tick_s, end: data.end, groups, kinds, overview: iasim.runLanes.overview(groups, data.end),
      key: (bars, i) => keyOf({kind: bars.kind[i], id: bars.id[i]}),
      text: (bars, i) => replays.nameOf(replay, {kind: bars.kind[i], id: bars.id[i]}),
      describe: bar => describe(replay, bar),
    };
  };

  // A table of seconds, "busy_s", in another unit, "busy (ms)".
  const inUnit = ({columns, rows}, unit) => ({
    columns: columns.map(c => c.replace(/_s$/, ` (${unit.name})`)),
    rows: rows.map(r => r.map((x, k) => columns[k].endsWith('_s') && x != null ? x / unit.s : x))});

  const below = (replay, idle) => {
    const {columns, rows} = inUnit(replay.data.host_table, iasim.timeUnit(replay.data.makespan_s));
    const idleList = el('details', {class: 'idle'},
      el('summary', {}, `Hosts on which nothing happens, and links that are hardly used (${idle.length})`),
                        el('p', {}, idle.join(', ')));
    return [idle.length > 0 ? idleList : '', ...whyTables(replay),
            el('details', {}, el('summary', {}, 'Hosts: how long they were busy, robbed and idle'),
              iasim.longTable('Hosts', columns, rows))];
  };

  iasim.views.run = (root, data) => {
    const replay = replays.read(data), {groups, idle} = iasim.runLanes.groups(replay, false);
    const holder = el('div', {class: 'chart'}), model = makeModel(replay, groups);
    root.append(...about(replay), holder);
    const chart = iasim.gantt(holder, model), marking = makeMarking(root, replay, chart);
    model.onPick = bar => bar ? marking.mark(itemOf(bar)) : marking.clear();
    holder.before(makeControls(replay, chart, marking, idle), legend(replay, groups));
    root.append(marking.panel, ...below(replay, idle));
    root.dataset.tasks = data.tasks.host.length;
    root.dataset.transfers = replay.edges ? replay.edges.ids.length : 0;
  };
})();
