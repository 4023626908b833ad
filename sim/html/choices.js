// SPDX-License-Identifier: LGPL-2.1-or-later
// What the view of results shows (a choice, see runs.js): the first ones, which are the scenario's tables; their form in the
// address, so that a view can be linked; and the controls.
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
    const [series, x] = [runs.param(choice.series), runs.param(choice.x)], any = grouping(runs);
    const best = [...[series, x].filter(p => p && isVariant(p)), ...any.filter(isVariant), series, x, ...any].find(text) ?? [series, x, ...any].find(few);
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

  // By colour: what is compared; along an axis: a number if there is one; the rest in pictures, as long as they are few.
  const guess = (runs, metric, x) => {
    const choice = empty(), params = grouping(runs).filter(p => p.name !== x);
    choice.metric = metric.name;
    const take = is => {
      const i = params.findIndex(is);
      return i < 0 ? null : params.splice(i, 1)[0];
    };
    const belief = metric.name === 'estimation_error_ratio' ? take(p => p.name === 'model') : null;
    const series = belief ?? take(p => isVariant(p) && p.values.length <= 30) ?? take(p => !p.numbers && p.values.length <= 12);
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

  const first = (runs, views) => {
    const list = views.filter(v => runs.metric(v.metric)?.has).map(v => fromTable(runs, v)), error = runs.metric('estimation_error_ratio');
    const isOfError = list.some(f => f.choice.metric === 'estimation_error_ratio' && f.choice.x === 'ccr');
    if (error?.has && runs.param('ccr')?.varies && !isOfError) list.push({title: 'Error of the plan against the CCR', choice: guess(runs, error, 'ccr')});
    if (!list.length) {
      const metric = runs.metrics.find(m => m.has && m.name === 'makespan_s') ?? runs.metrics.find(m => m.has && m.better !== 'neither') ??
          runs.metrics.find(m => m.has) ?? runs.metrics[0] ?? {name: ''};
      list.push({title: '', choice: guess(runs, metric, '')});
    }
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
    for (const key of ['metric', 'as', 'x', 'series', 'spread', 'profile', 'profileMetric', 'words', 'sort']) put(key, choice[key]);
    if (choice.as === 'to') for (const key of ['param', 'value']) words.append('to', choice.to[key]);
    if (choice.as === 'best') for (const name of choice.best) words.append('best', name);
    for (const name of choice.panels) words.append('panel', name);
    for (const [name, values] of Object.entries(choice.filters)) for (const value of values.length ? values : ['']) words.append('only ' + name, value);
    return words.toString();
  };

  // An address may be of another page, or edited: what does not fit is left out.
  const fromWords = (runs, text, otherwise) => {
    const words = new URLSearchParams(text), choice = empty(), isParam = name => !!runs.param(name)?.varies;
    const metric = words.get('metric');
    if (!metric || !runs.metric(metric)) return structuredClone(otherwise);
    choice.metric = metric;
    for (const key of ['x', 'series', 'spread', 'profile']) if (isParam(words.get(key))) choice[key] = words.get(key);
    if (runs.metric(words.get('profileMetric'))) choice.profileMetric = words.get('profileMetric');
    choice.panels = [...new Set(words.getAll('panel'))].filter(name => isParam(name) && name !== choice.x && name !== choice.series);
    choice.words = words.get('words') ?? '';
    choice.sort = words.get('sort') ?? '';
    const [param, value] = words.getAll('to'), best = words.getAll('best').filter(name => runs.param(name));
    if (words.get('as') === 'to' && runs.param(param)?.values.includes(value)) [choice.as, choice.to] = ['to', {param, value}];
    if (words.get('as') === 'best' && best.length) [choice.as, choice.best] = ['best', best];
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

  const ways = (runs, choice) => {
    const params = [...new Set([choice.to.param, choice.series, choice.x])].map(runs.param).filter(p => p?.varies && p.values.length <= MANY_VALUES);
    const best = [...new Set([choice.best.join('\n'), ...params.map(p => p.name)].filter(Boolean))];
    return [['', 'as it is'], ...best.map(names => [JSON.stringify(['best', ...names.split('\n')]), 'over the best ' + names.split('\n').join(' and ')]),
            ...params.flatMap(p => p.values.map((v, i) => [JSON.stringify(['to', p.name, v]), `over ${p.name} ${p.labels[i]}`]))];
  };
  const wayOf = c => c.as === 'best' ? JSON.stringify(['best', ...c.best]) : c.as === 'to' ? JSON.stringify(['to', c.to.param, c.to.value]) : '';

  const setWay = (choice, text) => {
    const [as, ...names] = text ? JSON.parse(text) : [''];
    choice.as = as;
    if (as === 'best') choice.best = names;
    if (as === 'to') choice.to = {param: names[0], value: names[1]};
  };

  const filterOf = (runs, choice, p, changed) => {
    const boxes = p.values.map((v, i) => {
      const box = el('input', {type: 'checkbox', onchange: () => {
        const values = p.values.filter((_, k) => boxes[k].checked);
        if (values.length === p.values.length) delete choice.filters[p.name];
        else choice.filters[p.name] = values;
        changed();
      }});
      return box;
    });
    const all = is => () => {
      for (const b of boxes) b.checked = is;
      boxes[0].onchange();
    };
    const element = el('fieldset', {}, el('legend', {title: p.meaning}, p.name + (p.unit ? ` (${p.unit})` : ''),
                       el('button', {type: 'button', onclick: all(true), 'aria-label': `all of ${p.name}`}, 'all'),
                       el('button', {type: 'button', onclick: all(false), 'aria-label': `none of ${p.name}`}, 'none')),
                       el('div', {class: 'ticks'}, boxes.map((b, i) => el('label', {title: p.values[i] === p.labels[i] ? null : p.values[i]}, b, p.labels[i] || '(empty)'))));
    return {element, refresh: () => boxes.forEach((b, i) => { b.checked = choice.filters[p.name]?.includes(p.values[i]) ?? true; })};
  };

  const controls = (runs, firsts, choice, onChange) => {
    const varying = runs.params.filter(p => p.varies), none = ['', 'nothing'];
    const set = f => value => { f(value); changed(); };
    const picture = select('Picture', 'what the scenario asks for', set(i => {
      if (i !== '') Object.assign(choice, structuredClone(firsts[i].choice), {filters: choice.filters, words: choice.words, sort: choice.sort});
    }));
    const metric = select('Figure', 'the result that is shown', set(v => { choice.metric = choice.profileMetric = v; }));
    const way = select('Shown', 'a ratio compares runs that differ in nothing else', set(v => setWay(choice, v)));
    const use = (key, value) => {
      choice[key] = value;
      for (const other of ['x', 'series']) if (other !== key && value && choice[other] === value) choice[other] = '';
      choice.panels = choice.panels.filter(name => name !== choice.x && name !== choice.series);
    };
    const x = select('Along the axis', 'groups by this parameter', set(v => use('x', v)));
    const series = select('By colour', 'groups by this parameter, too', set(v => use('series', v)));
    const panels = varying.filter(p => p.values.length <= MANY_VALUES).map(p => {
      const box = el('input', {type: 'checkbox', onchange: () => {
        choice.panels = varying.map(q => q.name).filter(name => name === p.name ? box.checked : choice.panels.includes(name));
        changed();
      }});
      return {p, box, element: el('label', {title: p.meaning}, box, p.name)};
    });
    const filters = varying.filter(p => p.values.length <= 200).map(p => filterOf(runs, choice, p, () => changed()));
    const filterHead = el('summary', {});
    const options = p => [p.name, p.name + (p.unit ? ` (${p.unit})` : '')];

    const refresh = () => {
      const own = firsts.findIndex(f => ['metric', 'as', 'x', 'series'].every(k => f.choice[k] === choice[k]) && f.choice.panels.join() === choice.panels.join() && wayOf(f.choice) === wayOf(choice));
      picture.fill([...firsts.map((f, i) => [String(i), f.title || withUnit(runs.metric(f.choice.metric) ?? {name: 'all'})]), ...own < 0 ? [['', 'as chosen below']] : []], own < 0 ? '' : String(own));
      metric.fill(runs.metrics.filter(m => m.has).map(m => [m.name, withUnit(m)]), choice.metric);
      way.fill(ways(runs, choice), wayOf(choice));
      x.fill([none, ...varying.map(options)], choice.x);
      series.fill([none, ...varying.filter(p => p.values.length <= MANY_VALUES).map(options)], choice.series);
      for (const {p, box} of panels) {
        box.checked = choice.panels.includes(p.name);
        box.disabled = p.name === choice.x || p.name === choice.series;
      }
      for (const f of filters) f.refresh();
      const n = Object.keys(choice.filters).length;
      filterHead.textContent = n ? `Filters: ${Object.keys(choice.filters).join(', ')}` : 'Filters: all runs are shown';
    };
    const changed = () => {
      refresh();
      onChange();
    };
    const fields = el('div', {class: 'fields'}, firsts.length > 1 ? picture.element : '', metric.element, way.element, x.element, series.element,
                      el('fieldset', {}, el('legend', {}, 'In pictures of their own'), el('div', {class: 'ticks'}, panels.map(p => p.element))));
    const fold = el('details', {class: 'choices controls'}, el('summary', {}, 'What is shown, and by which parameters runs are grouped'), fields);
    fold.open = matchMedia('(min-width: 700px)').matches;
    const filter = el('details', {class: 'choices controls'}, filterHead, el('div', {class: 'filters'}, filters.map(f => f.element)));
    refresh();
    return {element: el('div', {}, fold, filter), refresh, select};
  };

  iasim.choices = {first, toWords, fromWords, controls, select, withUnit};
})();
