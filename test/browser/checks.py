# SPDX-License-Identifier: LGPL-2.1-or-later
"""What must hold of every page of ours. Each check gives a list of faults, as sentences; test_driver.py sees each of
them fail."""
import re
import zlib

# The colour under a text is that of the nearest ancestors that have one, composed; letters of 24 px (19 px bold) need
# 3 : 1.
CONTRASTS = """(() => {
  const context = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
    .getContext('2d', {willReadFrequently: true});
  const rgba = colour => { context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].map((x, i) => i < 3 ? x : x / 255); };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const canvas = rgba(getComputedStyle(document.documentElement).colorScheme.includes('dark') ? '#121212' : '#fff');
  const ground = e => { const own = e ? rgba(getComputedStyle(e).backgroundColor) : canvas;
    return own[3] === 1 ? own : over(own, e ? ground(e.parentElement) : canvas); };
  const light = c => { const [r, g, b] = c.map(x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement, text = walker.currentNode.data.trim(), style = getComputedStyle(e);
    if (!text || !e.checkVisibility({visibilityProperty: true}) || e.closest('script,style,option')) continue;
    const box = e.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1 || e.closest(':disabled')) continue;
    let opacity = 1;
    for (let up = e; up; up = up.parentElement) opacity *= getComputedStyle(up).opacity;
    const below = ground(e), ink = rgba(e instanceof SVGElement ? style.fill : style.color);
    ink[3] *= opacity * (e instanceof SVGElement ? style.fillOpacity : 1);
    const [a, b] = [light(over(ink, below)), light(below)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    found.push([ratio, large ? 3 : 4.5, text.slice(0, 60), e.tagName]);
  }
  return found; })()"""


def contrast(page):
    """Texts that stand out too little from what is below them (WCAG 2.1, 1.4.3)."""
    texts = page.js(CONTRASTS)
    if not texts:
        return ["the page has no text"]
    return [f"contrast {ratio:.2f} : 1 of '{text}' ({tag}), at least {least}"
            for ratio, least, text, tag in texts if ratio < least]


def quiet(page):
    """Messages of the console, exceptions, violations of the policy, requests."""
    page.settle()
    return [f"console: {message}" for message in page.messages] + [f"request: {url}" for url in page.requests]


def width(page):
    """Whether the document, or a text in it, is wider than the window."""
    return page.js("""(() => { const room = document.documentElement.clientWidth, faults = [];
      if (document.scrollingElement.scrollWidth > room)
        faults.push(`the document is ${document.scrollingElement.scrollWidth} px wide, the window ${room}`);
      const inside = e => { for (let up = e.parentElement; up; up = up.parentElement) // scrolls or folds on its own
        if (getComputedStyle(up).overflowX !== 'visible') return true; return false; };
      for (const e of document.body.querySelectorAll('*')) { const r = e.getBoundingClientRect();
        if (r.width > 1 && r.height > 1 && r.right > room + 1 && !inside(e) &&
            e.checkVisibility({visibilityProperty: true}))
          faults.push(`<${e.tagName.toLowerCase()} class="${e.getAttribute('class') ?? ''}"> ends at ` +
            `${Math.round(r.right)} px of ${room}`); }
      return faults.slice(0, 8); })()""")


def names(page):
    """Elements that take the focus and that a screen reader could not name. Chromium only."""
    focusable = [node for node in page.accessibility() if node.get("focusable") and node["role"] != "RootWebArea"]
    if not focusable:
        return ["nothing takes the focus"]
    return [f"a {node['role']} takes the focus and has no name" for node in focusable if not node["name"].strip()]


def tab_stops(page, n=40):
    """What the Tab key comes to, one after the other, and whether each shows that it has the focus."""
    page.js("document.activeElement?.blur()")
    stops, faults = [], []
    for _ in range(n):
        page.press("Tab")
        tag, mark, shown = page.js("""(() => {
            const e = document.activeElement, s = getComputedStyle(e), plain = e.cloneNode();
            return [e.tagName, e.tagName + (e.id ? '#' + e.id : '') + ' ' +
                (e.getAttribute('aria-label') ?? e.textContent).trim().slice(0, 40),
              e.matches(':focus-visible') &&
                (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1 || s.boxShadow !== 'none')]; })()""")
        if tag == "BODY":
            break
        stops.append(mark)
        if not shown:
            faults.append(f"{mark} does not show that it has the focus")
    return stops, faults


def n_pages(pdf):
    """The pages of a PDF, also where its objects are compressed (Firefox's)."""
    data = pdf.read_bytes()
    n = len(re.findall(rb"/Type\s*/Page\b", data))
    for start in re.finditer(rb"stream\r?\n", data):
        try:
            n += len(re.findall(rb"/Type\s*/Page\b", zlib.decompressobj().decompress(data[start.end():])))
        except zlib.error:
            pass # not a deflated stream, or the end of one
    return n
