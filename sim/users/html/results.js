// SPDX-License-Identifier: LGPL-2.1-or-later
// The view of a database of results: which runs it has and which are missing; a picture of groups of runs with
// intervals; the groups as a table; distributions; performance profiles; all runs. One choice (choices.js) and one
// grouping (runs.js) are behind all of them, so they show the same figures. The choice stands in the address.
'use strict';

(() => {
  const el = iasim.el, {number} = iasim, MOST_PICTURES = 24, MOST_ROWS = 60, MOST_BOXES = 40, MOST_REASONS = 20;
  const POINTS = 200;
  const FACTORS = [1, 1.01, 1.05, 1.1, 1.25, 1.5, 2, 5, 10];

  const many = (n, one) => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`;
  const faint = words => el('p', {class: 'faint'}, words);
  const notice = words => el('p', {class: 'notice'}, words);
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
    const nFailed = runs.errors.filter(e => e !== null).length, nMissing = data.runs === null ? 0 : data.runs - runs.n;
    const nCopies = runs.instances.filter(i => i < 0).length, parts = [];
    const say = (cls, words) => parts.push(el('p', {class: cls}, words));
    if (data.description) parts.push(el('p', {}, data.description));
    if (runs.n === 0) say('notice', 'The database holds no results yet.');
    else {
      const failed = nFailed ? many(nFailed, 'run') + ' failed.' : 'none failed.';
      say('faint', `${many(runs.n, 'run')} of the experiment ${data.experiment ?? 'that made them'}; ${failed}`);
    }
    if (nMissing > 0) {
      const there = `${many(runs.n, 'run')} of ${data.runs.toLocaleString('en')} ${runs.n === 1 ? 'is' : 'are'} here.`;
      const next = data.running ? 'It is still running.' : 'iasim run with --resume runs the rest.';
      say('notice', `The scenario is not finished: ${there} ${next}`);
    }
    if (data.digits < 17)
      say('faint', `Because there are many runs, figures have ${data.digits} digits here; ` +
                   'iasim export writes all of them.');
    if (nCopies) {
      const [repeat, count] = nCopies === 1 ? ['repeats', 'does not count'] : ['repeat', 'do not count'];
      const copies = `${many(nCopies, 'run')} ${repeat} those of another instance, because nothing was drawn`;
      say('faint', `${copies}, and ${count} in means and intervals.`);
    }
    return parts;
  };

  const failures = ({errors}) => {
    if (errors.length === 0) return [];
    const reasons = errors.slice(0, MOST_REASONS).map(e => el('li', {}, `${many(e.rows.length, 'run')}: ${e.text}`));
    const nMore = errors.length - reasons.length;
    if (nMore > 0) reasons.push(el('li', {}, `and for ${nMore} more reasons; the table of runs has them all`));
    return [el('details', {class: 'failures', open: true}, el('summary', {}, 'Why runs failed'),
      el('ul', {}, reasons))];
  };

  const constant = (data, runs) => {
    const same = runs.params.filter(p => !p.varies && p.values.length && p.values[0] !== '' &&
      p.name !== 'replication');
    if (!same.length && !data.command) return [];
    const command = data.command ? [el('dt', {}, 'command'), el('dd', {}, el('code', {}, data.command))] : [];
    const values = same.flatMap(p => [el('dt', {title: p.meaning}, unitOf(p)), el('dd', {}, p.values[0])]);
    return [el('details', {}, el('summary', {}, 'What is the same in all runs'),
      el('dl', {class: 'same'}, command, values))];
  };

  const meanings = runs => {
    const direction = p => p.better && p.better !== 'neither' ? `; ${p.better} is better` : '';
    const rows = [...runs.params, ...runs.metrics].filter(p => p.meaning)
      .map(p => [p.name, p.unit, p.meaning + direction(p)]);
    if (!rows.length) return [];
    const table = iasim.plainTable({title: 'Parameters and figures', columns: ['name', 'unit', 'meaning'], rows});
    return [el('details', {}, el('summary', {}, 'What the names mean'), table)];
  };

  // ---- names ----

  const valueOf = (p, place) => `${p.name} ${p.labels[place]}${p.unit && p.numbers ? ' ' + p.unit : ''}`;

  const figureName = (runs, choice) => {
    const metric = runs.metric(choice.metric) ?? {name: 'nothing', better: 'neither'};
    if (choice.as === 'best') return `${metric.name} / that of the best ${choice.best.join(' and ')}`;
    if (choice.as !== 'to') return unitOf(metric);
    const p = runs.param(choice.to.param), place = p.values.indexOf(choice.to.value);
    return `${metric.name} / that of ${p.name} ${p.labels[place]}`;
  };
  const direction = (runs, choice) => {
    const better = runs.metric(choice.metric)?.better;
    return better && better !== 'neither' ? `; ${better} is better` : '';
  };

  const interval = g => Number.isFinite(g.low) ? `${number(g.low, 4)} to ${number(g.high, 4)}` : '–';

  const tipOf = (name, words, g) => () => {
    const line = text => el('div', {}, text), hasInterval = Number.isFinite(g.low);
    const instances = g.nInstances > 1 ? ` of ${many(g.nInstances, 'instance')}` : '';
    const failed = g.nFailed ? `, ${g.nFailed} failed` : '';
    return el('div', {}, words.map(line),
              line(`mean ${number(g.mean, 5)}` + (hasInterval ? ` (95 %: ${interval(g)})` : '')),
              line(`median ${number(g.median, 5)}, ${number(g.min, 5)} to ${number(g.max, 5)}`),
              el('div', {class: 'faint'}, many(g.n, 'run') + instances + failed));
  };

  // ---- pictures ----

  // Groups are by panels, then colour, then axis.
  const namesOf = choice => [...choice.panels, choice.series, choice.x].filter(Boolean);

  // Where a group stands: the values (places) of the parameters of panels, colours and the axis.
  const placeOf = (choice, {at}) => {
    const nPanels = choice.panels.length, rest = at.slice(nPanels);
    const series = choice.series ? rest.shift() : 0, x = choice.x ? rest.shift() : 0;
    return {panel: at.slice(0, nPanels), series, x};
  };

  // Models and worlds have the same colours in all pictures; other values those of their places.
  const COLOURS = ['blue', 'vermilion', 'green', 'purple', 'orange', 'sky', 'ink', 'grey'];
  const styleOf = (param, place) => {
    const named = param?.labels.map(name => COLOURS.indexOf(iasim.names.colours[name.split('[')[0]]));
    return named && !named.includes(-1) && new Set(named).size === named.length ? named[place] : place;
  };

  // What a value of a parameter means, for readers who do not know its name.
  const plainly = (param, value) => iasim.names.words[param.name]?.[param.labels[value]] ?? valueOf(param, value);

  // [{title, groups: [{panel, series, x, group}]}]
  const panelsOf = (runs, choice, groups) => {
    const panels = new Map(), params = choice.panels.map(runs.param);
    for (const group of groups) {
      const place = placeOf(choice, group), key = place.panel.join();
      const title = place.panel.map((v, k) => plainly(params[k], v)).join('; ');
      if (!panels.has(key)) panels.set(key, {title, groups: []});
      panels.get(key).groups.push({...place, group});
    }
    return [...panels.values()];
  };

  const tipOfGroup = (runs, choice, panel, g) => {
    const x = runs.param(choice.x), series = runs.param(choice.series);
    const words = [panel.title, series && `${series.name}: ${series.labels[g.series]}`,
      x && `${x.name}: ${x.labels[g.x]}`];
    return tipOf(figureName(runs, choice), words.filter(Boolean), g.group);
  };

  const linesOf = (runs, choice, panels, frame) => {
    const x = runs.param(choice.x), tip = (panel, g) => tipOfGroup(runs, choice, panel, g);
    const pointsOf = (panel, list) =>
      list.map(g => ({x: x.numbers[g.x], group: g.group, tip: tip(panel, g)})).sort((a, b) => a.x - b.x);
    const seriesOf = panel =>
      [...divide(panel.groups, g => g.series)].map(([place, list]) =>
        ({index: styleOf(runs.param(choice.series), place), points: pointsOf(panel, list)}));
    return iasim.plots.lines({...frame, xLabel: unitOf(x),
      panels: panels.map(p => ({title: p.title, series: seriesOf(p)}))});
  };

  const dotsOf = (runs, choice, panels, frame) => {
    const x = runs.param(choice.x), tip = (panel, g) => tipOfGroup(runs, choice, panel, g);
    const rowOf = (panel, place, list) => ({
      label: x ? x.labels[place] || '(empty)' : 'all runs',
      marks: list.map(g => ({index: styleOf(runs.param(choice.series), g.series), group: g.group,
        tip: tip(panel, g)}))});
    const rowsOf = panel =>
      [...divide(panel.groups, g => g.x)].sort((a, b) => a[0] - b[0]).map(([place, list]) => rowOf(panel, place, list));
    const all = panels.map(p => ({title: p.title, rows: rowsOf(p)}));
    const cut = all.map(p => ({...p, rows: p.rows.slice(0, MOST_ROWS)}));
    const parts = [iasim.plots.dots({...frame, panels: cut})];
    if (all.some(p => p.rows.length > MOST_ROWS)) {
      const excess = `${x.name} has more than ${MOST_ROWS} values`;
      parts.push(notice(`${excess}; the first ${MOST_ROWS} are drawn, the table below has all groups.`));
    }
    return parts;
  };

  const picture = (runs, choice, groups, width) => {
    const x = runs.param(choice.x), label = figureName(runs, choice), base = choice.as ? [1] : [];
    const panels = panelsOf(runs, choice, groups), shown = panels.slice(0, MOST_PICTURES);
    const xPlaces = new Set(groups.map(g => placeOf(choice, g).x)), parts = [];
    if (x?.numbers && xPlaces.size > 1) {
      const xValues = [...new Set([...xPlaces].map(place => x.numbers[place]))].sort((a, b) => a - b);
      parts.push(linesOf(runs, choice, shown, {width, base, yLabel: label, xValues}));
    } else parts.push(...dotsOf(runs, choice, shown, {width, base, label}));
    if (panels.length > shown.length) {
      const needed = `${panels.length} pictures would be needed`;
      parts.splice(1, 0, notice(`${needed}; the first ${shown.length} are drawn, the table below has all groups.`));
    }
    return parts;
  };

  // A click leaves a value out, as the filter does.
  const legend = (runs, choice, name, present, changed) => {
    const p = runs.param(name);
    if (!p) return [];
    const flip = i => () => {
      const kept = choice.filters[name] ?? p.values, value = p.values[i];
      const next = kept.includes(value) ? kept.filter(v => v !== value)
        : p.values.filter(v => v === value || kept.includes(v));
      if (next.length === p.values.length) delete choice.filters[name];
      else choice.filters[name] = next;
      changed();
    };
    const item = (label, i) => {
      const isOn = choice.filters[name]?.includes(p.values[i]) ?? true, pressed = {'aria-pressed': String(isOn)};
      if (isOn && !present.has(i)) return null;
      const button = el('button', {type: 'button', ...pressed, title: 'shows or hides it', onclick: flip(i)},
                        iasim.plots.key(styleOf(p, i)), label || '(empty)');
      return el('li', {}, button);
    };
    return [el('ul', {class: 'legend', 'aria-label': `colours: ${name}`}, p.labels.map(item))];
  };

  const caption = (runs, choice, groups) => {
    const most = d3.max(groups, g => g.nInstances) ?? 0;
    const least = d3.min(groups.filter(g => g.n), g => g.nInstances) ?? 0;
    const isPooled = groups.some(g => g.n > g.nInstances), n = least === most ? most : `${least} to ${most}`;
    const words = [`Mean of ${figureName(runs, choice)}${direction(runs, choice)}.`];
    if (most > 1)
      words.push(`Bars show the 95 % interval of the mean over ${n} instances` +
                 (isPooled ? '; the runs of an instance are not independent and give one mean.' : '.'));
    else if (groups.length)
      words.push('There is one instance in each group, so there are no intervals' +
                 (isPooled ? '; each point is the mean of its runs.' : '.'));
    const rest = runs.params.filter(p => p.varies && !namesOf(choice).includes(p.name) && !p.isInstance);
    if (rest.length) words.push(`Over all values of ${rest.map(p => p.name).join(', ')}.`);
    return words.join(' ');
  };

  // ---- tables ----

  // `places`: [row] -> the place of the parameter's value.
  const paramColumn = (p, place) => ({
    label: p.name, unit: p.unit, title: p.meaning, isNumber: !!p.numbers,
    value: i => p.numbers ? p.numbers[place(i)] : place(i), text: i => p.labels[place(i)]});

  const groupTable = (runs, choice, groups) => {
    const params = namesOf(choice).map(runs.param), unit = choice.as ? '' : runs.metric(choice.metric)?.unit ?? '';
    // Rounding errors are not shown: what is negligible beside the largest figure is 0.
    const noise = 1e-12 * (d3.max(groups, g => Math.max(Math.abs(g.min), Math.abs(g.max))) || 0);
    const words = (x, digits) => Number.isFinite(x) ? number(Math.abs(x) < noise ? 0 : x, digits) : '–';
    const column = (label, key, digits, unit, title) =>
      ({label, unit, title, isNumber: true, value: i => groups[i][key], text: i => words(groups[i][key], digits)});
    const figure = (label, key, title) => column(label, key, 5, unit, title);
    const count = (label, key, title) => column(label, key, 9, '', title);
    const ends = [figure('95 % from', 'low', 'interval of the mean over instances, by bootstrap'),
      figure('to', 'high')];
    const columns = [
      ...params.map((p, k) => paramColumn(p, i => groups[i].at[k])),
      figure('mean', 'mean'),
      ...groups.some(g => Number.isFinite(g.low)) ? ends : [],
      figure('median', 'median', 'of the runs'), figure('smallest', 'min'), figure('largest', 'max'),
      count('runs', 'n', 'with this figure'), count('instances', 'nInstances'),
      ...groups.some(g => g.nFailed) ? [count('failed', 'nFailed')] : []];
    const by = params.map(p => p.name).join(', ') || 'nothing';
    return iasim.table({caption: `Groups by ${by}: ${figureName(runs, choice)}`, columns, n: groups.length, size: 10});
  };

  const runColumns = (runs, choice) => {
    const metricColumn = m => ({
      label: m.name, unit: m.unit, title: m.meaning, isNumber: true, isAside: () => m.name !== choice.metric,
      value: i => m.of[i], text: i => Number.isFinite(m.of[i]) ? number(m.of[i], 6) : '–'});
    const error = i => runs.errors[i] ?? '', key = i => runs.keys[i];
    const title = 'the run again: iasim run SCENARIO --only KEY';
    return [
      // By the label, not the place: values without an order of their own are sorted as text.
      ...runs.params.filter(p => p.varies).map(p => ({
        ...paramColumn(p, i => p.of[i]), value: i => p.numbers ? p.numbers[p.of[i]] : p.labels[p.of[i]]})),
      ...runs.metrics.filter(m => m.has).map(metricColumn),
      ...runs.errors.some(e => e !== null) ? [{label: 'error', value: error, text: error, cls: () => 'words'}] : [],
      {label: 'key', isAside: () => true, title, value: key, text: key}];
  };

  const runTable = (runs, choice, onChange) => {
    const columns = runColumns(runs, choice), [label, down] = choice.sort.split('\n');
    const column = columns.findIndex(c => c.label === label);
    const sort = column < 0 ? null : {column, down: down === 'down'};
    const keep = s => {
      choice.words = s.words;
      choice.sort = s.column === undefined ? '' : columns[s.column].label + (s.down ? '\ndown' : '\nup');
      onChange();
    };
    const caption = 'All runs; figures have 6 digits';
    return iasim.table({caption, columns, n: runs.n, search: true, words: choice.words, sort, onChange: keep});
  };

  // ---- distributions and profiles ----

  const distribution = (runs, choice, rows, of, width) => {
    const p = runs.param(choice.spread), label = figureName(runs, choice);
    const groups = iasim.runs.groups(runs, rows, of, p ? [p.name] : []).filter(g => g.n);
    const shown = groups.slice(0, MOST_BOXES);
    if (!groups.length) return [faint('No run has this figure.')];
    const items = shown.map(group => {
      const place = group.at[0], words = p ? [`${p.name}: ${p.labels[place]}`] : [];
      return {label: p ? p.labels[place] || '(empty)' : 'all runs',
        index: p && p.name === choice.series ? styleOf(p, place) : 0, group,
              tip: tipOf(label, words, group)};
    });
    const points = d3.max(groups, g => g.n) > POINTS ? ` (${POINTS} of a row, evenly chosen, where there are more)`
      : '';
    const cut = groups.length > shown.length ? `. The first ${MOST_BOXES} of ${groups.length} values are drawn.` : '.';
    const words =
      'Box: the middle half of the runs; thick line: median; thin line: from the smallest to the largest; dots: runs';
    return [iasim.plots.boxes({width, items, label, most: POINTS}), faint(words + points + cut)];
  };

  // Why there is no profile, or null.
  const noProfile = (metric, p, found) => {
    if (!p || !metric) return 'There is no parameter whose values could be compared.';
    if (!found && metric.better === 'neither') return `Of ${metric.name} neither direction is better.`;
    if (!found) return `${metric.name} has figures below 0, which have no ratios.`;
    if (!found.n) return `No case has a run of every ${p.name}.`;
    return found.variants.length < 2 ? `There is only one ${p.name} to compare.` : null;
  };

  const profiles = (runs, choice, rows, width) => {
    const metric = runs.metric(choice.profileMetric), p = runs.param(choice.profile);
    const found = iasim.runs.profile(runs, rows, metric, choice.profile), why = noProfile(metric, p, found);
    if (why) return [faint(why)];
    const share = (k, tau) => iasim.stats.profileShare(found.ratios[k], tau);
    const percent = (k, tau) => number(100 * share(k, tau), 3);
    const tip = (v, k) => () => el('div', {}, el('div', {}, `${p.name}: ${p.labels[v]}`),
      el('div', {}, `best in ${percent(k, 1)} % of the cases, at most 10 % off in ${percent(k, 1.1)} %`));
    const series = found.variants.map((v, k) => ({index: styleOf(p, v), ratios: found.ratios[k], tip: tip(v, k)}));
    const yLabel = `share of the ${many(found.n, 'case')}`, xLabel = `${metric.name} / that of the best ${p.name}`;
    const keys = found.variants.map(v => el('li', {},
      el('span', {class: 'key'}, iasim.plots.key(styleOf(p, v)), ' ', p.labels[v])));
    const table = iasim.plainTable({
      title: `Share of cases in which ${metric.name} is within a factor of the best one's`,
      columns: [p.name, ...FACTORS.map(String)],
      rows: found.variants.map((v, k) => [p.labels[v], ...FACTORS.map(t => Number(share(k, t).toFixed(3)))])});
    return [iasim.plots.steps({width, series, n: found.n, xLabel, yLabel}),
            el('ul', {class: 'legend', 'aria-label': `colours: ${p.name}`}, keys),
            el('details', {}, el('summary', {}, 'The profile as a table'), table)];
  };

  // ---- all together ----

  const oneRun = runs => iasim.plainTable({title: 'The run', columns: ['name', 'value', 'unit', 'meaning'],
    rows: runs.metrics.filter(m => m.has).map(m => [m.name, m.of[0], m.unit, m.meaning])});

  // The choice in the address, after the section's own name.
  const wordsOf = id => location.hash.startsWith(`#${id}&`) ? location.hash.slice(id.length + 2) : '';
  const remember = (id, choice) => {
    try {
      history.replaceState(null, '', `#${id}&${iasim.choices.toWords(choice)}`);
    } catch { /* some browsers allow few changes in a short time; the view is not worse for it */ }
  };

  // What distributions and profiles are of.
  const lowerControls = (runs, choice, changed) => {
    const select = (label, title, key) => iasim.choices.select(label, title, value => {
      choice[key] = value;
      changed();
    });
    const spread = select('Per', 'a row for each of its values', 'spread');
    const profile = select('Compared', 'a line for each of its values', 'profile');
    const metric = select('Figure', 'what is compared', 'profileMetric');
    const metrics = runs.metrics.filter(m => m.has && m.better !== 'neither').map(m => [m.name, unitOf(m)]);
    const params = runs.params.filter(p => p.varies && p.values.length <= 200).map(p => [p.name, p.name]);
    const profileBar = el('div', {class: 'bar controls'}, profile.element, metric.element);
    profileBar.hidden = metrics.length === 0;
    const refresh = () => {
      spread.fill([['', 'all together'], ...params], choice.spread);
      profile.fill(params, choice.profile);
      metric.fill(metrics, choice.profileMetric);
    };
    return {spreadBar: el('div', {class: 'bar controls'}, spread.element), profileBar, refresh};
  };

  const pictureParts = (runs, choice, rows, groups, width, changed) => {
    const hasFigures = groups.filter(g => g.n), nPanels = choice.panels.length;
    const present = new Set(choice.series ? hasFigures.map(g => g.at[nPanels]) : []);
    const nothing = () => [notice(rows.length ? 'No run has this figure.' : 'No run passes the filters.')];
    return [...hasFigures.length > 0 ? picture(runs, choice, groups, width) : nothing(),
            ...legend(runs, choice, choice.series, present, changed), faint(caption(runs, choice, groups))];
  };

  // Of several runs that differ in something. What depends on the choice has a place each.
  const drawChosen = (root, data, runs, id) => {
    const words = wordsOf(id), firsts = iasim.choices.first(runs, data.views);
    const choice = iasim.choices.fromWords(runs, words, firsts[0].choice);
    const places = {picture: el('div'), groups: el('div'), spread: el('div'), profile: el('div')};
    let groups = [], rows = [], of = null, table = null;

    const draw = () => {
      const width = iasim.isPrinting ? 680 : Math.max(260, root.clientWidth);
      places.picture.replaceChildren(...pictureParts(runs, choice, rows, groups, width, changed));
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
      lower.refresh();
      root.dataset.nRuns = rows.length;
      root.dataset.nGroups = groups.length;
      draw();
    };
    const changed = () => {
      controls.refresh();
      compute();
      remember(id, choice);
      iasim.announce(`${many(rows.length, 'run')} in ${many(groups.length, 'group')}`);
    };
    const controls = iasim.choices.controls(runs, firsts, choice, changed);
    const lower = lowerControls(runs, choice, changed);
    const list = runTable(runs, choice, () => remember(id, choice));
    const ofProfiles =
      'In which share of the cases a figure is within a factor of the best one of its case; higher is better.';

    root.append(controls.element, places.picture, places.groups,
                el('h3', {}, 'Distributions'), lower.spreadBar, places.spread,
                el('h3', {}, 'Performance profiles'), faint(ofProfiles), lower.profileBar, places.profile,
                el('h3', {}, 'Runs'), list.element, ...constant(data, runs), ...meanings(runs));
    compute();
    iasim.onRedraw(draw);
    if (words) root.parentElement.scrollIntoView();
  };

  iasim.views.results = (root, data) => {
    const runs = iasim.runs.decode(data);
    root.append(...status(data, runs), ...failures(data));
    if (runs.n === 0) root.append(...constant(data, runs));
    else if (runs.params.some(p => p.varies)) drawChosen(root, data, runs, root.parentElement?.id ?? 's0');
    else root.append(oneRun(runs), ...constant(data, runs), ...meanings(runs));
  };
})();
