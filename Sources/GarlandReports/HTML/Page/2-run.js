// The run: what is packed into the page, and what follows from it.

/** Unpacks an element whose text is JSON, compressed by gzip, in base64. */
async function unpack(element) {
  const text = atob(element.textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

const run = {steps: [], rows: [], files: [], names: []};
const blocks = new Map();

/** One entry of the blocks `kind`, the first entries of which are in `starts`. */
async function entry(kind, starts, index) {
  let low = 0, high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= index) low = middle; else high = middle;
  }
  const id = kind + low;
  if (!blocks.has(id)) {
    if (blocks.size > 40) blocks.delete(blocks.keys().next().value);
    if (!$(id) && document.readyState === 'loading') await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
    blocks.set(id, unpack($(id)));
  }
  return (await blocks.get(id))[index - starts[low]];
}

const resultOf = (row) => row.place < 0 ? Promise.resolve(undefined) : entry('r', run.resultBlocks, row.place);
const definitionOf = (step) => entry('s', run.stepBlocks, step.index);

/** Takes in the index: a line for each step and each result. */
function takeIn(index) {
  Object.assign(run, index);
  run.steps = index.steps.map(([id, file, line, action, tags, description, isCleanup, deps, loopLimit, quarantine], number) => ({
    index: number, id, file, line, action, tags: tags || [], description: description || '', isCleanup: !!isCleanup, deps, loopLimit, quarantine: quarantine || '', listens: action.startsWith('listen '), talks: action.startsWith('websocket '), users: [], rows: [],
  }));
  for (const step of run.steps) for (const dep of step.deps) run.steps[dep]?.users.push(step.index);
  run.rows = index.results.map((r, place) => {
    const [step, iteration, iterationIndex, outcome, allowed, items, ready, start, duration, status, requests, checks, message, action, blockedBy, bars, delay, origin, before] = r;
    const row = {
      place, step: run.steps[step], iteration: iteration === 0 ? '' : iteration, iterationIndex, outcome, allowed: !!allowed, items, ready, start, duration,
      end: start + duration, status, requests, checks, message: message || '', action: action || run.steps[step].action, blockedBy, bars, delay, origin, before, earlier: before.length, flaky: outcome === 0 && before.length > 0,
    };
    row.step.rows.push(row);
    return row;
  });
  if (run.isPlan) {
    const past = index.past || {};
    run.rows = run.steps.map((step) => {
      const [outcome, duration, allowed, flaky] = past[step.index] || [7, 0];
      const row = {
        place: -1, step, iteration: '', iterationIndex: -1, outcome, allowed: !!allowed, items: 1, ready: 0, start: 0, duration, end: duration, status: 0,
        requests: 0, checks: 0, message: '', action: step.action, blockedBy: [], bars: [], delay: 0, origin: -1, before: [], earlier: 0, flaky: !!flaky,
      };
      step.rows.push(row);
      return row;
    });
  }
  delete run.results;
  for (const row of run.rows) for (const blocker of row.blockedBy) run.steps[blocker].blocks = (run.steps[blocker].blocks || []).concat(row);
  nameAll();
  // The rows of a plan have no times, or those of an earlier run. The rows of a load have the median times of all its repetitions.
  run.isTimed = !run.isPlan && !document.querySelector('table.load');
  run.end = run.rows.reduce((end, row) => Math.max(end, row.end), run.wall || 0) || 1;
}

/** Gives each row its address: the step's id, with its file where the id occurs twice, and the item of a loop. */
function nameAll() {
  const files = new Map();
  for (const step of run.steps) files.set(step.id, (files.get(step.id) || 0) + 1);
  run.byAddress = new Map();
  for (const step of run.steps) {
    const name = files.get(step.id) > 1 ? `${run.files[step.file]}#${step.id}` : step.id;
    step.name = name;
    for (const row of step.rows) {
      const isItem = row.iterationIndex >= 0;
      row.address = isItem ? `${name}[${row.iterationIndex}]` : name;
      row.title = row.step.id + (row.iteration ? ` [${row.iteration}]` : '');
      run.byAddress.set(row.address, row);
      run.byAddress.set(`${run.files[step.file]}#${step.id}` + (isItem ? `[${row.iterationIndex}]` : ''), row);
    }
    // The step alone leads to its first item that went wrong.
    if (step.rows.length && !run.byAddress.has(name)) run.byAddress.set(name, step.rows.find(isProblem) || step.rows[0]);
  }
}

/** The part of the labels of a step's items in which they differ: how much they have in common at the start, and at the end. */
function commonParts(step) {
  if (step.common) return step.common;
  const labels = step.rows.map((row) => row.iteration).filter(Boolean);
  const [first] = labels;
  let start = labels.length > 1 ? first.length : 0, end = start;
  for (const label of labels) {
    let at = 0;
    while (at < start && label[at] === first[at]) at += 1;
    start = at;
    at = 0;
    while (at < end && label[label.length - 1 - at] === first[first.length - 1 - at]) at += 1;
    end = at;
  }
  step.common = [start, end];
  return step.common;
}

/** The title of a row as elements, of which the page's style cuts the parts that all items of the loop have in common first. */
function titleOf(row) {
  const label = row.iteration;
  const [start, end] = label ? commonParts(row.step) : [0, 0];
  if (start + end < 12) return [row.title];
  const isWord = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  let from = Math.min(start, label.length), to = Math.max(from, label.length - end);
  for (let most = 12; most > 0 && from > 0 && isWord(label[from - 1]); most -= 1) from -= 1;
  for (let most = 12; most > 0 && to < label.length && isWord(label[to]); most -= 1) to += 1;
  return [h('span.item', null, h('span', null, row.step.id + ' ['), h('span.alike', null, label.slice(0, from)), h('span', null, label.slice(from, to)), h('span.alike', null, label.slice(to)), h('span', null, ']'))];
}

/** A document by its `name` and its file. */
const fileTitle = (index) => run.names[index] ? `${run.names[index]} (${run.files[index]})` : run.files[index];

const isProblem = (row) => row.outcome >= 1 && row.outcome <= 3 && !row.allowed;
/** Whether a row failed, and it does not count. */
const isPermitted = (row) => row.outcome >= 1 && row.outcome <= 3 && row.allowed;
const outcomeKey = (row) => isPermitted(row) ? (row.step.quarantine ? 'quarantined' : 'allowed') : row.flaky ? 'flaky' : OUTCOMES[row.outcome];
const outcomeClass = (row) => 'o-' + outcomeKey(row).replace(' ', '');
const outcomeWord = (row) => row.flaky ? 'flaky' : OUTCOMES[row.outcome] + (isPermitted(row) ? ` (${outcomeKey(row)})` : '');
const signOf = (row) => row.flaky ? FLAKY : SIGNS[row.outcome];
const link = (row) => '#' + encodeURIComponent(row.address).replace(/%5B/g, '[').replace(/%5D/g, ']');
const sign = (row) => h(`span.sign.${outcomeClass(row)}`, {'aria-hidden': 'true'}, signOf(row));

/** Whether a row waited for other steps until it was ready. A step that ran again waited for the end of the run before. */
const waitedForSteps = (row) => row.step.deps.length > 0 && row.ready > 0 && !row.earlier;

/** How long a row that was ready waited for a slot. What it waited by itself, such as its `delay`, is no part of that. */
const slotWait = (row) => Math.max(0, row.start - row.ready - row.delay);

/** When a step was done: after its last item. */
const doneAt = (step) => step.rows.reduce((end, row) => Math.max(end, row.end), 0);

/** The chain of steps that decided how long the run took, first to last: from the last that ended, each time the dependency that ended last. */
function criticalPath() {
  if (run.critical) return run.critical;
  const path = [];
  let row = run.rows.reduce((last, row) => row.duration > 0 && (!last || row.end > last.end) ? row : last, undefined);
  const seen = new Set();
  while (row && !seen.has(row.step.index)) {
    seen.add(row.step.index);
    path.unshift(row);
    row = lastBefore(row.step, seen);
  }
  run.critical = path;
  return path;
}

/** The row that ended last of the steps that a step waits for. In place of a step that took no time, such as one that did not run, those that it waits for count. */
function lastBefore(step, seen) {
  let last;
  const open = [...step.deps];
  while (open.length) {
    const other = run.steps[open.pop()];
    const rows = other.rows.filter((row) => row.duration > 0);
    for (const row of rows) if (!last || row.end > last.end) last = row;
    if (rows.length || seen.has(other.index)) continue;
    seen.add(other.index);
    for (const dep of other.deps) open.push(dep);
  }
  return last;
}

/** The steps that did not pass, and because of which a row is blocked at the end of the chain of blocked steps. */
function causesOf(row) {
  const found = new Set(), seen = new Set();
  const open = [...row.blockedBy];
  while (open.length) {
    const step = run.steps[open.pop()];
    if (seen.has(step)) continue;
    seen.add(step);
    const next = step.rows.flatMap((other) => other.blockedBy);
    if (!next.length) found.add(step);
    for (const blocker of next) open.push(blocker);
  }
  return [...found];
}
