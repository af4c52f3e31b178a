// The graph: what waits for what, from left to right.

const drawing = {isBuilt: false, choice: '', all: false, x: 0, y: 0, scale: 1};
const BOX = {height: 42, gapX: 64, gapY: 14, char: 7.6};
const MOST = 1500;
/** The smallest scale at which the names of steps can be read. */
const READABLE = 0.65;

function buildGraph() {
  drawing.isBuilt = true;
  const few = run.steps.length <= 400;
  const options = [];
  if (run.steps.length <= MOST) options.push(['', 'All steps']);
  if (run.files.length > 1) run.files.forEach((file, index) => options.push(['f' + index, file]));
  options.push(['near', 'Around the selected step']);
  if (run.isTimed) options.push(['critical', 'Critical path']);
  drawing.choice = few ? '' : current ? 'near' : run.steps.length <= MOST ? '' : options[0][0];
  const select = h('select', {id: 'part', 'aria-label': 'Part of the graph', onchange: () => { drawing.choice = select.value; drawGraph(); }}, options.map(([value, text]) => h('option', {value}, text)));
  select.value = drawing.choice;
  const canvas = h('div.canvas', {id: 'canvas'});
  $('graph').append(
    h('div.tools', null,
      h('button.btn', {type: 'button', 'aria-label': 'Zoom in', onclick: () => zoomGraph(1.3)}, '+'), h('button.btn', {type: 'button', 'aria-label': 'Zoom out', onclick: () => zoomGraph(1 / 1.3)}, '−'),
      h('button.btn', {type: 'button', onclick: () => fitGraph()}, 'Fit'), h('label', null, 'Show ', select),
      h('label', null, h('input', {type: 'checkbox', id: 'all-edges', onchange: (event) => { drawing.all = event.target.checked; drawGraph(); }}), 'All edges'),
      h('span.dim', {id: 'graph-note'})),
    canvas);
  moving(canvas);
  new ResizeObserver(() => { if (!drawing.touched) fitGraph(READABLE); }).observe(canvas);
  drawGraph();
}

function chosenSteps() {
  const {choice} = drawing;
  if (choice === 'critical') return criticalPath().map((row) => row.step);
  if (choice === 'near') {
    const middle = current?.step ?? run.steps[0];
    const found = new Set([middle]);
    for (const side of ['deps', 'users']) {
      let edge = [middle];
      for (let depth = 0; depth < 3; depth += 1) {
        edge = edge.flatMap((step) => step[side].map((index) => run.steps[index])).filter((step) => !found.has(step)).slice(0, 150);
        edge.forEach((step) => found.add(step));
      }
    }
    return [...found];
  }
  const steps = choice === '' ? run.steps : run.steps.filter((step) => step.file === Number(choice.slice(1)));
  return steps.slice(0, MOST);
}

/** Edges `[from, to]` among steps; without `all` those are left out that follow from others. */
function edgesAmong(steps, all) {
  const place = new Map(steps.map((step, index) => [step, index]));
  const words = Math.ceil(steps.length / 32);
  const above = new Map();
  const edges = [];
  for (const step of order()) {
    if (!place.has(step)) continue;
    const bits = new Uint32Array(words);
    const deps = step.deps.map((index) => run.steps[index]).filter((dep) => place.has(dep));
    for (const dep of deps) { const other = above.get(dep); if (other) for (let word = 0; word < words; word += 1) bits[word] |= other[word]; }
    for (const dep of deps) { const at = place.get(dep); if (all || !(bits[at >> 5] & (1 << (at & 31)))) edges.push([dep, step]); }
    for (const dep of deps) { const at = place.get(dep); bits[at >> 5] |= 1 << (at & 31); }
    above.set(step, bits);
  }
  return edges;
}

const short = (text, most = 26) => { const letters = [...text]; return letters.length <= most ? text : letters.slice(0, most - 11).join('') + '…' + letters.slice(-10).join(''); };

/** The width that the two lines of a step's box need. */
const boxWidth = (step) => Math.max(116, short(step.id).length * BOX.char + 46, short(secondLine(step), 30).length * 6.4 + 46);

/** What is below a step's id: its request in a plan, else its time and its items. */
function secondLine(step) {
  const took = span(step);
  if (run.isPlan && !took) return step.action;
  const row = step.rows[0];
  return `${took > 0 ? time(took) : row ? outcomeWord(row) : ''}${step.rows.length > 1 ? ` · ${step.rows.length.toLocaleString('en')} items` : ''}`;
}

/** Places: layers from left to right, a block for each file from top to bottom. */
function layOut(steps, edges) {
  const layer = new Map();
  for (const step of order()) layer.set(step, 0);
  const inside = new Set(steps);
  const before = new Map(steps.map((step) => [step, []])), after = new Map(steps.map((step) => [step, []]));
  for (const [from, to] of edges) { before.get(to).push(from); after.get(from).push(to); }
  for (const step of order()) if (inside.has(step)) for (const from of before.get(step)) layer.set(step, Math.max(layer.get(step), layer.get(from) + 1));
  const widths = [];
  for (const step of steps) {
    const width = boxWidth(step);
    const at = layer.get(step);
    widths[at] = Math.max(widths[at] ?? 0, width);
  }
  const lefts = [];
  let x = 0;
  for (let at = 0; at < widths.length; at += 1) { lefts[at] = x; x += (widths[at] ?? 0) + BOX.gapX; }
  const places = new Map(), groups = [];
  let top = 0;
  const files = [...new Set(steps.map((step) => step.file))].sort((a, b) => a - b);
  for (const file of files) {
    const own = steps.filter((step) => step.file === file);
    const isNamed = files.length > 1;
    const y = top + (isNamed ? 34 : 0);
    const tied = own.filter((step) => before.get(step).length || after.get(step).length);
    const bottom = placeLayers(tied, layer, before, after, lefts, widths, places, y);
    const end = placeGrid(own.filter((step) => !tied.includes(step)), Math.max(x, 900), places, tied.length ? bottom + 26 : y);
    if (isNamed) {
      const boxes = own.map((step) => places.get(step));
      const left = Math.min(...boxes.map((box) => box.x)), right = Math.max(...boxes.map((box) => box.x + box.width));
      groups.push({name: run.files[file], x: left - 14, y: top, width: Math.max(right - left, run.files[file].length * 7) + 28, height: end - top + 14});
    }
    top = end + 40;
  }
  return {places, groups};
}

function placeLayers(steps, layer, before, after, lefts, widths, places, top) {
  const layers = [];
  for (const step of steps) (layers[layer.get(step)] ??= []).push(step);
  const rank = new Map(steps.map((step) => [step, step.index]));
  const middle = (list) => { const known = list.filter((step) => rank.has(step)); return known.length ? known.reduce((sum, step) => sum + rank.get(step), 0) / known.length : undefined; };
  layers.forEach((list) => list.forEach((step, index) => rank.set(step, index)));
  for (let sweep = 0; sweep < 6; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const list of down ? layers : [...layers].reverse()) {
      if (!list) continue;
      const wish = new Map(list.map((step, index) => [step, middle((down ? before : after).get(step)) ?? index]));
      list.sort((a, b) => wish.get(a) - wish.get(b) || a.index - b.index);
      list.forEach((step, index) => rank.set(step, index));
    }
  }
  let bottom = top;
  for (const list of layers) {
    let next = top;
    for (const step of list ?? []) {
      const known = before.get(step).map((other) => places.get(other)?.y).filter((y) => y !== undefined && y >= top);
      const wish = known.length ? known.reduce((sum, y) => sum + y, 0) / known.length : next;
      const y = Math.max(next, wish);
      places.set(step, {x: lefts[layer.get(step)], y, width: widths[layer.get(step)]});
      next = y + BOX.height + BOX.gapY;
      bottom = Math.max(bottom, y + BOX.height);
    }
  }
  return bottom;
}

/** Steps that nothing is tied to, side by side. */
function placeGrid(steps, width, places, top) {
  if (!steps.length) return top - 26 > 0 && !steps.length ? Math.max(top - 26, 0) : top;
  const widest = Math.max(...steps.map(boxWidth));
  const columns = Math.max(1, Math.min(Math.floor(width / (widest + 18)), Math.ceil(Math.sqrt(steps.length * 2))));
  steps.forEach((step, index) => places.set(step, {x: index % columns * (widest + 18), y: top + Math.floor(index / columns) * (BOX.height + BOX.gapY), width: widest}));
  return top + Math.ceil(steps.length / columns) * (BOX.height + BOX.gapY) - BOX.gapY;
}

function drawGraph() {
  const steps = chosenSteps();
  const edges = edgesAmong(steps, drawing.all);
  const {places, groups} = layOut(steps, edges);
  const critical = new Set(run.isTimed ? criticalPath().map((row) => row.step) : []);
  const longest = steps.reduce((most, step) => Math.max(most, span(step)), 0) || 1;
  const scene = svg('g', {id: 'scene'});
  for (const group of groups) scene.append(svg('g', {class: 'group'}, svg('rect', {x: group.x, y: group.y, width: group.width, height: group.height, rx: 10}), svg('text', {x: group.x + 12, y: group.y + 20}, group.name)));
  for (const [from, to] of edges) {
    const a = places.get(from), b = places.get(to);
    const [x1, y1, x2, y2] = [a.x + a.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
    const bend = Math.max(28, (x2 - x1) / 2);
    scene.append(svg('path', {class: 'link' + (critical.has(from) && critical.has(to) ? ' critical' : ''), d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2 - 5},${y2} m-5,-4 l6,4 l-6,4`, 'data-from': from.index, 'data-to': to.index}));
  }
  for (const step of steps) scene.append(graphNode(step, places.get(step), critical.has(step), longest));
  const picture = svg('svg', {role: 'group', 'aria-label': `Graph of ${count(steps.length, 'step')}`}, scene);
  $('canvas').replaceChildren(picture, legend(steps));
  drawing.box = {width: Math.max(...[...places.values()].map((place) => place.x + place.width), 100), height: Math.max(...[...places.values()].map((place) => place.y + BOX.height), 60)};
  const left = edgesAmong(steps, true).length - edges.length;
  $('graph-note').textContent = `${count(steps.length, 'step')}, ${count(edges.length, 'edge')}${left > 0 ? ` (${left} that follow from them are left out)` : ''}${steps.length < run.steps.length ? ` of ${count(run.steps.length, 'step')}` : ''}`;
  drawing.touched = false;
  fitGraph(READABLE);
}

function graphNode(step, place, isCritical, longest) {
  const row = step.rows.find(isProblem) ?? step.rows.find((other) => other.outcome !== 0) ?? step.rows[0];
  const kind = row ? outcomeClass(row) : 'o-planned';
  const took = span(step);
  const near = (isNear) => {
    for (const path of $('scene').querySelectorAll(`[data-from="${step.index}"],[data-to="${step.index}"]`)) path.classList.toggle('near', isNear);
  };
  return svg('a', {class: `node ${kind}` + (isCritical ? ' critical' : ''), href: row ? link(row) : '#', transform: `translate(${place.x},${place.y})`,
    'aria-label': `${step.id}, ${row ? outcomeWord(row) : 'no result'}${took ? ', ' + time(took) : ''}${isCritical ? ', on the critical path' : ''}`,
    onmouseenter: () => near(true), onmouseleave: () => near(false), onfocus: () => near(true), onblur: () => near(false)},
  svg('title', null, `${step.id}\n${step.action}${row?.message ? '\n' + row.message : ''}`),
  svg('rect', {class: 'box', width: place.width, height: BOX.height, rx: 7}), svg('rect', {class: 'edge-of', width: 4, height: BOX.height - 10, x: 5, y: 5, rx: 2}),
  svg('text', {class: 'sig', x: 16, y: 18}, row ? signOf(row) : '·'), svg('text', {x: 32, y: 18}, short(step.id)),
  svg('text', {class: 'sub', x: 32, y: 33}, short(secondLine(step), 30)),
  took > 0 && svg('rect', {class: 'edge-of', x: 10, y: BOX.height - 4, height: 2.5, width: Math.max(2, (place.width - 20) * took / longest), rx: 1}));
}

function legend(steps) {
  const kinds = new Map();
  for (const step of steps) for (const row of step.rows) kinds.set(outcomeWord(row), row);
  return h('div.legend.key', {'aria-hidden': 'true'}, [...kinds].map(([word, row]) => h('i.' + outcomeClass(row), {style: {'font-style': 'normal'}}, `${signOf(row)} ${word}`)),
    run.isTimed && h('i.on-critical', {style: {'font-style': 'normal'}}, '▭ critical path'), steps.some((step) => span(step) > 0) && h('i', {style: {'font-style': 'normal'}}, '▬ duration'));
}

/** Fits the drawing into its place, but at the beginning no smaller than it can be read. */
function fitGraph(least = 0.25) {
  const canvas = $('canvas');
  if (!drawing.box || !canvas.clientWidth) return;
  const {width, height} = drawing.box;
  drawing.scale = clamp(Math.min((canvas.clientWidth - 60) / width, (canvas.clientHeight - 100) / height), least, 1.25);
  drawing.x = Math.max(30, (canvas.clientWidth - width * drawing.scale) / 2);
  drawing.y = Math.max(26, (canvas.clientHeight - 60 - height * drawing.scale) / 2);
  placeScene();
}

function zoomGraph(factor, x = $('canvas').clientWidth / 2, y = $('canvas').clientHeight / 2) {
  const scale = clamp(drawing.scale * factor, 0.05, 4);
  drawing.x = x - (x - drawing.x) * scale / drawing.scale;
  drawing.y = y - (y - drawing.y) * scale / drawing.scale;
  drawing.scale = scale;
  drawing.touched = true;
  placeScene();
}

const placeScene = () => $('scene')?.setAttribute('transform', `translate(${drawing.x},${drawing.y}) scale(${drawing.scale})`);

function moving(canvas) {
  let last, moved = 0;
  canvas.addEventListener('pointerdown', (event) => { last = [event.clientX, event.clientY]; moved = 0; });
  canvas.addEventListener('pointermove', (event) => {
    if (!last) return;
    const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 4) canvas.classList.add('drag');
    drawing.x += dx; drawing.y += dy; last = [event.clientX, event.clientY];
    drawing.touched = true;
    placeScene();
  });
  const stop = () => { last = undefined; canvas.classList.remove('drag'); };
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
  canvas.addEventListener('click', (event) => { if (moved > 4) { event.preventDefault(); event.stopPropagation(); } }, true);
  canvas.addEventListener('dragstart', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoomGraph(event.deltaY > 0 ? 0.87 : 1.15, event.clientX - box.left, event.clientY - box.top);
  }, {passive: false});
  // A node that gets the focus by the keyboard comes into view.
  canvas.addEventListener('focusin', (event) => {
    const box = event.target.getBoundingClientRect(), place = canvas.getBoundingClientRect();
    canvas.scrollTo(0, 0);
    if (box.left >= place.left && box.right <= place.right && box.top >= place.top && box.bottom <= place.bottom) return;
    drawing.x += place.left + place.width / 2 - (box.left + box.right) / 2;
    drawing.y += place.top + place.height / 2 - (box.top + box.bottom) / 2;
    drawing.touched = true;
    placeScene();
  });
}
