// "What would make this run faster", from what was measured.

/** How long the chain of dependencies takes if `faster` takes `duration`, as long as no step waits for a slot. */
function longestChain(faster, duration) {
  const ends = new Float64Array(run.steps.length);
  let longest = 0;
  for (const step of order()) {
    let begin = 0;
    for (const dep of step.deps) begin = Math.max(begin, ends[dep]);
    ends[step.index] = begin + (step === faster ? duration : span(step));
    longest = Math.max(longest, ends[step.index]);
  }
  return longest;
}

/** From when a step began, its `delay` included, to its end: less what it waited for a slot. An item of a loop that ran again counts with its first run; an earlier failure of the whole loop is not a run of the item. */
function span(step) {
  if (step.span !== undefined) return step.span;
  let first = Infinity, last = 0;
  for (const row of step.rows) {
    const firstRun = step.rows.length > 1 && row.before.find((earlier) => !earlier[3]);
    const [start, took] = firstRun || [row.start, row.duration];
    if (took > 0) { first = Math.min(first, start - row.delay); last = Math.max(last, start + took); }
  }
  step.span = last > 0 ? last - first : 0;
  return step.span;
}

/** The steps, each behind those that it waits for. */
function order() {
  if (run.order) return run.order;
  const waits = run.steps.map((step) => step.deps.length);
  const done = run.steps.filter((step) => !waits[step.index]);
  for (let index = 0; index < done.length; index += 1) for (const user of done[index].users) if (--waits[user] === 0) done.push(run.steps[user]);
  run.order = done;
  return done;
}

/** How long each phase took in rows; `pause` is the `delay` of a step and the time between its requests. */
function phaseSums(rows) {
  const sums = {slot: 0, listen: 0, queue: 0, dns: 0, connect: 0, tls: 0, send: 0, wait: 0, receive: 0, pause: 0, connections: 0, requests: 0};
  for (const row of rows) {
    sums.slot += slotWait(row);
    if (row.step.listens) { sums.pause += row.delay; sums.listen += row.duration; continue; }
    // What was sent before the step began, such as requests for a token, was sent during its `delay`.
    let busy = 0, before = 0;
    for (const [, ...hops] of row.bars) {
      for (const hop of hops) {
        const took = PHASES.reduce((sum, _, index) => sum + hop[index + 1], 0);
        PHASES.forEach(([name], index) => { sums[name] += hop[index + 1]; });
        if (hop[0] >= 0 && hop[0] < row.start) before += took; else busy += took;
        sums.requests += 1;
        if (!hop[9] && hop[3] + hop[2] > 0) sums.connections += 1;
      }
    }
    sums.pause += Math.max(0, row.delay - before);
    if (row.bars.length > 1) sums.pause += Math.max(0, row.duration - busy);
  }
  return sums;
}

/** How long at least `limit` of some spans, each `[from, to]`, were under way at once, and how many were at most. */
function fullTime(spans, limit) {
  const events = [];
  for (const [from, to] of spans) if (to > from) events.push([from, 1], [to, -1]);
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let running = 0, last = 0, full = 0, most = 0;
  for (const [at, change] of events) {
    if (running >= limit) full += at - last;
    running += change;
    most = Math.max(most, running);
    last = at;
  }
  return {full, most};
}

/** When a row held a slot: for each of its requests from the first hop to the last. */
function transfers(row) {
  if (row.step.listens || row.origin < 0) return [];
  if (!row.bars.length) return [[row.start, row.end]];
  return row.bars.filter(([, hop]) => hop).map(([, ...hops]) => {
    const from = hops[0][0] >= 0 ? hops[0][0] : row.start;
    return [from, hops.reduce((at, hop) => Math.max(at, hop[0]) + PHASES.reduce((sum, _, index) => sum + hop[index + 1], 0), from)];
  });
}

const waited = (rows) => rows.reduce((sum, row) => sum + slotWait(row), 0);

/** Rows by what `key` says of them. */
function grouped(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row); else groups.set(key(row), [row]);
  }
  return groups;
}

/** What kept ready steps and items of loops from being sent, as sentences like those of `advice`. */
function limits(path, whole) {
  const {wall} = run;
  const more = 'A higher limit may help if the server can handle it.';
  const total = waited(run.rows);
  if (run.isSerial) {
    return total > wall * 0.1 ? [[`\`--serial\` runs one step after another. Without it, the run would take about ${time(whole)}.`]] : [];
  }
  const found = [];
  for (const step of run.steps) {
    if (!step.loopLimit || step.rows.length <= step.loopLimit) continue;
    const {full} = fullTime(step.rows.map((row) => [row.ready, row.end]), step.loopLimit);
    if (full > wall * 0.1) found.push([`The loop ${step.id} had as many items at work as its \`limit\` allows (${step.loopLimit}) for ${percent(full, wall)} of the time. ${more}`]);
  }
  const {full} = fullTime(run.rows.flatMap(transfers), run.concurrency);
  if (full > wall * 0.1 && total > wall * 0.1) {
    found.push([`All ${run.concurrency} transfers at once (\`--concurrency\`) were in use for ${percent(full, wall)} of the time, and steps waited ${time(total)} in total for one. A higher limit may help if the servers can handle it.`]);
  }
  for (const [origin, rows] of grouped(run.rows, (row) => row.origin)) {
    const wait = waited(rows);
    if (origin < 0 || !run.perOrigin || run.perOrigin >= run.concurrency || wait < wall * 0.1) continue;
    const {full} = fullTime(rows.flatMap(transfers), run.perOrigin);
    if (full > wall * 0.1) found.push([`${run.origins[origin]} got as many transfers at once as \`--per-origin\` allows (${run.perOrigin}) for ${percent(full, wall)} of the time, and steps waited ${time(wait)} in total for one. ${more}`]);
  }
  const onPath = waited(path);
  if (!found.length && onPath > wall * 0.1) found.push([`Steps of the critical path waited ${time(onPath)} for a slot: of their host (\`--per-origin\`) or of a resource (\`uses\`).`]);
  if (whole < wall * 0.6 && total > wall * 0.2) found.push([`With a slot for every step, the run would take about ${time(whole)}.`]);
  return found;
}

/** Sentences, each as a list of texts and rows. */
function advice() {
  const path = criticalPath();
  if (!path.length || !run.wall) return [];
  const found = [];
  const own = path.reduce((sum, row) => sum + row.delay + row.duration, 0);
  const wall = run.wall;
  const names = path.length > 6 ? [...path.slice(0, 3), '…', ...path.slice(-2)] : path;
  found.push(['Critical path: ', ...names.flatMap((row, index) => index ? [' → ', row] : [row]),
    `. ${path.length === 1 ? 'This step takes' : `These ${path.length} steps take`} ${time(own)} of ${time(wall)} (${percent(own, wall)}). ${own > wall * 0.6 ? 'Making any other step faster hardly makes the run faster.' : run.rows.some((row) => row.earlier) ? 'Steps that failed ran again after the others.' : 'Its dependencies do not explain the rest: what may run at once limits this run.'}`]);
  const slowest = [...path].sort((a, b) => b.duration - a.duration).slice(0, 2).filter((row) => row.duration > wall * 0.1);
  const whole = longestChain();
  for (const row of slowest) {
    if (row.step.listens) { found.push([row, ` waited ${time(row.duration)} for a request: the step that causes this request decides when it arrives.`]); continue; }
    const saved = Math.min(whole - longestChain(row.step, span(row.step) / 2), row.duration / 2);
    if (saved > wall * 0.03) found.push([row, ` takes ${time(row.duration)}. At half of that, the run takes about ${time(wall - saved)}.`]);
  }
  const sums = phaseSums(path);
  const setup = sums.dns + sums.connect + sums.tls;
  // Of a path that takes a small part of the time, the phases do not matter.
  const matters = own > wall * 0.3;
  if (matters && sums.wait > own * 0.5) found.push([`${percent(sums.wait, own)} of the critical path is waiting for the first byte of a response: the time is spent by the server.`]);
  if (matters && setup > own * 0.15) found.push([`${percent(setup, own)} of the critical path (${time(setup)}) is DNS, connecting and TLS. Steps on one host share connections when they run after each other.`]);
  if (matters && sums.receive > own * 0.3) found.push([`${percent(sums.receive, own)} of the critical path is receiving bodies: ask for less, or compressed.`]);
  if (matters && sums.pause > own * 0.15) found.push([`${time(sums.pause)} of the critical path are pauses before a step, or between its attempts, polls or pages: look at \`delay\` and \`every\`.`]);
  found.push(...limits(path, whole));
  const {most} = fullTime(run.rows.map((row) => [row.start, row.end]), Infinity);
  if (most <= 1 && run.rows.length > 3 && !run.isSerial) found.push(['One step ran after another all the time: each depends on the one before. Steps that do not use each other’s values run side by side.']);
  return found;
}
