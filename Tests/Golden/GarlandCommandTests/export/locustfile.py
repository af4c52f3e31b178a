The workflow

REQUIRED = ["GARLAND_SANDBOX", "SHOP_PASSWORD"]

VARIABLES = {
  "base": lambda run: run.env("GARLAND_SANDBOX"),
  "title": lambda run: "Dune & Co",
  "limit": lambda run: 3,
}


# shop.yaml:8
def step_login(run, item, index):
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/login"),
    {
      "json": {"user": "alice", "password": run.secret(run.env("SHOP_PASSWORD"))},
      "headers": [["Accept", "application/json"]],
    },
  )
  run.status([[200, 299]])
  run.extract("token", lambda: run.select(run.own("json"), ["token"]), {"secret": True})


# shop.yaml:12 Makes a book.
def step_create(run, item, index):
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
  )
  run.status([[201, 201]])
  run.expect(
    "json $.id",
    lambda: run.select(run.own("json"), ["id"]),
    [["type", lambda: ["number"]], ["gt", lambda: 0]],
  )
  run.expect("json $.price", lambda: run.select(run.own("json"), ["price"]), [["eq", lambda: 9.5]])
  run.expect("time", lambda: run.own("time"), [["lt", lambda: 60]])
  run.expect("size", lambda: run.own("size"), [["lt", lambda: 1000000]])
  run.extract("id", lambda: run.select(run.own("json"), ["id"]), {})
  run.extract(
    "place",
    lambda: run.header(None, "Location"),
    {"then": lambda subject: run.defined(run.match(subject, "/books/([0-9]+)"))},
  )


# shop.yaml:20
def step_read(run, item, index):
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), run.text("/books/", run.encode(run.value("create", "id")))),
    {"headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])
  run.expect(
    "header Content-Type",
    lambda: run.header(None, "Content-Type"),
    [["contains", lambda: "json"], ["matches", lambda: "^application/"]],
    "text",
  )
  run.expect(
    "json $.title",
    lambda: run.select(run.own("json"), ["title"]),
    [["starts_with", lambda: "Dune"], ["length", lambda: [["eq", 9]]]],
  )
  run.expect("json $.nothing", lambda: run.select(run.own("json"), ["nothing"]), [["exists", lambda: False]])
  run.that(
    lambda: run.equal(run.get(run.own("json"), "id"), run.value("create", "id")),
    "\"${response.json.id == create.id}\"",
  )
  run.that(
    lambda: run.both(
      lambda: run.more(run.plus(run.variable("limit"), 1), 3),
      lambda: run.opposite(run.equal(run.value("create", "place"), "")),
    ),
    "\"${vars.limit + 1 > 3 && !(create.place == '')}\"",
  )


# shop.yaml:26
def step_key(run, item, index):
  run.send(
    "GET",
    run.query(
      run.join(run.text(run.variable("base")), "/anything"),
      run.parameters(
        {"a": [1, 2], "b": "x y"},
        {"arrays": "none", "bools": "literal", "nulls": "drop_key", "sorted": False, "plus": False},
      ),
    ),
    {"headers": [["Accept", "application/json"], ["X-Key", run.text(run.secret(run.env("SHOP_PASSWORD")))]]},
  )
  run.status([[200, 299]])
  run.expect(
    "json $.header['x-key']",
    lambda: run.select(run.own("json"), ["header", "x-key"]),
    [["empty", lambda: False]],
  )


# shop.yaml:27
def step_form(run, item, index):
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {
      "form": run.parameters(
        {"a": "ü", "b": True},
        {"arrays": "none", "bools": "literal", "nulls": "drop_key", "sorted": False, "plus": True},
      ),
      "headers": [["Accept", "application/json"]],
    },
  )
  run.status([[200, 299]])
  run.expect(
    "json $.body.text",
    lambda: run.select(run.own("json"), ["body", "text"]),
    [["contains", lambda: "a=%C3%BC&b=true"]],
  )


# shop.yaml:28
def step_users(run, item, index):
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"name": run.get(item, "name"), "line": index}, "headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])
  run.expect(
    "json $.json.name",
    lambda: run.select(run.own("json"), ["json", "name"]),
    [["eq", lambda: run.get(item, "name")]],
  )
  run.extract("name", lambda: run.select(run.own("json"), ["json", "name"]), {})


# shop.yaml:34
def step_five(run, item, index):
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"n": "5"}, "headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])
  run.extract("n", lambda: run.select(run.own("json"), ["json", "n"]), {})


# shop.yaml:35
def step_number(run, item, index):
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"n": run.number(run.value("five", "n"))}, "headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])
  run.expect("json $.json.n", lambda: run.select(run.own("json"), ["json", "n"]), [["eq", lambda: 5]])


# shop.yaml:36
def step_all(run, item, index):
  run.send(
    "POST",
    run.join(run.text(run.variable("base")), "/anything"),
    {"json": {"names": run.joined(run.value("users", "name"), "+")}, "headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])
  run.expect("json $.json.names", lambda: run.select(run.own("json"), ["json", "names"]), [["eq", lambda: "ann+bob"]])


# shop.yaml:37
def step_skipped(run, item, index):
  run.send("GET", run.join(run.text(run.variable("base")), "/get"), {"headers": [["Accept", "application/json"]]})
  run.status([[200, 299]])


# shop.yaml:38
def step_after_skipped(run, item, index):
  run.send("GET", run.join(run.text(run.variable("base")), "/get"), {"headers": [["Accept", "application/json"]]})
  run.status([[200, 299]])


# shop.yaml:39
def step_tolerated(run, item, index):
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), "/status/503"),
    {"headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])


# shop.yaml:40
def step_wrong(run, item, index):
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), run.text("/books/", run.encode(run.value("create", "id")))),
    {"headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])
  run.expect("json $.title", lambda: run.select(run.own("json"), ["title"]), [["eq", lambda: "Emma"]])
  run.expect("json $.price", lambda: run.select(run.own("json"), ["price"]), [["gt", lambda: 100]])


# shop.yaml:41
def step_blocked(run, item, index):
  run.send(
    "GET",
    run.join(run.text(run.variable("base")), run.text("/get?title=", run.encode(run.response("wrong", "status")))),
    {"headers": [["Accept", "application/json"]]},
  )
  run.status([[200, 299]])


# shop.yaml:42
def step_remove(run, item, index):
  run.send(
    "DELETE",
    run.join(run.text(run.variable("base")), run.text("/books/", run.encode(run.value("create", "id")))),
    {
      "headers": [
        ["Accept", "application/json"],
        ["Authorization", run.text("Bearer ", run.text(run.value("login", "token")))],
      ],
    },
  )
  run.status([[204, 204]])


def workflow(run):
  run.step("login", step_login, {})
  run.step("create", step_create, {"needs": {"login": "value"}, "delay": lambda item, index: 0.01})
  run.step("read", step_read, {"needs": {"create": "value"}})
  run.step("key", step_key, {})
  run.step("form", step_form, {})
  run.step("users", step_users, {"items": lambda: run.rows("users.csv", "csv")})
  run.step("five", step_five, {})
  run.step("number", step_number, {"needs": {"five": "value"}})
  run.step("all", step_all, {"needs": {"users": "value"}})
  run.step("skipped", step_skipped, {"when": lambda item, index: run.more(run.variable("limit"), 5)})
  run.step("after_skipped", step_after_skipped, {"needs": {"skipped": "pass"}})
  run.step("tolerated", step_tolerated, {"allowed": True})
  run.step("wrong", step_wrong, {"needs": {"create": "value"}})
  run.step("blocked", step_blocked, {"needs": {"wrong": "value"}})
  run.step("remove", step_remove, {"always": True, "cleanup": "create"})


class BookShopUser(HttpUser):
  host = "http://localhost"  # Each step has a whole URL.
  wait_time = constant(0)

  def on_start(self):
    self.iterations = 0

  @task
  def workflow(self):
    self.iterations += 1
    workflow(Run(self, self.iterations))
