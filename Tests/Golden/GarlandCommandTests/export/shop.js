The workflow

const REQUIRED = ["GARLAND_SANDBOX", "SHOP_PASSWORD"];

const TEXTS = {
  "users.csv": open("users.csv"),
};

const FILES = {
};

const VARIABLES = {
  "base": (run) => run.env("GARLAND_SANDBOX"),
  "title": (run) => "Dune & Co",
  "limit": (run) => 3,
};

// shop.yaml:8
function step_login(run, item, index) {
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/login"),
    {
      "json": {"user": "alice", "password": run.secret(run.env("SHOP_PASSWORD"))},
      "headers": [["Accept", "application/json"]],
    },
  );
  run.status([[200, 299]]);
  run.extract("token", () => run.select(run.own("json"), ["token"]), {"secret": true});
}

// shop.yaml:12 Makes a book.
function step_create(run, item, index) {
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/books"),
    {
      "json": {"title": run.variable("title"), "author": "Frank Herbert", "price": 9.5},
      "headers": [
        ["Accept", "application/json"],
        ["Authorization", run.text("Bearer ", run.text(run.value("login", "token")))],
      ],
    },
  );
  run.status([[201, 201]]);
  run.expect("json $.id", () => run.select(run.own("json"), ["id"]), [["type", () => ["number"]], ["gt", () => 0]]);
  run.expect("json $.price", () => run.select(run.own("json"), ["price"]), [["eq", () => 9.5]]);
  run.expect("time", () => run.own("time"), [["lt", () => 60]]);
  run.expect("size", () => run.own("size"), [["lt", () => 1000000]]);
  run.extract("id", () => run.select(run.own("json"), ["id"]), {});
  run.extract(
    "place",
    () => run.header(null, "Location"),
    {"then": (subject) => run.defined(run.match(subject, "/books/([0-9]+)"))},
  );
}

// shop.yaml:20
function step_read(run, item, index) {
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), run.text("/books/", run.encode(run.value("create", "id")))),
    {"headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
  run.expect(
    "header Content-Type",
    () => run.header(null, "Content-Type"),
    [["contains", () => "json"], ["matches", () => "^application/"]],
    "text",
  );
  run.expect(
    "json $.title",
    () => run.select(run.own("json"), ["title"]),
    [["starts_with", () => "Dune"], ["length", () => [["eq", 9]]]],
  );
  run.expect("json $.nothing", () => run.select(run.own("json"), ["nothing"]), [["exists", () => false]]);
  run.that(
    () => run.equal(run.get(run.own("json"), "id"), run.value("create", "id")),
    "\"${response.json.id == create.id}\"",
  );
  run.that(
    () => run.both(
      () => run.more(run.plus(run.variable("limit"), 1), 3),
      () => run.opposite(run.equal(run.value("create", "place"), "")),
    ),
    "\"${vars.limit + 1 > 3 && !(create.place == '')}\"",
  );
}

// shop.yaml:26
function step_key(run, item, index) {
  run.send(
    "GET",
    run.query(
      run.join(run.text(run.variable("base")), "/anything"),
      run.parameters(
        {"a": [1, 2], "b": "x y"},
        {"arrays": "none", "bools": "literal", "nulls": "drop_key", "sorted": false, "plus": false},
      ),
    ),
    {"headers": [["Accept", "application/json"], ["X-Key", run.text(run.secret(run.env("SHOP_PASSWORD")))]]},
  );
  run.status([[200, 299]]);
  run.expect(
    "json $.header['x-key']",
    () => run.select(run.own("json"), ["header", "x-key"]),
    [["empty", () => false]],
  );
}

// shop.yaml:27
function step_form(run, item, index) {
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {
      "form": run.parameters(
        {"a": "ü", "b": true},
        {"arrays": "none", "bools": "literal", "nulls": "drop_key", "sorted": false, "plus": true},
      ),
      "headers": [["Accept", "application/json"]],
    },
  );
  run.status([[200, 299]]);
  run.expect(
    "json $.body.text",
    () => run.select(run.own("json"), ["body", "text"]),
    [["contains", () => "a=%C3%BC&b=true"]],
  );
}

// shop.yaml:28
function step_users(run, item, index) {
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"name": run.get(item, "name"), "line": index}, "headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
  run.expect(
    "json $.json.name",
    () => run.select(run.own("json"), ["json", "name"]),
    [["eq", () => run.get(item, "name")]],
  );
  run.extract("name", () => run.select(run.own("json"), ["json", "name"]), {});
}

// shop.yaml:34
function step_five(run, item, index) {
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"n": "5"}, "headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
  run.extract("n", () => run.select(run.own("json"), ["json", "n"]), {});
}

// shop.yaml:35
function step_number(run, item, index) {
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"n": run.number(run.value("five", "n"))}, "headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
  run.expect("json $.json.n", () => run.select(run.own("json"), ["json", "n"]), [["eq", () => 5]]);
}

// shop.yaml:36
function step_all(run, item, index) {
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"names": run.joined(run.value("users", "name"), "+")}, "headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
  run.expect("json $.json.names", () => run.select(run.own("json"), ["json", "names"]), [["eq", () => "ann+bob"]]);
}

// shop.yaml:37
function step_skipped(run, item, index) {
  run.send("GET", run.join(run.text(run.variable("base")), "/get"), {"headers": [["Accept", "application/json"]]});
  run.status([[200, 299]]);
}

// shop.yaml:38
function step_after_skipped(run, item, index) {
  run.send("GET", run.join(run.text(run.variable("base")), "/get"), {"headers": [["Accept", "application/json"]]});
  run.status([[200, 299]]);
}

// shop.yaml:39
function step_tolerated(run, item, index) {
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), "/status/503"),
    {"headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
}

// shop.yaml:40
function step_wrong(run, item, index) {
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), run.text("/books/", run.encode(run.value("create", "id")))),
    {"headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
  run.expect("json $.title", () => run.select(run.own("json"), ["title"]), [["eq", () => "Emma"]]);
  run.expect("json $.price", () => run.select(run.own("json"), ["price"]), [["gt", () => 100]]);
}

// shop.yaml:41
function step_blocked(run, item, index) {
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), run.text("/get?title=", run.encode(run.response("wrong", "status")))),
    {"headers": [["Accept", "application/json"]]},
  );
  run.status([[200, 299]]);
}

// shop.yaml:42
function step_remove(run, item, index) {
  run.send(
    "DELETE",
    run.join(run.text(run.variable("base")), run.text("/books/", run.encode(run.value("create", "id")))),
    {
      "headers": [
        ["Accept", "application/json"],
        ["Authorization", run.text("Bearer ", run.text(run.value("login", "token")))],
      ],
    },
  );
  run.status([[204, 204]]);
}

export default function () {
  const run = new Run();
  run.step("login", step_login, {});
  run.step("create", step_create, {"needs": {"login": "value"}, "delay": (item, index) => 0.01});
  run.step("read", step_read, {"needs": {"create": "value"}});
  run.step("key", step_key, {});
  run.step("form", step_form, {});
  run.step("users", step_users, {"items": () => run.rows("users.csv", "csv")});
  run.step("five", step_five, {});
  run.step("number", step_number, {"needs": {"five": "value"}});
  run.step("all", step_all, {"needs": {"users": "value"}});
  run.step("skipped", step_skipped, {"when": (item, index) => run.more(run.variable("limit"), 5)});
  run.step("after_skipped", step_after_skipped, {"needs": {"skipped": "pass"}});
  run.step("tolerated", step_tolerated, {"allowed": true});
  run.step("wrong", step_wrong, {"needs": {"create": "value"}});
  run.step("blocked", step_blocked, {"needs": {"wrong": "value"}});
  run.step("remove", step_remove, {"always": true, "cleanup": "create"});
}
