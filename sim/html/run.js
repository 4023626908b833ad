// SPDX-License-Identifier: LGPL-2.1-or-later
// The view of a replay: what was planned and what happened.
'use strict';

(() => {
  const el = iasim.el;

  iasim.figures = list =>
    el('dl', {class: 'figures'}, list.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));

  iasim.views.run = (root, data) => {
    root.append(
      el('p', {class: 'about'}, data.about),
      iasim.figures([['planned', iasim.seconds(data.planned_s)], ['simulated', iasim.seconds(data.makespan_s)],
                     ['tasks', iasim.number(data.n_tasks)], ['edges', iasim.number(data.n_edges)]]),
      iasim.plainTable(data.hosts));
  };
})();
