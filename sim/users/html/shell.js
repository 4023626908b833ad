// SPDX-License-Identifier: LGPL-2.1-or-later
// The shell of a page: it draws every section by its view, in order, and then sets `data-ready` on <html>. A view that
// fails leaves a sentence in its section and an error in the console; the others are drawn all the same. Text of the
// data becomes text nodes, never markup.
//
// A view registers itself: iasim.views.KIND = (root, data) => {..}; it may return a promise. What views share:
//   iasim.el(name, attributes, ...children)   an element; attributes that are functions become properties (onclick)
//   iasim.number(x, digits), iasim.seconds(x) numbers for people; a time in the unit that fits
//   iasim.timeUnit(x)                         that unit, {name, s}, for tables and axes: s, ms or µs
//   iasim.colour(name)                        a colour of page.css, as it is now ("accent" of --accent)
//   iasim.onRedraw(f)                         f() when the theme or the width changes, and before and after printing
//   iasim.isPrinting
//   iasim.tip(content, x, y), iasim.tip(null) the tooltip, at a point of the window; content is a node or text
//   iasim.announce(words)                     for screen readers
'use strict';

const iasim = window.iasim = {views: {}, isPrinting: false};

(() => {
  const root = document.documentElement;

  iasim.el = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
      if (typeof value === 'function') element[key] = value;
      else if (value !== false && value != null) element.setAttribute(key, value === true ? '' : value);
    element.append(...children.flat().filter(c => c != null && c !== false));
    return element;
  };
  const el = iasim.el;

  // ---- numbers ----

  iasim.number = (x, digits = 6) => {
    if (typeof x !== 'number' || !Number.isFinite(x)) return '–';
    if (x !== 0 && (Math.abs(x) >= 1e9 || Math.abs(x) < 1e-4))
      return x.toExponential(digits - 1).replace(/\.?0+e/, 'e');
    return String(Number(x.toPrecision(digits)));
  };
  // The unit in which a time of about this length has few zeros.
  const units = [{name: 's', s: 1}, {name: 'ms', s: 1e-3}, {name: 'µs', s: 1e-6}];
  iasim.timeUnit = x => units.find(u => Math.abs(x) >= u.s) ?? units[x === 0 || !Number.isFinite(x) ? 0 : 2];
  iasim.seconds = (x, digits = 4, unit = iasim.timeUnit(x)) => iasim.number(x / unit.s, digits) + '\u00a0' + unit.name;

  // ---- theme, width, printing ----

  const redraws = [];
  iasim.onRedraw = f => { redraws.push(f); };
  iasim.colour = name => getComputedStyle(root).getPropertyValue('--' + name).trim();
  const redraw = () => { for (const f of redraws) f(); };

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null; // by the button; it holds until the page is left
  const setTheme = () => {
    root.dataset.theme = !iasim.isPrinting && (chosen ?? (prefersDark.matches ? 'dark' : 'light')) === 'dark' ? 'dark'
      : 'light';
  };
  const changeTheme = () => { setTheme(); redraw(); };
  prefersDark.addEventListener('change', changeTheme);
  setTheme();

  const print = is => () => {
    if (iasim.isPrinting === is) return;
    iasim.isPrinting = is;
    changeTheme();
  };
  addEventListener('beforeprint', print(true));
  addEventListener('afterprint', print(false));

  let width = root.clientWidth, asked = 0;
  addEventListener('resize', () => {
    if (root.clientWidth === width || iasim.isPrinting) return;
    width = root.clientWidth;
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(redraw);
  });

  // ---- tooltip, announcements ----

  const tip = el('div', {class: 'tip', role: 'tooltip', id: 'tip', hidden: true});
  const live = el('div', {class: 'unseen', 'aria-live': 'polite'});
  iasim.tip = (content, x = 0, y = 0) => {
    tip.hidden = content == null;
    if (tip.hidden) return;
    tip.replaceChildren(content);
    const box = tip.getBoundingClientRect(), right = root.clientWidth - 8, bottom = innerHeight - 8;
    const left = x + 14 + box.width > right ? Math.max(8, x - 14 - box.width) : x + 14;
    tip.style.left = Math.min(left, Math.max(8, right - box.width)) + 'px';
    tip.style.top = (y + 18 + box.height > bottom ? Math.max(8, y - 12 - box.height) : y + 18) + 'px';
  };
  iasim.announce = words => { live.textContent = words; };
  addEventListener('keydown', event => { if (event.key === 'Escape') iasim.tip(null); });

  // ---- sections ----

  const unpack = async element => {
    let json = element.textContent;
    if (element.classList.contains('deflated')) {
      const packed = atob(json), bytes = new Uint8Array(packed.length);
      for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
      json = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
    }
    element.remove();
    return JSON.parse(json);
  };

  const draw = async (section, main, i) => {
    const view = el('div', {class: 'view view-' + section.kind});
    main.append(el('section', {id: 's' + i, 'aria-labelledby': section.title ? 'h' + i : null,
      class: 'kind-' + section.kind},
                   section.title && el('h2', {id: 'h' + i}, section.title), view));
    try {
      if (!iasim.views[section.kind]) throw new Error(`nothing draws '${section.kind}'`);
      await iasim.views[section.kind](view, section.data);
    } catch (error) {
      console.error(error);
      view.append(el('p', {class: 'failed', role: 'alert'}, 'This part could not be drawn: ' + error.message));
    }
  };

  const navigation = sections => {
    const links = sections.map((s, i) => el('li', {}, el('a', {href: '#s' + i}, s.title)));
    const fold = el('details', {}, el('summary', {}, 'Sections'), el('ul', {}, links));
    const isWide = matchMedia('(min-width: 700px)');
    const open = () => { fold.open = isWide.matches; };
    isWide.addEventListener('change', open);
    open();
    return el('nav', {'aria-label': 'Sections'}, fold);
  };

  const start = async () => {
    const sections = await Promise.all([...document.querySelectorAll('script[type="application/json"]')].map(unpack));
    const flip = () => {
      chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
      changeTheme();
    };
    const main = el('main');
    document.body.prepend(el('header', {class: 'top'},
      el('h1', {}, document.title.split(/(?<=\/)/).flatMap(part => [part, el('wbr')])),
                             el('button', {type: 'button', class: 'theme', onclick: flip}, 'Dark or light')),
                          sections.length > 1 ? navigation(sections) : '', main, tip, live);
    for (let i = 0; i < sections.length; i++) await draw(sections[i], main, i);
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    for (const script of document.querySelectorAll('body script')) script.remove();
    root.dataset.ready = '';
  };
  addEventListener('DOMContentLoaded', () => start().catch(error => {
    console.error(error);
    document.body.prepend(el('p', {class: 'failed', role: 'alert'}, 'This page could not be drawn: ' + error.message));
  }));
})();
