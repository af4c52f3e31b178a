// The list of steps: filters, order, keyboard.

const filter = {outcomes: new Set(), text: '', file: '', tag: '', sort: 'plan'};
let listed = [];
let current;
let list;

const ORDERS = {
  plan: ['Order of the plan', (a, b) => a.step.index - b.step.index || a.iterationIndex - b.iterationIndex],
  wrong: ['Failures first', (a, b) => rank(a) - rank(b) || a.step.index - b.step.index || a.iterationIndex - b.iterationIndex],
  slow: ['Slowest first', (a, b) => b.duration - a.duration || a.step.index - b.step.index],
  start: ['By start', (a, b) => a.start - b.start || a.step.index - b.step.index],
  name: ['By name', (a, b) => a.title < b.title ? -1 : a.title > b.title ? 1 : 0],
};

const rank = (row) => isProblem(row) ? row.outcome : isPermitted(row) || row.flaky ? 4 : [9, 9, 9, 9, 7, 5, 6, 8][row.outcome];

/** All that a row can be found by, in lower case. Made when somebody searches. */
function searchable(row) {
  row.text ??= [row.title, row.action, row.message, row.step.description, row.step.tags.join(' '), row.status || '', run.files[row.step.file]].join('\n').toLowerCase();
  return row.text;
}

function applyFilter() {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  listed = run.rows.filter((row) => (!filter.outcomes.size || filter.outcomes.has(outcomeKey(row)))
    && (filter.file === '' || row.step.file === Number(filter.file)) && (!filter.tag || row.step.tags.includes(filter.tag))
    && words.every((word) => searchable(row).includes(word)));
  listed.sort(ORDERS[filter.sort][1]);
  listed.forEach((row, index) => { row.at = index; row.generation = applyFilter.generation; });
  list.reset(listed.length);
  $('found').textContent = listed.length === run.rows.length ? count(run.rows.length, run.isPlan ? 'step' : 'result') : `${listed.length.toLocaleString('en')} of ${count(run.rows.length, run.isPlan ? 'step' : 'result')}`;
  $('none').hidden = listed.length > 0;
  if (current && isListed(current)) list.reveal(current.at);
  noteActive();
}

const isListed = (row) => listed[row.at] === row;

function chips() {
  const counts = new Map();
  for (const row of run.rows) counts.set(outcomeKey(row), (counts.get(outcomeKey(row)) ?? 0) + row.items);
  // As in the summary of the console: what decides about the run first.
  const keys = ['failed', 'error', 'unreachable', 'blocked', 'allowed', 'quarantined', 'flaky', 'not run', 'skipped', 'passed', 'planned'].filter((key) => counts.has(key));
  for (const key of keys) {
    const mark = key === 'flaky' ? FLAKY : SIGNS[OUTCOMES.indexOf(key)] ?? SIGNS[1];
    $('chips').append(h('button.chip', {type: 'button', 'aria-pressed': 'false', 'data-outcome': key, onclick: (event) => {
      const button = event.currentTarget;
      if (!filter.outcomes.delete(key)) filter.outcomes.add(key);
      button.setAttribute('aria-pressed', String(filter.outcomes.has(key)));
      if (!location.hash.startsWith('#/steps') && location.hash.startsWith('#/')) location.hash = '#/steps';
      applyFilter();
      say($('found').textContent);
    }}, h(`span.sign.o-${key.replace(' ', '')}`, {'aria-hidden': 'true'}, mark), h('b', null, counts.get(key).toLocaleString('en')), ' ', key === 'allowed' ? 'failed as allowed' : key === 'error' && counts.get(key) !== 1 ? 'errors' : key));
  }
}

function buildSteps() {
  const search = h('input', {type: 'search', id: 'search', placeholder: 'Filter by text  ( / )', 'aria-label': 'Filter by text', oninput: () => { filter.text = search.value; applyFilter(); }});
  const choice = (id, label, options, change) => {
    const select = h('select', {id, 'aria-label': label, onchange: () => { change(select.value); applyFilter(); }}, options.map(([value, text]) => h('option', {value}, text)));
    return select;
  };
  const tags = [...new Set(run.steps.flatMap((step) => step.tags))].sort();
  const side = h('div.side', null,
    h('div.bar', {role: 'search'}, search,
      run.files.length > 1 && choice('file', 'Filter by file', [['', 'All files'], ...run.files.map((file, index) => [index, fileTitle(index)])], (value) => { filter.file = value; }),
      tags.length > 0 && choice('tag', 'Filter by tag', [['', 'All tags'], ...tags.map((tag) => [tag, tag])], (value) => { filter.tag = value; }),
      choice('sort', 'Order', Object.entries(ORDERS).map(([value, [text]]) => [value, text]), (value) => { filter.sort = value; }),
      h('span.found', {id: 'found'})),
    h('p.message', {id: 'none', hidden: true}, 'No step matches.'),
    h('div.rows', {id: 'list', role: 'listbox', tabindex: '0', 'aria-label': 'Steps', onkeydown: listKeys}));
  const detail = h('article.detail', {id: 'detail', tabindex: '-1', 'aria-label': 'Step'});
  $('steps').append(h('div.split', {id: 'split'}, side, detail));
  list = new VirtualList($('list'), 52, (index) => listRow(listed[index], index));
  if (run.rows.some(isProblem)) { filter.sort = 'wrong'; $('sort').value = 'wrong'; }
  applyFilter();
}

/** The name of a step's file; with its folders where another file has a step of that id. */
const fileName = (step) => step.name === step.id ? run.files[step.file].split('/').pop() : run.files[step.file];

function listRow(row, index) {
  const whole = run.end;
  const what = row.message && (row.outcome !== 0 || row.flaky) ? h('span.what' + (isProblem(row) ? '.wrong' : ''), null, row.message) : h('span.what', null, row.action, row.status ? ` · ${row.status}` : '');
  const file = run.files.length > 1 ? fileName(row.step) : '';
  return h('div.row', {role: 'option', id: 'o' + index, 'aria-selected': String(row === current), 'aria-setsize': listed.length, 'aria-posinset': index + 1,
    'aria-label': `${outcomeWord(row)}: ${row.title}${file ? ', ' + file : ''}, ${row.message || row.action}${row.duration ? ', ' + time(row.duration) : ''}`,
    onclick: () => go(row)},
  sign(row), h('span.name', {title: row.title}, titleOf(row), row.items > 1 && h('small', null, `${row.items} items`), file && h('small', null, file)),
  h('span.took', null, row.duration ? time(row.duration) : ''), what,
  row.duration > 0 && run.isTimed && h(`span.mini.${outcomeClass(row)}`, {'aria-hidden': 'true'}, h('i', {style: {left: `${100 * row.start / whole}%`, width: `${Math.max(1, 100 * row.duration / whole)}%`}})));
}

function noteActive() {
  const box = $('list');
  if (current && isListed(current) && document.getElementById('o' + current.at)) box.setAttribute('aria-activedescendant', 'o' + current.at);
  else box.removeAttribute('aria-activedescendant');
}

function listKeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = current && isListed(current) ? current.at : -1;
  const page = Math.max(1, Math.floor($('list').clientHeight / 52) - 1);
  const target = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: listed.length - 1, PageDown: at + page, PageUp: at - page, Enter: at, ' ': at}[event.key];
  if (target === undefined || !listed.length) return;
  event.preventDefault();
  if (event.key === 'Enter' || event.key === ' ') { if (at >= 0) { go(listed[at]); $('detail').focus(); } return; }
  select(listed[clamp(target, 0, listed.length - 1)]);
}

/** Selects a row and shows it, with its address in the address bar but no further entry in the history. */
function select(row) {
  history.replaceState(null, '', link(row));
  show(row, true);
}

function go(row) {
  if (location.hash === link(row)) show(row); else location.hash = link(row);
}

/** The next or previous step that went wrong, in the order of the list. */
function nextFailure(step) {
  const wrong = listed.filter(isProblem);
  if (!wrong.length) return say('No step failed.');
  const at = wrong.indexOf(current);
  go(wrong[(at + step + wrong.length) % wrong.length]);
}
