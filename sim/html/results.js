// SPDX-License-Identifier: LGPL-2.1-or-later
// The view of a database of results: which runs it has and which are missing; a picture of groups of runs with intervals; the groups as a
// table; distributions; performance profiles; all runs. One choice (choices.js) and one grouping (runs.js) are behind all of them,
// so they show the same figures. The choice stands in the address.
'use strict';

(() => {
  const el = iasim.el, {number} = iasim, MOST_PICTURES = 24, MOST_ROWS = 60, MOST_BOXES = 40, POINTS = 200;
  const FACTORS = [1, 1.01, 1.05, 1.1, 1.25, 1.5, 2, 5, 10];

  const many = (n, one) => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`;
  const unitOf = p => p.unit ? `${p.name} (${p.unit})` : p.name;

  const divide = (list, key) => {
    const parts = new Map();
    for (const item of list) {
      if (!parts.has(key(item))) parts.set(key(item), []);
      parts.get(key(item)).push(item);
    }
    return parts;
  };

  // ---- which runs there are ----

  const status = (data, runs) => {
    const nFailed = runs.errors.filter(e => e !== null).length, missing = data.runs === null ? 0 : data.runs - runs.n;
    const nCopies = runs.instances.filter(i => i < 0).length, parts = [];
    if (data.description) parts.push(el('p', {}, data.description));
    if (runs.n === 0) parts.push(el('p', {class: 'notice'}, 'The database holds no results yet.'));
    else parts.push(el('p', {class: 'faint'}, `${many(runs.n, 'run')} of the experiment ${data.experiment ?? 'that made them'}; ${nFailed ? many(nFailed, 'run') + ' failed.' : 'none failed.'}`));
    if (missing > 0)
      parts.push(el('p', {class: 'notice'}, `The scenario is not finished: ${many(runs.n, 'run')} of ${data.runs.toLocaleString('en')} ${runs.n === 1 ? 'is' : 'are'} here. ` +
                    (data.running ? 'It is still running.' : 'iasim run with --resume runs the rest.')));
    if (data.digits < 17) parts.push(el('p', {class: 'faint'}, `Because there are many runs, figures have ${data.digits} digits here; iasim export writes all of them.`));
    if (nCopies) parts.push(el('p', {class: 'faint'}, `${many(nCopies, 'run')} repeat${nCopies === 1 ? 's' : ''} those of another instance, because nothing was drawn, and ${nCopies === 1 ? 'does' : 'do'} not count in means and intervals.`));
    return parts;
  };

  const failures = data => data.errors.length === 0 ? [] : [el('details', {class: 'failures', open: true}, el('summary', {}, 'Why runs failed'),
      el('ul', {}, data.errors.slice(0, 20).map(e => el('li', {}, `${many(e.rows.length, 'run')}: ${e.text}`)),
         data.errors.length > 20 ? el('li', {}, `and for ${data.errors.length - 20} more reasons; the table of runs has them all`) : ''))];

  const constant = (data, runs) => {
    const same = runs.params.filter(p => !p.varies && p.values.length && p.values[0] !== '' && p.name !== 'replication');
    if (!same.length && !data.command) return [];
    return [el('details', {}, el('summary', {}, 'What is the same in all runs'),
               el('dl', {class: 'same'}, data.command ? [el('dt', {}, 'command'), el('dd', {}, el('code', {}, data.command))] : [],
                  same.flatMap(p => [el('dt', {title: p.meaning}, unitOf(p)), el('dd', {}, p.values[0])])))];
  };

  const meanings = runs => {
    const rows = [...runs.params, ...runs.metrics].filter(p => p.meaning).map(p => [p.name, p.unit, p.meaning + (p.better && p.better !== 'neither' ? `; ${p.better} is better` : '')]);
    return rows.length ? [el('details', {}, el('summary', {}, 'What the names mean'), iasim.plainTable({title: 'Parameters and figures', columns: ['name', 'unit', 'meaning'], rows}))] : [];
  };

  // ---- names ----

  const valueOf = (p, place) => `${p.name} ${p.labels[place]}${p.unit && p.numbers ? ' ' + p.unit : ''}`;

  const figureName = (runs, choice) => {
    const metric = runs.metric(choice.metric) ?? {name: 'nothing', better: 'neither'};
    if (choice.as === 'best') return `${metric.name} / that of the best ${choice.best.join(' and ')}`;
    const p = runs.param(choice.to.param);
    return choice.as === 'to' ? `${metric.name} / that of ${p.name} ${p.labels[p.values.indexOf(choice.to.value)]}` : unitOf(metric);
  };
  const direction = (runs, choice) => {
    const better = runs.metric(choice.metric)?.better;
    return better && better !== 'neither' ? `; ${better} is better` : '';
  };

  const interval = g => Number.isFinite(g.low) ? `${number(g.low, 4)} to ${number(g.high, 4)}` : '–';

  const tipOf = (name, words, g) => () => el('div', {}, ...words.map(w => el('div', {}, w)),
      el('div', {}, `mean ${number(g.mean, 5)}` + (Number.isFinite(g.low) ? ` (95 %: ${interval(g)})` : '')),
      el('div', {}, `median ${number(g.median, 5)}, ${number(g.min, 5)} to ${number(g.max, 5)}`),
      el('div', {class: 'faint'}, `${many(g.n, 'run')}` + (g.nInstances > 1 ? ` of ${many(g.nInstances, 'instance')}` : '') + (g.nFailed ? `, ${g.nFailed} failed` : '')));

  // ---- pictures ----

  // Groups are by panels, then colour, then axis.
  const namesOf = choice => [...choice.panels, choice.series, choice.x].filter(Boolean);

  const picture = (runs, choice, groups, width) => {
    const x = runs.param(choice.x), series = runs.param(choice.series), nPanels = choice.panels.length, said = [];
    const split = g => ({panel: g.at.slice(0, nPanels), series: series ? g.at[nPanels] : 0, x: x ? g.at[nPanels + (series ? 1 : 0)] : 0});
    const panels = new Map();
    for (const g of groups) {
      const at = split(g), key = at.panel.join();
      if (!panels.has(key)) panels.set(key, {title: at.panel.map((v, k) => valueOf(runs.param(choice.panels[k]), v)).join(', '), groups: []});
      panels.get(key).groups.push({...at, group: g});
    }
    const shown = [...panels.values()].slice(0, MOST_PICTURES), label = figureName(runs, choice), base = choice.as ? [1] : [];
    if (panels.size > shown.length) said.push(`${panels.size} pictures would be needed; the first ${shown.length} are drawn, the table below has all groups.`);
    const tip = (panel, g) => tipOf(label, [panel.title, series && `${series.name}: ${series.labels[g.series]}`, x && `${x.name}: ${x.labels[g.x]}`].filter(Boolean), g.group);
    let drawn;
    if (x?.numbers && new Set(groups.map(g => split(g).x)).size > 1) {
      const xValues = [...new Set(groups.map(g => x.numbers[split(g).x]))].sort((a, b) => a - b);
      drawn = iasim.plots.lines({width, xValues, xLabel: unitOf(x), yLabel: label, base, panels: shown.map(p => ({title: p.title,
        series: [...divide(p.groups, g => g.series)].map(([index, list]) => ({index, points: list.map(g => ({x: x.numbers[g.x], group: g.group, tip: tip(p, g)})).sort((a, b) => a.x - b.x)}))}))});
    } else {
      const rowsOf = p => [...divide(p.groups, g => g.x)].sort((a, b) => a[0] - b[0]).map(([v, list]) => ({label: x ? x.labels[v] || '(empty)' : 'all runs',
        marks: list.map(g => ({index: g.series, group: g.group, tip: tip(p, g)}))}));
      const cut = shown.map(p => ({title: p.title, rows: rowsOf(p)}));
      if (cut.some(p => p.rows.length > MOST_ROWS)) said.push(`${x.name} has more than ${MOST_ROWS} values; the first ${MOST_ROWS} are drawn, the table below has all groups.`);
      drawn = iasim.plots.dots({width, label, base, panels: cut.map(p => ({...p, rows: p.rows.slice(0, MOST_ROWS)}))});
    }
    return [drawn, ...said.map(s => el('p', {class: 'notice'}, s))];
  };

  // A click leaves a value out, as the filter does.
  const legend = (runs, choice, name, present, changed) => {
    const p = runs.param(name);
    if (!p) return [];
    const flip = i => () => {
      const kept = choice.filters[name] ?? p.values, value = p.values[i];
      const next = kept.includes(value) ? kept.filter(v => v !== value) : p.values.filter(v => v === value || kept.includes(v));
      if (next.length === p.values.length) delete choice.filters[name];
      else choice.filters[name] = next;
      changed();
    };
    return [el('ul', {class: 'legend', 'aria-label': `colours: ${name}`}, p.labels.map((l, i) => {
      const isOn = choice.filters[name]?.includes(p.values[i]) ?? true;
      return isOn && !present.has(i) ? null : el('li', {}, el('button', {type: 'button', 'aria-pressed': String(isOn), title: 'shows or hides it', onclick: flip(i)}, iasim.plots.key(i), l || '(empty)'));
    }))];
  };

  const caption = (runs, choice, groups) => {
    const words = [`Mean of ${figureName(runs, choice)}${direction(runs, choice)}.`], n = d3.max(groups, g => g.nInstances) ?? 0;
    const least = d3.min(groups.filter(g => g.n), g => g.nInstances) ?? 0, pooled = groups.some(g => g.n > g.nInstances);
    if (n > 1) words.push(`Bars show the 95 % interval of the mean over ${least === n ? '' : least + ' to '}${n} instances` + (pooled ? '; the runs of an instance are not independent and give one mean.' : '.'));
    else if (groups.length) words.push('There is one instance in each group, so there are no intervals' + (pooled ? '; each point is the mean of its runs.' : '.'));
    const rest = runs.params.filter(p => p.varies && !namesOf(choice).includes(p.name) && !p.isInstance);
    if (rest.length) words.push(`Over all values of ${rest.map(p => p.name).join(', ')}.`);
    return words.join(' ');
  };

  // ---- tables ----

  const groupTable = (runs, choice, groups) => {
    const params = namesOf(choice).map(runs.param), of = k => i => groups[i][k];
    // Rounding errors are not shown: what is negligible beside the largest figure is 0.
    const noise = 1e-12 * (d3.max(groups, g => Math.max(Math.abs(g.min), Math.abs(g.max))) || 0), clean = x => Math.abs(x) < noise ? 0 : x;
    const value = (label, unit, k, digits, title) => ({label, unit, title, isNumber: true, value: of(k), text: i => Number.isFinite(groups[i][k]) ? number(clean(groups[i][k]), digits) : '–'});
    const unit = choice.as ? '' : runs.metric(choice.metric)?.unit ?? '';
    const columns = [
      ...params.map((p, k) => ({label: p.name, unit: p.unit, title: p.meaning, isNumber: !!p.numbers, value: i => p.numbers ? p.numbers[groups[i].at[k]] : groups[i].at[k], text: i => p.labels[groups[i].at[k]]})),
      value('mean', unit, 'mean', 5),
      ...groups.some(g => Number.isFinite(g.low)) ? [value('95 % from', unit, 'low', 5, 'interval of the mean over instances, by bootstrap'), value('to', unit, 'high', 5)] : [],
      value('median', unit, 'median', 5, 'of the runs'), value('smallest', unit, 'min', 5), value('largest', unit, 'max', 5),
      value('runs', '', 'n', 9, 'with this figure'), value('instances', '', 'nInstances', 9),
      ...groups.some(g => g.nFailed) ? [value('failed', '', 'nFailed', 9)] : []];
    return iasim.table({caption: `Groups by ${params.map(p => p.name).join(', ') || 'nothing'}: ${figureName(runs, choice)}`, columns, n: groups.length, size: 10});
  };

  const runTable = (runs, choice, onChange) => {
    const params = runs.params.filter(p => p.varies), columns = params.map(p => ({label: p.name, unit: p.unit, title: p.meaning, isNumber: !!p.numbers,
      value: i => p.numbers ? p.numbers[p.of[i]] : p.labels[p.of[i]], text: i => p.labels[p.of[i]]}));
    for (const m of runs.metrics.filter(m => m.has))
      columns.push({label: m.name, unit: m.unit, title: m.meaning, isNumber: true, isAside: () => m.name !== choice.metric, value: i => m.of[i], text: i => Number.isFinite(m.of[i]) ? number(m.of[i], 6) : '–'});
    if (runs.errors.some(e => e !== null)) columns.push({label: 'error', value: i => runs.errors[i] ?? '', text: i => runs.errors[i] ?? '', cls: () => 'words'});
    columns.push({label: 'key', isAside: () => true, title: 'the run again: iasim run SCENARIO --only KEY', value: i => runs.keys[i], text: i => runs.keys[i]});
    const [label, down] = choice.sort.split('\n'), column = columns.findIndex(c => c.label === label);
    return iasim.table({caption: 'All runs; figures have 6 digits', columns, n: runs.n, search: true, words: choice.words, sort: column < 0 ? null : {column, down: down === 'down'},
      onChange: s => {
        choice.words = s.words;
        choice.sort = s.column === undefined ? '' : columns[s.column].label + (s.down ? '\ndown' : '\nup');
        onChange();
      }});
  };

  // ---- distributions and profiles ----

  const distribution = (runs, choice, rows, of, width) => {
    const p = runs.param(choice.spread), groups = iasim.runs.groups(runs, rows, of, p ? [p.name] : []).filter(g => g.n), label = figureName(runs, choice);
    const items = groups.slice(0, MOST_BOXES).map(g => ({label: p ? p.labels[g.at[0]] || '(empty)' : 'all runs', index: p && p.name === choice.series ? g.at[0] : 0, group: g,
      tip: tipOf(label, p ? [`${p.name}: ${p.labels[g.at[0]]}`] : [], g)}));
    const most = d3.max(groups, g => g.n) ?? 0, words = 'Box: the middle half of the runs; thick line: median; thin line: from the smallest to the largest; dots: runs' +
        (most > POINTS ? ` (${POINTS} of a row, evenly chosen, where there are more)` : '') + (groups.length > MOST_BOXES ? `. The first ${MOST_BOXES} of ${groups.length} values are drawn.` : '.');
    return groups.length ? [iasim.plots.boxes({width, items, label, most: POINTS}), el('p', {class: 'faint'}, words)] : [el('p', {class: 'faint'}, 'No run has this figure.')];
  };

  const profiles = (runs, choice, rows, width) => {
    const metric = runs.metric(choice.profileMetric), p = runs.param(choice.profile), found = iasim.runs.profile(runs, rows, metric, choice.profile);
    if (!p || !metric) return [el('p', {class: 'faint'}, 'There is no parameter whose values could be compared.')];
    if (!found) return [el('p', {class: 'faint'}, metric.better === 'neither' ? `Of ${metric.name} neither direction is better.` : `${metric.name} has figures below 0, which have no ratios.`)];
    if (!found.n) return [el('p', {class: 'faint'}, `No case has a run of every ${p.name}.`)];
    if (found.variants.length < 2) return [el('p', {class: 'faint'}, `There is only one ${p.name} to compare.`)];
    const share = (k, tau) => iasim.stats.profileShare(found.ratios[k], tau);
    const series = found.variants.map((v, k) => ({index: v, ratios: found.ratios[k], tip: () => el('div', {}, el('div', {}, `${p.name}: ${p.labels[v]}`),
      el('div', {}, `best in ${number(100 * share(k, 1), 3)} % of the cases, at most 10 % off in ${number(100 * share(k, 1.1), 3)} %`))}));
    const yLabel = `share of the ${many(found.n, 'case')}`, xLabel = `${metric.name} / that of the best ${p.name}`;
    return [iasim.plots.steps({width, series, n: found.n, xLabel, yLabel}),
            el('ul', {class: 'legend', 'aria-label': `colours: ${p.name}`}, found.variants.map(v => el('li', {}, el('span', {class: 'key'}, iasim.plots.key(v), ' ', p.labels[v])))),
            el('details', {}, el('summary', {}, 'The profile as a table'), iasim.plainTable({title: `Share of cases in which ${metric.name} is within a factor of the best one's`,
              columns: [p.name, ...FACTORS.map(String)], rows: found.variants.map((v, k) => [p.labels[v], ...FACTORS.map(t => Number(share(k, t).toFixed(3)))])}))];
  };

  // ---- all together ----

  const oneRun = runs => iasim.plainTable({title: 'The run', columns: ['name', 'value', 'unit', 'meaning'],
    rows: runs.metrics.filter(m => m.has).map(m => [m.name, m.of[0], m.unit, m.meaning])});

  iasim.views.results = (root, data) => {
    const runs = iasim.runs.decode(data), id = root.parentElement?.id ?? 's0', hash = location.hash.startsWith(`#${id}&`) ? location.hash.slice(id.length + 2) : '';
    root.append(...status(data, runs), ...failures(data));
    if (runs.n === 0) return root.append(...constant(data, runs));
    if (!runs.params.some(p => p.varies)) return root.append(oneRun(runs), ...constant(data, runs), ...meanings(runs));

    const firsts = iasim.choices.first(runs, data.views), choice = iasim.choices.fromWords(runs, hash, firsts[0].choice);
    const remember = () => {
      try {
        history.replaceState(null, '', `#${id}&${iasim.choices.toWords(choice)}`);
      } catch { /* some browsers allow few changes in a short time; the view is not worse for it */ }
    };
    const places = {picture: el('div'), groups: el('div'), spread: el('div'), profile: el('div')};
    const list = runTable(runs, choice, remember);
    const spread = iasim.choices.select('Per', 'a row for each of its values', v => { choice.spread = v; changed(); });
    const profile = iasim.choices.select('Compared', 'a line for each of its values', v => { choice.profile = v; changed(); });
    const profileMetric = iasim.choices.select('Figure', 'what is compared', v => { choice.profileMetric = v; changed(); });
    const profileBar = el('div', {class: 'bar controls'}, profile.element, profileMetric.element);
    let groups = [], rows = [], of = null, table = null;

    const draw = () => {
      const width = iasim.isPrinting ? 680 : Math.max(260, root.clientWidth);
      const series = runs.param(choice.series), present = new Set(series ? groups.filter(g => g.n).map(g => g.at[choice.panels.length]) : []);
      places.picture.replaceChildren(...groups.some(g => g.n) ? picture(runs, choice, groups, width) : [el('p', {class: 'notice'}, rows.length ? 'No run has this figure.' : 'No run passes the filters.')],
        ...legend(runs, choice, choice.series, present, changed), el('p', {class: 'faint'}, caption(runs, choice, groups)));
      places.spread.replaceChildren(...distribution(runs, choice, rows, of, width));
      places.profile.replaceChildren(...profiles(runs, choice, rows, width));
      table.redraw();
      list.redraw();
    };
    const compute = () => {
      rows = iasim.runs.pick(runs, choice.filters);
      of = iasim.runs.figures(runs, choice);
      groups = iasim.runs.groups(runs, rows, of, namesOf(choice));
      table = groupTable(runs, choice, groups);
      places.groups.replaceChildren(table.element);
      list.show(rows);
      const params = runs.params.filter(p => p.varies && p.values.length <= 200).map(p => [p.name, p.name]);
      spread.fill([['', 'all together'], ...params], choice.spread);
      profile.fill(params, choice.profile);
      profileMetric.fill(runs.metrics.filter(m => m.has && m.better !== 'neither').map(m => [m.name, unitOf(m)]), choice.profileMetric);
      profileBar.hidden = !runs.metrics.some(m => m.has && m.better !== 'neither');
      root.dataset.nRuns = rows.length;
      root.dataset.nGroups = groups.length;
      draw();
    };
    const changed = () => {
      controls.refresh();
      compute();
      remember();
      iasim.announce(`${many(rows.length, 'run')} in ${many(groups.length, 'group')}`);
    };
    const controls = iasim.choices.controls(runs, firsts, choice, () => changed());

    root.append(controls.element, places.picture, places.groups,
                el('h3', {}, 'Distributions'), el('div', {class: 'bar controls'}, spread.element), places.spread,
                el('h3', {}, 'Performance profiles'), el('p', {class: 'faint'}, 'In which share of the cases a figure is within a factor of the best one of its case; higher is better.'),
                profileBar, places.profile,
                el('h3', {}, 'Runs'), list.element, ...constant(data, runs), ...meanings(runs));
    compute();
    iasim.onRedraw(draw);
    if (hash) root.parentElement.scrollIntoView();
  };
})();
