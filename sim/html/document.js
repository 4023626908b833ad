// SPDX-License-Identifier: LGPL-2.1-or-later
// Documents: sections of paragraphs, tables and claims, as document_json writes them. What was said in the terminal is all
// here. Offers iasim.plainTable({title, columns, rows, decimals}), a table that scrolls within itself where it is
// too wide; decimals: {COLUMN: how many}, where numbers shall have the same.
'use strict';

(() => {
  const el = iasim.el;

  const cell = (value, decimals) => typeof value !== 'number' ? el('td', {}, value ?? '–') :
    el('td', {class: 'number'}, decimals === undefined ? iasim.number(value) : value.toFixed(decimals).replace(/^-(0\.?0*)$/, '$1'));

  // A column is one of numbers if all its cells are; its head then stands on the right, too.
  iasim.plainTable = ({title, columns, rows, decimals = {}}) => {
    const isNumber = columns.map((_, k) => rows.length > 0 && rows.every(r => r[k] == null || typeof r[k] === 'number'));
    const head = columns.map((c, k) => el('th', {scope: 'col', class: isNumber[k] && 'number'}, c));
    return el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title ?? columns.join(', ')},
              el('table', {}, title && el('caption', {}, title), el('thead', {}, el('tr', {}, head)),
                 el('tbody', {}, rows.map(r => el('tr', {}, r.map((value, k) => cell(value, decimals[k])))))));
  };

  const claim = c => {
    const figures = c.paper != null && ` The paper: ${c.paper}; here: ${c.here}.`;
    return el('li', {class: c.holds ? 'holds' : 'fails'}, el('strong', {}, c.holds ? 'yes ' : 'no '), c.claim, figures || '',
              c.details.map(d => el('div', {class: 'detail'}, d)));
  };

  iasim.views.document = (root, data) => {
    for (const s of data.sections)
      root.append(...[s.title && el('h3', {}, s.title), ...s.paragraphs.map(p => el('p', {}, p)),
                      ...s.tables.map(iasim.plainTable),
                      s.claims.length > 0 && el('ul', {class: 'claims'}, s.claims.map(claim))].filter(Boolean));
  };
})();
