import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// Tests of `garland export`.
@Suite(.timeLimit(.minutes(10))) struct ExportTests {
  /// A document with values passed between steps, a data file, checks, credentials, a delay, cleanups, and each outcome.
  static let shop = """
    garland: 1
    name: Book shop
    vars: { base: "${env.GARLAND_SANDBOX}", title: "Dune & Co", limit: 3 }
    secrets: [SHOP_PASSWORD]
    defaults: { base_url: "${vars.base}", headers: { Accept: application/json } }
    auth: { key: { api_key: { header: X-Key, value: "${secrets.SHOP_PASSWORD}" } } }
    steps:
      login:
        post: /login
        json: { user: alice, password: "${secrets.SHOP_PASSWORD}" }
        extract: { token: { json: $.token, secret: true } }
      create:
        description: Makes a book.
        post: /books
        bearer: ${login.token}
        delay: 10ms
        json: { title: "${vars.title}", author: "Frank Herbert", price: 9.5 }
        expect: { status: 201, json: { $.id: { type: number, gt: 0 }, $.price: 9.5 }, time: { lt: 60s }, size: { lt: 1MB } }
        extract: { id: $.id, place: { header: Location, matches: '/books/([0-9]+)' } }
      read:
        get: /books/${create.id}
        expect:
          headers: { Content-Type: { contains: json, matches: '^application/' } }
          json: { $.title: { starts_with: Dune, length: 9 }, $.nothing: { exists: false } }
          that: [ "${response.json.id == create.id}", "${vars.limit + 1 > 3 && !(create.place == '')}" ]
      key: { get: /anything, auth: key, query: { a: [1, 2], b: "x y" }, expect: { json: { "$.header['x-key']": { empty: false } } } }
      form: { post: /anything, form: { a: "ü", b: true }, expect: { json: { $.body.text: { contains: "a=%C3%BC&b=true" } } } }
      users:
        rows: users.csv
        post: /anything
        json: { name: "${item.name}", line: "${index}" }
        expect: { json: { $.json.name: "${item.name}" } }
        extract: { name: $.json.name }
      five: { post: /anything, json: { n: "5" }, extract: { n: $.json.n } }
      number: { post: /anything, json: { n: "${five.n | number}" }, expect: { json: { $.json.n: 5 } } }
      all: { post: /anything, json: { names: "${users.name | join('+')}" }, expect: { json: { $.json.names: ann+bob } } }
      skipped: { get: /get, when: "${vars.limit > 5}" }
      after_skipped: { get: /get, after: skipped }
      tolerated: { get: /status/503, allow_failure: true }
      wrong: { get: "/books/${create.id}", expect: { json: { $.title: Emma, $.price: { gt: 100 } } } }
      blocked: { get: "/get?title=${wrong.status}" }
      remove: { delete: "/books/${create.id}", bearer: "${login.token}", cleanup: create, expect: { status: 204 } }

    """

  /// A document with expressions, predicates and extracts whose result depends on types, on missing values and on details of the languages.
  static let details = #"""
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    secrets: [SHOP_PASSWORD]
    vars: { n: "12", list: [3, 1, 2, 3], map: { b: 2, a: 1 }, text: "Ä b&c " }
    auth: { key: { api_key: { cookie: k, value: "v" } } }
    steps:
      source:
        post: /anything
        json: { list: [3, 1], text: " Ab", empty: "", two: "a\u2028b", none: null, map: { a: 1 }, code: "!", words: [b, a], no: [] }
        extract:
          txt: $.json.text
          empty: $.json.empty
          two: $.json.two
          none: $.json.none
          map: $.json.map
          code: $.json.code
          group: { regex: '(zzz)?"method"', optional: true }
          nothing: { json: "$.json.no[*]", first: true, optional: true }
          other: { json: "$.json.no[*]", default: [x] }
          wrapped: { json: $.json.words, all: true }
          letters: { json: "$.json.words[*]", matches: "([a-z])" }
          late: { json: $.json.text, matches: "^x", default: z }
      lines: { post: /anything, json: { n: "${source.two | lines | length}" }, expect: { json: { $.json.n: 1 } } }
      no_lines: { post: /anything, json: { n: "${source.empty | lines | length}" }, expect: { json: { $.json.n: 0 } } }
      lower_of_null: { post: /anything, json: { v: "${source.none | lower}" } }
      base64: { post: /anything, json: { v: "${source.code | base64_decode}" } }
      first_of_mapping: { post: /anything, json: { v: "${source.map | first}" } }
      no_group: { post: /anything, json: { v: "${source.group ?? 'none'}" }, expect: { json: { $.json.v: none } } }
      no_first: { post: /anything, json: { v: "${source.nothing ?? 'none'}" }, expect: { json: { $.json.v: none } } }
      extracts:
        post: /anything
        json: { o: "${source.other}", w: "${source.wrapped}", l: "${source.letters}", z: "${source.late}" }
        expect: { json: { $.json.o: [x], $.json.w: [[b, a]], $.json.l: [b, a], $.json.z: z } }
      split: { post: /anything, json: { v: "${source.txt | split('') | length}" }, expect: { json: { $.json.v: 3 } } }
      replaced: { post: /anything, json: { v: "${source.txt | replace('', 'x')}" } }
      no_body: { get: /status/204, expect: { status: 204, json: { $.x: { exists: false } } } }
      empty_path: { post: /anything, json: { l: [] }, expect: { json: { "$.json.l[*]": { ne: [1] } } } }
      empty_list: { post: /anything, json: { l: [] }, expect: { json: { $.json.l: { exists: true, length: 0 } } } }
      absence: { post: /anything, json: { l: [] }, expect: { json: { "$.json.l[*].a": { exists: false } } } }
      number_of_header: { get: /bytes/5, expect: { headers: { Content-Length: { eq: 5, contains: 5 } } } }
      line_end: { get: /html, expect: { body: { matches: '</html>$' } } }
      charset: { get: "/response-headers?Content-Type=text/plain&x=%C3%BC", expect: { body: { contains: ü } } }
      file_twice: { rows: users.csv, post: /anything, body: { file: users.csv }, expect: { json: { $.body.text: { contains: "${item.name}" } } } }
      key: { get: /cookies, auth: key, cookies: { a: b }, expect: { body: { contains: '"a"', matches: '"k"' } } }
      some: { for_each: [1, 2, 3], when: "${item != 2}", post: /anything, json: { i: "${item}" }, extract: { i: $.json.i } }
      gaps: { post: /anything, json: { i: "${some.i | filter(true)}", n: "${some.i | length}" }, expect: { json: { $.json.i: [1, 3], $.json.n: 3 } } }
      whole: { post: /anything, json: { i: "${some.i}" } }
      told: { post: /anything, json: { p: "${secrets.SHOP_PASSWORD}" }, expect: { json: { $.json.p: other } } }
      remove: { delete: /anything/source, cleanup: source }
      filters:
        post: /anything
        json:
          base64: "${vars.text | base64}"
          base64url: "${vars.text | base64url}"
          decoded: "${'w6RiCg==' | base64_decode}"
          encoded: "${vars.text | urlencode}"
          lower: "${vars.text | lower}"
          upper: "${vars.text | upper}"
          trim: "${vars.text | trim}"
          length: ["${vars.text | length}", "${vars.list | length}", "${vars.map | length}"]
          ends: ["${vars.list | first}", "${vars.list | last}"]
          split: "${vars.text | split(' ')}"
          join: "${vars.list | join('-')}"
          replace: "${vars.text | replace('b', 'x')}"
          json: "${vars.map | json}"
          parsed: "${'[1,{\"a\":null}]' | parse_json}"
          number: "${vars.n | number}"
          string: "${true | string}"
          sha256: "${vars.n | sha256}"
          md5: "${vars.n | md5}"
          hmac: "${vars.n | hmac_sha256('k')}"
          range: ["${3 | range}", "${2 | range(4)}", "${4 | range(2)}"]
          map: "${vars.list | map(item + index)}"
          filter: "${vars.list | filter(item > 1)}"
          sort: ["${vars.list | sort}", "${vars.list | sort(0 - item)}"]
          unique: "${vars.list | unique}"
          lines: "${'a\\r\\nb\\n\\n' | lines}"
          keys: "${vars.map | keys}"
          values: "${vars.map | values}"
          match: "${vars.text | match('(b).')}"
          default: "${vars.map.c | default('d')}"
          math: ["${7 - 2 * 3}", "${7 / 2}", "${-(3)}"]
          logic: ["${1 < 2 && 'a' < 'b' || false}", "${!(1 >= 2)}", "${'a' != 'b'}", "${2 <= 2}"]
          random: "${random(4, 4)}"
          uuid: "${uuid() | length}"
          now: "${now() | length}"
          file: "${file('users.csv')}"
          iteration: "${run.iteration}"
        expect:
          json:
            $.json.base64: w4QgYiZjIA==
            $.json.base64url: w4QgYiZjIA
            $.json.decoded: "äb\n"
            $.json.encoded: "%C3%84%20b%26c%20"
            $.json.lower: "ä b&c "
            $.json.upper: "Ä B&C "
            $.json.trim: "Ä b&c"
            $.json.length: [6, 4, 2]
            $.json.ends: [3, 3]
            $.json.split: [Ä, b&c, ""]
            $.json.join: 3-1-2-3
            $.json.replace: "Ä x&c "
            $.json.json: '{"b":2,"a":1}'
            $.json.parsed: [1, { a: null }]
            $.json.number: 12
            $.json.string: "true"
            $.json.sha256: 6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918
            $.json.md5: c20ad4d76fe97759aa27a0c99bff6710
            $.json.hmac: { length: 64 }
            $.json.range: [[0, 1, 2], [2, 3], []]
            $.json.map: [3, 2, 4, 6]
            $.json.filter: [3, 2, 3]
            $.json.sort: [[1, 2, 3, 3], [3, 3, 2, 1]]
            $.json.unique: [3, 1, 2]
            $.json.lines: [a, b, ""]
            $.json.keys: [b, a]
            $.json.values: [2, 1]
            $.json.match: b
            $.json.default: d
            $.json.math: [1, 3.5, -3]
            $.json.logic: [true, true, true, true]
            $.json.random: 4
            $.json.uuid: 36
            $.json.now: 24
            $.json.file: { starts_with: "name,role", ends_with: "reader\n" }
            $.json.iteration: { gte: 1 }

    """#

  private static func folder(_ text: String = shop) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("shop.yaml", text)
    try folder.write("users.csv", "name,role\nann,admin\nbob,reader\n")
    try folder.write("cover.png", "no real picture\n")
    return folder
  }

  @Test(arguments: [("locust", "locustfile.py"), ("k6", "shop.js")])
  func `in a script exported for Locust or k6, the part made from the workflow matches the golden file`(target: String, file: String)
    async throws
  {
    let folder = try Self.folder()
    try await ExportedScript.export(target, file, in: folder)
    let text = String(decoding: try folder.read(file), as: UTF8.self)
    let start = try #require(text.firstRange(of: "The workflow\n"))
    expectGolden(String(text[start.lowerBound...]), "export/\(file)")
  }

  private static func text(_ name: String) throws -> String {
    switch name {
    case "shop": shop
    case "details": details
    default: String(decoding: try Data(contentsOf: URL(filePath: Repository.path(name))), as: UTF8.self)
    }
  }

  @Test(arguments: ["shop", "details", "examples/quickstart.yaml"])
  func `the exported script gives the same outcomes in Locust as the workflow in Garland`(document: String) async throws {
    try await ExportedScript.compareWithLocust(in: Self.folder(Self.text(document)))
  }

  @Test func `the shop example workflows give the same outcomes in Garland and as exported Locust scripts`() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Repository.path("examples/shop"), toPath: folder.path + "/shop")
    try await ExportedScript.compareWithLocust(["books", "covers", "reviews"].map { "shop/\($0).yaml" }, in: folder)
  }

  @Test func `the example workflows in the folder 'collection' give the same outcomes when exported to Locust as in Garland`() async throws
  {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Repository.path("examples/collection"), toPath: folder.path + "/collection")
    let names = [
      "account", "authors", "bulk", "catalogue", "change", "create", "environment", "refused", "remove", "replace", "reviews", "status",
    ]
    try await ExportedScript.compareWithLocust(names.map { "collection/\($0).yaml" }, in: folder)
  }

  @Test(arguments: ["shop", "details"])
  func `an exported k6 script, run by a stub of k6, gives the same outcomes as the workflow in Garland`(document: String) async throws {
    let folder = try Self.folder(Self.text(document))
    try await ExportedScript.export("k6", "shop.js", in: folder)
    let sandbox = try await Sandbox.start()
    let wanted = try await ExportedScript.outcomes(in: folder, sandbox.url)
    let result = try await ChildProcess.run(
      "/bin/bash", [Repository.path("Tests/Providers/k6/run"), "\(folder.path)/shop.js"],
      environment: ["GARLAND_SANDBOX": sandbox.url, "SHOP_PASSWORD": "wonderland"])
    await sandbox.stop()
    try #require(result.status == 0, "\(result.error)")
    let found = try JSONValue(parsing: result.outputBytes)
    func names(_ name: String) -> Set<String> { Set((found[name]?.arrayValue ?? []).compactMap(\.stringValue)) }
    #expect(names("failed") == wanted.failed, "\(result.error)")
    #expect(names("passed") == wanted.passed)
    #expect(found["isModule"] == true)
    #expect(!result.output.contains("wonderland") && !result.error.contains("wonderland"))
  }

  @Test func `the quick start example, which has a multipart form and digest credentials, can be exported to Locust`() async throws {
    let result = try await Garland.run(["export", "examples/quickstart.yaml", "--to", "locust"])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains(#"run.digest({"file": "examples/cover.png"})"#))
    #expect(result.output.contains(#""filename": "cover.png", "type": "image/png""#))
  }

  @Test(arguments: ["locust", "k6"]) func `a workflow written by 'garland init' can be exported`(target: String) async throws {
    let folder = try TemporaryFolder()
    let written = try await Garland.run(["init", "garland.yaml"], in: folder.path)
    #expect(written.status == 0, "\(written.error)")
    let result = try await Garland.run(["export", "garland.yaml", "--to", target], in: folder.path)
    #expect(result.status == 0 && result.output.contains("timeout"), "\(result.output)\(result.error)")
  }

  @Test(arguments: ["locust", "k6"])
  func `if the target of garland export cannot express a part of a workflow, the part is reported with its position`(
    target: String
  )
    async throws
  {
    let folder = try Self.folder(
      """
      garland: 1
      defaults: { base_url: "http://h", timeout: 5s, proxy: "http://p:1" }
      auth: { shop: { oauth2: { grant: client_credentials, issuer: "http://h", client_id: a, client_secret: "${secrets.S}" } } }
      steps:
        a: { get: /x, retry: { limit: 2 }, auth: shop }
        b: { get: /y, poll: { until: "${response.status == 200}" } }
        c: { get: /z, expect: { json: { "$..a": { each: 1 }, $.b: { matches: '(?i)x' } }, version: 2 } }
        d: { get: /z, extract: { t: { xpath: //h1 } }, expect: { json: { $.t: "${fake_name()}" } } }
        e: { get: "/z?a=${d.t | regex_replace('a', 'b')}", download: out.bin }
        f: { websocket: /ws, talk: [send: { text: hello }] }

      """)
    let result = try await Garland.run(["export", "shop.yaml", "--to", target], in: folder.path)
    #expect(result.status == 2 && result.output.isEmpty)
    expectGolden(result.error, "export/refused-\(target).txt")
  }

  @Test func `garland export refuses a project file, which has no steps`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "name: Shop\n")
    let result = try await Garland.run(["export", "garland.project.yaml", "--to", "k6"], in: folder.path)
    #expect(result.status == 2 && result.output.isEmpty, "\(result.output)")
    #expect(result.error.contains("error[no-step-selected]: the project file `garland.project.yaml` has no steps"), "\(result.error)")
    #expect(result.error.contains("`garland export --to k6 .`"), "\(result.error)")
  }

  @Test(
    arguments: [#"a\vb"#, "[]a]", "a{,3}", "(?<n>a)", "a++", "x😀+", #"[\S]"#, "[[:alpha:]]", "(?i)a"])
  func `garland export refuses a regular expression that PCRE, Python and JavaScript interpret differently`(pattern: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps:\n  a: { get: http://h/, expect: { body: { matches: '\(pattern)' } } }\n")
    for target in ["locust", "k6"] {
      let result = try await Garland.run(["export", "w.yaml", "--to", target], in: folder.path)
      #expect(result.status == 2 && result.error.contains("error[no-counterpart]: the pattern"), "\(result.error)")
    }
  }

  @Test func `a regular expression is rewritten in an exported k6 script so that it matches the same texts as in PCRE`() async throws {
    let folder = try TemporaryFolder()
    let body = "{ matches: '^a.[\\s,]+\\S\\$.\\s$' }"
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: http://h/, expect: { body: \(body) } } }\n")
    let result = try await Garland.run(["export", "w.yaml", "--to", "k6"], in: folder.path)
    let wanted = #"^a[^\n][\t-\r ,]+[^\t-\r ]\$[^\n][\t-\r ](?=\n?$)"#
    #expect(result.output.contains(wanted.replacing(#"\"#, with: #"\\"#)), "\(result.output.suffix(600))\(result.error)")
  }

  @Test(arguments: ["locust", "k6"]) func `in an exported script, two documents with the same name have separate variables and steps`(
    target: String
  ) async throws {
    let folder = try TemporaryFolder()
    for (name, size) in [("a", 3), ("b", 4)] {
      try folder.write(
        "\(name)/shop.yaml", "garland: 1\nvars: { size: \(size) }\nsteps: { one: { get: \"http://h/?s=${vars.size}\" } }\n")
    }
    let result = try await Garland.run(["export", "a", "b", "--to", target], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    for name in ["a/shop.yaml", "b/shop.yaml"] {
      #expect(result.output.components(separatedBy: "\"\(name).size\": ").count == 2)
      #expect(result.output.components(separatedBy: "run.step(\"\(name)#one\", ").count == 2)
    }
  }

  @Test(arguments: ["locust", "k6"])
  func `garland export refuses a number that would lose digits in the script, and reports the position of the number`(target: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let numbers = "{ id: 12345678901234567890, f: 1.10, g: 0.12345678901234567890 }"
    try folder.write("w.yaml", "garland: 1\nsteps:\n  a:\n    post: http://h/\n    json: \(numbers)\n")
    let result = try await Garland.run(["export", "w.yaml", "--to", target], in: folder.path)
    #expect(result.status == 2 && result.output.isEmpty)
    let number = target == "k6" ? "12345678901234567890" : "0.12345678901234567890"
    #expect(result.error.contains("the number `\(number)` has no counterpart in a script"), "\(result.error)")
    #expect(result.error.contains("w.yaml:5:"), "\(result.error)")
  }

  @Test(arguments: ["locust", "k6"]) func `a line break in a file name or description cannot add code to an exported script`(target: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w\nrun.evil().yaml", "garland: 1\nsteps: { a: { get: http://h/, description: \"x\\nrun.evil()\" } }\n")
    let result = try await Garland.run(["export", ".", "--to", target], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n").filter { $0.contains("evil") }
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("//") }, "\(lines)")
  }

  @Test func `garland export makes the missing folders of its output file, and the script finds its files from there`() async throws {
    let folder = try Self.folder()
    let result = try await Garland.run(["export", "shop.yaml", "--to", "k6", "--output", "load/k6/shop.js"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(String(decoding: try folder.read("load/k6/shop.js"), as: UTF8.self).contains("../../users.csv"))
  }

  @Test(arguments: [[], ["--output", "-"], ["-o", "-"]])
  func `garland export writes the same script to standard output as to a file`(output: [String]) async throws {
    let folder = try Self.folder()
    try await ExportedScript.export("k6", "shop.js", in: folder)
    let names = folder.names
    let result = try await Garland.run(["export", "shop.yaml", "--to", "k6"] + output, in: folder.path)
    #expect(try result.outputBytes == folder.read("shop.js"))
    #expect(folder.names == names)
  }

  @Test func `a Locust or k6 script exported from a workflow contains no secret`() async throws {
    let folder = try Self.folder()
    for target in ["locust", "k6"] {
      let result = try await Garland.run(
        ["export", "shop.yaml", "--to", target], environment: ["SHOP_PASSWORD": "wonderland-1234"], in: folder.path)
      #expect(result.status == 0 && !result.output.contains("wonderland-1234"))
    }
  }
}
