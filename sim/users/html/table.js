// SPDX-License-Identifier: LGPL-2.1-or-later
// Tables of many rows: sorted by a click or a key on a head, searched, and leafed through, so that a large one costs no
// more than a page of it. Printing shows the first of these rows, up to 60, and no columns of the class `aside`.
//   iasim.table({caption, columns, n, search, size, sort, onChange}) -> {element, show(rows), redraw()}
//     columns   [{label, unit, title, isNumber, text(row), value(row), cls(row), isAside()}]; `value` is what is sorted
//               by: a number or a text; NaN is last
//     n         rows are numbers below n; `show` chooses which
//     search    whether there is a field to search in
//     sort      {column, down} to begin with; onChange({column, down, words}) when the reader changes something
//   iasim.longTable(title, columns, rows, size)   the same of names of columns and arrays of cells
'use strict';

(() => {
  const el = iasim.el;

  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b) || 0;
      return a - b;
    }
    return String(a).localeCompare(String(b), 'en', {numeric: true});
  };

  const PRINTED = 60;

  iasim.table = ({caption, columns, n, search = false, size = 25, sort = null, words = '', onChange = () => {}}) => {
    let chosen = Array.from({length: n}, (_, i) => i), shown = chosen, page = 0, texts = null;
    sort = sort && columns[sort.column] ? sort : null;

    const text = i => {
      texts ??= new Array(n);
      return texts[i] ??= columns.map(c => c.text(i)).join(' ').toLowerCase();
    };

    const classOf = (c, i) => [c.isNumber && 'number', c.isAside?.() && 'aside',
      i !== undefined && c.cls?.(i)].filter(Boolean).join(' ') || null;
    const heads = columns.map((c, k) => {
      const label = [c.label, c.unit && el('span', {class: 'unit'}, ' (' + c.unit + ')')].filter(Boolean);
      const button = el('button', {type: 'button', class: 'sorter', title: c.title ?? null, onclick: () => sortBy(k)},
        label);
      return el('th', {scope: 'col', class: classOf(c)}, button);
    });
    const body = el('tbody'), counter = el('span', {class: 'counter', 'aria-live': 'polite'});
    const table = el('table', {class: 'many'}, el('caption', {}, el('span', {}, caption)),
      el('thead', {}, el('tr', {}, heads)), body);
    const field = el('input', {type: 'search', class: 'controls', value: words, 'aria-label': 'Search in this table',
      placeholder: 'search',
                               oninput: () => { words = field.value; page = 0; refresh(); changed(); }});
    const leaf = (label, words, to) => el('button',
      {type: 'button', 'aria-label': words, onclick: () => { page = to(); draw(); }}, label);
    const last = () => Math.max(0, Math.ceil(shown.length / size) - 1);
    const pager = el('span', {class: 'pager controls'}, leaf('«', 'first rows', () => 0),
      leaf('‹', 'rows before', () => Math.max(0, page - 1)),
                     leaf('›', 'next rows', () => Math.min(last(), page + 1)), leaf('»', 'last rows', last));
    const element = el('div', {class: 'table'},
                       el('div', {class: 'bar'}, search ? field : '', counter, pager),
                       el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption}, table));

    const changed = () => onChange({...sort, words});
    const sortBy = k => {
      sort = sort && sort.column === k ? {column: k, down: !sort.down} : {column: k, down: false};
      page = 0;
      refresh();
      changed();
      iasim.announce(`sorted by ${columns[k].label}, ${sort.down ? 'largest' : 'smallest'} first`);
    };

    const draw = () => {
      const length = iasim.isPrinting ? PRINTED : size, from = iasim.isPrinting ? 0 : page * size;
      const rows = shown.slice(from, from + length);
      body.replaceChildren(...rows.map(i => el('tr', {}, columns.map(c => {
        const value = c.value(i);
        return el('td', {class: classOf(c, i), 'data-value': c.isNumber && Number.isFinite(value) ? value : null},
          c.text(i));
      }))));
      heads.forEach((h, k) => {
        h.className = classOf(columns[k]) ?? '';
        if (sort?.column === k) h.setAttribute('aria-sort', sort.down ? 'descending' : 'ascending');
        else h.removeAttribute('aria-sort');
      });
      counter.textContent = shown.length === 0 ? 'no rows' : shown.length <= length
        ? `${shown.length} row${shown.length > 1 ? 's' : ''}`
          : `rows ${from + 1} to ${from + rows.length} of ${shown.length}`;
      pager.hidden = shown.length <= size;
      table.dataset.nRows = shown.length;
    };

    // Rows with equal values stay in the order in which they were given.
    const refresh = () => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      shown = wanted.length ? chosen.filter(i => wanted.every(w => text(i).includes(w))) : chosen;
      if (sort) {
        const value = columns[sort.column].value, keys = new Map(shown.map(i => [i, value(i)]));
        const sign = sort.down ? -1 : 1;
        const isMissing = x => typeof x === 'number' && Number.isNaN(x);
        shown = [...shown].sort((a, b) => {
          const x = keys.get(a), y = keys.get(b);
          return isMissing(x) || isMissing(y) ? compare(x, y) : sign * compare(x, y);
        });
      }
      draw();
    };

    refresh();
    return {element, show: rows => { chosen = rows; page = 0; refresh(); }, redraw: draw};
  };

  // Of rows of numbers and texts, like iasim.plainTable, but for many of them.
  iasim.longTable = (title, columns, rows, size = 25) => {
    const columnOf = (label, k) => {
      const isNumber = rows.every(r => r[k] == null || typeof r[k] === 'number');
      const words = x => x == null ? '–' : isNumber ? iasim.number(x) : String(x);
      return {label, isNumber, value: i => rows[i][k] ?? NaN, text: i => words(rows[i][k])};
    };
    return iasim.table({caption: title, n: rows.length, search: rows.length > 25, size, columns: columns.map(columnOf)})
      .element;
  };
})();
