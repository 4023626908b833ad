// SPDX-License-Identifier: LGPL-2.1-or-later
// What a reader does with a chart (gantt.js): mouse, touch, keys, the overview, and buttons.
//   iasim.ganttInput(chart)        makes the chart listen
//   iasim.ganttButtons(chart)      [button]: zoom, move, show all
//   iasim.ganttHint                what mouse and keys do, in words
'use strict';

(() => {
  const el = iasim.el;
  const CLICK = 4; // pixels: who moves no further clicks

  const tipOf = (chart, bar) => {
    const [title, ...lines] = chart.model.describe(bar);
    return el('div', {}, el('div', {class: 'tip-title'}, title), lines.map(line => el('div', {}, line)));
  };

  // ---- wheel ----

  const pixelsOf = event => event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;

  // Before a click on the chart, and where it shows everything already, the wheel scrolls the page.
  const isForPage = (chart, event) => {
    const {view, model, canvas, gutter} = chart;
    const zoomsOut = event.deltaY > 0 && !event.shiftKey && !event.altKey && event.offsetX >= gutter;
    const isAll = view.to - view.from >= model.end && zoomsOut;
    return !event.ctrlKey && (document.activeElement !== canvas || isAll);
  };

  const onWheel = (chart, event) => {
    if (isForPage(chart, event)) return;
    event.preventDefault();
    const unit = pixelsOf(event), down = event.deltaY * unit;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      chart.pan((event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX) * unit / 800);
    else if (event.altKey || event.offsetX < chart.gutter)
      chart.scrollBy(chart.groupAt(event.offsetY), down);
    else
      chart.zoom(Math.exp(Math.max(-1, Math.min(1, down * .002))), Math.max(chart.gutter, event.offsetX));
  };

  // ---- mouse and touch ----

  const hover = (chart, event) => {
    const bar = chart.barAt(event.offsetX, event.offsetY), isOnBar = bar?.i !== undefined;
    const name = bar && event.offsetX < chart.gutter ? bar.lane.name : null;
    iasim.tip(isOnBar ? tipOf(chart, bar) : name, event.clientX, event.clientY);
    chart.canvas.classList.toggle('over', isOnBar);
  };

  const click = (chart, event) => {
    const bar = chart.barAt(event.offsetX, event.offsetY);
    chart.canvas.focus({preventScroll: true});
    chart.pick(bar?.i !== undefined ? bar : null);
    chart.model.onPick(chart.cursor);
  };

  const pinch = (chart, finger, other, event) => {
    const was = Math.abs(finger.x - other.x), is = Math.abs(event.offsetX - other.x);
    if (was > 8 && is > 8) chart.zoom(was / is, (event.offsetX + other.x) / 2);
  };

  const drag = (chart, from, event) => {
    const {left, right} = chart.geometry();
    chart.pan((from.x - event.offsetX) / (right - left));
    chart.scrollBy(chart.groupAt(event.offsetY), from.y - event.offsetY);
    iasim.tip(null);
  };

  const listenToPointers = chart => {
    const canvas = chart.canvas, pointers = new Map();
    let moved = 0;
    const press = event => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
      moved = 0;
    };
    const move = event => {
      const finger = pointers.get(event.pointerId), other = [...pointers.values()].find(p => p !== finger);
      if (!finger) return hover(chart, event);
      if (other) {
        pinch(chart, finger, other, event);
        moved = Infinity;
      } else {
        moved += Math.abs(event.offsetX - finger.x) + Math.abs(event.offsetY - finger.y);
        if (moved > CLICK) drag(chart, finger, event);
      }
      finger.x = event.offsetX;
      finger.y = event.offsetY;
    };
    const release = event => {
      if (event.type === 'pointerup' && pointers.size === 1 && moved <= CLICK) click(chart, event);
      pointers.delete(event.pointerId);
    };
    canvas.addEventListener('pointerdown', press);
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
    canvas.addEventListener('pointerleave', () => iasim.tip(null));
    canvas.addEventListener('wheel', event => onWheel(chart, event), {passive: false});
  };

  // The window's middle follows the pointer.
  const listenToOverview = chart => {
    const centre = event => {
      const {left, right} = chart.geometry(), {from, to} = chart.view;
      const t = (event.offsetX - left) / (right - left) * chart.model.end, half = (to - from) / 2;
      chart.show(t - half, t + half);
    };
    chart.overview.addEventListener('pointerdown', event => {
      chart.overview.setPointerCapture(event.pointerId);
      centre(event);
    });
    chart.overview.addEventListener('pointermove', event => { if (event.buttons) centre(event); });
  };

  // ---- keyboard ----

  const allStrips = chart => chart.model.groups.flatMap(group => group.lanes.flatMap(
    lane => lane.strips.filter(s => s.bars?.n > 0).map(strip => ({group, lane, strip}))));

  // The bar of this strip that is at t, or the one before.
  const barOf = (place, t) => {
    const bars = place.strip.bars, i = iasim.firstWhere(bars.n, j => bars.start[j] > t);
    return {...place, i: Math.max(0, i - 1)};
  };

  // `along` bars further in the strip, or `across` strips further.
  const neighbour = (chart, along, across) => {
    const strips = allStrips(chart), bar = chart.cursor;
    if (!bar) return strips.length > 0 ? barOf(strips[0], chart.view.from) : null;
    if (!across) return {...bar, i: Math.max(0, Math.min(bar.strip.bars.n - 1, bar.i + along))};
    const next = strips[strips.findIndex(s => s.strip === bar.strip) + across];
    return next ? barOf(next, bar.strip.bars.start[bar.i]) : bar;
  };

  const step = (chart, along, across) => {
    const bar = neighbour(chart, along, across);
    if (!bar) return;
    chart.pick(bar);
    const b = chart.box(bar), at = chart.canvas.getBoundingClientRect();
    const x = Math.max(chart.gutter, Math.min(chart.width, b.x + Math.min(b.width, 40)));
    iasim.tip(tipOf(chart, bar), at.left + x, at.top + b.y + b.height);
  };

  const middleOfCursor = chart => {
    const {left, right} = chart.geometry(), b = chart.box(chart.cursor);
    return Math.max(left, Math.min(right, b.x + b.width / 2));
  };

  const keysOf = chart => {
    const zoomIn = () => chart.zoom(1 / 1.5, chart.cursor ? middleOfCursor(chart) : undefined);
    return {
      ArrowLeft: event => event.shiftKey ? chart.pan(-.2) : step(chart, -1, 0),
      ArrowRight: event => event.shiftKey ? chart.pan(.2) : step(chart, 1, 0),
      ArrowUp: () => step(chart, 0, -1),
      ArrowDown: () => step(chart, 0, 1),
      Home: () => step(chart, -Infinity, 0),
      End: () => step(chart, Infinity, 0),
      '+': zoomIn,
      '=': zoomIn,
      '-': () => chart.zoom(1.5),
      0: () => chart.whole(),
      Enter: () => chart.model.onPick(chart.cursor),
      Escape: () => {
        chart.pick(null);
        chart.model.onPick(null);
      },
    };
  };

  const listenToKeys = chart => {
    const keys = keysOf(chart);
    chart.canvas.addEventListener('keydown', event => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key](event);
    });
    chart.canvas.addEventListener('blur', () => iasim.tip(null));
  };

  iasim.ganttInput = chart => {
    listenToPointers(chart);
    listenToOverview(chart);
    listenToKeys(chart);
  };

  // ---- buttons ----

  iasim.ganttButtons = chart => {
    const button = (words, label, onclick) => el('button', {type: 'button', onclick, 'aria-label': label}, words);
    return [button('+', 'Zoom in', () => chart.zoom(1 / 1.6)), button('−', 'Zoom out', () => chart.zoom(1.6)),
            button('◂', 'Earlier', () => chart.pan(-.3)), button('▸', 'Later', () => chart.pan(.3)),
            button('All', 'Show all of it', () => chart.whole())];
  };

  iasim.ganttHint = 'Wheel after a click, Ctrl and wheel, or pinch: zoom; over the names: scroll. Drag: move. ' +
    'Arrow keys: from bar to bar; with Shift: move.';
})();
