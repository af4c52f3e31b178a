// Bodies: pretty-printed, with the places marked that expectations are about.

/** The names and indexes that a JSONPath begins with; undefined for text that is no such path. */
function pathSegments(path) {
  const segments = [];
  let rest = path.trim();
  if (rest[0] !== '$') return undefined;
  rest = rest.slice(1);
  while (rest) {
    const match = /^(?:\.([\p{L}_$][\p{L}\p{N}_$-]*)|\[\s*(-?\d+)\s*\]|\[\s*'((?:[^'\\]|\\.)*)'\s*\]|\[\s*"((?:[^"\\]|\\.)*)"\s*\])/u.exec(rest);
    if (!match) return segments.length ? segments : undefined;
    segments.push(match[2] !== undefined ? Number(match[2]) : match[1] ?? (match[3] ?? match[4]).replace(/\\(.)/g, '$1'));
    rest = rest.slice(match[0].length);
  }
  return segments;
}

/** The address of the node that a path selects, or of the last one on the way that is there. */
function nodeAt(value, segments) {
  const way = [];
  for (const segment of segments) {
    const key = Array.isArray(value) && segment < 0 ? value.length + segment : segment;
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return {way, isThere: false};
    value = value[key];
    way.push(String(key));
  }
  return {way, isThere: true};
}

/** Subject and message of a failure as one sentence; the console has the same rule. */
function sentence({subject, message}) {
  if (!subject || /^-?\d+$/.test(subject)) return message;
  const isContinued = /^(?:is|are|was|were|has|have|does|did|can't|cannot|contains|differs|exists|lacks|needs?|selects|sends|to)(?=[ ,]|$)/.test(message);
  if (isContinued) return subject + ' ' + message;
  return message.includes('`' + subject + '`') ? message : subject + ': ' + message;
}

/** The failures about nodes of a JSON body, by the address of the node. */
function marksIn(value, failures) {
  const marks = new Map();
  for (const failure of failures) {
    const path = /^(?:json|plist)\s+(\$.*)$/.exec(failure.subject) ?? /(?:^|\s)(\$[.[].*?)(?:\s|$)/.exec(failure.subject);
    const begun = path && pathSegments(path[1]);
    if (!begun) continue;
    const {way, isThere} = nodeAt(value, begun);
    const key = JSON.stringify(way);
    const text = sentence(failure);
    marks.set(key, [...(marks.get(key) ?? []), isThere ? text : `${text} (not here)`]);
  }
  return marks;
}

/** JSON text as tokens with line breaks, by its own digits and in its own order: numbers are not parsed. */
function jsonLines(text, marks) {
  const lines = [];
  let line = [], depth = 0, at = 0;
  const way = [];
  const stack = [];
  let key;
  const token = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null)|([{}[\],:]))/y;
  const put = (kind, word) => line.push([kind, word]);
  const feed = () => { lines.push({depth, parts: line, hits: undefined}); line = []; };
  const mark = () => {
    const hits = marks.get(JSON.stringify(way));
    if (hits) line.hits = [...(line.hits ?? []), ...hits];
  };
  const feedMarked = () => { const hits = line.hits; feed(); lines[lines.length - 1].hits = hits; };
  const enter = () => {
    const top = stack[stack.length - 1];
    if (!top) return mark();
    if (top.isList) way.push(String(top.index)); else if (key !== undefined) way.push(key);
    mark();
  };
  const leave = () => { if (stack.length) way.pop(); key = undefined; };
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) break;
    at = token.lastIndex;
    const [, string, number, literal, sign] = match;
    const top = stack[stack.length - 1];
    if (string !== undefined && top && !top.isList && key === undefined && !top.value) {
      try { key = JSON.parse(string); } catch { key = string; }
      put('k', string);
    } else if (string !== undefined || number !== undefined || literal !== undefined) {
      enter();
      put(string !== undefined ? 's' : number !== undefined ? 'd' : 'l', string ?? number ?? literal);
      leave();
      if (top) top.value = true;
    } else if (sign === '{' || sign === '[') {
      enter();
      const close = sign === '{' ? '}' : ']';
      put('', sign);
      const empty = /\s*[}\]]/y;
      empty.lastIndex = at;
      stack.push({isList: sign === '[', index: 0, close, saved: key, isEmpty: empty.test(text)});
      key = undefined;
      if (!stack[stack.length - 1].isEmpty) { feedMarked(); depth += 1; }
    } else if (sign === '}' || sign === ']') {
      const ended = stack.pop();
      if (!ended || ended.close !== sign) return undefined;
      if (!ended.isEmpty) { feedMarked(); depth -= 1; }
      put('', sign);
      leave();
      const outer = stack[stack.length - 1];
      if (outer) outer.value = true;
    } else if (sign === ',') {
      put('', ',');
      feedMarked();
      if (top) { top.index += 1; top.value = false; key = undefined; }
    } else if (sign === ':') {
      put('', ': ');
    }
  }
  if (line.length) feedMarked();
  return /\S/.test(text.slice(at)) ? undefined : lines;
}

const LINES_AT_FIRST = 400;

/** Numbered lines, of which a long text shows only the first until it is asked for more. */
function lined(lines, kind, isWrapped) {
  const box = h('pre.code' + (isWrapped ? '.wrap' : ''), {tabindex: '0', role: 'group', 'aria-label': kind});
  const show = (from, to) => {
    for (let index = from; index < Math.min(to, lines.length); index += 1) {
      const {depth = 0, parts, hits} = lines[index];
      box.append(h('span' + (hits ? '.hit' : ''), null, h('span.n', {'aria-hidden': 'true'}, String(index + 1)), '  '.repeat(depth),
        parts.map(([kind, word]) => kind ? h('span.' + kind, null, word) : word), '\n', hits && h('em.says', null, '✗ ' + hits.join('; '))));
    }
  };
  const firstHit = lines.findIndex((line) => line.hits);
  const shown = Math.max(LINES_AT_FIRST, firstHit + 40);
  show(0, shown);
  if (lines.length <= shown) return box;
  const more = h('button.btn', {type: 'button', onclick: () => { more.remove(); show(shown, lines.length); }},
    `Show ${count(lines.length - shown, 'more line')}`);
  return h('div', null, box, more);
}

const textLines = (text) => text.split(/\r\n|\n|\r/).map((line) => ({parts: [['', line]]}));

/** XML with a line for each element. */
function xmlLines(text) {
  const parsed = new DOMParser().parseFromString(text, 'application/xml');
  if (parsed.querySelector('parsererror')) return undefined;
  const lines = [];
  let depth = 0;
  for (const piece of text.match(/<!\[CDATA\[[\s\S]*?\]\]>|<!-{2}[\s\S]*?-->|<[^>]*>|[^<]+/g) ?? []) {
    const words = piece.trim();
    if (!words) continue;
    if (words.startsWith('</')) depth = Math.max(0, depth - 1);
    const last = lines[lines.length - 1];
    // <name>text</name> stays on one line.
    const isText = !words.startsWith('<');
    if (isText && last?.isOpen) { last.parts.push(['s', words]); last.hasText = true; }
    else if (words.startsWith('</') && last && (last.hasText || last.isOpen) && last.depth === depth) { last.parts.push(['k', words]); last.isOpen = last.hasText = false; }
    else lines.push({depth, parts: [[isText ? 's' : 'k', words]], isOpen: /^<[^/!?][^]*[^/]>$|^<[^/!?]>$/.test(words)});
    if (/^<[^/!?]/.test(words) && !words.endsWith('/>')) depth += 1;
  }
  return lines;
}

function hexLines(binary) {
  const lines = [];
  for (let at = 0; at < Math.min(binary.length, 512); at += 16) {
    const bytes = [...binary.slice(at, at + 16)].map((character) => character.charCodeAt(0));
    lines.push({parts: [['d', bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(49)],
      ['', bytes.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.').join('')]]});
  }
  return lines;
}

/** A body as `report.schema.json` describes it. */
function showBody(body, title, failures) {
  const type = (body.type ?? '').split(';')[0].trim().toLowerCase();
  const facts = h('span.dim', null, [size(body.size), body.type].filter(Boolean).join(' · '));
  const box = h('div', null, h('h4', null, title + ' ', facts));
  if (body.file) box.append(h('p.dim', null, `The body is in the file ${body.file}.`));
  if (body.text === undefined && body.base64 === undefined) {
    if (!body.file && body.size > 0) box.append(h('p.note', null, body.cut ? 'The body was left out to keep this page small.' : 'The report of this run has no bytes of this body.'));
    return box;
  }
  if (body.truncated) {
    const kept = body.text !== undefined ? new TextEncoder().encode(body.text).length : Math.floor(body.base64.length * 3 / 4);
    box.append(h('p.note', null, `Cut: the first ${size(kept)} of ${size(body.size)}.`));
  }
  if (body.brokenOff) box.append(h('p.note', null, `Broken off: the transfer failed after ${size(body.size)}.`));
  if (body.base64 !== undefined) {
    if (/^image\/(png|jpeg|gif|webp|avif|bmp|x-icon)$/.test(type) && !body.truncated) {
      box.append(h('img.shown', {src: `data:${type};base64,${body.base64}`, alt: `${title}, an image of ${size(body.size)}`}));
    } else box.append(h('p.dim', null, `Binary, of which these are the first bytes:`), lined(hexLines(atob(body.base64.slice(0, 700 & ~3))), `${title} in hexadecimal`));
    return box;
  }
  const text = body.text;
  if (type === 'image/svg+xml' && !body.truncated) box.append(h('img.shown', {src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text), alt: `${title}, a drawing`}));
  let pretty;
  if (/[/+]json$|^text\/json/.test(type) || /^\s*[[{]/.test(text)) {
    let value;
    try { value = JSON.parse(text); } catch { /* What is cut is shown as far as it goes. */ }
    pretty = jsonLines(text, value === undefined ? new Map() : marksIn(value, failures));
    if (value === undefined && !body.truncated) pretty = undefined;
  } else if (/[/+](xml|html)$/.test(type) && !body.truncated) pretty = type.endsWith('html') ? undefined : xmlLines(text);
  else if (type === 'application/x-www-form-urlencoded') {
    box.append(table([...new URLSearchParams(text)]));
    return box;
  }
  // Of a form that was sent, the report has a list of the parts; one that came in is as it was sent.
  if (type.startsWith('multipart/') && title === 'Request body' && !text.startsWith('--')) box.append(h('p.dim', null, 'Its parts:'));
  const raw = () => lined(textLines(text), title, true);
  if (!pretty) { box.append(raw()); return box; }
  const place = h('div', null, lined(pretty, title));
  const buttons = ['Pretty', 'Raw'].map((name, index) => h('button', {type: 'button', 'aria-pressed': String(!index), onclick: () => {
    buttons.forEach((button, other) => button.setAttribute('aria-pressed', String(other === index)));
    place.replaceChildren(index ? raw() : lined(pretty, title));
  }}, name));
  box.firstChild.append(' ', h('span.seg', {role: 'group', 'aria-label': 'How the body is shown'}, buttons));
  box.append(place);
  return box;
}

const table = (pairs) => h('table.fields', null, h('tbody', null, pairs.map(([name, value]) => h('tr', null, h('th', {scope: 'row'}, name), h('td', null, value)))));
