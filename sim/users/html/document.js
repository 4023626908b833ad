// SPDX-License-Identifier: LGPL-2.1-or-later
// Documents: sections of paragraphs, tables and claims, as document_blocks_json writes them. What was said in the
// terminal is all here. Offers iasim.plainTable({title, columns, rows, digits, decimals}), a table that scrolls within
// itself where it is too wide; digits: of numbers, 6 if not given; decimals: {COLUMN: how many}, where numbers shall
// have the same; and iasim.figures([[name, text]]), a few figures.
'use strict';

(() => {
  const el = iasim.el;
  const FEW_ROWS = 12;

  const text = (value, digits, decimals) =>
    decimals !== undefined ? value.toFixed(decimals).replace(/^-(0\.?0*)$/, '$1')
    : iasim.number(value, Number.isInteger(value) ? 9 : digits);
  const cell = (value, digits, decimals) =>
    typeof value !== 'number' ? el('td', {}, value ?? '–')
      : el('td', {class: 'number'}, text(value, digits, decimals));

  // A column is one of numbers if all its cells are; its head then stands on the right, too.
  iasim.plainTable = ({title, columns, rows, digits = 6, decimals = {}}) => {
    const isNumber = columns.map((_, k) => rows.length > 0 &&
      rows.every(r => r[k] == null || typeof r[k] === 'number'));
    const head = columns.map((c, k) => el('th', {scope: 'col', class: isNumber[k] && 'number'}, c));
    return el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title ?? columns.join(', ')},
              el('table', {}, title && el('caption', {}, el('span', {}, title)), el('thead', {}, el('tr', {}, head)),
                 el('tbody', {}, rows.map(r => el('tr', {}, r.map((value, k) => cell(value, digits, decimals[k])))))));
  };

  // A few figures, large: [[name, text]].
  iasim.figures = list =>
    el('dl', {class: 'figures'}, list.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));

  // A number keeps its percent sign.
  const whole = words => words.replaceAll(' %', '\u00a0%');

  const figuresOf = c =>
    [['paper', c.paper], ['here', c.here]].filter(f => f[1] != null).map(([name, words]) => [name, whole(words)]);

  // A claim: the verdict, the figures, and the rule that decides.
  const claim = c => el('li', {class: c.holds ? 'holds' : 'fails'}, el('strong', {}, c.holds ? 'yes ' : 'no '), c.claim,
                        (c.paper ?? c.here) != null && iasim.figures(figuresOf(c)),
                        [c.rule, ...c.details].filter(Boolean).map(d => el('div', {class: 'detail'}, whole(d))));
  const claims = b =>
    [b.heading && el('p', {}, b.heading), el('ul', {class: 'claims'}, b.claims.map(claim))].filter(Boolean);

  // A long table is folded, so that what it shows is found without scrolling past it. Paper has all of it.
  const table = t => {
    if (t.rows.length <= FEW_ROWS) return iasim.plainTable({...t, digits: 4});
    const fold = el('details', {class: 'long'},
                    el('summary', {}, `${t.title ?? t.columns[0]} (${t.rows.length} rows)`),
                      iasim.plainTable({...t, digits: 4}));
    let wasOpen = false;
    addEventListener('beforeprint', () => { wasOpen = fold.open; fold.open = true; });
    addEventListener('afterprint', () => { fold.open = wasOpen; });
    return fold;
  };

  const block = b => b.paragraph != null ? el('p', {}, b.paragraph) : b.table ? table(b.table) : claims(b);

  iasim.views.document = (root, data) => {
    for (const s of data.sections)
      root.append(...[s.title && el('h3', {}, s.title), ...s.blocks.flatMap(block)].filter(Boolean));
  };
})();
