// Small helpers: elements, quantities and words.

const OUTCOMES = ['passed', 'failed', 'error', 'unreachable', 'skipped', 'blocked', 'not run', 'planned'];
const SIGNS = ['✓', '✗', '!', '?', '○', '⊘', '·', '·'];
const FLAKY = '↻';
const PHASES = [
  ['queue', 'for a connection'], ['dns', 'DNS'], ['connect', 'connect'], ['tls', 'TLS'], ['send', 'send'], ['wait', 'first byte'], ['receive', 'receive'],
];

const $ = (id) => document.getElementById(id);

/** Makes an element: `h('a.name', {href: '#x'}, 'text', child)`. Text never becomes markup. */
function h(kind, attributes, ...children) {
  const [tag, ...classes] = kind.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
    else element.setAttribute(name, value === true ? '' : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false || child === '') continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child);
  }
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  for (const child of children) if (child !== undefined && child !== null && child !== false) element.append(child);
  return element;
}

/** Microseconds as people read them, as on Garland's console: `0.3 ms`, `12 ms`, `1.21 s`, `2 m 03 s`. */
function time(us) {
  us = Math.max(0, us);
  if (us < 9950) return (us / 1000).toFixed(1) + ' ms';
  if (us < 999500) return Math.round(us / 1000) + ' ms';
  if (us < 9995000) return (us / 1e6).toFixed(2) + ' s';
  if (us < 59950000) return (us / 1e6).toFixed(1) + ' s';
  const s = Math.round(us / 1e6);
  if (s < 3600) return `${Math.floor(s / 60)} m ${String(s % 60).padStart(2, '0')} s`;
  const m = Math.round(s / 60);
  return `${Math.floor(m / 60)} h ${String(m % 60).padStart(2, '0')} m`;
}

function size(bytes) {
  if (bytes < 1024) return bytes + ' B';
  let value = bytes / 1024, unit = 0;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  while (value >= 1023.5 && unit < 3) { value /= 1024; unit += 1; }
  return (value < 99.95 ? value.toFixed(1) : Math.round(value)) + ' ' + units[unit];
}

const count = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
/** Whether the list and a step fit side by side; the page's style has the same condition. */
const isWide = () => matchMedia('(min-width: 821px) and (min-height: 501px)').matches;
const percent = (part, whole) => whole > 0 ? Math.round(100 * part / whole) + ' %' : '0 %';
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const say = (text) => { $('live').textContent = text; };

function copyButton(text, what) {
  const button = h('button.copy', {type: 'button', 'aria-label': `Copy ${what}`, onclick: async () => {
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      // Without a secure context there is no clipboard but this.
      const area = h('textarea', {style: {position: 'fixed', opacity: '0'}});
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand('copy');
      area.remove();
      button.focus();
    }
    button.textContent = done ? 'Copied' : 'Select the text and copy it';
    say(button.textContent);
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  }}, 'Copy');
  return button;
}

/**
 * A list of which only the visible rows are elements.
 * `height` is that of all rows; `render(index)` gives an element, whose place is set here.
 */
class VirtualList {
  constructor(box, height, render) {
    this.box = box;
    this.height = height;
    this.render = render;
    this.length = 0;
    this.tall = h('div.tall', {role: 'presentation'});
    this.shown = new Map();
    box.append(this.tall);
    box.addEventListener('scroll', () => this.update(), {passive: true});
    new ResizeObserver(() => this.update()).observe(box);
  }

  reset(length) {
    this.length = length;
    // Chromium and Firefox lay out no element that is taller than some 17 million pixels.
    this.tall.style.height = Math.min(length * this.height, 16e6) + 'px';
    this.redraw();
  }

  redraw() {
    for (const element of this.shown.values()) element.remove();
    this.shown.clear();
    this.update();
  }

  update() {
    const view = this.box.clientHeight || 600;
    const total = this.length * this.height;
    const scale = total > 16e6 ? (total - view) / (16e6 - view) : 1;
    const top = this.box.scrollTop * scale;
    const first = Math.max(0, Math.floor(top / this.height) - 4);
    const last = Math.min(this.length, Math.ceil((top + view) / this.height) + 4);
    for (const [index, element] of this.shown) {
      if (index < first || index >= last || scale !== 1) { element.remove(); this.shown.delete(index); }
    }
    for (let index = first; index < last; index += 1) {
      if (this.shown.has(index)) continue;
      const element = this.render(index);
      element.style.top = index * this.height - top + this.box.scrollTop + 'px';
      this.tall.append(element);
      this.shown.set(index, element);
    }
  }

  reveal(index) {
    const total = this.length * this.height;
    const view = this.box.clientHeight;
    const scale = total > 16e6 ? (total - view) / (16e6 - view) : 1;
    const top = this.box.scrollTop * scale;
    const at = index * this.height;
    if (at < top) this.box.scrollTop = at / scale;
    else if (at + this.height > top + view) this.box.scrollTop = (at + this.height - view) / scale;
    this.update();
  }
}
