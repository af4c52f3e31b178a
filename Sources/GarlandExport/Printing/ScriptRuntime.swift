// swift-format-ignore-file
// Written by .ci/embed-page from the folder Runtime: change the files there.

/// The parts of exported scripts that are the same for all workflows.
enum ScriptRuntime {
  static let locust = #"""
import base64
import csv
import functools
import hashlib
import hmac
import io
import json
import os
import random
import re
import sys
import time
import urllib.parse
import uuid
from datetime import datetime, timezone

import gevent
import requests.auth
from locust import HttpUser, constant, events, task
from locust.runners import MasterRunner

HERE = os.path.dirname(os.path.abspath(__file__))


@events.init.add_listener
def require_environment(environment, **_):
    """Ends this process if a variable is not set. A master sends nothing and needs none."""
    missing = [name for name in REQUIRED if name not in os.environ]
    if missing and not isinstance(environment.runner, MasterRunner):
        sys.exit("\n".join(f"error: the environment variable {name} is not set" for name in missing))


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
    return "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False, default=lambda _: "nothing")


def typed(value, name):
    """The value, which must have this type."""
    if value is ABSENT:
        raise Missing("a value is undefined")
    if kind(value) != name:
        raise Problem(f"expected {name}, found {kind(value)}")
    return value


def written(value):
    """The value as compact JSON."""
    def refuse(_):
        raise Missing("a value is undefined")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=refuse)


def parsed(text):
    """The value of a JSON text. Python's parser also accepts `NaN` and `Infinity`, which are no JSON."""
    def refuse(name):
        raise ValueError(f"{name} is no JSON")
    return json.loads(text, parse_constant=refuse)


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
    return kind(value) == name or (name == "integer" and kind(value) == "number" and (isinstance(value, int) or value.is_integer()))


def number_of(text):
    """The number that a text is; nothing for another text."""
    return json.loads(text) if re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", text, re.ASCII) else ABSENT


def plain(value):
    """A text, number or boolean as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if kind(value) == "number":
        return json.dumps(value)
    if value is ABSENT:
        raise Missing("a value is undefined")
    raise Problem(f"{words(value)} can't be part of a text")


def equals(value, wanted, is_text):
    """Whether a value is the wanted one. A value that is always text, such as a header, also equals a number or boolean that it spells."""
    if is_text and isinstance(value, str) and kind(wanted) in ("number", "boolean"):
        return number_of(value) == wanted if kind(wanted) == "number" else value == plain(wanted)
    return same(value, wanted)


def holds(value, predicates, is_text=False):
    return all(predicate(value, name, argument, is_text) for name, argument in predicates)


def predicate(value, name, argument, is_text=False):
    """Whether one predicate holds. A value of the wrong type is a problem, also within `not`."""
    if name == "exists":
        return (value is not ABSENT) == argument
    if value is ABSENT:
        raise Problem("has no value")
    if name == "eq":
        return equals(value, argument, is_text)
    if name == "ne":
        return not equals(value, argument, is_text)
    if name in ("gt", "gte", "lt", "lte"):
        found = number_of(value) if is_text and isinstance(value, str) else value
        limit = number_of(argument) if isinstance(argument, str) else argument
        if kind(found) != "number":
            raise Problem(f"is {words(value)}, which is no number")
        order = least(found, limit)
        return {"gt": order > 0, "gte": order >= 0, "lt": order < 0, "lte": order <= 0}[name]
    if name == "in":
        return any(equals(value, item, is_text) for item in typed(argument, "array"))
    if name == "contains":
        if isinstance(value, list):
            return any(equals(item, argument, is_text) for item in value)
        if isinstance(value, dict):
            return typed(argument, "string") in value
        return plain(argument) in typed(value, "string")
    if name == "starts_with":
        return typed(value, "string").startswith(plain(argument))
    if name == "ends_with":
        return typed(value, "string").endswith(plain(argument))
    if name == "matches":
        return re.search(argument, typed(value, "string"), re.ASCII) is not None
    if name == "type":
        return any(is_type(value, one) for one in argument)
    if name == "length":
        return holds(members(value), argument)
    if name == "empty":
        return (members(value) == 0) == argument
    if name in ("each", "any", "none"):
        found = [holds(item, argument, is_text) for item in typed(value, "array")]
        return any(found) if name == "any" else bool(found) and (all(found) if name == "each" else not any(found))
    if name == "subset":
        return subset(argument, value)
    # All of the inner predicates are computed, since each of them may be a problem.
    return not all([predicate(value, inner, one, is_text) for inner, one in argument])


def nothing(name, argument, is_negated=False):
    """Whether a predicate holds for a path that selects nothing: only one that requires absence does, or a misspelt path would pass."""
    if name == "exists":
        return not argument
    if name in ("empty", "each", "any", "none"):
        return predicate([], name, argument)
    if name == "eq" and not is_negated and isinstance(argument, list):
        return argument == []
    if name == "length" and not is_negated and not any(inner in ("ne", "not") for inner, _ in argument):
        return holds(0, argument)
    if name == "not":
        return not all([nothing(inner, one, True) for inner, one in argument])
    raise Problem("selects nothing")


def encoded(text):
    return urllib.parse.quote(text, safe="-._~")


def flattened(name, value, how):
    """The pairs of a parameter, lists and mappings written out."""
    if isinstance(value, dict):
        return [pair for key in ordered(value, how) for pair in flattened(f"{name}[{key}]", value[key], how)]
    if isinstance(value, list):
        suffixes = {"brackets": lambda _: "[]", "none": lambda _: "", "index": lambda place: f"[{place}]"}[how["arrays"]]
        return [pair for place, item in enumerate(value) for pair in flattened(name + suffixes(place), item, how)]
    if value is ABSENT:
        raise Missing("a value is undefined")
    if value is None:
        return {"drop_key": [], "drop_value": [(name, "")], "null": [(name, "null")]}[how["nulls"]]
    if isinstance(value, bool):
        return [(name, ("1" if value else "0") if how["bools"] == "numeric" else str(value).lower())]
    return [(name, value if isinstance(value, str) else json.dumps(value))]


def ordered(value, how):
    return sorted(value) if how["sorted"] else list(value)


# The different messages of failures of each step. Locust keeps every message that it gets, so their number is limited.
FAILURES = {}
MOST_FAILURES = 50


class Item:
    """One attempt of a step: the response, and what it extracted."""

    def __init__(self):
        self.answer, self.values, self.sent, self.json = None, {}, False, ABSENT


class State:
    """How a step ended: passed, tolerated (skipped, or a failure that is allowed), partial (some items of a loop failed), or problem."""

    def __init__(self, is_loop):
        self.is_loop, self.items, self.ending = is_loop, [], "passed"


class Run:
    """One run of the workflow by one user."""

    def __init__(self, user, iteration):
        self.user, self.repetition, self.name = user, iteration, str(uuid.uuid4())
        self.states, self.known, self.secrets = {}, {}, set()
        self.key, self.current, self.failures = "", Item(), []
        user.client.cookies.clear()
        user.client.max_redirects = 20

    # Steps

    def step(self, key, function, options):
        state = self.states[key] = State("items" in options)
        blocking = {"value": ("problem", "tolerated"), "pass": ("problem", "partial")}
        needs = {} if options.get("always") else options.get("needs", {})
        if any(self.states[need].ending in blocking[why] for need, why in needs.items()):
            state.ending = "problem"
            return
        undone = options.get("cleanup")
        if undone and not any(item.sent for item in self.states[undone].items):
            state.ending = "tolerated"
            return
        self.key, self.failures = key, []
        try:
            items = options["items"]() if state.is_loop else [None]
        except Exception as problem:
            self.note("", problem)
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
        # Only the response of the last item is needed later, and a loop may have many items.
        if index:
            self.current.answer, self.current.json = None, ABSENT
        self.current, self.failures, self.context = Item(), [], None
        state.items.append(self.current)
        try:
            if "when" in options and not self.truth(options["when"](item, index)):
                return "skipped"
            if "delay" in options:
                time.sleep(self.seconds(options["delay"](item, index)))
            function(self, item, index)
        except Exception as problem:
            self.note("", problem)
        self.end(self.context, options)
        return "problem" if self.failures else "passed"

    def note(self, prefix, problem):
        """Records a problem, or an error of Python, such as of a value that has another type than an expression needs."""
        self.failures.append(prefix + (str(problem) if isinstance(problem, Problem) else f"{type(problem).__name__}: {problem}"))

    def masked(self, text):
        """The text without secrets, and not too long."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            for form in (json.dumps(secret, ensure_ascii=False)[1:-1], secret):
                text = text.replace(form, "***")
        return text if len(text) <= 160 else text[:159] + "…"

    def end(self, context, options):
        """Tells Locust how the request, or the step that sent none, ended."""
        text = "; ".join(self.masked(failure) for failure in self.failures)
        told = FAILURES.setdefault(self.key, set())
        if text not in told and len(told) >= MOST_FAILURES:
            text = "a failure that differs from the others of this step"
        told.add(text)
        is_wrong = bool(self.failures) and not options.get("allowed")
        if context is not None:
            context.failure(text) if is_wrong else context.success()
            context.__exit__(None, None, None)
        elif is_wrong:
            self.user.environment.events.request.fire(
                request_type="STEP", name=self.key, response_time=0, response_length=0, context={}, exception=Problem(text))

    # Requests and responses

    def send(self, method, url, options):
        headers = dict(options.get("headers", []))
        body, type = None, None
        if "json" in options:
            body, type = written(options["json"]), "application/json"
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
        item = self.current
        item.sent = True
        began = time.monotonic()
        try:
            with gevent.Timeout(options.get("deadline")):
                self.context = self.user.client.request(
                    method, url, name=self.key, catch_response=True, headers=headers, cookies=options.get("cookies"), auth=auth,
                    data=body.encode() if isinstance(body, str) else body, files=files, timeout=options.get("timeout", 60),
                    allow_redirects=options.get("follow", True))
                answer = self.context.__enter__()
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
        found = hashlib.sha256(self.current.answer.content).hexdigest()
        if isinstance(wanted, dict):
            with open(os.path.join(HERE, wanted["file"]), "rb") as file:
                wanted = hashlib.sha256(file.read()).hexdigest()
        if found != wanted.lower():
            self.failures.append(f"sha256 is {found}")

    def graphql(self):
        """A GraphQL response without errors. Some servers write none as `null` or an empty list."""
        try:
            found = self.select(self.own("json"), ["errors"])
        except Problem:
            # With another status, the body may be anything, such as a proxy's error page.
            if 200 <= self.own("status") < 300:
                raise
            return
        if found is not ABSENT and found is not None and found != []:
            self.failures.append(f"errors is {words(found)}")

    def status(self, ranges):
        code = self.own("status")
        if not any(low <= code <= high for low, high in ranges):
            self.failures.append(f"status is {code}")

    def media(self, patterns):
        """Whether the type of the response is one of these, such as `text/*`."""
        found = (self.current.answer.headers.get("Content-Type") or "").split(";")[0].strip().lower()
        type, _, subtype = found.partition("/")
        if not any(one in ("*", type) and other in ("*", subtype) for one, other in (pattern.split("/") for pattern in patterns)):
            self.failures.append(f"type is {found or 'not said'}")

    def accept(self, patterns):
        """A successful response with a body has a type that the step's own `Accept` allows."""
        answer = self.current.answer
        if 200 <= answer.status_code < 300 and answer.status_code not in (204, 205) and answer.content:
            self.media(patterns)

    def expect(self, subject, value, predicates, target=None):
        """`target` is `text` for a value that is always text, and `list` for a path that can select several values."""
        try:
            found = value()
            wanted = [(name, argument()) for name, argument in predicates]
            if target == "list" and not found:
                holding = all([nothing(name, argument) for name, argument in wanted])
            else:
                holding = holds(found, wanted, target == "text")
            if not holding:
                self.failures.append(f"{subject} is {words(found)}")
        except Exception as problem:
            self.note(f"{subject} ", problem)

    def that(self, condition, source):
        try:
            if not self.truth(condition()):
                self.failures.append(f"{source} does not hold")
        except Exception as problem:
            self.note(f"{source}: ", problem)

    def extract(self, name, value, options):
        try:
            try:
                found = value()
                form = options.get("form")
                if form in ("first", "list") and not found:
                    found = ABSENT
                found = self.whole(found)
                if form == "first":
                    found = found[0]
                elif form == "wrap":
                    found = [found]
                if "then" in options:
                    found = options["then"](found)
            except Missing:
                if "default" in options:
                    found = options["default"]()
                elif options.get("optional"):
                    return
                else:
                    raise
            self.current.values[name] = self.secret(found) if options.get("secret") else found
        except Exception as problem:
            self.note(f"extract.{name}: ", problem)

    def own(self, member):
        return self.member(self.current, member)

    def member(self, item, member):
        answer = item.answer
        if answer is None:
            raise Missing("there is no response")
        if member == "json":
            if item.json is ABSENT:
                try:
                    item.json = parsed(answer.content)
                except ValueError:
                    raise Problem("the body is no JSON") from None
            return item.json
        return {
            "status": lambda: answer.status_code, "text": lambda: self.decoded(answer),
            "url": lambda: answer.url, "time": lambda: item.time, "size": lambda: len(answer.content)}[member]()

    def decoded(self, answer):
        """The text of the body: UTF-8, unless the response names another encoding. Without a name, `requests` takes ISO 8859-1."""
        is_named = "charset" in answer.headers.get("Content-Type", "").lower()
        return answer.content.decode(answer.encoding if is_named else "utf-8", "replace")

    def response(self, key, member):
        return self.member(self.only(key), member)

    def header(self, key, name):
        item = self.current if key is None else self.only(key)
        if item.answer is None:
            raise Missing("there is no response")
        return item.answer.headers.get(name, ABSENT)

    def cookie(self, key, name):
        item = self.current if key is None else self.only(key)
        if item.answer is None:
            raise Missing("there is no response")
        return item.answer.cookies.get(name, ABSENT)

    def only(self, key):
        state = self.states[key]
        if not state.items:
            raise Missing(f"{key} has no response")
        return state.items[-1]

    def value(self, key, name):
        state = self.states[key]
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
        if isinstance(text, list):
            return [self.defined(self.match(one, pattern)) for one in text]
        found = re.search(pattern, plain(text), re.ASCII)
        group = found and (found.group(1) if found.re.groups else found.group(0))
        return ABSENT if group is None else group

    # Values

    def variable(self, name):
        if name not in self.known:
            self.known[name] = VARIABLES[name](self)
        return self.known[name]

    def env(self, name):
        if name not in os.environ:
            raise Missing(f"the environment variable {name} is not set")
        return os.environ[name]

    def secret(self, value):
        """The value, whose texts no message shows."""
        if isinstance(value, (list, dict)):
            for part in value.values() if isinstance(value, dict) else value:
                self.secret(part)
        elif value is not ABSENT and value not in ("", None, True, False):
            self.secrets.add(self.rendered(value))
        return value

    def id(self):
        return self.name

    def iteration(self):
        return self.repetition

    @staticmethod
    @functools.cache
    def rows(path, format):
        """The rows of a file, which all users share."""
        with open(os.path.join(HERE, path), encoding="utf-8-sig", newline="") as file:
            text = file.read()
        if format == "json":
            return parsed(text)
        if format == "jsonl":
            return [parsed(line) for line in text.split("\n") if line.strip()]
        first = text.split("\n", 1)[0]
        separator = "\t" if format == "tsv" else ";" if ";" in first and "," not in first else ","
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))

    def matrix(self, names, lists):
        rows = [{}]
        for name, values in zip(names, lists):
            rows = [{**row, name: value} for row in rows for value in self.present(values)]
        return rows

    def present(self, items):
        return [item for item in typed(items, "array") if item is not ABSENT]

    def text(self, *parts):
        """The values as one text."""
        return "".join(self.rendered(part) for part in parts)

    def rendered(self, value):
        return plain(value)

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
        found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(us|ms|s|m|h|d)", typed(value, "string"))
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

    def whole(self, value):
        """The value, which has no item without a value."""
        for item in value if isinstance(value, list) else []:
            self.defined(item)
        return self.defined(value)

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
        one, other = self.whole(one), self.whole(other)
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
        return base64.b64encode(typed(text, "string").encode()).decode()

    def base64url(self, text):
        return base64.urlsafe_b64encode(typed(text, "string").encode()).decode().rstrip("=")

    def base64_decode(self, text):
        text = "".join(typed(text, "string").split())
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode()

    def sha256(self, text):
        return hashlib.sha256(typed(text, "string").encode()).hexdigest()

    def md5(self, text):
        return hashlib.md5(typed(text, "string").encode()).hexdigest()

    def hmac_sha256(self, text, key):
        return hmac.new(typed(key, "string").encode(), typed(text, "string").encode(), hashlib.sha256).hexdigest()

    def lower(self, text):
        return typed(text, "string").lower()

    def upper(self, text):
        return typed(text, "string").upper()

    def trim(self, text):
        return typed(text, "string").strip()

    def length(self, value):
        return members(value)

    def first(self, items):
        if not typed(items, "array"):
            raise Missing("the list is empty")
        return self.defined(items[0])

    def last(self, items):
        if not typed(items, "array"):
            raise Missing("the list is empty")
        return self.defined(items[-1])

    def split(self, text, separator):
        return typed(text, "string").split(separator) if separator else list(typed(text, "string"))

    def joined(self, items, separator=""):
        return separator.join(self.rendered(item) for item in typed(items, "array"))

    def replace(self, text, old, new):
        if old == "":
            raise Problem("empty text can't be replaced")
        return typed(text, "string").replace(old, new)

    def json(self, value):
        return written(value)

    def parse_json(self, text):
        try:
            return parsed(typed(text, "string"))
        except ValueError:
            raise Problem(f"{words(text)} is no JSON") from None

    def number(self, value):
        if kind(value) == "number":
            return value
        found = number_of(typed(value, "string"))
        if found is ABSENT:
            raise Problem(f"{words(value)} is no number")
        return found

    def map(self, items, function):
        return [function(item, index) for index, item in enumerate(self.present(items))]

    def filter(self, items, function):
        return [item for index, item in enumerate(self.present(items)) if self.truth(function(item, index))]

    def sort(self, items, function=lambda item, index: item):
        pairs = [(function(item, index), item) for index, item in enumerate(self.whole(typed(items, "array")))]
        return [item for _, item in sorted(pairs, key=functools.cmp_to_key(lambda one, other: least(one[0], other[0])))]

    def unique(self, items, function=lambda item, index: item):
        found = []
        for index, item in enumerate(self.whole(typed(items, "array"))):
            key = function(item, index)
            if not any(same(key, other) for other, _ in found):
                found.append((key, item))
        return [item for _, item in found]

    def range(self, start, end=None):
        return list(range(start)) if end is None else list(range(start, end))

    def lines(self, text):
        lines = re.split(r"\r\n|\r|\n", typed(text, "string"))
        return lines if lines[-1] else lines[:-1]

    def keys(self, value):
        return list(typed(value, "object"))

    def values(self, value):
        return list(typed(value, "object").values())
"""#
  static let k6 = #"""
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
"""#
}
