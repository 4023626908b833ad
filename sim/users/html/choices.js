// SPDX-License-Identifier: LGPL-2.1-or-later
// What the view of results shows (a choice, see runs.js): the first ones, which are the scenario's tables; their form
// in the address, so that a view can be linked; and the controls.
//   iasim.choices.first(runs, views)              [{title, choice}], at least one
//   iasim.choices.toWords(choice), fromWords(runs, words, otherwise)
//   iasim.choices.controls(runs, firsts, choice, onChange)   {element, refresh()}; changes `choice` in place
'use strict';

(() => {
  const el = iasim.el, MANY_VALUES = 60;

  const empty = () => ({metric: '', as: '', to: {param: '', value: ''}, best: [], x: '', series: '', panels: [],
                        filters: Object.create(null), spread: '', profile: '', profileMetric: '', words: '', sort: ''});

  // ---- the first choices ----

  const grouping = runs => runs.params.filter(p => p.varies && p.name !== 'instance' && p.name !== 'replication');
  const isVariant = p => ['policy', 'scheduler', 'model', 'ports', 'mode'].includes(p.name);

  // What is told apart by colour and in distributions and profiles: names, not numbers, and not too many.
  const complete = (runs, choice) => {
    const few = p => p && p.varies && p.values.length <= MANY_VALUES, text = p => few(p) && !p.numbers;
    const shown = [runs.param(choice.series), runs.param(choice.x)], any = grouping(runs);
    const variants = [...shown.filter(p => p && isVariant(p)), ...any.filter(isVariant)];
    const best = [...variants, ...shown, ...any].find(text) ?? [...shown, ...any].find(few);
    choice.spread = choice.profile = best?.name ?? '';
    const makespan = ['makespan_s', 'planned_s'].map(runs.metric).find(m => m?.has);
    choice.profileMetric = choice.metric === 'estimation_error_ratio' && makespan ? makespan.name : choice.metric;
    return choice;
  };

  const fromTable = (runs, view) => {
    const rows = view.rows.filter(name => runs.param(name)?.varies), choice = empty();
    choice.metric = view.metric;
    choice.series = runs.param(view.columns)?.varies ? view.columns : '';
    choice.x = rows.pop() ?? '';
    choice.panels = rows;
    if (!choice.x) [choice.x, choice.series] = [choice.series, ''];
    if (view.best_of.length) [choice.as, choice.best] = ['best', view.best_of];
    else if (runs.param(view.columns)?.values.includes(view.relative_to))
      [choice.as, choice.to] = ['to', {param: view.columns, value: view.relative_to}];
    return {title: view.title ?? '', by: view.rows.join(', '), choice: complete(runs, choice)};
  };

  // By colour: what is compared; along an axis: a number if there is one; the rest in pictures, as long as they are
  // few.
  const guess = (runs, metric, x) => {
    const choice = empty(), params = grouping(runs).filter(p => p.name !== x);
    choice.metric = metric.name;
    const take = is => {
      const i = params.findIndex(is);
      return i < 0 ? null : params.splice(i, 1)[0];
    };
    const belief = metric.name === 'estimation_error_ratio' ? take(p => p.name === 'model') : null;
    const series = belief ?? take(p => isVariant(p) && p.values.length <= 30) ??
      take(p => !p.numbers && p.values.length <= 12);
    choice.series = series?.name ?? '';
    choice.x = x || (take(p => p.numbers) ?? take(() => true))?.name || '';
    if (!choice.x) [choice.x, choice.series] = [choice.series, ''];
    let pictures = 1;
    for (const p of params)
      if (pictures * p.values.length <= 6) {
        pictures *= p.values.length;
        choice.panels.push(p.name);
      }
    return complete(runs, choice);
  };

  const mainMetric = runs => {
    const there = runs.metrics.filter(m => m.has);
    return there.find(m => m.name === 'makespan_s') ?? there.find(m => m.better !== 'neither') ?? there[0]
      ?? runs.metrics[0] ?? {name: ''};
  };

  const first = (runs, views) => {
    const list = views.filter(v => runs.metric(v.metric)?.has).map(v => fromTable(runs, v));
    const error = runs.metric('estimation_error_ratio');
    const hasErrors = list.some(f => f.choice.metric === 'estimation_error_ratio' && f.choice.x === 'ccr');
    if (error?.has && runs.param('ccr')?.varies && !hasErrors)
      list.push({title: 'Error of the plan against the CCR', choice: guess(runs, error, 'ccr')});
    if (!list.length) list.push({title: '', choice: guess(runs, mainMetric(runs), '')});
    for (const f of list) {
      const same = list.filter(g => g.title === f.title);
      if (f.title && same.length > 1) same.forEach((g, i) => { g.title += ` by ${g.by || i + 1}`; });
    }
    return list;
  };

  // ---- in the address ----

  const toWords = choice => {
    const words = new URLSearchParams();
    const put = (key, value) => { if (value !== '') words.append(key, value); };
    const texts = ['metric', 'as', 'x', 'series', 'spread', 'profile', 'profileMetric', 'words', 'sort'];
    for (const key of texts) put(key, choice[key]);
    if (choice.as === 'to') for (const key of ['param', 'value']) words.append('to', choice.to[key]);
    if (choice.as === 'best') for (const name of choice.best) words.append('best', name);
    for (const name of choice.panels) words.append('panel', name);
    for (const [name, values] of Object.entries(choice.filters))
      for (const value of values.length ? values : ['']) words.append('only ' + name, value);
    return words.toString();
  };

  // An address may be of another page, or edited: what does not fit is left out.
  const fromWords = (runs, text, otherwise) => {
    const words = new URLSearchParams(text), choice = empty(), isParam = name => !!runs.param(name)?.varies;
    const metric = words.get('metric');
    if (!metric || !runs.metric(metric)) return structuredClone(otherwise);
    choice.metric = metric;
    for (const key of ['x', 'series', 'spread', 'profile'])
      if (isParam(words.get(key))) choice[key] = words.get(key);
    if (runs.metric(words.get('profileMetric'))) choice.profileMetric = words.get('profileMetric');
    const panels = [...new Set(words.getAll('panel'))];
    choice.panels = panels.filter(name => isParam(name) && name !== choice.x && name !== choice.series);
    choice.words = words.get('words') ?? '';
    choice.sort = words.get('sort') ?? '';
    const [param, value] = words.getAll('to'), best = words.getAll('best').filter(name => runs.param(name));
    if (words.get('as') === 'to' && runs.param(param)?.values.includes(value)) {
      choice.as = 'to';
      choice.to = {param, value};
    } else if (words.get('as') === 'best' && best.length) {
      choice.as = 'best';
      choice.best = best;
    }
    for (const p of runs.params) {
      const values = words.getAll('only ' + p.name);
      if (values.length) choice.filters[p.name] = p.values.filter(v => values.includes(v));
    }
    return choice;
  };

  // ---- controls ----

  const select = (label, title, onchange) => {
    const list = el('select', {onchange: () => onchange(list.value)});
    return {list, element: el('label', {class: 'field', title}, label, list),
            fill: (options, value) => {
              list.replaceChildren(...options.map(([v, text]) => el('option', {value: v}, text)));
              list.value = value;
            }};
  };

  const withUnit = m => m.unit ? `${m.name} (${m.unit})` : m.name;

  // ---- as it is, or as a ratio: [text of the option's value, words] ----

  const wayOfBest = names => JSON.stringify(['best', ...names]);
  const wayOfValue = (name, value) => JSON.stringify(['to', name, value]);
  const wayOf = c => c.as === 'best' ? wayOfBest(c.best) : c.as === 'to' ? wayOfValue(c.to.param, c.to.value) : '';

  const ways = (runs, choice) => {
    const names = [...new Set([choice.to.param, choice.series, choice.x])];
    const params = names.map(runs.param).filter(p => p?.varies && p.values.length <= MANY_VALUES);
    const best = [...new Set([choice.best.join('\n'), ...params.map(p => p.name)].filter(Boolean))].map(text =>
      text.split('\n'));
    const overBest = best.map(names => [wayOfBest(names), 'over the best ' + names.join(' and ')]);
    const overValues = params.flatMap(p => p.values.map((v, i) =>
      [wayOfValue(p.name, v), `over ${p.name} ${p.labels[i]}`]));
    return [['', 'as it is'], ...overBest, ...overValues];
  };

  const setWay = (choice, text) => {
    const [as, ...names] = text ? JSON.parse(text) : [''];
    choice.as = as;
    if (as === 'best') choice.best = names;
    if (as === 'to') choice.to = {param: names[0], value: names[1]};
  };

  // ---- filters ----

  const filterOf = (runs, choice, p, changed) => {
    const take = () => {
      const values = p.values.filter((_, i) => boxes[i].checked);
      if (values.length === p.values.length) delete choice.filters[p.name];
      else choice.filters[p.name] = values;
      changed();
    };
    const boxes = p.values.map(() => el('input', {type: 'checkbox', onchange: take}));
    const button = (word, is) => el('button', {type: 'button', 'aria-label': `${word} of ${p.name}`, onclick: () => {
      for (const box of boxes) box.checked = is;
      take();
    }}, word);
    const label = (box, i) => {
      const title = p.values[i] === p.labels[i] ? null : p.values[i];
      return el('label', {title}, box, p.labels[i] || '(empty)');
    };
    const element = el('fieldset', {}, el('legend', {title: p.meaning}, withUnit(p), button('all', true),
      button('none', false)),
                       el('div', {class: 'ticks'}, boxes.map(label)));
    const isKept = value => choice.filters[p.name]?.includes(value) ?? true;
    return {element, refresh: () => boxes.forEach((box, i) => { box.checked = isKept(p.values[i]); })};
  };

  const makeFilters = (runs, choice, changed) => {
    const varying = runs.params.filter(p => p.varies && p.values.length <= 200);
    const filters = varying.map(p => filterOf(runs, choice, p, changed)), head = el('summary', {});
    const refresh = () => {
      const names = Object.keys(choice.filters);
      for (const f of filters) f.refresh();
      head.textContent = names.length ? `Filters: ${names.join(', ')}` : 'Filters: all runs are shown';
    };
    const element = el('details', {class: 'choices controls'}, head,
      el('div', {class: 'filters'}, filters.map(f => f.element)));
    return {element, refresh};
  };

  // ---- what is shown, and by which parameters runs are grouped ----

  // One of the first choices; what the reader has filtered, searched and sorted stays.
  const makePicture = (runs, firsts, choice, changed) => {
    const list = select('Picture', 'what the scenario asks for', i => {
      const {filters, words, sort} = choice;
      if (i !== '') Object.assign(choice, structuredClone(firsts[i].choice), {filters, words, sort});
      changed();
    });
    const isShown = ({choice: c}) => ['metric', 'as', 'x', 'series'].every(key => c[key] === choice[key]) &&
      c.panels.join() === choice.panels.join() && wayOf(c) === wayOf(choice);
    const titleOf = f => f.title || withUnit(runs.metric(f.choice.metric) ?? {name: 'all'});
    const refresh = () => {
      const own = firsts.findIndex(isShown), options = firsts.map((f, i) => [String(i), titleOf(f)]);
      if (own < 0) options.push(['', 'as chosen below']);
      list.fill(options, own < 0 ? '' : String(own));
    };
    return {element: list.element, refresh};
  };

  const makeFigure = (runs, choice, changed) => {
    const metrics = runs.metrics.filter(m => m.has).map(m => [m.name, withUnit(m)]);
    const metric = select('Figure', 'the result that is shown', name => {
      choice.metric = choice.profileMetric = name;
      changed();
    });
    const way = select('Shown', 'a ratio compares runs that differ in nothing else', text => {
      setWay(choice, text);
      changed();
    });
    const refresh = () => {
      metric.fill(metrics, choice.metric);
      way.fill(ways(runs, choice), wayOf(choice));
    };
    return {elements: [metric.element, way.element], refresh};
  };

  // A parameter is used once: along the axis, by colour, or in pictures of their own.
  const makeGroups = (varying, choice, changed) => {
    const use = key => name => {
      const other = key === 'x' ? 'series' : 'x';
      choice[key] = name;
      if (name && choice[other] === name) choice[other] = '';
      choice.panels = choice.panels.filter(panel => panel !== choice.x && panel !== choice.series);
      changed();
    };
    const few = varying.filter(p => p.values.length <= MANY_VALUES), none = ['', 'nothing'];
    const option = p => [p.name, withUnit(p)];
    const x = select('Along the axis', 'groups by this parameter', use('x'));
    const series = select('By colour', 'groups by this parameter, too', use('series'));
    const usePanel = p => event => {
      const isChosen = name => name === p.name ? event.target.checked : choice.panels.includes(name);
      choice.panels = varying.map(q => q.name).filter(isChosen);
      changed();
    };
    const boxes = few.map(p => el('input', {type: 'checkbox', onchange: usePanel(p)}));
    const panels = el('fieldset', {}, el('legend', {}, 'In pictures of their own'),
                      el('div', {class: 'ticks'},
                        few.map((p, i) => el('label', {title: p.meaning}, boxes[i], p.name))));
    const refresh = () => {
      x.fill([none, ...varying.map(option)], choice.x);
      series.fill([none, ...few.map(option)], choice.series);
      few.forEach((p, i) => {
        boxes[i].checked = choice.panels.includes(p.name);
        boxes[i].disabled = p.name === choice.x || p.name === choice.series;
      });
    };
    return {elements: [x.element, series.element, panels], refresh};
  };

  const controls = (runs, firsts, choice, onChange) => {
    const changed = () => {
      refresh();
      onChange();
    };
    const picture = makePicture(runs, firsts, choice, changed), figure = makeFigure(runs, choice, changed);
    const groups = makeGroups(runs.params.filter(p => p.varies), choice, changed);
    const filters = makeFilters(runs, choice, changed);
    const refresh = () => { for (const part of [picture, figure, groups, filters]) part.refresh(); };
    const fields = el('div', {class: 'fields'}, firsts.length > 1 ? picture.element : '', figure.elements,
      groups.elements);
    const summary = el('summary', {}, 'What is shown, and by which parameters runs are grouped');
    const fold = el('details', {class: 'choices controls'}, summary, fields);
    fold.open = matchMedia('(min-width: 700px)').matches;
    refresh();
    return {element: el('div', {}, fold, filters.element), refresh};
  };

  iasim.choices = {first, toWords, fromWords, controls, select, withUnit};
})();
