import { check, sleep } from 'k6';
import crypto from 'k6/crypto';
import encoding from 'k6/encoding';
import exec from 'k6/execution';
import http from 'k6/http';

// The run fails if a check fails. `--vus`, `--duration` and the like say how many users there are, and how long.
export const options = { thresholds: { checks: ['rate==1'] } };

/** Why a step can't go on: a value that is missing or has the wrong type, or a request that failed in transit. */
class Problem extends Error {}
/** A value that is not there. */
class Missing extends Problem {}

const ABSENT = Symbol('absent');

function kind(value) {
  if (value === ABSENT || value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Whether two values are equal: numbers by value, lists and mappings deeply. */
function same(one, other) {
  if (kind(one) !== kind(other)) return false;
  if (Array.isArray(one)) return one.length === other.length && one.every((value, place) => same(value, other[place]));
  if (kind(one) !== 'object') return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => has(other, name) && same(one[name], other[name]));
}

const has = (object, name) => Object.prototype.hasOwnProperty.call(object, name);

function words(value) {
  const text = value === ABSENT ? 'nothing' : JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** -1, 0 or 1 for the order of two numbers or two texts. */
function least(one, other) {
  if (kind(one) !== kind(other) || !['number', 'string'].includes(kind(one))) throw new Problem(`compares ${words(one)} with ${words(other)}`);
  return one > other ? 1 : one < other ? -1 : 0;
}

function members(value) {
  switch (kind(value)) {
    case 'string': return [...value].length;
    case 'array': return value.length;
    case 'object': return Object.keys(value).length;
    default: throw new Problem(`${words(value)} has no length`);
  }
}

function texts(...values) {
  for (const value of values) if (typeof value !== 'string') throw new Problem(`is ${words(value)}, which is no text`);
}

function subset(part, whole) {
  if (Array.isArray(part)) return Array.isArray(whole) && places(part, whole, []);
  if (kind(part) !== 'object') return same(part, whole);
  return kind(whole) === 'object' && Object.keys(part).every((name) => has(whole, name) && subset(part[name], whole[name]));
}

/** Whether each item has an item of its own in the list. */
function places(items, whole, taken) {
  if (!items.length) return true;
  return whole.some((value, place) => !taken.includes(place) && subset(items[0], value) && places(items.slice(1), whole, [...taken, place]));
}

const isType = (value, name) => kind(value) === name || (name === 'integer' && Number.isInteger(value));
const holds = (value, predicates) => predicates.every(([name, argument]) => predicate(value, name, argument));

/** Whether one predicate holds. A value of the wrong type is a problem, also within `not`. */
function predicate(value, name, argument) {
  if (name === 'exists') return (value !== ABSENT && !(Array.isArray(value) && !value.length)) === argument;
  if (value === ABSENT) throw new Problem('selects nothing');
  switch (name) {
    case 'eq': return same(value, argument);
    case 'ne': return !same(value, argument);
    case 'gt': case 'gte': case 'lt': case 'lte': {
      if (kind(value) !== 'number') throw new Problem(`is ${words(value)}, which is no number`);
      const order = least(value, argument);
      return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[name];
    }
    case 'in': return argument.some((item) => same(value, item));
    case 'contains':
      if (Array.isArray(value)) return value.some((item) => same(item, argument));
      if (kind(value) === 'object') return has(value, argument);
      texts(value, argument);
      return value.includes(argument);
    case 'starts_with': texts(value, argument); return value.startsWith(argument);
    case 'ends_with': texts(value, argument); return value.endsWith(argument);
    case 'matches': texts(value); return new RegExp(argument).test(value);
    case 'type': return argument.some((one) => isType(value, one));
    case 'length': return holds(members(value), argument);
    case 'empty': return (members(value) === 0) === argument;
    case 'each': case 'any': case 'none': {
      if (!Array.isArray(value)) throw new Problem(`is ${words(value)}, which is no list`);
      const found = value.map((item) => holds(item, argument));
      if (name === 'any') return found.includes(true);
      return found.length > 0 && !found.includes(name === 'none');
    }
    case 'subset': return subset(argument, value);
    default: return !holds(value, argument);
  }
}

const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const ordered = (value, how) => how.sorted ? Object.keys(value).sort() : Object.keys(value);

/** The pairs of a parameter, lists and mappings written out. */
function flattened(name, value, how) {
  switch (kind(value)) {
    case 'object': return ordered(value, how).flatMap((key) => flattened(`${name}[${key}]`, value[key], how));
    case 'array': return value.flatMap((item, place) => flattened(name + { brackets: '[]', none: '', index: `[${place}]` }[how.arrays], item, how));
    case 'null': return { drop_key: [], drop_value: [[name, '']], null: [[name, 'null']] }[how.nulls];
    case 'boolean': return [[name, how.bools === 'numeric' ? (value ? '1' : '0') : String(value)]];
    default: return [[name, String(value)]];
  }
}

/** One run of the workflow by one user. */
class Run {
  constructor() {
    this.states = {};
    this.known = {};
    this.name = this.uuid();
    this.current = { values: {} };
    this.failures = [];
  }

  // Steps

  step(key, task, settings) {
    const state = this.states[key] = { isLoop: 'items' in settings, items: [], ending: 'passed' };
    const blocking = { value: ['problem', 'tolerated'], pass: ['problem', 'partial'] };
    const needs = settings.always ? {} : settings.needs ?? {};
    if (Object.entries(needs).some(([need, why]) => blocking[why].includes(this.states[need].ending))) {
      state.ending = 'problem';
      return;
    }
    if (settings.cleanup && !this.states[settings.cleanup].items.some((item) => item.sent)) {
      state.ending = 'tolerated';
      return;
    }
    this.key = key;
    this.failures = [];
    let items;
    try {
      items = state.isLoop ? settings.items() : [null];
    } catch (problem) {
      this.note('', problem);
      this.end(settings);
      state.ending = settings.allowed ? 'tolerated' : 'problem';
      return;
    }
    const outcomes = items.map((item, index) => this.attempt(state, task, settings, item, index));
    const passed = outcomes.includes('passed');
    if (outcomes.includes('problem')) state.ending = passed ? (settings.allowed ? 'passed' : 'partial') : settings.allowed ? 'tolerated' : 'problem';
    else state.ending = passed ? 'passed' : 'tolerated';
  }

  attempt(state, task, settings, item, index) {
    this.current = { values: {}, sent: false };
    this.failures = [];
    state.items.push(this.current);
    try {
      if ('when' in settings && !this.truth(settings.when(item, index))) return 'skipped';
      if ('delay' in settings) sleep(this.seconds(settings.delay(item, index)));
      task(this, item, index);
    } catch (problem) {
      this.note('', problem);
    }
    this.end(settings);
    return this.failures.length ? 'problem' : 'passed';
  }

  note(prefix, problem) {
    if (!(problem instanceof Problem)) throw problem;
    this.failures.push(prefix + problem.message);
  }

  /** A check for each step; a failure that is allowed is none. */
  end(settings) {
    const failed = this.failures.length > 0;
    check(null, { [this.key]: () => !failed || !!settings.allowed }, { step: this.key });
    if (failed && !settings.allowed) console.error(`${this.key}: ${this.failures.join('; ')}`);
  }

  // Requests and responses

  send(method, url, settings) {
    const headers = {};
    for (const [name, value] of settings.headers ?? []) headers[name] = value;
    let body = null, type;
    if ('json' in settings) { body = JSON.stringify(settings.json); type = 'application/json'; }
    else if ('form' in settings) { body = settings.form; type = settings.type ?? 'application/x-www-form-urlencoded'; }
    else if ('text' in settings) { body = settings.text; type = 'text/plain; charset=utf-8'; }
    else if ('file' in settings) { body = FILES[settings.file]; type = settings.type; }
    else if ('parts' in settings) body = Object.fromEntries(settings.parts.map((part) => [part.name, 'file' in part ? http.file(FILES[part.file], part.filename, part.type) : part.text]));
    if (type !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) headers['Content-Type'] = type;
    const parameters = { headers, redirects: settings.follow === false ? 0 : 20, tags: { name: this.key } };
    if (settings.cookies) parameters.cookies = settings.cookies;
    if ('deadline' in settings || 'timeout' in settings) parameters.timeout = (settings.deadline ?? settings.timeout) * 1000;
    if ('digest' in settings) {
      const [user, ...rest] = settings.digest.split(':');
      url = url.replace('://', `://${encoded(user)}:${encoded(rest.join(':'))}@`);
      parameters.auth = 'digest';
    }
    this.current.sent = true;
    const answer = http.request(method, url, body, parameters);
    if (!answer.status) throw new Problem(answer.error || 'no response');
    this.current.answer = answer;
  }

  status(ranges) {
    const code = this.own('status');
    if (!ranges.some(([low, high]) => low <= code && code <= high)) this.failures.push(`status is ${code}`);
  }

  /** Whether the type of the response is one of these, such as `text/*`. */
  media(patterns) {
    const header = this.header(null, 'Content-Type');
    const found = header === ABSENT ? '' : header.split(';')[0].trim().toLowerCase();
    const [type, subtype = ''] = found.split('/');
    const fits = (pattern) => { const [one, other] = pattern.split('/'); return ['*', type].includes(one) && ['*', subtype].includes(other); };
    if (!patterns.some(fits)) this.failures.push(`type is ${found || 'not said'}`);
  }

  /** A successful response with a body has a type that the step's own `Accept` allows. */
  accept(patterns) {
    const { status, body } = this.current.answer;
    if (status >= 200 && status < 300 && status !== 204 && status !== 205 && body) this.media(patterns);
  }

  expect(subject, value, predicates) {
    try {
      const found = value();
      if (!holds(found, predicates.map(([name, argument]) => [name, argument()]))) this.failures.push(`${subject} is ${words(found)}`);
    } catch (problem) {
      this.note(`${subject} `, problem);
    }
  }

  that(condition, source) {
    try {
      if (!this.truth(condition())) this.failures.push(`${source} does not hold`);
    } catch (problem) {
      this.note(`${source}: `, problem);
    }
  }

  extract(name, value, settings) {
    try {
      let found = value();
      if (found === ABSENT && 'default' in settings) found = settings.default();
      if (found === ABSENT) {
        if (!settings.optional) this.failures.push(`extract ${name}: has no value`);
        return;
      }
      if (settings.choice === 'first' && Array.isArray(found)) found = found.length ? found[0] : ABSENT;
      if (settings.choice === 'all' && !Array.isArray(found)) found = [found];
      if (settings.then) found = settings.then(found);
      this.current.values[name] = found;
    } catch (problem) {
      this.note(`extract ${name}: `, problem);
    }
  }

  own(member) { return this.member(this.current, member); }

  member(item, member) {
    const { answer } = item;
    if (!answer) throw new Missing('there is no response');
    switch (member) {
      case 'json':
        try {
          item.json = item.json === undefined ? JSON.parse(answer.body) : item.json;
        } catch {
          throw new Problem('the body is no JSON');
        }
        return item.json;
      case 'status': return answer.status;
      case 'text': return answer.body ?? '';
      case 'url': return answer.url;
      case 'time': return answer.timings.duration / 1000;
      default: return byteCount(answer.body ?? '');
    }
  }

  response(key, member) { return this.member(this.only(key), member); }

  header(key, name) {
    const { answer } = key === null ? this.current : this.only(key);
    if (!answer) throw new Missing('there is no response');
    const found = Object.keys(answer.headers).find((other) => other.toLowerCase() === name.toLowerCase());
    return found === undefined ? ABSENT : answer.headers[found];
  }

  cookie(key, name) {
    const { answer } = key === null ? this.current : this.only(key);
    if (!answer) throw new Missing('there is no response');
    return has(answer.cookies, name) ? answer.cookies[name][0].value : ABSENT;
  }

  only(key) {
    const { items } = this.states[key];
    if (!items.length) throw new Missing(`${key} has no response`);
    return items[items.length - 1];
  }

  value(key, name) {
    const state = this.states[key];
    if (state.isLoop) return state.items.map((item) => has(item.values, name) ? item.values[name] : ABSENT);
    const last = state.items[state.items.length - 1];
    if (!last || !has(last.values, name)) throw new Missing(`${key}.${name} is undefined`);
    return last.values[name];
  }

  select(value, path) {
    let found = [value], isList = false;
    for (const part of path) {
      if (Array.isArray(part)) {
        isList = true;
        found = found.flatMap((one) => one !== null && typeof one === 'object' ? Object.values(one) : []);
      } else if (typeof part === 'string') {
        found = found.filter((one) => kind(one) === 'object' && has(one, part)).map((one) => one[part]);
      } else {
        found = found.filter((one) => Array.isArray(one) && part < one.length && part >= -one.length).map((one) => one[part < 0 ? one.length + part : part]);
      }
    }
    return isList ? found : found.length ? found[0] : ABSENT;
  }

  match(text, pattern) {
    const found = new RegExp(pattern).exec(text);
    return found === null ? ABSENT : found.length > 1 ? found[1] : found[0];
  }

  // Values

  variable(name) {
    if (!has(this.known, name)) this.known[name] = VARIABLES[name](this);
    return this.known[name];
  }

  env(name) {
    if (__ENV[name] === undefined) throw new Missing(`the environment variable ${name} is not set`);
    return __ENV[name];
  }

  id() { return this.name; }
  iteration() { return exec.vu.iterationInInstance + 1; }

  rows(path, format) {
    const text = FILES[path].replace(/^\uFEFF/, '');
    if (format === 'json') return JSON.parse(text);
    if (format === 'jsonl') return text.split('\n').filter((line) => line.trim()).map((line) => JSON.parse(line));
    const first = text.split('\n', 1)[0];
    const [names, ...rows] = cells(text, format === 'tsv' ? '\t' : first.includes(';') && !first.includes(',') ? ';' : ',');
    return rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])));
  }

  matrix(names, lists) {
    return names.reduce((rows, name, place) => rows.flatMap((row) => lists[place].map((value) => ({ ...row, [name]: value }))), [{}]);
  }

  present(items) { return items.filter((item) => item !== ABSENT); }

  /** The values as one text. */
  text(...parts) { return parts.map((part) => this.rendered(part)).join(''); }

  rendered(value) {
    if (value === ABSENT) throw new Missing('a value is undefined');
    if (value === null || typeof value === 'object') throw new Problem(`${words(value)} can't be part of a text`);
    return String(value);
  }

  encode(value) { return encoded(this.rendered(value)); }

  /** A relative URL after its base. */
  join(whole, own) {
    if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(own)) return own;
    const mark = whole.indexOf('?');
    const base = mark < 0 ? whole : whole.slice(0, mark);
    const path = /^[^?#]*/.exec(own)[0], rest = own.slice(path.length);
    const joined = !path ? base : base.replace(/\/$/, '') + (path.startsWith('/') ? '' : '/') + path;
    return mark < 0 ? joined + rest : joined + whole.slice(mark) + (rest.startsWith('?') ? '&' + rest.slice(1) : rest);
  }

  parameters(value, how) {
    const pairs = ordered(value, how).flatMap((name) => flattened(name, value[name], how));
    const text = pairs.map(([name, other]) => `${encoded(name)}=${encoded(other)}`).join('&');
    return how.plus ? text.replace(/%20/g, '+') : text;
  }

  query(url, text) {
    if (!text) return url;
    const mark = url.indexOf('#');
    const start = mark < 0 ? url : url.slice(0, mark);
    return start + (start.includes('?') ? '&' : '?') + text + (mark < 0 ? '' : url.slice(mark));
  }

  seconds(value) {
    if (kind(value) === 'number') return value;
    const found = /^([0-9]+(?:\.[0-9]+)?)(us|ms|s|m|h|d)$/.exec(value);
    if (!found) throw new Problem(`${words(value)} is no duration`);
    return Number(found[1]) * { us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600, d: 86400 }[found[2]];
  }

  truth(value) {
    if (value === 'true' || value === 'false') return value === 'true';
    if (typeof value !== 'boolean') throw new Problem(`${words(value)} is neither true nor false`);
    return value;
  }

  get(base, key) {
    if (kind(base) === 'object' && typeof key === 'string' && has(base, key)) return base[key];
    if (Array.isArray(base) && Number.isInteger(key)) {
      const value = base[key < 0 ? base.length + key : key];
      if (value !== undefined && value !== ABSENT) return value;
    }
    throw new Missing(`${words(key)} is undefined`);
  }

  defined(value) {
    if (value === ABSENT) throw new Missing('a value is undefined');
    return value;
  }

  coalesce(first, second) {
    let value;
    try {
      value = first();
    } catch (problem) {
      if (!(problem instanceof Missing)) throw problem;
      return second();
    }
    return value === null || value === ABSENT ? second() : value;
  }

  opposite(value) { return !this.truth(value); }
  both(one, other) { return this.truth(one()) && this.truth(other()); }
  either(one, other) { return this.truth(one()) || this.truth(other()); }

  equal(one, other) {
    if (kind(one) !== kind(other) && one !== null && other !== null) throw new Problem(`compares ${words(one)} with ${words(other)}`);
    return same(one, other);
  }

  unequal(one, other) { return !this.equal(one, other); }
  less(one, other) { return least(one, other) < 0; }
  atmost(one, other) { return least(one, other) <= 0; }
  more(one, other) { return least(one, other) > 0; }
  atleast(one, other) { return least(one, other) >= 0; }

  numbers(...values) {
    for (const value of values) if (kind(value) !== 'number') throw new Problem(`${words(value)} is no number`);
  }

  plus(one, other) { this.numbers(one, other); return one + other; }
  minus(one, other) { this.numbers(one, other); return one - other; }
  times(one, other) { this.numbers(one, other); return one * other; }

  over(one, other) {
    this.numbers(one, other);
    if (other === 0) throw new Problem('divides by zero');
    return one / other;
  }

  // Filters and functions

  uuid() {
    const bytes = [...new Uint8Array(crypto.randomBytes(16))];
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  now() { return new Date().toISOString(); }
  random(low, high) { return low + Math.floor(Math.random() * (high - low + 1)); }
  file(path) { return FILES[path]; }
  base64(text) { return encoding.b64encode(text); }
  base64url(text) { return encoding.b64encode(text, 'rawurl'); }
  base64_decode(text) { return encoding.b64decode(text, 'std', 's'); }
  sha256(text) { return crypto.sha256(text, 'hex'); }
  md5(text) { return crypto.md5(text, 'hex'); }
  hmac_sha256(text, key) { return crypto.hmac('sha256', key, text, 'hex'); }
  lower(text) { return text.toLowerCase(); }
  upper(text) { return text.toUpperCase(); }
  trim(text) { return text.trim(); }
  length(value) { return members(value); }
  first(items) { if (!items.length) throw new Missing('the list is empty'); return this.defined(items[0]); }
  last(items) { if (!items.length) throw new Missing('the list is empty'); return this.defined(items[items.length - 1]); }
  split(text, separator) { return text.split(separator); }
  joined(items, separator = '') { return items.map((item) => this.rendered(item)).join(separator); }
  replace(text, old, fresh) { return text.split(old).join(fresh); }
  json(value) { return JSON.stringify(value); }

  parse_json(text) {
    try {
      return JSON.parse(text);
    } catch {
      throw new Problem(`${words(text)} is no JSON`);
    }
  }

  number(value) {
    if (kind(value) === 'number') return value;
    if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(value)) throw new Problem(`${words(value)} is no number`);
    return Number(value);
  }

  map(items, task) { return this.present(items).map((item, index) => task(item, index)); }
  filter(items, task) { return this.present(items).filter((item, index) => this.truth(task(item, index))); }

  sort(items, task = (item) => item) {
    return items.map((item, index) => [task(item, index), item]).sort(([one], [other]) => least(one, other)).map(([, item]) => item);
  }

  unique(items, task = (item) => item) {
    const found = [];
    items.forEach((item, index) => {
      const key = task(item, index);
      if (!found.some(([other]) => same(key, other))) found.push([key, item]);
    });
    return found.map(([, item]) => item);
  }

  range(start, end) {
    const [low, high] = end === undefined ? [0, start] : [start, end];
    return Array.from({ length: Math.max(0, high - low) }, (_, place) => low + place);
  }

  lines(text) { return text.replace(/\r?\n$/, '').split(/\r?\n/); }
  keys(value) { return Object.keys(value); }
  values(value) { return Object.values(value); }
}

/** The number of bytes of a text in UTF-8. */
function byteCount(text) {
  let count = 0;
  for (const letter of text) count += letter.codePointAt(0) < 0x80 ? 1 : letter.codePointAt(0) < 0x800 ? 2 : letter.codePointAt(0) < 0x10000 ? 3 : 4;
  return count;
}

/** The cells of CSV (RFC 4180), row by row. */
function cells(text, separator) {
  const rows = [];
  let row = [], cell = '', isQuoted = false;
  const endRow = () => { row.push(cell); cell = ''; if (row.length > 1 || row[0] !== '') rows.push(row); row = []; };
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place];
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[place + 1] === '"') { cell += '"'; place += 1; } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) { row.push(cell); cell = ''; } else if (letter === '\n') endRow();
    else if (letter !== '\r') cell += letter;
  }
  endRow();
  return rows;
}
