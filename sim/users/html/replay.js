// SPDX-License-Identifier: LGPL-2.1-or-later
// The data of a replay, read: columns become dates in ticks, steps before steps become chains. The chains come from C
// (explain_before): this file only follows them. Data: the comments at the top of run_html.c, run_layers.c,
// run_shares.c and run_chain.c. Nothing is drawn here.
//   iasim.replay.read(data) -> {data, tick_s, edges, layers: [planned, simulated], waits, takenStart, chainTo(kind, id,
//   hop)}
//     edges     null where there are too many of them; else {src, dst, of all; bytes, route, ids, of the remote ones;
//               at: [edge] -> remote}
//     layers    {task, send, transfer, receive: {from, to}, hops}, in ticks
//     waits     {ready: [task], lists: [host] -> {start, end}}; null without edges
//     takenStart [task]: where its entries of data.taken begin; there is one more for the end
//   An item is a task, or a part of a remote edge: {kind, id, hop}. Functions of a replay and an item, or of what it
//   has: nameOf, placeOf, datesOf, edgeName, routeName, hostName (of a task), last (the task that ends last)
'use strict';

(() => {
  const TASK = 0, SEND = 1, RECEIVE = 2, TRANSFER = 3, DELAY = 4;
  const kinds = [{name: 'computing', colour: 'blue', hasText: true}, {name: 'sending', colour: 'orange'},
                 {name: 'receiving', colour: 'green'}, {name: 'transfer', colour: 'sky', hasText: true, isLight: true},
                 {name: 'under way', colour: 'grey', part: .75}];
  const kindOf = {task: TASK, send: SEND, receive: RECEIVE, transfer: TRANSFER, delay: DELAY, stolen: -1};

  // ---- columns ----

  const sums = list => {
    let sum = 0;
    return list.map(x => sum += x);
  };
  const readEdges = data => {
    if (!data.edges) return null;
    const {src, dst, bytes, remote} = data.edges, ids = sums(remote), at = new Int32Array(src.length).fill(-1);
    ids.forEach((e, i) => { at[e] = i; });
    return {src, dst: dst.map((d, e) => src[e] + d), bytes, ids, at,
      route: data.routes.of_edge.map(r => data.routes.links[r])};
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

  // ---- waits ----

  // When the data of each task had arrived; and for each host the intervals in which a task has its data but has not
  // started.
  const findWaits = (data, edges, layer) => {
    if (!edges) return null;
    const ready = new Int32Array(data.tasks.host.length), hosts = data.hosts.map(() => []);
    edges.src.forEach((src, e) => {
      const i = edges.at[e], there = i < 0 ? layer.task.to[src] : Math.max(layer.receive.to[i], layer.transfer.to[i]);
      ready[edges.dst[e]] = Math.max(ready[edges.dst[e]], there);
    });
    ready.forEach((from, t) => {
      if (layer.task.from[t] > from + 1) hosts[data.tasks.host[t]].push([from, layer.task.from[t]]);
    });
    return {ready, lists: hosts.map(list => {
      const merged = iasim.merged(list);
      return {start: merged.map(x => x[0]), end: merged.map(x => x[1])};
    })};
  };

  // ---- chains ----

  // Steps are numbered: tasks, sends of all edges, receives of all edges, hops of the remote ones.
  const numberSteps = (data, edges) => {
    const {n_hops} = data.before, nTasks = data.tasks.host.length, nEdges = data.n_edges, hopBase = nTasks + 2 * nEdges;
    const firstHop = [], remoteOfHop = [];
    edges.ids.forEach((_, i) => {
      firstHop[i] = hopBase + remoteOfHop.length;
      for (let k = 0; k < (n_hops?.[i] ?? 1); k++) remoteOfHop.push(i);
    });
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
    return {itemOf, stepOf};
  };

  // Without edges chains go from task to task.
  const chainOfTasks = (steps, nTasks, task) => {
    const items = [];
    for (let t = task, d; ; t -= d - nTasks) {
      items.push({kind: TASK, id: t});
      d = steps[t];
      if (d === 0 || items.length > nTasks) return items;
    }
  };

  // chainTo(kind, id, hop): the items from this one backwards, the last first.
  const makeChains = (data, edges) => {
    const {steps} = data.before;
    if (!edges) return (kind, id) => chainOfTasks(steps, data.tasks.host.length, id);
    const {itemOf, stepOf} = numberSteps(data, edges);
    return (kind, id, hop) => {
      const items = [];
      for (let at = 2 * stepOf(kind, id, hop), n = 0; n < 2 * steps.length; n++) {
        items.push(itemOf(at >> 1));
        if (steps[at] === 0) break;
        at -= steps[at];
      }
      return items;
    };
  };

  // ---- items ----

  const edgeName = ({data, edges}, e) =>
    edges ? `${data.tasks.name[edges.src[e]]} → ${data.tasks.name[edges.dst[e]]}` : `edge ${e}`;
  const nameOf = (replay, {kind, id}) =>
    kind === TASK ? replay.data.tasks.name[id] : edgeName(replay, replay.edges.ids[id]);
  const routeName = ({data, edges}, id) => edges.route[id].map(link => data.links[link]).join(', ');
  const hostName = ({data}, task) => data.hosts[data.tasks.host[task]];

  const placeOf = (replay, {kind, id}) => {
    if (kind === TASK) return hostName(replay, id);
    if (kind === TRANSFER) return routeName(replay, id);
    const edges = replay.edges, e = edges.ids[id];
    return hostName(replay, kind === SEND ? edges.src[e] : edges.dst[e]);
  };

  // Simulated, in ticks.
  const datesOf = ({layers}, {kind, id}) => {
    const dates = layers[1][['task', 'send', 'receive', 'transfer'][kind]];
    return {from: dates.from[id], to: dates.to[id]};
  };

  const last = ({layers}) => layers[1].task.to.reduce((best, end, t, all) => end > all[best] ? t : best, 0);

  const read = data => {
    const edges = readEdges(data), layers = data.layers.map(layer => readLayer(layer, edges));
    const waits = findWaits(data, edges, layers[1]), chainTo = makeChains(data, edges);
    return {data, tick_s: data.tick_s, edges, layers, waits, chainTo, takenStart: [0, ...sums(data.taken.n)]};
  };

  iasim.replay = {TASK, SEND, RECEIVE, TRANSFER, DELAY, kinds, kindOf, read,
                  nameOf, placeOf, datesOf, edgeName, routeName, hostName, last};
})();
