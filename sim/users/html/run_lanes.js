// SPDX-License-Identifier: LGPL-2.1-or-later
// The lanes of the chart of a replay (replay.js): of hosts, links and ports, the plan above what happened; and its
// overview.
//   iasim.runLanes.groups(replay, showsIdle) -> {groups, idle: [name]}; iasim.runLanes.overview(groups, end)
'use strict';

(() => {
  const {TASK, SEND, RECEIVE, TRANSFER, DELAY, kindOf} = iasim.replay;

  // ---- bars and shares of each resource; resources are numbered as in bins: hosts, links, ports ----

  const portOf = ({data}, host, receives) => data.hosts.length + data.links.length + 2 * host + (receives ? 1 : 0);

  const putTransfer = (replay, layer, i, put) => {
    const {data, edges} = replay, host = task => data.tasks.host[task];
    const src = host(edges.src[edges.ids[i]]), dst = host(edges.dst[edges.ids[i]]), {send, transfer, receive} = layer;
    if (layer.has_ends) {
      put(src, {start: send.from[i], end: send.to[i], kind: SEND, id: i});
      put(dst, {start: receive.from[i], end: receive.to[i], kind: RECEIVE, id: i});
    }
    if (layer.is_delay) put(dst, {start: transfer.from[i], end: transfer.to[i], kind: DELAY, id: i, floats: true});
    if (layer.has_links && edges.bytes[i] > 0)
      edges.route[i].forEach((link, hop) => {
        const at = layer.hops ? layer.hops[i][hop] : {from: transfer.from[i], to: transfer.to[i]};
        put(data.hosts.length + link, {start: at.from, end: at.to, kind: TRANSFER, id: i, hop});
      });
    if (layer.ports) {
      const during = (from, port) => ({start: from + port.start[i], end: from + port.start[i] + port.length[i], id: i});
      put(portOf(replay, src, false), {...during(send.from[i], layer.ports.send), kind: SEND});
      put(portOf(replay, dst, true), {...during(receive.from[i], layer.ports.receive), kind: RECEIVE});
    }
  };

  // resource -> [layer] -> bars
  const collectBars = replay => {
    const {data, edges, layers} = replay, lists = new Map();
    layers.forEach((layer, k) => {
      const put = (resource, bar) => {
        if (bar.end === bar.start && bar.kind !== TASK) return;
        if (!lists.has(resource)) lists.set(resource, [[], []]);
        lists.get(resource)[k].push(bar);
      };
      const {from, to} = layer.task;
      data.tasks.host.forEach((host, t) => put(host, {start: from[t], end: to[t], kind: TASK, id: t}));
      edges?.ids.forEach((_, i) => putTransfer(replay, layer, i, put));
    });
    return lists;
  };

  // resource -> [layer] -> shares
  const collectShares = ({data}) => {
    const shares = new Map();
    for (const b of data.bins) {
      if (!shares.has(b.resource)) shares.set(b.resource, [[], []]);
      shares.get(b.resource)[b.layer].push({kind: kindOf[b.kind], percent: b.percent});
    }
    return shares;
  };

  // ---- lanes ----

  const overlayOf = stolen => {
    const overlay = {start: [], end: [], percent: stolen.percent};
    let at = 0;
    stolen.start.forEach((gap, i) => {
      overlay.start.push(at + gap);
      at += gap + stolen.length[i];
      overlay.end.push(at);
    });
    return overlay;
  };

  const stripsOf = ({data, layers, waits}, resource, bars, shares) => {
    const isHost = resource < data.hosts.length, strips = [];
    layers.forEach((layer, k) => {
      if (!isHost && k === 0 && !layer.has_links && !layer.ports) return;
      const strip = {name: layer.name, layer: k, pale: k === 0, bars: iasim.bars(bars?.[k] ?? []),
        shares: shares?.[k] ?? null};
      if (k === 1 && isHost) {
        strip.overlay = overlayOf(data.stolen[resource]);
        strip.waits = waits?.lists[resource];
      }
      strips.push(strip);
    });
    return strips;
  };

  // The part of the time in which there is a bar.
  const LEAST_USE = 0.2, FEW_LINKS = 8;
  const busyRatio = (list, end) =>
    iasim.merged(list.map(bar => [bar.start, bar.end])).reduce((sum, [from, to]) => sum + to - from, 0) / end;

  const groups = (replay, showsIdle) => {
    const {data} = replay, bars = collectBars(replay), shares = collectShares(replay), idle = [];
    const isUsed = resource => bars.has(resource) || shares.has(resource);
    // Where there are many links, those that are nearly empty are folded.
    const folds = data.links.filter((_, i) => isUsed(data.hosts.length + i)).length > FEW_LINKS;
    const isQuiet = resource => !isUsed(resource) ||
      (folds && resource >= data.hosts.length && bars.has(resource) &&
        busyRatio(bars.get(resource)[1], data.end) < LEAST_USE);
    const lane = (resource, name) =>
      ({name, resource, strips: stripsOf(replay, resource, bars.get(resource), shares.get(resource))});
    const lanes = (names, first) => names.flatMap((name, i) => {
      if (isQuiet(first + i)) idle.push(name);
      return !isQuiet(first + i) || showsIdle ? [lane(first + i, name)] : [];
    });
    const portLanes = (name, host) =>
      [[portOf(replay, host, false), name + ' sends'], [portOf(replay, host, true), name + ' receives']]
      .filter(([port]) => isUsed(port)).map(([port, words]) => lane(port, words));
    const all = [{name: 'hosts', lanes: lanes(data.hosts, 0)},
      {name: 'links', lanes: lanes(data.links, data.hosts.length)},
                 {name: 'ports', lanes: data.hosts.flatMap(portLanes)}];
    return {groups: all.filter(g => g.lanes.length > 0), idle};
  };

  // ---- the overview: shares of all hosts that are used, and of all links ----

  const usage = (lanes, end, f) => iasim.usage(lanes.map(l => l.strips[l.strips.length - 1]), end, f);
  const overview = (groups, end) => {
    const hosts = groups.find(g => g.name === 'hosts'), links = groups.find(g => g.name === 'links');
    const lines = [];
    const working = iasim.ofKinds([TASK, SEND, RECEIVE]);
    if (hosts) lines.push({name: 'hosts', areas: [{kind: TASK, ratio: usage(hosts.lanes, end, working)},
                                                  {kind: -1, ratio: usage(hosts.lanes, end, iasim.ofStolen)}]});
    if (links) lines.push({name: 'links', areas: [{kind: TRANSFER, ratio: usage(links.lanes, end, iasim.ofAny)}]});
    return lines;
  };

  iasim.runLanes = {groups, overview};
})();
