import { check, sleep } from 'k6';
import crypto from 'k6/crypto';
import encoding from 'k6/encoding';
import exec from 'k6/execution';
import http from 'k6/http';

// The run fails if a check fails. `--vus`, `--duration` and the like say how many users there are, and how long.
export const options = { thresholds: { checks: ['rate==1'] } };

/** Ends the test before its first iteration if a variable is not set. */
export function setup() {
  const missing = REQUIRED.filter((name) => __ENV[name] === undefined);
  if (missing.length > 0) throw new Error(missing.map((name) => `the environment variable ${name} is not set`).join(', '));
}

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

const words = (value) => kind(value) === 'nothing' ? 'nothing' : JSON.stringify(value);

/** The value, which must have this type. */
function typed(value, name) {
  if (kind(value) === 'nothing') throw new Missing('a value is undefined');
  if (kind(value) !== name) throw new Problem(`expected ${name}, found ${kind(value)}`);
  return value;
}

/** The value as compact JSON. */
const written = (value) => JSON.stringify(value, (name, item) => {
  if (kind(item) === 'nothing') throw new Missing('a value is undefined');
  return item;
});

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

/** The number that a text is; nothing for another text. */
const numberOf = (text) => /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : ABSENT;

/** A text, number or boolean as text. */
function plain(value) {
  if (kind(value) === 'nothing') throw new Missing('a value is undefined');
  if (value === null || typeof value === 'object') throw new Problem(`${words(value)} can't be part of a text`);
  return String(value);
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
/** Whether a value is the wanted one. A value that is always text, such as a header, also equals a number or boolean that it spells. */
function equals(value, wanted, isText) {
  if (!isText || typeof value !== 'string' || !['number', 'boolean'].includes(kind(wanted))) return same(value, wanted);
  return kind(wanted) === 'number' ? numberOf(value) === wanted : value === plain(wanted);
}

const holds = (value, predicates, isText = false) => predicates.every(([name, argument]) => predicate(value, name, argument, isText));

/** Whether one predicate holds. A value of the wrong type is a problem, also within `not`. */
function predicate(value, name, argument, isText = false) {
  if (name === 'exists') return (kind(value) !== 'nothing') === argument;
  if (kind(value) === 'nothing') throw new Problem('has no value');
  switch (name) {
    case 'eq': return equals(value, argument, isText);
    case 'ne': return !equals(value, argument, isText);
    case 'gt': case 'gte': case 'lt': case 'lte': {
      const found = isText && typeof value === 'string' ? numberOf(value) : value;
      if (kind(found) !== 'number') throw new Problem(`is ${words(value)}, which is no number`);
      const order = least(found, typeof argument === 'string' ? numberOf(argument) : argument);
      return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[name];
    }
    case 'in': return typed(argument, 'array').some((item) => equals(value, item, isText));
    case 'contains':
      if (Array.isArray(value)) return value.some((item) => equals(item, argument, isText));
      if (kind(value) === 'object') return has(value, typed(argument, 'string'));
      return typed(value, 'string').includes(plain(argument));
    case 'starts_with': return typed(value, 'string').startsWith(plain(argument));
    case 'ends_with': return typed(value, 'string').endsWith(plain(argument));
    case 'matches': return new RegExp(argument).test(typed(value, 'string'));
    case 'type': return argument.some((one) => isType(value, one));
    case 'length': return holds(members(value), argument);
    case 'empty': return (members(value) === 0) === argument;
    case 'each': case 'any': case 'none': {
      const found = typed(value, 'array').map((item) => holds(item, argument, isText));
      if (name === 'any') return found.includes(true);
      return found.length > 0 && !found.includes(name === 'none');
    }
    case 'subset': return subset(argument, value);
    // All of the inner predicates are computed, since each of them may be a problem.
    default: return argument.map(([inner, one]) => predicate(value, inner, one, isText)).includes(false);
  }
}

/** Whether a predicate holds for a path that selects nothing: only one that requires absence does, or a misspelt path would pass. */
function nothing(name, argument, isNegated = false) {
  if (name === 'exists') return !argument;
  if (['empty', 'each', 'any', 'none'].includes(name)) return predicate([], name, argument);
  if (name === 'eq' && !isNegated && Array.isArray(argument)) return argument.length === 0;
  if (name === 'length' && !isNegated && !argument.some(([inner]) => inner === 'ne' || inner === 'not')) return holds(0, argument);
  if (name === 'not') return argument.map(([inner, one]) => nothing(inner, one, true)).includes(false);
  throw new Problem('selects nothing');
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
    default: return [[name, plain(value)]];
  }
}

/** One run of the workflow by one user. */
class Run {
  constructor() {
    this.states = {};
    this.known = {};
    this.secrets = new Set();
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
    // Only the response of the last item is needed later, and a loop may have many items.
    if (index > 0) { this.current.answer = undefined; this.current.json = undefined; }
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

  /** Records a problem, or an error of k6, such as of a value that has another type than a function needs. */
  note(prefix, problem) { this.failures.push(prefix + (problem instanceof Problem ? problem.message : String(problem))); }

  /** The text without secrets, and not too long. */
  masked(text) {
    let shown = text;
    for (const secret of [...this.secrets].sort((one, other) => other.length - one.length)) {
      for (const form of [JSON.stringify(secret).slice(1, -1), secret]) shown = shown.split(form).join('***');
    }
    return shown.length <= 160 ? shown : `${shown.slice(0, 159)}…`;
  }

  /** A check for each step; a failure that is allowed is none. */
  end(settings) {
    const failed = this.failures.length > 0;
    check(null, { [this.key]: () => !failed || !!settings.allowed }, { step: this.key });
    if (failed && !settings.allowed) console.error(`${this.key}: ${this.failures.map((failure) => this.masked(failure)).join('; ')}`);
  }

  // Requests and responses

  send(method, url, settings) {
    const headers = {};
    for (const [name, value] of settings.headers ?? []) headers[name] = value;
    let body = null, type;
    if ('json' in settings) { body = written(settings.json); type = 'application/json'; }
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

  /** A GraphQL response without errors. Some servers write none as `null` or an empty list. */
  graphql() {
    const { status } = this.current.answer;
    let found;
    try {
      found = this.select(this.own('json'), ['errors']);
    } catch (problem) {
      // With another status, the body may be anything, such as a proxy's error page.
      if (status >= 200 && status < 300) throw problem;
      return;
    }
    if (found !== ABSENT && found !== null && !(Array.isArray(found) && !found.length)) this.failures.push(`errors is ${words(found)}`);
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

  /** `target` is `text` for a value that is always text, and `list` for a path that can select several values. */
  expect(subject, value, predicates, target) {
    try {
      const found = value();
      const wanted = predicates.map(([name, argument]) => [name, argument()]);
      const isNothing = target === 'list' && !found.length;
      if (isNothing ? wanted.map(([name, argument]) => nothing(name, argument)).includes(false) : !holds(found, wanted, target === 'text')) this.failures.push(`${subject} is ${words(found)}`);
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
      let found;
      try {
        found = value();
        if (['first', 'list'].includes(settings.form) && !found.length) found = ABSENT;
        found = this.whole(found);
        if (settings.form === 'first') [found] = found;
        else if (settings.form === 'wrap') found = [found];
        if (settings.then) found = settings.then(found);
      } catch (problem) {
        if (!(problem instanceof Missing)) throw problem;
        if ('default' in settings) found = settings.default();
        else if (settings.optional) return;
        else throw problem;
      }
      this.current.values[name] = settings.secret ? this.secret(found) : found;
    } catch (problem) {
      this.note(`extract.${name}: `, problem);
    }
  }

  own(member) { return this.member(this.current, member); }

  member(item, member) {
    const { answer } = item;
    if (!answer) throw new Missing('there is no response');
    switch (member) {
      case 'json':
        try {
          item.json = item.json === undefined ? JSON.parse(answer.body ?? '') : item.json;
        } catch {
          throw new Problem('the body is no JSON');
        }
        return item.json;
      case 'status': return answer.status;
      case 'text': return answer.body ?? '';
      case 'url': return answer.url;
      // `duration` begins when the connection is there.
      case 'time': return ((answer.timings.connecting ?? 0) + (answer.timings.tls_handshaking ?? 0) + answer.timings.duration) / 1000;
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
    if (Array.isArray(text)) return text.map((one) => this.defined(this.match(one, pattern)));
    const found = new RegExp(pattern).exec(plain(text));
    return found === null ? ABSENT : (found.length > 1 ? found[1] : found[0]) ?? ABSENT;
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

  /** The value, whose texts no message shows. */
  secret(value) {
    if (value !== null && typeof value === 'object') Object.values(value).forEach((part) => this.secret(part));
    else if (!['', null, undefined, ABSENT, true, false].includes(value)) this.secrets.add(String(value));
    return value;
  }

  id() { return this.name; }
  iteration() { return exec.vu.iterationInInstance + 1; }

  rows(path, format) {
    const text = TEXTS[path].replace(/^\uFEFF/, '');
    if (format === 'json') return JSON.parse(text);
    if (format === 'jsonl') return text.split('\n').filter((line) => line.trim()).map((line) => JSON.parse(line));
    const first = text.split('\n', 1)[0];
    const [names, ...rows] = cells(text, format === 'tsv' ? '\t' : first.includes(';') && !first.includes(',') ? ';' : ',');
    return rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])));
  }

  matrix(names, lists) {
    return names.reduce((rows, name, place) => rows.flatMap((row) => this.present(lists[place]).map((value) => ({ ...row, [name]: value }))), [{}]);
  }

  present(items) { return typed(items, 'array').filter((item) => item !== ABSENT); }

  /** The values as one text. */
  text(...parts) { return parts.map((part) => plain(part)).join(''); }

  encode(value) { return encoded(plain(value)); }

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
    const found = /^([0-9]+(?:\.[0-9]+)?)(us|ms|s|m|h|d)$/.exec(typed(value, 'string'));
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
    if (kind(value) === 'nothing') throw new Missing('a value is undefined');
    return value;
  }

  /** The value, which has no item without a value. */
  whole(value) {
    if (Array.isArray(value)) value.forEach((item) => this.defined(item));
    return this.defined(value);
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
    this.whole(one);
    this.whole(other);
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
  random(low, high) { this.numbers(low, high); return low + Math.floor(Math.random() * (high - low + 1)); }
  file(path) { return TEXTS[path]; }
  base64(text) { return encoding.b64encode(typed(text, 'string')); }
  base64url(text) { return encoding.b64encode(typed(text, 'string'), 'rawurl'); }
  base64_decode(text) { return encoding.b64decode(typed(text, 'string').replace(/\s/g, '').replace(/={1,2}$/, ''), 'rawstd', 's'); }
  sha256(text) { return crypto.sha256(typed(text, 'string'), 'hex'); }
  md5(text) { return crypto.md5(typed(text, 'string'), 'hex'); }
  hmac_sha256(text, key) { return crypto.hmac('sha256', typed(key, 'string'), typed(text, 'string'), 'hex'); }
  lower(text) { return typed(text, 'string').toLowerCase(); }
  upper(text) { return typed(text, 'string').toUpperCase(); }
  trim(text) { return typed(text, 'string').trim(); }
  length(value) { return members(value); }
  first(items) { if (!typed(items, 'array').length) throw new Missing('the list is empty'); return this.defined(items[0]); }
  last(items) { if (!typed(items, 'array').length) throw new Missing('the list is empty'); return this.defined(items[items.length - 1]); }
  split(text, separator) { return separator === '' ? [...typed(text, 'string')] : typed(text, 'string').split(separator); }
  joined(items, separator = '') { return typed(items, 'array').map((item) => plain(item)).join(separator); }
  replace(text, old, fresh) {
    if (old === '') throw new Problem("empty text can't be replaced");
    return typed(text, 'string').split(old).join(fresh);
  }

  json(value) { return written(value); }

  parse_json(text) {
    try {
      return JSON.parse(typed(text, 'string'));
    } catch (problem) {
      throw problem instanceof Problem ? problem : new Problem(`${words(text)} is no JSON`);
    }
  }

  number(value) {
    if (kind(value) === 'number') return value;
    const found = numberOf(typed(value, 'string'));
    if (found === ABSENT) throw new Problem(`${words(value)} is no number`);
    return found;
  }

  map(items, task) { return this.present(items).map((item, index) => task(item, index)); }
  filter(items, task) { return this.present(items).filter((item, index) => this.truth(task(item, index))); }

  sort(items, task = (item) => item) {
    return this.whole(typed(items, 'array')).map((item, index) => [task(item, index), item]).sort(([one], [other]) => least(one, other)).map(([, item]) => item);
  }

  unique(items, task = (item) => item) {
    const found = [];
    this.whole(typed(items, 'array')).forEach((item, index) => {
      const key = task(item, index);
      if (!found.some(([other]) => same(key, other))) found.push([key, item]);
    });
    return found.map(([, item]) => item);
  }

  range(start, end) {
    const [low, high] = end === undefined ? [0, start] : [start, end];
    this.numbers(low, high);
    return Array.from({ length: Math.max(0, high - low) }, (_, place) => low + place);
  }

  lines(text) {
    const lines = typed(text, 'string').split(/\r\n|\r|\n/);
    return lines[lines.length - 1] === '' ? lines.slice(0, -1) : lines;
  }

  keys(value) { return Object.keys(typed(value, 'object')); }
  values(value) { return Object.values(typed(value, 'object')); }
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
