// SPDX-License-Identifier: LGPL-2.1-or-later
// The view of a replay: the plan above what happened, what made it as long as it was, and the chain of any task or transfer.
// The chains come from C (explain_before): this file only follows them. Data: the comments at the top of run_html.c,
// run_layers.c, run_shares.c and run_chain.c.
'use strict';

(() => {
  const el = iasim.el, seconds = iasim.seconds, number = iasim.number;
  const TASK = 0, SEND = 1, RECEIVE = 2, TRANSFER = 3, DELAY = 4;
  const kinds = [{name: 'computing', colour: 'blue', hasText: true}, {name: 'sending', colour: 'orange'},
                 {name: 'receiving', colour: 'green'}, {name: 'transfer', colour: 'sky', hasText: true, isLight: true},
                 {name: 'under way', colour: 'grey', part: .75}];
  const kindOf = {task: TASK, send: SEND, receive: RECEIVE, transfer: TRANSFER, delay: DELAY, stolen: -1};

  iasim.figures = list =>
    el('dl', {class: 'figures'}, list.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));

  // ---- the data: columns become arrays of dates in ticks ----

  const sums = list => {
    let sum = 0;
    return list.map(x => sum += x);
  };
  const readEdges = data => {
    if (!data.edges) return null;
    const {src, dst, bytes, remote} = data.edges, ids = sums(remote), at = new Int32Array(src.length).fill(-1);
    ids.forEach((e, i) => { at[e] = i; });
    return {src, dst: dst.map((d, e) => src[e] + d), bytes, ids, at, route: data.routes.of_edge.map(r => data.routes.links[r])};
  };
  const readLayer = (layer, edges) => {
    const task = {from: layer.task_start, to: layer.task_start.map((s, t) => s + layer.task_length[t])};
    if (!edges) return {...layer, task};
    const send = {from: [], to: []}, transfer = {from: [], to: []}, receive = {from: [], to: []}, hops = [];
    let h = 0;
    edges.ids.forEach((e, i) => {
      send.from[i] = task.to[edges.src[e]] + layer.send.start[i];
      send.to[i] = send.from[i] + layer.send.length[i];
      transfer.from[i] = send.from[i] + layer.transfer.start[i];
      transfer.to[i] = transfer.from[i] + layer.transfer.length[i];
      receive.from[i] = transfer.to[i] + layer.receive.start[i];
      receive.to[i] = receive.from[i] + layer.receive.length[i];
      if (layer.hops) hops[i] = edges.route[i].map(() => {
        const from = transfer.from[i] + layer.hops.start[h], to = from + layer.hops.length[h++];
        return {from, to};
      });
    });
    return {...layer, task, send, transfer, receive, hops: layer.hops && hops};
  };

  // ---- lanes ----

  // lists[resource][layer]: bars; resources are numbered as in bins.
  const collect = (data, edges, layers) => {
    const nHosts = data.hosts.length, nLinks = data.links.length, lists = new Map();
    const put = (resource, layer, bar) => {
      if (bar.end === bar.start && bar.kind !== TASK) return;
      if (!lists.has(resource)) lists.set(resource, [[], []]);
      lists.get(resource)[layer].push(bar);
    };
    layers.forEach((layer, k) => {
      data.tasks.host.forEach((host, t) => put(host, k, {start: layer.task.from[t], end: layer.task.to[t], kind: TASK, id: t}));
      if (!edges) return;
      edges.ids.forEach((e, i) => {
        const src = data.tasks.host[edges.src[e]], dst = data.tasks.host[edges.dst[e]], id = i;
        if (layer.has_ends) {
          put(src, k, {start: layer.send.from[i], end: layer.send.to[i], kind: SEND, id});
          put(dst, k, {start: layer.receive.from[i], end: layer.receive.to[i], kind: RECEIVE, id});
        }
        if (layer.is_delay) put(dst, k, {start: layer.transfer.from[i], end: layer.transfer.to[i], kind: DELAY, id, floats: true});
        if (layer.has_links && edges.bytes[i] > 0)
          edges.route[i].forEach((link, hop) => {
            const at = layer.hops ? layer.hops[i][hop] : {from: layer.transfer.from[i], to: layer.transfer.to[i]};
            put(nHosts + link, k, {start: at.from, end: at.to, kind: TRANSFER, id, hop});
          });
        if (layer.ports) {
          put(nHosts + nLinks + 2 * src, k, {start: layer.send.from[i], end: layer.send.from[i] + layer.ports.send[i], kind: SEND, id});
          put(nHosts + nLinks + 2 * dst + 1, k, {start: layer.receive.from[i], end: layer.receive.from[i] + layer.ports.receive[i], kind: RECEIVE, id});
        }
      });
    });
    return lists;
  };

  // When the data of each task had arrived; and for each host the intervals in which a task has its data but has not started.
  const findWaits = (data, edges, layer) => {
    if (!edges) return null;
    const ready = new Int32Array(data.tasks.host.length), hosts = data.hosts.map(() => []);
    edges.src.forEach((src, e) => {
      const i = edges.at[e], there = i < 0 ? layer.task.to[src] : Math.max(layer.receive.to[i], layer.transfer.to[i]);
      ready[edges.dst[e]] = Math.max(ready[edges.dst[e]], there);
    });
    ready.forEach((from, t) => { if (layer.task.from[t] > from + 1) hosts[data.tasks.host[t]].push([from, layer.task.from[t]]); });
    const lists = hosts.map(list => {
      const waits = {start: [], end: []};
      list.sort((a, b) => a[0] - b[0]);
      for (const [from, to] of list) {
        const last = waits.end.length - 1;
        if (last >= 0 && from <= waits.end[last]) waits.end[last] = Math.max(waits.end[last], to);
        else {
          waits.start.push(from);
          waits.end.push(to);
        }
      }
      return waits;
    });
    return {ready, lists};
  };

  const overlayOf = s => {
    const o = {start: [], end: [], percent: s.percent};
    let at = 0;
    s.start.forEach((gap, i) => {
      o.start.push(at + gap);
      at += gap + s.length[i];
      o.end.push(at);
    });
    return o;
  };

  const makeGroups = (data, edges, layers, waits, showsIdle) => {
    const nHosts = data.hosts.length, nLinks = data.links.length, lists = collect(data, edges, layers), shares = new Map();
    for (const b of data.bins) {
      if (!shares.has(b.resource)) shares.set(b.resource, [[], []]);
      shares.get(b.resource)[b.layer].push({kind: kindOf[b.kind], percent: b.percent});
    }
    const idle = [];
    const lane = (resource, name, isLink) => {
      const bars = lists.get(resource), bins = shares.get(resource);
      if (!bars && !bins) {
        idle.push(name);
        if (!showsIdle) return null;
      }
      const strips = layers.map((layer, k) => {
        if (isLink && k === 0 && !layer.has_links && !layer.ports) return null;
        const strip = {name: layer.name, layer: k, pale: k === 0, bars: iasim.bars(bars?.[k] ?? []), shares: bins?.[k] ?? null};
        if (k === 1 && resource < nHosts) {
          strip.overlay = overlayOf(data.stolen[resource]);
          strip.waits = waits?.lists[resource];
        }
        return strip;
      }).filter(Boolean);
      return {name, resource, strips};
    };
    const hosts = data.hosts.map((name, h) => lane(h, name, false)).filter(Boolean);
    const links = data.links.map((name, l) => lane(nHosts + l, name, true)).filter(Boolean);
    const ports = data.hosts.flatMap((name, h) => ['sends', 'receives'].map((word, k) => nHosts + nLinks + 2 * h + k)
      .map((r, k) => lists.has(r) || shares.has(r) ? lane(r, name + (k ? ' receives' : ' sends'), true) : null)).filter(Boolean);
    const groups = [{name: 'hosts', lanes: hosts}, {name: 'links', lanes: links}, {name: 'ports', lanes: ports}];
    return {groups: groups.filter(g => g.lanes.length > 0), idle};
  };

  // ---- the overview: shares of all hosts that are used, and of all links ----

  const usage = (lanes, end, f) => iasim.usage(lanes.map(l => l.strips[l.strips.length - 1]), end, f);
  const ofKinds = wanted => (strip, add, addShares) => {
    const b = strip.bars;
    for (let i = 0; i < b.n; i++) if (wanted.includes(b.kind[i])) add(b.start[i], b.end[i], 1);
    addShares(kind => wanted.includes(kind));
  };
  const stolenShare = (strip, add, addShares) => {
    strip.overlay?.start.forEach((from, i) => add(from, strip.overlay.end[i], strip.overlay.percent[i] / 100));
    addShares(kind => kind < 0);
  };
  // Links: the part of them that carries data, at any rate.
  const carries = (strip, add, addShares) => {
    const b = strip.bars;
    let from = 0, to = -1;
    for (let i = 0; i < b.n; i++) {
      if (b.start[i] > to) {
        if (to > from) add(from, to, 1);
        from = b.start[i];
        to = b.end[i];
      } else to = Math.max(to, b.end[i]);
    }
    if (to > from) add(from, to, 1);
    addShares(() => true);
  };
  const makeOverview = (groups, end) => {
    const hosts = groups.find(g => g.name === 'hosts'), links = groups.find(g => g.name === 'links');
    const lines = [];
    if (hosts) lines.push({name: 'hosts', areas: [{kind: TASK, ratio: usage(hosts.lanes, end, ofKinds([TASK, SEND, RECEIVE]))},
                                                  {kind: -1, ratio: usage(hosts.lanes, end, stolenShare)}]});
    if (links) lines.push({name: 'links', areas: [{kind: TRANSFER, ratio: usage(links.lanes, end, carries)}]});
    return lines;
  };

  // ---- chains ----

  // Steps are numbered: tasks, sends of all edges, receives of all edges, hops of the remote ones.
  const makeChains = (data, edges) => {
    const {steps, n_hops} = data.before, nTasks = data.tasks.host.length, nEdges = data.n_edges;
    const firstHop = [], remoteOfHop = [];
    edges?.ids.forEach((_, i) => {
      firstHop[i] = nTasks + 2 * nEdges + remoteOfHop.length;
      for (let k = 0; k < (n_hops?.[i] ?? 1); k++) remoteOfHop.push(i);
    });
    const hopBase = nTasks + 2 * nEdges;
    const itemOf = step => {
      if (step < nTasks) return {kind: TASK, id: step};
      if (step < nTasks + nEdges) return {kind: SEND, id: edges.at[step - nTasks]};
      if (step < hopBase) return {kind: RECEIVE, id: edges.at[step - nTasks - nEdges]};
      const i = remoteOfHop[step - hopBase];
      return {kind: TRANSFER, id: i, hop: n_hops?.[i] > 1 ? step - firstHop[i] : -1};
    };
    const stepOf = (kind, i, hop) => {
      if (kind === TASK) return i;
      if (kind === SEND) return nTasks + edges.ids[i];
      if (kind === TRANSFER) return firstHop[i] + (n_hops?.[i] > 1 ? hop : 0);
      return nTasks + nEdges + edges.ids[i];
    };
    // From an item backwards: the last first.
    return (kind, id, hop) => {
      const items = [];
      if (!edges) {
        for (let t = id, d; ; t -= d - nTasks) {
          items.push({kind: TASK, id: t});
          if ((d = steps[t]) === 0 || items.length > nTasks) return items;
        }
      }
      for (let at = 2 * stepOf(kind, id, hop), n = 0; n < 2 * steps.length; n++) {
        items.push(itemOf(at >> 1));
        if (steps[at] === 0) break;
        at -= steps[at];
      }
      return items;
    };
  };

  // ---- tables below the chart ----

  // Long ones: sorted, searched and leafed through. `rows` are arrays of numbers and texts.
  iasim.longTable = (title, columns, rows, size = 25) => {
    const isNumber = columns.map((_, k) => rows.every(r => r[k] == null || typeof r[k] === 'number'));
    const table = iasim.table({caption: title, n: rows.length, search: rows.length > 25, size, columns: columns.map((label, k) => ({
      label, isNumber: isNumber[k], value: i => rows[i][k] ?? NaN,
      text: i => rows[i][k] == null ? '–' : isNumber[k] ? number(rows[i][k]) : String(rows[i][k])}))});
    table.show(rows.map((_, i) => i));
    return table.element;
  };

  const sumTable = (title, what, sums, whole) => {
    const rows = [...sums].filter(([, s]) => s > 0).sort((a, b) => b[1] - a[1]);
    const columns = [what, 'seconds', '% of the makespan'], cells = rows.map(([name, s]) => [name, s, 100 * s / whole]);
    if (rows.length > 12) return iasim.longTable(title, columns, cells.map(([name, s, share]) => [name, s, Number(share.toFixed(1))]), 10);
    return rows.length > 0 && iasim.plainTable({title, columns, decimals: {2: 1}, rows: cells});
  };
  const add = (map, key, x) => { if (key !== undefined) map.set(key, (map.get(key) ?? 0) + x); };

  const explanation = (data, name) => {
    const s = data.segments, causes = new Map(), hosts = new Map(), links = new Map(), rows = [];
    s.cause.forEach((cause, i) => {
      const length = s.from_s[i + 1] - s.from_s[i], [n, ...with_] = s.with[i];
      add(causes, s.causes[cause], length);
      add(hosts, data.hosts[s.host[i]], length);
      add(links, data.links[s.link[i]], length);
      rows.push([s.from_s[i], length, s.causes[cause], s.task[i] >= 0 ? name.task(s.task[i]) : name.edge(s.edge[i]),
                 data.hosts[s.host[i]] ?? data.links[s.link[i]] ?? '',
                 with_.map(w => w < 0 ? name.edge(~w) : name.task(w)).join(', ') + (n > with_.length ? ` and ${n - with_.length} more` : '')]);
    });
    return {causes, hosts, links, rows};
  };

  const whyTables = (data, name) => {
    const x = explanation(data, name), whole = data.makespan_s;
    const top = [...x.causes].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([cause, s]) => `${cause} ${number(100 * s / whole, 3)}\u00a0%`);
    const best = data.what_ifs.filter(([, s]) => s < whole * (1 - 1e-9));
    return [
      el('h3', {}, 'Why it took so long'),
      el('p', {}, `The critical chain takes all ${seconds(whole)}.` + (top.length > 0 ? ` Most of it: ${top.join(', ')}.` : ''),
         best.length > 0 ? ` Of the changes that were simulated, “${best[0][0]}” helps most: ${seconds(best[0][1])}.` : ''),
      el('div', {class: 'beside'}, sumTable('By cause, % of the makespan', 'cause', x.causes, whole), sumTable('By host', 'host', x.hosts, whole),
         sumTable('By link', 'link', x.links, whole),
         data.what_ifs.length > 0 && iasim.plainTable({
           title: 'What if: simulated, the order of the schedule kept', columns: ['change', 'makespan (s)', 'change (%)'], decimals: {2: 1},
           rows: data.what_ifs.map(([change, s]) => [change, s, s == null ? null : 100 * (s / whole - 1)])})),
      el('details', {class: 'long'}, el('summary', {}, `The critical chain, ${x.rows.length} segments from 0 to the makespan`),
         iasim.longTable('Critical chain', ['from (s)', 'length (s)', 'cause', 'task or transfer', 'where', 'because of'], x.rows)),
    ];
  };

  // ---- the view ----

  iasim.views.run = (root, data) => {
    const edges = readEdges(data), layers = data.layers.map(l => readLayer(l, edges)), tick = data.tick_s;
    const waits = findWaits(data, edges, layers[1]), follow = makeChains(data, edges);
    const name = {
      task: t => data.tasks.name[t],
      edge: e => edges ? `${data.tasks.name[edges.src[e]]} → ${data.tasks.name[edges.dst[e]]}` : `edge ${e}`,
      remote: i => name.edge(edges.ids[i]),
    };
    const takenStart = [0];
    data.taken.n.forEach((n, t) => takenStart.push(takenStart[t] + n));

    const span = (from, to) => `${seconds(from * tick)} to ${seconds(to * tick)}, ${seconds((to - from) * tick)}`;
    const both = (part, i, what) => layers.map(l => `${what ? what + ' ' : ''}${l.name}: ${span(l[part].from[i], l[part].to[i])}`);
    const describeTask = t => {
      const lines = [name.task(t), 'on ' + data.hosts[data.tasks.host[t]], ...both('task', t)];
      const length = (layers[1].task.to[t] - layers[1].task.from[t]) * tick;
      if (waits && layers[1].task.from[t] > waits.ready[t] + 1)
        lines.push(`its data were there at ${seconds(waits.ready[t] * tick)}; it waited ${seconds((layers[1].task.from[t] - waits.ready[t]) * tick)}`);
      const flows = [];
      for (let i = takenStart[t]; i < takenStart[t + 1]; i++) flows.push([data.taken.edge[i], data.taken.percent[i] / 1e4 * length]);
      if (flows.length > 0) lines.push(`stolen: ${seconds(flows.reduce((s, f) => s + f[1], 0))}`);
      for (const [e, s] of flows.slice(0, 4)) lines.push(`  by ${e < 0 ? 'receiving' : 'sending'} ${name.edge(e < 0 ? ~e : e)}: ${seconds(s)}`);
      if (flows.length > 4) lines.push(`  and ${flows.length - 4} more`);
      return lines;
    };
    const describeEdge = i => {
      const e = edges.ids[i], length = (layers[1].transfer.to[i] - layers[1].transfer.from[i]) * tick;
      const lines = [name.edge(e), `${number(edges.bytes[i] / 1e6)} MB from ${data.hosts[data.tasks.host[edges.src[e]]]} to ${data.hosts[data.tasks.host[edges.dst[e]]]}`];
      if (edges.route[i].length > 0) lines.push('by ' + edges.route[i].map(l => data.links[l]).join(', '));
      lines.push(...both('transfer', i, 'transfer'));
      if (length > 0) lines.push(`mean rate simulated: ${number(edges.bytes[i] / 1e6 / length)} MB/s`);
      for (const part of ['send', 'receive'])
        if (layers[1][part].to[i] > layers[1][part].from[i]) lines.push(`${part} simulated: ${span(layers[1][part].from[i], layers[1][part].to[i])}`);
      return lines;
    };
    const describeItem = (kind, id) => kind === TASK ? describeTask(id) : describeEdge(id);
    const itemName = (kind, id) => kind === TASK ? name.task(id) : name.remote(id);

    const present = new Set(), stolen = data.stolen.some(s => s.start.length > 0) || data.bins.some(b => b.kind === 'stolen');
    let showsIdle = false;
    const {groups, idle} = makeGroups(data, edges, layers, waits, false);
    for (const g of groups) for (const l of g.lanes) for (const s of l.strips) {
      for (let i = 0; i < s.bars.n && present.size < kinds.length; i++) present.add(s.bars.kind[i]);
      for (const x of s.shares ?? []) present.add(x.kind);
    }
    const model = {
      label: `Gantt chart: planned ${seconds(data.planned_s)}, simulated ${seconds(data.makespan_s)}. Arrows go from bar to bar, Enter marks the chain that ends with one, plus and minus zoom, 0 shows all.`,
      tick_s: tick, end: data.end, groups, kinds, overview: makeOverview(groups, data.end),
      key: (bars, i) => bars.kind[i] * 2 ** 26 + bars.id[i],
      text: (bars, i) => itemName(bars.kind[i], bars.id[i]),
      describe: bar => {
        const b = bar.strip.bars, lines = describeItem(b.kind[bar.i], b.id[bar.i]);
        return [`${lines[0]}: ${kinds[b.kind[bar.i]].name}, ${bar.strip.name}`, ...lines.slice(1)];
      },
      onPick: bar => bar ? markChain(bar.strip.bars.kind[bar.i], bar.strip.bars.id[bar.i], bar.strip.bars.hop[bar.i]) : unmark(),
    };

    // ---- marking ----

    const panel = el('div', {class: 'chain', 'aria-live': 'polite'});
    const unmark = () => {
      chart.mark(null);
      panel.replaceChildren();
    };
    const placeOf = item => chart.find((s, i) => s.layer === 1 && s.bars.id[i] === item.id && s.bars.kind[i] === item.kind &&
                                                 (item.hop === undefined || item.hop < 0 || s.bars.hop[i] === item.hop));
    const partNames = ['task', 'send', 'receive', 'transfer'];
    const markChain = (kind, id, hop) => {
      const items = follow(kind === DELAY ? RECEIVE : kind, id, hop), wanted = new Map(), marks = new Set();
      items.forEach((x, i) => {
        const key = x.kind * 2 ** 26 + x.id;
        marks.add(key);
        if (!wanted.has(key)) wanted.set(key, i);
      });
      const places = [];
      for (const group of chart.model.groups) for (const lane of group.lanes) for (const strip of lane.strips) {
        if (strip.layer !== 1) continue;
        for (let i = 0; i < strip.bars.n; i++) {
          const at = wanted.get(model.key(strip.bars, i));
          if (at !== undefined) places[at] ??= {group, lane, strip, i};
        }
      }
      chart.mark(marks, places.filter(Boolean));
      const when = x => layers[1][partNames[x.kind]];
      const rows = items.map(x => [kinds[x.kind].name, itemName(x.kind, x.id), where(x), when(x).from[x.id] * tick, when(x).to[x.id] * tick]);
      const words = `The chain that ends with ${itemName(kind, id)}: ${items.length} item${items.length > 1 ? 's' : ''}.`;
      panel.replaceChildren(el('p', {}, words, ' ', el('button', {type: 'button', onclick: () => { chart.pick(null); unmark(); }}, 'Clear')),
                            el('details', {}, el('summary', {}, 'Its items, the last first'),
                               iasim.longTable('Chain', ['what', 'task or transfer', 'where', 'from (s)', 'to (s)'], rows)));
      root.dataset.chain = items.length;
    };
    const where = x => {
      if (x.kind === TASK) return data.hosts[data.tasks.host[x.id]];
      const e = edges.ids[x.id];
      if (x.kind === TRANSFER) return edges.route[x.id].map(l => data.links[l]).join(', ');
      return data.hosts[data.tasks.host[x.kind === SEND ? edges.src[e] : edges.dst[e]]];
    };
    const goTo = item => {
      const place = placeOf(item);
      if (place) {
        const b = place.strip.bars, length = Math.max(200, 12 * (b.end[place.i] - b.start[place.i]));
        chart.show((b.start[place.i] + b.end[place.i] - length) / 2, (b.start[place.i] + b.end[place.i] + length) / 2);
        chart.pick(place);
      }
      markChain(item.kind, item.id);
    };
    const last = layers[1].task.to.reduce((best, end, t, all) => end > all[best] ? t : best, 0);

    // ---- controls ----

    const found = el('ul', {class: 'found'});
    const search = () => {
      const words = input.value.trim().toLowerCase(), hits = [];
      for (let t = 0; words && t < data.tasks.name.length && hits.length < 8; t++)
        if (data.tasks.name[t].toLowerCase().includes(words)) hits.push(t);
      found.replaceChildren(...hits.map(t => el('li', {}, el('button', {type: 'button', onclick: () => goTo({kind: TASK, id: t})}, data.tasks.name[t]))),
                            ...(words && hits.length === 0 ? [el('li', {}, 'No task has this in its name.')] : []));
      return hits;
    };
    const input = el('input', {type: 'search', 'aria-label': 'Find a task by its name', placeholder: 'Find a task', oninput: search,
                               onkeydown: event => { if (event.key === 'Enter') { const hits = search(); if (hits.length > 0) goTo({kind: TASK, id: hits[0]}); } }});
    const button = (words, f, label) => el('button', {type: 'button', onclick: f, 'aria-label': label}, words);
    const controls = el('details', {class: 'controls'}, el('summary', {}, 'Controls'),
      el('div', {class: 'row'},
         button('+', () => chart.zoom(1 / 1.6), 'Zoom in'), button('−', () => chart.zoom(1.6), 'Zoom out'),
         button('◂', () => chart.pan(-.3), 'Earlier'), button('▸', () => chart.pan(.3), 'Later'), button('All', () => chart.whole(), 'Show all of it'),
         button('Critical chain', () => { chart.whole(); markChain(TASK, last); }), input,
         idle.length > 0 && el('label', {}, el('input', {type: 'checkbox', onchange: event => {
           showsIdle = event.target.checked;
           chart.setGroups(makeGroups(data, edges, layers, waits, showsIdle).groups);
         }}), ` Idle hosts and links (${idle.length})`)),
      found,
      el('p', {class: 'hint'}, 'Click or Enter: the chain that ends there. Wheel after a click, Ctrl and wheel, or pinch: zoom; over the names: scroll. Drag: move. ' +
        'Arrow keys: from bar to bar; with Shift: move.'));
    const isWide = matchMedia('(min-width: 700px)');
    const open = () => { controls.open = isWide.matches; };
    isWide.addEventListener('change', open);
    open();

    const swatch = (css, words) => el('li', {}, el('span', {class: 'swatch ' + css}), words);
    const legend = el('ul', {class: 'legend'}, kinds.map((k, i) => present.has(i) && swatch('colour-' + k.colour, k.name)),
                      stolen && swatch('hatched', 'stolen by communication'), waits?.lists.some(l => l.start.length > 0) && swatch('waits', 'a task is ready and waits'),
                      swatch('pale', 'planned (above), simulated (below)'));

    const error = data.planned_s > 0 ? `${number(100 * Math.abs(data.makespan_s / data.planned_s - 1), 4)}\u00a0%` : '–';
    root.append(el('p', {class: 'about'}, data.about),
                iasim.figures([['planned', seconds(data.planned_s)], ['simulated', seconds(data.makespan_s)], ['the plan was off by', error],
                               ['tasks', number(data.tasks.host.length)], ['edges', `${data.n_edges} (${data.n_remote} remote)`]]),
                edges ? '' : el('p', {class: 'aggregated'}, `There are ${data.n_remote} transfers: sends, receives and links are shown as shares of time, in 1,000 intervals.`),
                controls, legend);
    const holder = el('div', {class: 'chart'});
    root.append(holder, panel);
    const chart = iasim.gantt(holder, model);
    root.dataset.tasks = data.tasks.host.length;
    root.dataset.transfers = edges ? edges.ids.length : 0;
    if (idle.length > 0) root.append(el('details', {class: 'idle'}, el('summary', {}, `Hosts and links on which nothing happens (${idle.length})`), el('p', {}, idle.join(', '))));
    root.append(...whyTables(data, name), el('details', {}, el('summary', {}, 'Hosts: busy, stolen and idle seconds'),
                                             iasim.longTable('Hosts', data.host_table.columns, data.host_table.rows)));
  };
})();
