import base64
import csv
import hashlib
import hmac
import json
import os
import random
import re
import time
import urllib.parse
import uuid
from datetime import datetime, timezone

import gevent
import requests.auth
from locust import HttpUser, constant, events, task

HERE = os.path.dirname(os.path.abspath(__file__))


class Problem(Exception):
    """Why a step can't go on: a value that is missing or has the wrong type, or a request that failed in transit."""


class Missing(Problem):
    """A value that is not there."""


ABSENT = object()


def kind(value):
    if value is ABSENT:
        return "nothing"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def same(one, other):
    """Whether two values are equal: numbers by value, lists and mappings deeply."""
    if kind(one) != kind(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    return one == other


def words(value):
    text = "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"


def least(one, other):
    """-1, 0 or 1 for the order of two numbers or two texts."""
    if kind(one) != kind(other) or kind(one) not in ("number", "string"):
        raise Problem(f"compares {words(one)} with {words(other)}")
    return (one > other) - (one < other)


def members(value):
    if kind(value) not in ("string", "array", "object"):
        raise Problem(f"{words(value)} has no length")
    return len(value)


def subset(part, whole):
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(name in whole and subset(value, whole[name]) for name, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and places(part, whole, set())
    return same(part, whole)


def places(items, whole, taken):
    """Whether each item has an item of its own in the list."""
    if not items:
        return True
    return any(place not in taken and subset(items[0], value) and places(items[1:], whole, taken | {place}) for place, value in enumerate(whole))


def is_type(value, name):
    return kind(value) == name or (name == "integer" and kind(value) == "number" and float(value).is_integer())


def holds(value, predicates):
    return all(predicate(value, name, argument) for name, argument in predicates)


def predicate(value, name, argument):
    """Whether one predicate holds. A value of the wrong type is a problem, also within `not`."""
    if name == "exists":
        return (value is not ABSENT and value != []) == argument
    if value is ABSENT:
        raise Problem("selects nothing")
    if name == "eq":
        return same(value, argument)
    if name == "ne":
        return not same(value, argument)
    if name in ("gt", "gte", "lt", "lte"):
        if kind(value) != "number":
            raise Problem(f"is {words(value)}, which is no number")
        order = least(value, argument)
        return {"gt": order > 0, "gte": order >= 0, "lt": order < 0, "lte": order <= 0}[name]
    if name == "in":
        return any(same(value, item) for item in argument)
    if name == "contains":
        if isinstance(value, list):
            return any(same(item, argument) for item in value)
        return argument in value
    if name == "starts_with":
        return value.startswith(argument)
    if name == "ends_with":
        return value.endswith(argument)
    if name == "matches":
        return re.search(argument, value, re.ASCII) is not None
    if name == "type":
        return any(is_type(value, one) for one in argument)
    if name == "length":
        return holds(members(value), argument)
    if name == "empty":
        return (members(value) == 0) == argument
    if name in ("each", "any", "none"):
        if not isinstance(value, list):
            raise Problem(f"is {words(value)}, which is no list")
        found = [holds(item, argument) for item in value]
        return any(found) if name == "any" else bool(found) and (all(found) if name == "each" else not any(found))
    if name == "subset":
        return subset(argument, value)
    return not holds(value, argument)


def encoded(text):
    return urllib.parse.quote(text, safe="-._~")


def flattened(name, value, how):
    """The pairs of a parameter, lists and mappings written out."""
    if isinstance(value, dict):
        return [pair for key in ordered(value, how) for pair in flattened(f"{name}[{key}]", value[key], how)]
    if isinstance(value, list):
        suffixes = {"brackets": lambda _: "[]", "none": lambda _: "", "index": lambda place: f"[{place}]"}[how["arrays"]]
        return [pair for place, item in enumerate(value) for pair in flattened(name + suffixes(place), item, how)]
    if value is None:
        return {"drop_key": [], "drop_value": [(name, "")], "null": [(name, "null")]}[how["nulls"]]
    if isinstance(value, bool):
        return [(name, ("1" if value else "0") if how["bools"] == "numeric" else str(value).lower())]
    return [(name, value if isinstance(value, str) else json.dumps(value))]


def ordered(value, how):
    return sorted(value) if how["sorted"] else list(value)


class Item:
    """One attempt of a step: the response, and what it extracted."""

    def __init__(self):
        self.answer, self.values, self.sent, self.json = None, {}, False, ABSENT


class State:
    """How a step ended: passed, tolerated (skipped, or a failure that is allowed), partial (some items of a loop failed), or problem."""

    def __init__(self, is_loop):
        self.is_loop, self.items, self.ending = is_loop, [], "passed"


class Run:
    """One run of the workflow by one user.

    The workflow calls the methods. The state has names with `_`, and `__slots__` refuses a state that has the name of a method.
    """

    __slots__ = ("_context", "_current", "_failures", "_key", "_known", "_name", "_number", "_states", "_user")

    def __init__(self, user, iteration):
        self._user, self._number, self._name = user, iteration, str(uuid.uuid4())
        self._states, self._known = {}, {}
        self._key, self._current, self._failures = "", Item(), []
        user.client.cookies.clear()
        user.client.max_redirects = 20

    # Steps

    def step(self, key, function, options):
        state = self._states[key] = State("items" in options)
        blocking = {"value": ("problem", "tolerated"), "pass": ("problem", "partial")}
        needs = {} if options.get("always") else options.get("needs", {})
        if any(self._states[need].ending in blocking[why] for need, why in needs.items()):
            state.ending = "problem"
            return
        undone = options.get("cleanup")
        if undone and not any(item.sent for item in self._states[undone].items):
            state.ending = "tolerated"
            return
        self._key, self._failures = key, []
        try:
            items = options["items"]() if state.is_loop else [None]
        except Problem as problem:
            self._failures.append(str(problem))
            self.end(None, options)
            state.ending = "tolerated" if options.get("allowed") else "problem"
            return
        outcomes = [self.attempt(state, function, options, item, index) for index, item in enumerate(items)]
        wrong = "problem" in outcomes
        if wrong and "passed" in outcomes:
            state.ending = "passed" if options.get("allowed") else "partial"
        elif wrong:
            state.ending = "tolerated" if options.get("allowed") else "problem"
        else:
            state.ending = "passed" if "passed" in outcomes else "tolerated"

    def attempt(self, state, function, options, item, index):
        self._current, self._failures, self._context = Item(), [], None
        state.items.append(self._current)
        try:
            if "when" in options and not self.truth(options["when"](item, index)):
                return "skipped"
            if "delay" in options:
                time.sleep(self.seconds(options["delay"](item, index)))
            function(self, item, index)
        except Problem as problem:
            self._failures.append(str(problem))
        self.end(self._context, options)
        return "problem" if self._failures else "passed"

    def end(self, context, options):
        """Tells Locust how the request, or the step that sent none, ended."""
        text = "; ".join(self._failures)
        isWrong = bool(self._failures) and not options.get("allowed")
        if context is not None:
            context.failure(text) if isWrong else context.success()
            context.__exit__(None, None, None)
        elif isWrong:
            self._user.environment.events.request.fire(
                request_type="STEP", name=self._key, response_time=0, response_length=0, context={}, exception=Problem(text))

    # Requests and responses

    def send(self, method, url, options):
        headers = dict(options.get("headers", []))
        body, type = None, None
        if "json" in options:
            body, type = json.dumps(options["json"], ensure_ascii=False, separators=(",", ":")), "application/json"
        elif "form" in options:
            body, type = options["form"], options.get("type", "application/x-www-form-urlencoded")
        elif "text" in options:
            body, type = options["text"], "text/plain; charset=utf-8"
        elif "file" in options:
            with open(os.path.join(HERE, options["file"]), "rb") as file:
                body, type = file.read(), options["type"]
        files = [self.part(part) for part in options["parts"]] if "parts" in options else None
        if type is not None and not any(name.lower() == "content-type" for name in headers):
            headers["Content-Type"] = type
        auth = requests.auth.HTTPDigestAuth(*options["digest"].split(":", 1)) if "digest" in options else None
        item = self._current
        item.sent = True
        began = time.monotonic()
        try:
            with gevent.Timeout(options.get("deadline")):
                self._context = self._user.client.request(
                    method, url, name=self._key, catch_response=True, headers=headers, cookies=options.get("cookies"), auth=auth,
                    data=body.encode() if isinstance(body, str) else body, files=files, timeout=options.get("timeout", 60),
                    allow_redirects=options.get("follow", True))
                answer = self._context.__enter__()
        except gevent.Timeout as error:
            raise Problem(f"took longer than the deadline of {options['deadline']} s") from error
        item.time = time.monotonic() - began
        if not answer.status_code:
            raise Problem(str(answer.error or "no response"))
        item.answer = answer

    def part(self, part):
        type = part.get("type")
        if "file" in part:
            with open(os.path.join(HERE, part["file"]), "rb") as file:
                content = file.read()
        elif "json" in part:
            content, type = self.json(part["json"]), type or "application/json"
        else:
            content = part["text"]
        return part["name"], (part.get("filename"), content) + ((type,) if type else ())

    def digest(self, wanted):
        found = hashlib.sha256(self._current.answer.content).hexdigest()
        if isinstance(wanted, dict):
            with open(os.path.join(HERE, wanted["file"]), "rb") as file:
                wanted = hashlib.sha256(file.read()).hexdigest()
        if found != wanted.lower():
            self._failures.append(f"sha256 is {found}")

    def status(self, ranges):
        code = self.own("status")
        if not any(low <= code <= high for low, high in ranges):
            self._failures.append(f"status is {code}")

    def media(self, patterns):
        """Whether the type of the response is one of these, such as `text/*`."""
        found = (self._current.answer.headers.get("Content-Type") or "").split(";")[0].strip().lower()
        type, _, subtype = found.partition("/")
        if not any(one in ("*", type) and other in ("*", subtype) for one, other in (pattern.split("/") for pattern in patterns)):
            self._failures.append(f"type is {found or 'not said'}")

    def accept(self, patterns):
        """A successful response with a body has a type that the step's own `Accept` allows."""
        answer = self._current.answer
        if 200 <= answer.status_code < 300 and answer.status_code not in (204, 205) and answer.content:
            self.media(patterns)

    def expect(self, subject, value, predicates):
        try:
            found = value()
            if not holds(found, [(name, argument()) for name, argument in predicates]):
                self._failures.append(f"{subject} is {words(found)}")
        except Problem as problem:
            self._failures.append(f"{subject} {problem}")
        except (TypeError, AttributeError):
            self._failures.append(f"{subject} is of another type")

    def that(self, condition, source):
        try:
            if not self.truth(condition()):
                self._failures.append(f"{source} does not hold")
        except Problem as problem:
            self._failures.append(f"{source}: {problem}")

    def extract(self, name, value, options):
        try:
            found = value()
            if found is ABSENT and "default" in options:
                found = options["default"]()
            if found is ABSENT:
                if not options.get("optional"):
                    self._failures.append(f"extract {name}: has no value")
                return
            if options.get("choice") == "first" and isinstance(found, list):
                found = found[0] if found else ABSENT
            if options.get("choice") == "all" and not isinstance(found, list):
                found = [found]
            if "then" in options:
                found = options["then"](found)
            self._current.values[name] = found
        except Problem as problem:
            self._failures.append(f"extract {name}: {problem}")

    def own(self, member):
        return self.member(self._current, member)

    def member(self, item, member):
        answer = item.answer
        if answer is None:
            raise Missing("there is no response")
        if member == "json":
            if item.json is ABSENT:
                try:
                    item.json = json.loads(answer.content)
                except ValueError:
                    raise Problem("the body is no JSON") from None
            return item.json
        return {
            "status": lambda: answer.status_code, "text": lambda: answer.content.decode(answer.encoding or "utf-8", "replace"),
            "url": lambda: answer.url, "time": lambda: item.time, "size": lambda: len(answer.content)}[member]()

    def response(self, key, member):
        return self.member(self.only(key), member)

    def header(self, key, name):
        item = self._current if key is None else self.only(key)
        if item.answer is None:
            raise Missing("there is no response")
        return item.answer.headers.get(name, ABSENT)

    def cookie(self, key, name):
        item = self._current if key is None else self.only(key)
        if item.answer is None:
            raise Missing("there is no response")
        return item.answer.cookies.get(name, ABSENT)

    def only(self, key):
        state = self._states[key]
        if not state.items:
            raise Missing(f"{key} has no response")
        return state.items[-1]

    def value(self, key, name):
        state = self._states[key]
        if state.is_loop:
            return [item.values.get(name, ABSENT) for item in state.items]
        if not state.items or name not in state.items[-1].values:
            raise Missing(f"{key}.{name} is undefined")
        return state.items[-1].values[name]

    def select(self, value, path):
        found = [value]
        for part in path:
            if part == ["*"]:
                found = [item for value in found for item in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else [])]
            elif isinstance(part, str):
                found = [value[part] for value in found if isinstance(value, dict) and part in value]
            else:
                found = [value[part] for value in found if isinstance(value, list) and -len(value) <= part < len(value)]
        return found if ["*"] in path else found[0] if found else ABSENT

    def match(self, text, pattern):
        found = re.search(pattern, text, re.ASCII)
        if found is None:
            return ABSENT
        return found.group(1) if found.re.groups else found.group(0)

    # Values

    def variable(self, name):
        if name not in self._known:
            self._known[name] = VARIABLES[name](self)
        return self._known[name]

    def env(self, name):
        if name not in os.environ:
            raise Missing(f"the environment variable {name} is not set")
        return os.environ[name]

    def id(self):
        return self._name

    def iteration(self):
        return self._number

    def rows(self, path, format):
        with open(os.path.join(HERE, path), encoding="utf-8-sig", newline="") as file:
            if format == "json":
                return json.load(file)
            if format == "jsonl":
                return [json.loads(line) for line in file if line.strip()]
            text = file.read()
        first = text.split("\n", 1)[0]
        separator = "\t" if format == "tsv" else ";" if ";" in first and "," not in first else ","
        return list(csv.DictReader(text.splitlines(keepends=True), delimiter=separator))

    def matrix(self, names, lists):
        rows = [{}]
        for name, values in zip(names, lists):
            rows = [{**row, name: value} for row in rows for value in values]
        return rows

    def present(self, items):
        return [item for item in items if item is not ABSENT]

    def text(self, *parts):
        """The values as one text."""
        return "".join(self.rendered(part) for part in parts)

    def rendered(self, value):
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if kind(value) == "number":
            return json.dumps(value)
        if value is ABSENT:
            raise Missing("a value is undefined")
        raise Problem(f"{words(value)} can't be part of a text")

    def encode(self, value):
        return encoded(self.rendered(value))

    def join(self, base, own):
        """A relative URL after its base."""
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", own):
            return own
        base, mark, query = base.partition("?")
        path = re.match(r"[^?#]*", own).group(0)
        if path:
            base = (base[:-1] if base.endswith("/") else base) + ("" if path.startswith("/") else "/") + path
        rest = own[len(path):]
        if not mark:
            return base + rest
        return base + "?" + query + ("&" + rest[1:] if rest.startswith("?") else rest)

    def parameters(self, value, how):
        pairs = [pair for name in ordered(value, how) for pair in flattened(name, value[name], how)]
        text = "&".join(f"{encoded(name)}={encoded(value)}" for name, value in pairs)
        return text.replace("%20", "+") if how["plus"] else text

    def query(self, url, text):
        if not text:
            return url
        start, mark, fragment = url.partition("#")
        return start + ("&" if "?" in start else "?") + text + mark + fragment

    def seconds(self, value):
        if kind(value) == "number":
            return value
        found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(us|ms|s|m|h|d)", value)
        if found is None:
            raise Problem(f"{words(value)} is no duration")
        return float(found.group(1)) * {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400}[found.group(2)]

    def truth(self, value):
        if isinstance(value, str) and value in ("true", "false"):
            return value == "true"
        if not isinstance(value, bool):
            raise Problem(f"{words(value)} is neither true nor false")
        return value

    def get(self, base, key):
        if isinstance(base, dict) and isinstance(key, str) and key in base:
            return base[key]
        if isinstance(base, list) and isinstance(key, int) and -len(base) <= key < len(base) and base[key] is not ABSENT:
            return base[key]
        raise Missing(f"{words(key)} is undefined")

    def defined(self, value):
        if value is ABSENT:
            raise Missing("a value is undefined")
        return value

    def coalesce(self, first, second):
        try:
            value = first()
        except Missing:
            return second()
        return second() if value is None or value is ABSENT else value

    def opposite(self, value):
        return not self.truth(value)

    def both(self, one, other):
        return self.truth(one()) and self.truth(other())

    def either(self, one, other):
        return self.truth(one()) or self.truth(other())

    def equal(self, one, other):
        if kind(one) != kind(other) and one is not None and other is not None:
            raise Problem(f"compares {words(one)} with {words(other)}")
        return same(one, other)

    def unequal(self, one, other):
        return not self.equal(one, other)

    def less(self, one, other):
        return least(one, other) < 0

    def atmost(self, one, other):
        return least(one, other) <= 0

    def more(self, one, other):
        return least(one, other) > 0

    def atleast(self, one, other):
        return least(one, other) >= 0

    def numbers(self, *values):
        for value in values:
            if kind(value) != "number":
                raise Problem(f"{words(value)} is no number")
        return values

    def plus(self, one, other):
        self.numbers(one, other)
        return one + other

    def minus(self, one, other):
        self.numbers(one, other)
        return one - other

    def times(self, one, other):
        self.numbers(one, other)
        return one * other

    def over(self, one, other):
        self.numbers(one, other)
        if other == 0:
            raise Problem("divides by zero")
        return one // other if isinstance(one, int) and isinstance(other, int) and one % other == 0 else one / other

    # Filters and functions

    def uuid(self):
        return str(uuid.uuid4())

    def now(self):
        return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def random(self, low, high):
        return random.randint(low, high)

    def file(self, path):
        with open(os.path.join(HERE, path), encoding="utf-8") as file:
            return file.read()

    def base64(self, text):
        return base64.b64encode(text.encode()).decode()

    def base64url(self, text):
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def base64_decode(self, text):
        return base64.b64decode(text).decode()

    def sha256(self, text):
        return hashlib.sha256(text.encode()).hexdigest()

    def md5(self, text):
        return hashlib.md5(text.encode()).hexdigest()

    def hmac_sha256(self, text, key):
        return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()

    def lower(self, text):
        return text.lower()

    def upper(self, text):
        return text.upper()

    def trim(self, text):
        return text.strip()

    def length(self, value):
        return members(value)

    def first(self, items):
        if not items:
            raise Missing("the list is empty")
        return self.defined(items[0])

    def last(self, items):
        if not items:
            raise Missing("the list is empty")
        return self.defined(items[-1])

    def split(self, text, separator):
        return text.split(separator)

    def joined(self, items, separator=""):
        return separator.join(self.rendered(item) for item in items)

    def replace(self, text, old, new):
        return text.replace(old, new)

    def json(self, value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def parse_json(self, text):
        try:
            return json.loads(text)
        except ValueError:
            raise Problem(f"{words(text)} is no JSON") from None

    def number(self, value):
        if kind(value) == "number":
            return value
        if not re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", value):
            raise Problem(f"{words(value)} is no number")
        return json.loads(value)

    def map(self, items, function):
        return [function(item, index) for index, item in enumerate(self.present(items))]

    def filter(self, items, function):
        return [item for index, item in enumerate(self.present(items)) if self.truth(function(item, index))]

    def sort(self, items, function=lambda item, index: item):
        return [item for _, item in sorted(((function(item, index), item) for index, item in enumerate(items)), key=lambda pair: pair[0])]

    def unique(self, items, function=lambda item, index: item):
        found = []
        for index, item in enumerate(items):
            key = function(item, index)
            if not any(same(key, other) for other, _ in found):
                found.append((key, item))
        return [item for _, item in found]

    def range(self, start, end=None):
        return list(range(start)) if end is None else list(range(start, end))

    def lines(self, text):
        return text.splitlines()

    def keys(self, value):
        return list(value)

    def values(self, value):
        return list(value.values())
