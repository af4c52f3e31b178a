// The page of one step.

let showing = 0;

/** On a narrow screen either the list is there or the step. */
function openDetail(isOpen) {
  $('split').classList.toggle('open', isOpen);
  document.body.classList.toggle('reading', isOpen);
}

async function show(row, fromList = false) {
  current = row;
  for (const element of $('list').querySelectorAll('[aria-selected="true"]')) element.setAttribute('aria-selected', 'false');
  if (isListed(row)) {
    list.reveal(row.at);
    document.getElementById('o' + row.at)?.setAttribute('aria-selected', 'true');
  }
  noteActive();
  openDetail(!fromList || isWide());
  document.title = `${signOf(row)} ${row.title} · Garland`;
  const ticket = ++showing;
  let result, definition;
  try {
    [result, definition] = await Promise.all([resultOf(row), definitionOf(row.step)]);
  } catch (error) {
    $('detail').replaceChildren(h('p.message', null, `The data of this step can’t be read: ${error.message}`));
    return;
  }
  if (ticket !== showing) return;
  const box = $('detail');
  box.setAttribute('aria-label', `Step ${row.title}`);
  box.replaceChildren(...detail(row, result ?? {}, definition ?? {}).filter(Boolean));
  revealCarets(box);
  box.scrollTop = 0;
}

function detail(row, result, definition) {
  const step = row.step;
  const failures = result.failures ?? [];
  const exchanges = result.exchanges ?? [];
  const at = listed.indexOf(row);
  // The result of a step in a load test represents all repetitions, or is the failure of a single one.
  const isMedian = !run.isTimed && !run.isPlan && !exchanges.length && !failures.length && !result.reason;
  return [
    h('button.btn.back', {type: 'button', onclick: () => { openDetail(false); $('list').focus(); }}, '← All steps'),
    h('h2', null, h(`span.badge.${outcomeClass(row)}`, null, `${signOf(row)} ${outcomeWord(row)}`), ' ', step.id, row.iteration && h('small', null, ` ${row.iteration}`)),
    h('p.action.mono', null, row.action, row.status ? [' → ', statusText(row.status)] : ''),
    step.description && h('p', null, step.description),
    h('div.meta', null,
      run.names[step.file] && h('span', null, run.names[step.file]),
      h('span', null, `${run.files[step.file]}:${step.line}`),
      row.duration > 0 && h('span', null, `${isMedian ? 'median' : 'took'} ${time(row.duration)}`, run.wall && run.isTimed ? `, from ${time(row.start)} to ${time(row.end)}` : ''),
      row.requests > 1 && h('span', null, count(row.requests, 'request')),
      row.items > 1 && h('span', null, `stands for ${row.items} items of its loop`),
      step.quarantine && h('span.o-quarantined', null, step.quarantine),
      step.isCleanup && h('span', null, 'cleanup: runs despite failures'),
      step.tags.map((tag) => h('span.tag', null, tag)),
      h('a', {href: link(row)}, 'link'),
      at > 0 && h('a', {href: link(listed[at - 1]), rel: 'prev'}, '← previous'), at >= 0 && at + 1 < listed.length && h('a', {href: link(listed[at + 1]), rel: 'next'}, 'next →'),
      listed.filter(isProblem).length > 1 && h('button.linkish', {type: 'button', onclick: () => nextFailure(1)}, 'next failure')),
    waits(row),
    ...whyNot(row, result),
    ...failures.map((failure) => failureCard(row, failure, definition)),
    ...earlierRuns(row, result, definition),
    ...expectations(row, result, definition),
    ...extracted(result),
    ...exchangeCards(exchanges, failures, result),
    ...neighbours(row),
    ...source(step, definition, failures),
  ];
}

const statusText = (status) => h(`span.status.s${Math.floor(status / 100)}`, null, String(status));

/** The bar of a step: what it waited for, and the phases of all its requests. */
function waits(row) {
  if (run.isPlan || !(row.duration > 0)) return null;
  const sums = phaseSums([row]);
  const parts = [['slot', 'waiting for a slot', sums.slot], ['listen', 'listening', sums.listen], ...PHASES.map(([name, words]) => [name, words, sums[name]]), ['pause', 'pauses', sums.pause]].filter(([, , us]) => us >= 50);
  // What was too short to show, and preparing the request and checking the response.
  const rest = row.bars.length && !row.step.listens ? row.duration + row.delay + sums.slot - parts.reduce((sum, [, , us]) => sum + us, 0) : 0;
  if (rest >= 50) parts.push(row.step.talks ? ['talk', 'messages', rest] : ['judge', 'preparing and checking', rest]);
  const whole = parts.reduce((sum, [, , us]) => sum + us, 0);
  if (!whole) return null;
  return h('div', null,
    h('div.phases', {'aria-hidden': 'true'}, parts.map(([name, , us]) => h('i.p-' + name, {style: {flex: `${us / whole} 0 0`}}))),
    h('div.key', null, waitedForSteps(row) && h('span.p-deps', null, 'dependencies ', h('b', null, time(row.ready))), parts.map(([name, words, us]) => h('span.p-' + name, null, words + ' ', h('b', null, time(us))))));
}

/** Why a step did not run, or did not get a response. */
function whyNot(row, result) {
  const found = [];
  if (result.reason && !(result.failures ?? []).length) {
    found.push(h(`div.card.failure${isProblem(row) ? '' : '.allowed'}`, null, h('header', null, result.reason)));
  }
  const causes = causesOf(row);
  if (row.blockedBy.length) found.push(h('h3', null, 'Blocked by'), refs(row.blockedBy.map((index) => run.steps[index])));
  if (causes.some((step) => !row.blockedBy.includes(step.index))) found.push(h('h3', null, 'Because of'), refs(causes));
  return found;
}

/** What failed, in one sentence. */

function failureCard(row, failure, definition) {
  const pair = failure.expected !== undefined || failure.actual !== undefined;
  return h(`div.card.failure${row.allowed ? '.allowed' : ''}`, null,
    h('header', null, h('span.sign.' + outcomeClass(row), {'aria-hidden': 'true'}, signOf(row)), h('span', null, sentence(failure))),
    h('div.in', null,
      pair && h('div.pair', null,
        failure.expected !== undefined && h('div.want', null, h('span.label', null, 'expected'), h('pre', null, failure.expected)),
        h('div.got', null, h('span.label', null, 'actual'), h('pre', null, failure.actual ?? '(nothing)'))),
      failure.difference && h('pre.code', {tabindex: '0', role: 'group', 'aria-label': 'Difference: − expected, + actual'}, failure.difference.map((line) =>
        h('span' + (line[0] === '-' ? '.del' : line[0] === '+' ? '.add' : ''), null, line + '\n'))),
      failure.source !== undefined && quote(failure),
      failure.excerpt && h('details', null, h('summary', null, 'The part of the response that matters'), lined(textLines(failure.excerpt), 'Excerpt', true)),
      (failure.help ?? '').split('\n').filter(Boolean).map((line) => h('p.help', null, line))));
}

/** The failed results that the step had before `--rerun-failed` ran it again. */
function earlierRuns(row, result, definition) {
  const earlier = result.earlier ?? [];
  if (!earlier.length) return [];
  return [h('h3', null, count(earlier.length, 'earlier run') + ' of this step, which did not pass'), ...earlier.map((before, index) => {
    const outcome = OUTCOMES.indexOf(before.outcome);
    const failures = before.failures ?? [];
    const past = {...row, outcome, flaky: false, allowed: true};
    const first = failures[0];
    const words = first ? sentence(first) : before.reason ?? before.outcome;
    // Made when it is opened.
    const box = h('details.card', {ontoggle: () => {
      if (box.open && !box.querySelector('.in')) box.append(h('div.in', null, ...whyNot({...past, blockedBy: []}, before), ...failures.map((failure) => failureCard(past, failure, definition)), ...exchangeCards(before.exchanges ?? [], failures, before)));
      revealCarets(box);
    }}, h('summary', {style: {padding: '8px 14px'}}, h('b', null, `earlier run ${index + 1} `), h('span.sign.o-flaky', {'aria-hidden': 'true'}, SIGNS[outcome]), ` ${words} `, h('span.dim', null, time((before.seconds ?? 0) * 1e6))));
    return box;
  })];
}

/** The line of a document with a caret below what is meant. */
function quote(failure) {
  const before = [...failure.source].slice(0, failure.column - 1).join('').replace(/[^\t]/g, ' ');
  return h('pre.code.quote', {tabindex: '0', role: 'group', 'aria-label': `${failure.file}, line ${failure.line}`},
    h('span.dim.place', null, `${failure.file}:${failure.line}:${failure.column}\n`),
    h('span', null, h('span.n', {'aria-hidden': 'true'}, String(failure.line)), failure.source + '\n'),
    h('span', {'aria-hidden': 'true'}, h('span.n', null, ''), before, h('em.says', null, '^'.repeat(Math.max(1, failure.length ?? 1))), '\n'));
}

/** Scrolls the quoted lines of a document until the first of their carets are in sight. */
function revealCarets(place) {
  for (const mark of place.querySelectorAll('pre.quote em.says')) {
    const lines = mark.closest('pre');
    const left = mark.getBoundingClientRect().left - lines.getBoundingClientRect().left + lines.scrollLeft;
    if (left + Math.min(mark.offsetWidth, lines.clientWidth / 3) > lines.clientWidth) lines.scrollLeft = left - lines.clientWidth / 2;
  }
}

/** What a step expects that its document does not say: this many expectations. */
function implicitWords(result, checks, number) {
  const exchange = (result.exchanges ?? []).at(-1);
  if (!exchange) return '';
  if (exchange.incoming) return 'a request that comes in time';
  const says = (subject) => checks.some((check) => check.subject === subject);
  const words = [];
  const isTalk = exchange.stream?.items === 'messages';
  if (!says('status')) words.push(isTalk ? 'the status 101' : 'a status from 200 to 299');
  if (words.length < number) words.push(isTalk ? 'the messages that the talk waits for' : says('type') ? 'no errors' : 'a type that the request accepts');
  return (words.length < number ? 'such as ' : '') + words.join(', and ');
}

/** The subject of a failure as the document has it: `events.each json $.id` for `events[2] json $.id`. */
const subjectOf = (failure) => failure.subject.replace(/^(events|lines|parts)\[\d+\] /, '$1.each ');

/** The position of an expectation in `talk`; undefined for other expectations. */
const moveOf = (subject) => /^talk\[(\d+)\]/.exec(subject)?.[1];

/** The sign of an expectation that is `good`, `bad` or, if empty, not judged. */
const holds = (state) => h('span.sign.' + ({good: 'o-passed', bad: 'o-failed'}[state] ?? 'o-notrun'), null, {good: '✓', bad: '✗'}[state] ?? '·', h('span.unseen', null, {good: 'met', bad: 'not met'}[state] ?? 'not checked'));

function expectations(row, result, definition) {
  const failures = result.failures ?? [];
  const checks = definition.checks ?? [];
  if (!checks.length && (run.isPlan || !row.checks)) return [];
  const judged = row.checks > 0;
  const isWrong = (check) => failures.some((failure) => failure.file === check.file && subjectOf(failure) === check.subject
    && (failure.line === check.line || checks.filter((other) => other.subject === check.subject).length === 1));
  // A talk ends with the first move that fails.
  const end = failures.map((failure) => moveOf(failure.subject)).find((move) => move !== undefined);
  // A stream ends with the first item that fails.
  const hasBadItem = failures.some((failure) => /^(events|lines|parts)\[/.test(failure.subject));
  const isOpen = (check) => hasBadItem && /^(events|lines|parts)\.(until|count)$/.test(check.subject) || moveOf(check.subject) !== undefined && end !== undefined && +moveOf(check.subject) >= +end && !isWrong(check);
  const lines = (definition.source ?? '').split('\n');
  // Each item of a stream has been judged by the expectations of `each`.
  const items = result.exchanges?.at(-1)?.stream?.count ?? 0;
  const times = (check) => isOpen(check) ? 0 : /^(events|lines|parts)\.each /.test(check.subject) ? items : 1;
  const implicit = Math.max(0, row.checks - checks.reduce((sum, check) => sum + times(check), 0));
  const unmet = failures.filter((failure) => failure.kind === 'expectation');
  const wrong = unmet.length;
  // A failure that belongs to no expectation of the document belongs to one by default.
  const implicitWrong = unmet.filter((failure) => !checks.some((check) => check.file === failure.file && check.subject === subjectOf(failure))).length;
  const howMany = implicitWrong > 0 && implicit > 1 ? `; ${implicitWrong} of them ${implicitWrong === 1 ? 'is' : 'are'} not met` : '';
  return [
    h('h3', null, run.isPlan || !judged ? 'Expectations' : `Expectations: ${row.checks - Math.min(wrong, row.checks)} of ${row.checks} met`),
    h('ul.plain.checks', null, checks.map((check, index) => {
      const judged = row.checks > 0 && !isOpen(check);
      const line = check.file === run.files[row.step.file] ? lines[check.line - definition.sourceLine] : undefined;
      const text = line === undefined ? `${check.file}:${check.line}` : [...line].slice(check.column - 1, check.column - 1 + check.length).join('');
      const bad = judged && isWrong(check);
      const found = judged && !bad ? result.found?.[index] ?? undefined : undefined;
      return h('li', null, holds(!judged ? '' : bad ? 'bad' : 'good'),
        h('span', null, check.subject), h('span', null, h('code', null, text), found !== undefined && found !== text && h('span.dim', null, ' found ', h('code', null, found))));
    }), judged && implicit > 0 && h('li', null, holds(implicitWrong ? 'bad' : 'good'), h('span.dim', null, `${implicit} by default`), h('span.dim', null, implicitWords(result, checks, implicit) + howMany))),
  ];
}

function extracted(result) {
  const values = Object.entries(result.extracted ?? {});
  if (!values.length) return [];
  return [h('h3', null, 'Extracted'), h('div.card', null, h('div.in', null, table(values.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))))];
}

function exchangeCards(exchanges, failures, result) {
  if (!exchanges.length) return [];
  const nodes = [h('h3', null, exchanges.length === 1 ? 'Request and response' : `${exchanges.length} exchanges`)];
  if (result.omittedRequests) nodes.push(h('p.note', null, `${count(result.omittedRequests, 'further request')} between the first and the last are not kept.`));
  const last = exchanges.length - 1;
  exchanges.forEach((exchange, index) => {
    const body = () => exchangeBody(exchange, index === last ? failures : []);
    const name = nameOf(exchanges, index);
    if (index === last || exchanges.length <= 2) nodes.push(h('div.card', {role: 'group', 'aria-label': name}, exchangeHead(exchange, name), body()));
    else {
      // Made when it is opened: a step may have a thousand.
      const box = h('details.card', {ontoggle: () => { if (box.open && !box.querySelector('.hop')) box.append(...body()); }}, h('summary', {style: {padding: '8px 14px'}}, ...exchangeHead(exchange, name).childNodes));
      nodes.push(box);
    }
  });
  return nodes;
}

/** What an exchange is called. The first attempt and the last connection of a step have no label of their own: their neighbour tells what they are. */
function nameOf(exchanges, index) {
  const {label, incoming} = exchanges[index];
  if (label) return label;
  if (incoming) return 'received request';
  const [, kind, number] = /^(attempt|connection) (\d+)$/.exec(exchanges[index + 1]?.label ?? '') ?? [];
  if (number === '2') return `${kind} 1`;
  const [, before, last] = /^(connection) (\d+)$/.exec(exchanges[index - 1]?.label ?? '') ?? [];
  return before ? `${before} ${+last + 1}` : exchanges.length > 1 ? `request ${index + 1}` : 'request';
}

function exchangeHead(exchange, name) {
  const hop = exchange.hops[exchange.hops.length - 1];
  const total = exchange.hops.reduce((sum, hop) => sum + hop.timing.total, 0);
  return h('header', null, h('b', null, name), ' ', hop.status ? statusText(hop.status) : h('span.status.s5', null, 'no response'),
    ' ', h('span.dim', null, time(total * 1e6)), exchange.stream && h('span.dim', null, ' · ' + streamText(exchange.stream)), exchange.error && [' ', h('span.o-error', null, exchange.error)]);
}

/** How many items a response was read as. */
function streamText(stream) {
  return count(stream.count, stream.items.replace(/s$/, '')) + (stream.timeToFirst === undefined ? '' : `, the first after ${time(stream.timeToFirst * 1e6)}`);
}

function exchangeBody(exchange, failures) {
  const nodes = exchange.hops.map((hop, index) => {
    const isLast = index === exchange.hops.length - 1;
    return h('div.hop', null,
      h('div.line.mono', null, h('b', null, hop.method), hop.url),
      fields('Request headers', hop.requestHeaders),
      index === 0 && exchange.requestBody && showBody(exchange.requestBody, 'Request body', exchange.incoming ? failures : []),
      hop.status && h('div.line.mono', null, h('span', null, 'HTTP' + (hop.httpVersion ? '/' + hop.httpVersion : '')), statusText(hop.status), !isLast && h('span.dim', null, 'redirect')),
      fields('Response headers', hop.responseHeaders),
      isLast && exchange.responseBody && showBody(exchange.responseBody, 'Response body', failures),
      connection(hop));
  });
  const {messages, omittedMessages} = exchange.stream ?? {};
  if (messages) {
    nodes.push(h('div.hop', null, h('h4', null, 'Messages'), omittedMessages && h('p.note', null, `${count(omittedMessages, 'earlier message')} not kept.`),
      h('pre.code', {tabindex: '0', role: 'group', 'aria-label': 'Messages'}, messages.map((message) => h('span', null, h('span.dim', null, message.sent ? 'sent      ' : 'received  '), message.text + '\n')))));
  }
  const curl = exchange.curl ?? curlOf(exchange);
  if (curl) {
    const show = () => lined(textLines(curl), 'curl command', true);
    const box = h('details', {open: exchange.curl !== undefined, ontoggle: () => { if (box.open && !box.querySelector('pre')) box.append(show()); }}, h('summary', null, 'As a curl command'));
    nodes.push(h('div.hop', null, h('div.line', null, box, copyButton(curl, 'the curl command'))));
  }
  return nodes;
}

/** A curl command for a request that Garland made none for, from what was sent. Secrets are masked in it. */
function curlOf(exchange) {
  const hop = exchange.hops[0];
  if (exchange.incoming || !hop.requestHeaders.length) return undefined;
  // The text of a form is a list of its parts, not what was sent.
  const isWhole = exchange.requestBody?.text !== undefined && !exchange.requestBody.truncated && !/^multipart\//i.test(exchange.requestBody.type ?? '');
  const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
  const opensSocket = hop.requestHeaders.some(({name, value}) => /^upgrade$/i.test(name) && /^websocket$/i.test(value));
  const parts = [opensSocket ? '# curl opens the connection and shows what the server sends; it does not send messages\ncurl' : 'curl'];
  const body = exchange.requestBody;
  if (body && !body.file && !isWhole) parts[0] = `# BODY is a file with the body of the request, which this page does not have\n${parts[0]}`;
  if (hop.method === 'HEAD') parts.push('--head');
  else if (hop.method !== (body ? 'POST' : 'GET')) parts.push(`--request ${hop.method}`);
  if (exchange.hops.length > 1) parts.push('--location');
  if (opensSocket) parts.push('--http1.1', '--no-buffer');
  for (const {name, value} of hop.requestHeaders) {
    if (/^(host|content-length|transfer-encoding|expect)$/i.test(name) || !opensSocket && /^connection$/i.test(name)) continue;
    // curl could not show compressed messages.
    if (/^sec-websocket-extensions$/i.test(name)) continue;
    parts.push(/^accept-encoding$/i.test(name) ? '--compressed' : `--header ${quoted(`${name}: ${value}`)}`);
  }
  if (body?.file) parts.push(`--data-binary ${quoted('@' + body.file)}`);
  else if (isWhole) parts.push(`--data-raw ${quoted(body.text)}`);
  else if (body) parts.push('--data-binary @BODY');
  parts.push(quoted(hop.url));
  return parts.join(' \\\n  ');
}

function fields(title, list) {
  if (!list.length) return null;
  return h('details', null, h('summary', null, title + ' ', h('span.dim', null, String(list.length))), table(list.map((field) => [field.name, field.value])));
}

/** Addresses, TLS, sizes and phases of a hop. */
function connection(hop) {
  const t = hop.timing;
  const facts = [];
  if (hop.cache) facts.push(['cache', {hit: 'from the cache', validated: 'from the cache, unchanged on the server', stale: 'from the cache, stale'}[hop.cache]]);
  if (hop.remoteAddress) facts.push(['connection', `${hop.remoteAddress}${hop.localPort ? `, from port ${hop.localPort}` : ''}, ${hop.reusedConnection ? 'used before' : 'new'}`]);
  if (hop.sentAgain) facts.push(['sent again', 'the kept connection was lost']);
  if (hop.tls) {
    facts.push(['TLS', `${hop.tls.version}, ${hop.tls.cipher}`]);
    if (hop.tls.subject !== undefined) facts.push(['certificate', [hop.tls.subject, hop.tls.issuer && `issued by ${hop.tls.issuer}`, hop.tls.expiresAt && `expires ${hop.tls.expiresAt.slice(0, 10)}`].filter(Boolean).join(', ')]);
  }
  if (hop.wireBytes) {
    const w = hop.wireBytes;
    facts.push(['bytes on the wire', `sent ${size(w.requestHead)} of header, ${size(w.requestBody)} of body; received ${size(w.responseHead)} of header, ${size(w.responseBody)} of body`]);
  }
  const ends = [['DNS', t.nameLookup], ['TCP', t.connect], ['TLS', t.tls], ['ready to send', t.requestStart], ['sent', t.requestSent], ['first byte', t.firstByte], ['last byte', t.total]];
  facts.push(['after', ends.filter(([, at]) => at !== undefined).map(([name, at]) => `${name} ${time(at * 1e6)}`).join(' · ')]);
  return h('details', null, h('summary', null, 'Connection and timing ', h('span.dim', null, time(t.total * 1e6))), table(facts));
}

const refs = (steps) => h('div.refs', null, steps.slice(0, 200).map((step) => {
  const row = step.rows.find(isProblem) ?? step.rows[0];
  return row && h('a', {href: link(row)}, sign(row), ' ' + step.id);
}), steps.length > 200 && h('span.dim', null, `and ${steps.length - 200} more`));

function neighbours(row) {
  const {step} = row;
  const nodes = [];
  // Also those that are blocked by a blocked step, as on the console. A set that grows is walked to its end.
  const blocked = new Set((step.blocks ?? []).map((other) => other.step));
  for (const other of blocked) for (const row of other.blocks ?? []) blocked.add(row.step);
  if (blocked.size) nodes.push(h('h3', null, 'Blocked because of this step'), refs([...blocked].sort((a, b) => a.index - b.index)));
  if (step.deps.length) nodes.push(h('h3', null, 'Waits for'), refs(step.deps.map((index) => run.steps[index])));
  if (step.users.length) nodes.push(h('h3', null, 'Steps that wait for it'), refs(step.users.map((index) => run.steps[index])));
  const items = step.rows.length;
  if (items > 1) {
    const wrong = step.rows.filter((other) => other.outcome !== 0 && other !== row);
    nodes.push(h('h3', null, `Items of the loop: ${items}`), h('div.refs', null, (wrong.length ? wrong : step.rows).slice(0, 100).map((other) => h('a', {href: link(other)}, sign(other), ' ' + (other.iteration || other.iterationIndex))),
      h('span.dim', null, wrong.length ? 'those that did not pass' : items > 100 ? `and ${items - 100} more` : '')));
  }
  return nodes;
}

function source(step, definition, failures) {
  if (definition.source === undefined) return [];
  const first = definition.sourceLine;
  const file = run.files[step.file];
  const lines = definition.source.split('\n');
  const hits = new Map();
  for (const failure of failures) if (failure.file === file) hits.set(failure.line, [...(hits.get(failure.line) ?? []), failure.message]);
  return [h('h3', null, 'Source'), h('div.line', null, h('span.dim.mono', null, `${file}:${first}`), copyButton(definition.source, 'the source of the step')),
    h('pre.code', {tabindex: '0', role: 'group', 'aria-label': `Source, ${file}`}, lines.map((line, index) => {
      const says = hits.get(first + index);
      return h('span' + (says ? '.hit' : ''), null, h('span.n', {'aria-hidden': 'true'}, String(first + index)), line, '\n', says && h('em.says', null, '✗ ' + says.join('; ')));
    }))];
}
