// What the address says is shown; keys; paper.

const VIEWS = ['steps', 'timeline', 'graph', 'notices'];

function openView(name) {
  for (const view of VIEWS) {
    $(view).hidden = view !== name;
    const tab = $('tab-' + view);
    if (view === name) tab.setAttribute('aria-current', 'page'); else tab.removeAttribute('aria-current');
  }
  hideTip();
  if (name !== 'steps') document.body.classList.remove('reading');
  if (name === 'timeline' && !lane.isBuilt) buildTimeline();
  if (name === 'graph') {
    if (!drawing.isBuilt) buildGraph();
    else if (drawing.choice === 'near') drawGraph();
  }
  if (name === 'steps') list.update();
}

/** The rows that an address leads to: one by its whole address, else those whose address ends with it, since a file may be named without its folder. */
function rowsAt(address) {
  const row = run.byAddress.get(address);
  if (row) return [row];
  const ends = ['/' + address, '#' + address];
  return address ? [...new Set([...run.byAddress].filter(([key]) => ends.some((end) => key.endsWith(end))).map(([, other]) => other))] : [];
}

function follow() {
  let address = location.hash.slice(1);
  try { address = decodeURIComponent(address); } catch { /* It is taken as it is. */ }
  if (address.startsWith('/')) {
    const name = VIEWS.includes(address.slice(1)) && !$('tab-' + address.slice(1)).hidden ? address.slice(1) : 'steps';
    openView(name);
    if (name === 'steps' && !isWide()) openDetail(false);
    if (name !== 'steps') document.title = `${document.querySelector('h1').textContent} · Garland`;
    if (name === 'steps' && !current && run.rows.length && isWide()) show(listed[0] ?? run.rows[0], true);
    return;
  }
  const meant = rowsAt(address);
  const row = meant.length === 1 ? meant[0] : undefined;
  openView(address === '' && run.isPlan ? 'graph' : 'steps');
  if (row) {
    // A filter that hides what a link leads to would be in the way.
    if (!isListed(row)) { filter.outcomes.clear(); filter.text = filter.file = filter.tag = ''; for (const id of ['search', 'file', 'tag']) if ($(id)) $(id).value = ''; for (const chip of $('chips').children) chip.setAttribute('aria-pressed', 'false'); applyFilter(); }
    show(row);
  } else if (address) {
    const words = meant.length ? `${count(meant.length, 'step')} of this run have the address “${address}”:` : `There is no step “${address}” in this run.`;
    say(words);
    $('detail').replaceChildren(h('p.message', null, words), h('ul.plain', null, meant.map((other) => h('li', null, h('a', {href: link(other)}, sign(other), ' ' + other.address)))));
    openDetail(true);
  } else if (run.rows.length && isWide()) show(listed[0] ?? run.rows[0], true);
}

function buildNotices() {
  const notices = run.notices ?? [];
  if (!notices.length) return;
  const tab = $('tab-notices');
  tab.hidden = false;
  tab.append(h('span.count', null, String(notices.length)));
  for (const notice of notices) {
    $('notices').append(h('div.card.notice.' + notice.severity, null, h('header', null, h('b', null, notice.severity), h('code', null, notice.code)),
      h('div.in', null, h('p', null, notice.message), notice.file && h('p.dim.mono', null, `${notice.file}:${notice.line}:${notice.column}`), (notice.notes ?? []).map((note) => h('p.dim', null, note)), (notice.help ?? []).map((help) => h('p.help', null, help)))));
  }
  if (run.omittedNotices) $('notices').append(h('p.note', null, `${count(run.omittedNotices, 'further notice')} left out.`));
}

/** The whole run on paper: what went wrong, then a table. */
async function fillPaper() {
  const wrong = run.rows.filter(isProblem);
  const shown = wrong.slice(0, 100);
  const cards = [];
  for (const row of shown) {
    const result = await resultOf(row);
    const placeOf = (failure) => h('span.dim', null, ` ${failure?.file ?? run.files[row.step.file]}:${failure?.file ? failure.line : row.step.line}`);
    cards.push(h('div.card', null, h('header', null, h('b', null, `${signOf(row)} ${row.title}`), ' ', row.action, row.status ? ` → ${row.status}` : ''),
      h('div.in', null, (result?.failures ?? []).map((failure) => h('div', null, h('p', null, sentence(failure), placeOf(failure)),
        failure.difference && h('pre.code', null, failure.difference.slice(0, 30).map((line) => h('span', null, line + '\n'))))), !(result?.failures ?? []).length && [row.message, placeOf()])));
  }
  const most = 2000;
  $('paper').replaceChildren(
    h('p', null, [...$('chips').children].map((chip) => [...chip.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(' ')).join(' · ')),
    wrong.length ? h('h2', null, 'What went wrong') : '', ...cards, wrong.length > shown.length ? h('p', null, `and ${wrong.length - shown.length} more`) : '',
    h('h2', null, 'Steps'), h('table', null, h('thead', null, h('tr', null, ['', 'Step', 'Request', 'Status', 'Took', 'File'].map((name) => h('th', {scope: 'col'}, name)))),
      h('tbody', null, run.rows.slice(0, most).map((row) => h('tr', null, h('td', null, signOf(row)), h('td', null, row.title), h('td', null, row.action), h('td', null, row.status ? String(row.status) : ''), h('td', null, row.duration ? time(row.duration) : outcomeWord(row), row.duration > 0 && (isPermitted(row) || row.flaky) && ` (${row.flaky ? 'flaky' : outcomeKey(row)})`), h('td', null, run.files[row.step.file]))))),
    run.rows.length > most ? h('p', null, `and ${(run.rows.length - most).toLocaleString('en')} more`) : '');
}

function keys(event) {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === 'Escape') {
    if (isTyping && event.target.id === 'search') { event.target.value = ''; filter.text = ''; applyFilter(); }
    openDetail(false);
    if (!$('steps').hidden) $('list').focus();
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = {j: 1, k: -1}[event.key];
  if (event.key === '/') {
    if ($('steps').hidden) location.hash = '#/steps';
    openView('steps');
    $('search').focus();
    event.preventDefault();
  }
  else if (event.key === 'f' || event.key === 'F') nextFailure(event.key === 'f' ? 1 : -1);
  else if (event.key >= '1' && event.key <= '3') location.hash = '#/' + VIEWS[event.key - 1];
  else if (step && !$('steps').hidden) {
    const at = current && isListed(current) ? current.at + step : 0;
    if (listed[at]) select(listed[at]);
  }
}

function theme() {
  const {classList} = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => { if (lane.canvas) drawOverview(); };
  system.addEventListener('change', redraw);
  $('theme').addEventListener('click', () => {
    const isDark = classList.contains('dark') || (system.matches && !classList.contains('light'));
    classList.toggle('dark', !isDark);
    classList.toggle('light', isDark);
    redraw();
  });
}

async function begin() {
  theme();
  document.querySelector('.skip').addEventListener('click', (event) => { event.preventDefault(); ($('list') ?? $('main')).focus(); });
  try {
    if (typeof DecompressionStream === 'undefined') throw new Error('this browser has no DecompressionStream; use one of 2023 or later');
    takeIn(await unpack($('index')));
  } catch (error) {
    $('loading').textContent = `The run can’t be unpacked: ${error.message}`;
    return;
  }
  $('loading').remove();
  chips();
  buildSteps();
  buildNotices();
  if (!run.isTimed || !run.steps.length) $('tab-timeline').hidden = true;
  if (!run.steps.length) $('tab-graph').hidden = true;
  addEventListener('hashchange', follow);
  addEventListener('keydown', keys);
  if (!run.rows.length && run.notices?.length && !location.hash) location.replace('#/notices');
  follow();
  document.documentElement.dataset.ready = 'true';
  addEventListener('beforeprint', fillPaper);
  setTimeout(fillPaper, 1000);
}

begin();
