// The timeline: a row for each result, a bar for each request, divided into phases.

const lane = {items: [], from: 0, to: 1, at: -1, isBuilt: false, file: '', order: 'plan', criticalOnly: false};
const ROW = 24;

function buildTimeline() {
  lane.isBuilt = true;
  lane.to = run.end;
  lane.critical = new Set(criticalPath());
  const view = $('timeline');
  if (!run.rows.some((row) => row.duration > 0)) { view.append(h('p.message', null, 'Nothing was sent in this run.')); return; }
  const sentences = advice();
  const box = h('div.rows', {id: 'lanes', role: 'listbox', tabindex: '0', 'aria-label': 'Timeline of steps', onkeydown: laneKeys});
  const canvas = h('canvas', {role: 'img', 'aria-label': 'How many steps ran at once. Drag to zoom into a part of the run.'});
  view.append(
    sentences.length > 0 && h('section.advice', {'aria-label': 'What would make this run faster?', tabindex: '0'}, h('h2', null, 'What would make this run faster?'),
      h('ul', null, sentences.map((parts) => h('li', null, parts.map((part) => typeof part === 'string' ? part : h('a', {href: link(part)}, part.title)))))) || '',
    h('div.tools', null,
      h('button.btn', {type: 'button', 'aria-label': 'Zoom in', onclick: () => zoom(0.5)}, '+'), h('button.btn', {type: 'button', 'aria-label': 'Zoom out', onclick: () => zoom(2)}, '−'),
      h('button.btn', {type: 'button', onclick: () => { lane.from = 0; lane.to = run.end; drawLanes(); }}, 'Whole run'),
      h('label', null, h('input', {type: 'checkbox', onchange: (event) => { lane.criticalOnly = event.target.checked; fillLanes(); }}), 'Critical path only'),
      h('label', null, 'Order ', h('select', {onchange: (event) => { lane.order = event.target.value; fillLanes(); }}, h('option', {value: 'plan'}, 'of the plan'), h('option', {value: 'start'}, 'by start'), h('option', {value: 'slow'}, 'slowest first'))),
      h('span.key', null, [['deps', 'waiting for dependencies'], ['slot', 'for a slot'], ['listen', 'listening'], ...PHASES.map(([name, words]) => [name, words]), ['pause', 'pause'], ...(run.steps.some((step) => step.talks) ? [['talk', 'messages']] : []), ['judge', 'preparing and checking'], ...(run.rows.some((row) => row.earlier) ? [['before', 'earlier run']] : [])].map(([name, words]) => h('span.p-' + name, null, words)))),
    h('div.overview', {id: 'overview'}, canvas, h('div.brush', {id: 'brush'})),
    h('div.ticks', {id: 'ticks', 'aria-hidden': 'true'}), box);
  lane.canvas = canvas;
  lane.list = new VirtualList(box, ROW, laneRow);
  box.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.clientX));
  }, {passive: false});
  box.addEventListener('mousemove', laneTip);
  box.addEventListener('mouseleave', hideTip);
  brushing($('overview'));
  new ResizeObserver(() => drawLanes()).observe($('overview'));
  fillLanes();
}

function fillLanes() {
  const orders = {plan: ORDERS.plan[1], start: ORDERS.start[1], slow: ORDERS.slow[1]};
  const rows = (lane.criticalOnly ? [...lane.critical] : run.rows.filter((row) => row.duration > 0)).sort(orders[lane.order]);
  lane.items = [];
  let file = -1;
  for (const row of rows) {
    if (lane.order === 'plan' && run.files.length > 1 && row.step.file !== file) { file = row.step.file; lane.items.push({head: fileTitle(file)}); }
    lane.items.push({row});
  }
  lane.at = -1;
  lane.list.reset(lane.items.length);
  drawLanes();
}

function gutter() { return parseFloat(getComputedStyle($('overview')).marginLeft) || 0; }

function timeAt(x) {
  const box = $('overview').getBoundingClientRect();
  return lane.from + (lane.to - lane.from) * clamp((x - box.left) / box.width, 0, 1);
}

function zoom(factor, around = (lane.from + lane.to) / 2) {
  const width = clamp((lane.to - lane.from) * factor, Math.min(50, run.end), run.end);
  const share = (around - lane.from) / (lane.to - lane.from);
  lane.from = clamp(around - width * share, 0, run.end - width);
  lane.to = lane.from + width;
  drawLanes();
}

function drawLanes() {
  const whole = run.end;
  $('brush').style.left = `${100 * lane.from / whole}%`;
  $('brush').style.width = `${100 * (lane.to - lane.from) / whole}%`;
  $('brush').hidden = lane.from === 0 && lane.to >= whole;
  drawTicks();
  drawOverview();
  lane.list.redraw();
}

function drawTicks() {
  const width = $('ticks').clientWidth || 600;
  const span = lane.to - lane.from;
  // Two labels have room between two ticks, since the last label may be to the left of its tick.
  const least = span / Math.max(2, width / 120);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least);
  const ticks = [];
  for (let at = Math.ceil(lane.from / step) * step; at <= lane.to; at += step) {
    const place = (at - lane.from) / span;
    // A label that does not fit to the right of its tick is to its left.
    ticks.push(h('span' + (width * (1 - place) < 60 ? '.leftward' : ''), {style: {left: `${100 * place}%`}}, at === 0 ? '0' : tick(at, step)));
  }
  $('ticks').replaceChildren(...ticks);
}

function tick(us, step) {
  if (step >= 1e6) return us < 6e7 ? us / 1e6 + ' s' : time(us);
  if (step >= 1e3) return us >= 1e6 ? (us / 1e6).toFixed(step >= 1e5 ? 1 : step >= 1e4 ? 2 : 3) + ' s' : us / 1e3 + ' ms';
  return (us / 1e3).toFixed(3) + ' ms';
}

/** How many steps ran at once, over the whole run. */
function drawOverview() {
  const {canvas} = lane;
  const width = Math.round(canvas.clientWidth * devicePixelRatio), height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (!width || !height) return;
  canvas.width = width; canvas.height = height;
  const changes = new Float64Array(width + 2), problems = new Uint8Array(width + 1);
  for (const row of run.rows) {
    if (!(row.duration > 0)) continue;
    for (const [start, took, isWrong] of [...row.before.map(([start, took]) => [start, took, true]), [row.start, row.duration, isProblem(row)]]) {
      const from = start / run.end * width, to = Math.max(from + 0.5, (start + took) / run.end * width);
      changes[Math.floor(from)] += 1;
      changes[Math.min(width, Math.ceil(to))] -= 1;
      if (isWrong) problems[Math.min(width - 1, Math.floor(to))] = 1;
    }
  }
  const colour = (name) => { canvas.style.color = `var(--${name})`; return getComputedStyle(canvas).color; };
  const context = canvas.getContext('2d');
  let running = 0, most = 1;
  const heights = new Float64Array(width);
  for (let x = 0; x < width; x += 1) { running += changes[x]; heights[x] = running; most = Math.max(most, running); }
  context.fillStyle = colour('accent');
  context.globalAlpha = 0.45;
  for (let x = 0; x < width; x += 1) { const tall = heights[x] / most * (height - 4); context.fillRect(x, height - tall, 1, tall); }
  context.globalAlpha = 1;
  context.fillStyle = colour('failed');
  for (let x = 0; x < width; x += 1) if (problems[x]) context.fillRect(x, 0, Math.max(1, devicePixelRatio), height);
}

function brushing(box) {
  let begin;
  const at = (event) => { const place = box.getBoundingClientRect(); return clamp((event.clientX - place.left) / place.width, 0, 1) * run.end; };
  box.addEventListener('pointerdown', (event) => { begin = at(event); box.setPointerCapture(event.pointerId); });
  box.addEventListener('pointermove', (event) => {
    if (begin === undefined) return;
    const end = at(event);
    if (Math.abs(end - begin) < run.end / 400) return;
    lane.from = Math.min(begin, end); lane.to = Math.max(begin, end);
    drawLanes();
  });
  box.addEventListener('pointerup', () => { begin = undefined; });
  box.addEventListener('dblclick', () => { lane.from = 0; lane.to = run.end; drawLanes(); });
}

/** The bars of a row as `[phase, from, to]`. */
function barsOf(row) {
  const bars = [];
  if (waitedForSteps(row)) bars.push(['deps', 0, row.ready]);
  if (row.delay > 0) bars.push(['pause', row.ready, Math.min(row.start, row.ready + row.delay)]);
  if (slotWait(row) > 0) bars.push(['slot', row.ready + row.delay, row.start]);
  if (row.step.listens) return [...bars, ['listen', row.start, row.end]];
  let end = row.start;
  for (const [, ...hops] of row.bars) {
    for (const hop of hops) {
      const begin = hop[0] >= 0 ? hop[0] : end;
      if (begin > end) bars.push([end > row.start ? 'pause' : 'queue', end, begin]);
      let at = begin;
      PHASES.forEach(([name], index) => { if (hop[index + 1] > 0) bars.push([name, at, at += hop[index + 1]]); });
      end = Math.max(end, at);
    }
  }
  if (!row.bars.length) bars.push(['run', row.start, row.end]);
  else if (row.end > end) bars.push([row.step.talks ? 'talk' : 'judge', end, row.end]);
  return bars;
}

function laneRow(index) {
  const item = lane.items[index];
  if (item.head) return h('div.tl.head', {role: 'presentation'}, h('span.who', null, item.head));
  const {row} = item;
  const span = lane.to - lane.from;
  const place = (at) => 100 * (at - lane.from) / span;
  const pixel = span / Math.max(200, ($('overview').clientWidth || 800));
  const track = h('span.track', {'aria-hidden': 'true'});
  let covered = -Infinity, made = 0;
  for (const [phase, from, to] of barsOf(row)) {
    if (to < lane.from || from > lane.to) continue;
    // Bars narrower than a pixel are drawn once.
    if (to - covered < pixel / 2 || made > 600) continue;
    covered = to; made += 1;
    track.append(h('i.p-' + phase, {style: {left: `${Math.max(-1, place(from))}%`, width: `${Math.min(102, place(to)) - Math.max(-1, place(from))}%`}}));
  }
  for (const [start, took, outcome] of row.before) {
    if (start + took < lane.from || start > lane.to) continue;
    const [left, right] = [Math.max(-1, place(start)), Math.min(102, place(start + took))];
    track.append(h('i.p-before', {style: {left: `${left}%`, width: `${right - left}%`}}), h('i.end.o-' + OUTCOMES[outcome], {style: {left: `${place(start + took)}%`}}));
  }
  if (isProblem(row)) track.append(h('i.end.' + outcomeClass(row), {style: {left: `${place(row.end)}%`}}));
  const isCritical = lane.critical.has(row);
  return h('div.tl' + (isCritical ? '.critical' : '') + (index === lane.at ? '.current' : ''), {
    role: 'option', id: 'l' + index, 'aria-selected': String(index === lane.at), 'data-at': index, onclick: () => go(row), style: {'--from': `${place(row.start)}%`, '--span': `${100 * row.duration / span}%`},
    'aria-label': `${row.title}, ${outcomeWord(row)}${isCritical ? ', on the critical path' : ''}, from ${time(row.start)}, ${time(row.duration)}${row.earlier ? ', after ' + count(row.earlier, 'earlier run') : ''}${row.delay > 0 ? ', paused ' + time(row.delay) : ''}${slotWait(row) > 0 ? ', waited ' + time(slotWait(row)) + ' for a slot' : ''}`,
  }, h('span.who', {title: row.title}, sign(row), titleOf(row)), track);
}

function laneKeys(event) {
  const keys = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9};
  if (event.key === '+' || event.key === '=') return zoom(0.5);
  if (event.key === '-') return zoom(2);
  if (event.key === '0') { lane.from = 0; lane.to = run.end; return drawLanes(); }
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const width = lane.to - lane.from;
    lane.from = clamp(lane.from + width * (event.key === 'ArrowLeft' ? -0.2 : 0.2), 0, run.end - width);
    lane.to = lane.from + width;
    event.preventDefault();
    return drawLanes();
  }
  if (event.key === 'Enter' && lane.items[lane.at]?.row) return go(lane.items[lane.at].row);
  if (!keys[event.key]) return;
  event.preventDefault();
  let at = clamp(lane.at + keys[event.key], 0, lane.items.length - 1);
  if (lane.items[at].head) at = clamp(at + Math.sign(keys[event.key]), 0, lane.items.length - 1);
  lane.at = at;
  lane.list.reveal(at);
  lane.list.redraw();
  $('lanes').setAttribute('aria-activedescendant', 'l' + at);
}

let tip;
function hideTip() { tip?.remove(); tip = undefined; }

function laneTip(event) {
  const element = event.target.closest('.tl');
  const row = element && lane.items[Number(element.dataset.at)]?.row;
  if (!row || event.clientX < $('overview').getBoundingClientRect().left) return hideTip();
  if (tip?.row !== row) {
    hideTip();
    const sums = phaseSums([row]);
    const lines = [['start', row.start], ['took', row.duration], ['for a slot', sums.slot], ['listening', sums.listen], ...PHASES.map(([name, words]) => [words, sums[name]]), ['pauses', sums.pause]].filter(([, us], index) => index < 2 || us > 0);
    tip = h('div.tip', {'aria-hidden': 'true'}, h('b', null, `${signOf(row)} ${row.title}`), h('span.dim', null, row.message || row.action), h('table', null, lines.map(([name, us]) => h('tr', null, h('td', null, name), h('td', null, time(us))))));
    tip.row = row;
    document.body.append(tip);
  }
  tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = (event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18) + 'px';
}
