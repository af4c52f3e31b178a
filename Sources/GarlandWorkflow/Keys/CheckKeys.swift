/// The keys of the mapping `expect:` of a step.
enum ExpectKey: String, DocumentKey {
  case status, type, headers, cookies, json, xpath, plist, body
  case firstBytes = "first_bytes"
  case schema, snapshot, time
  case timeToFirstEvent = "time_to_first_event"
  case timeToFirstLine = "time_to_first_line"
  case timeToFirstPart = "time_to_first_part"
  case timeToFirstMessage = "time_to_first_message"
  case size, events, lines, parts, messages, sha256, redirects, url, version, tls, error, method, query, that
  static let table = KeyTable<ExpectKey>("`expect`", page: "expectations")
  /// The keys of `until`, which ends the polling of a step. `until` allows all keys of `expect` except:
  /// - `snapshot`, since a check of a snapshot may write a file;
  /// - `error`, since a failed transfer has no response;
  /// - the keys for received requests and for streams.
  static let untilTable = KeyTable<ExpectKey>(
    "`until`", page: "expectations",
    keys: allCases.filter { ![.snapshot, .error, .method, .query].contains($0) && !ofStreams.contains($0) })

  /// The keys for expectations about the items of a stream.
  static let ofStreams: KeySet<ExpectKey> = [
    .events, .timeToFirstEvent, .lines, .timeToFirstLine, .parts, .timeToFirstPart, .messages, .timeToFirstMessage,
  ]
  /// The format of the streams whose items the key checks; nil for keys that do not check streams.
  var stream: StreamFormat? { StreamFormat.allCases.first { $0.rawValue == rawValue || $0.timeKey == rawValue } }

  private static let paths = allCases.map { "expect.\($0.rawValue)" }
  /// The path of the key in a step, such as `expect.status`.
  var path: String { Self.paths[Int(place)] }

  private static let hexadecimal = "^([0-9a-fA-F]{2} ?){1,64}$"
  private static let mediaType = "^[^/ ]+/[^/ ]+"

  var info: KeyInfo {
    switch self {
    case .status: KeyInfo(.oneOrMore(.status, or: "predicates"), "The status: `200`, `2xx`, `200..299`, or a list.", "201")
    case .type: KeyInfo(.oneOrMore(.pattern(Self.mediaType), or: "predicates"), "The media type, perhaps with `*`.", "application/json")
    case .headers: KeyInfo(.mapping(.check), "Header fields, by name.", "{ Location: { starts_with: /books/ } }")
    case .cookies:
      KeyInfo(
        .mapping(.either([.check, .table("expected cookie")])),
        "Cookies that the response sets, by name: the value, or expectations of attributes.", "{ session: { exists: true } }")
    case .json: KeyInfo(.mapping(.check), "Values in the JSON body, by JSONPath.", "{ $.id: { type: number } }")
    case .xpath:
      KeyInfo(
        .mapping(.check),
        "Values in the body as XML or HTML, by XPath 1.0. One node stands for its text; a prefix of the document can be used, `_` is its default namespace.",
        "{ //h1: Books }")
    case .plist:
      KeyInfo(.mapping(.check), "Values in a body that is a property list, XML or binary, by JSONPath.", "{ $.CFBundleVersion: '42' }")
    case .body: KeyInfo(.check, "The body as text.", "{ contains: Dune }")
    case .firstBytes:
      KeyInfo(
        .oneOrMore(.pattern(Self.hexadecimal), or: "predicates"),
        "The bytes that the body begins with, in hexadecimal, or a list of them; or predicates on the first 64 bytes, in lower case.",
        "89504e470d0a1a0a")
    case .schema:
      KeyInfo(
        .either([.path, .flag, .table("schema"), .jsonSchema]),
        "A JSON Schema (2020-12 or draft-07) for the body: written out, the path of a file, or a mapping with options.",
        "{ file: book.schema.json, formats: true }")
    case .snapshot:
      KeyInfo(
        .either([.path, .table("snapshot")]), "The body equals this file, which `run --update-snapshots` writes.",
        "{ file: snapshots/books.json, ignore: [$.id] }")
    case .time: KeyInfo(.table("predicates of a time"), "The time of the request.", "{ lt: 500ms }")
    case .events, .timeToFirstEvent: info(of: .events)
    case .lines, .timeToFirstLine: info(of: .lines)
    case .parts, .timeToFirstPart: info(of: .parts)
    case .messages, .timeToFirstMessage: info(of: .messages)
    case .size: KeyInfo(.amountCheck("predicates of a size", .either([.size, .plainNumber])), "Bytes of the body.", "{ lt: 10KB }")
    case .sha256:
      KeyInfo(
        .either([.pattern("^[0-9a-fA-F]{64}$"), .table("file")]), "The body's digest, or the file it is equal to.", "{ file: cover.png }")
    case .redirects:
      KeyInfo(
        .check,
        "The redirects that were followed. A number and predicates of numbers check their number; predicates of lists check the list `response.redirects`.",
        "1")
    case .url: KeyInfo(.check, "The final URL, after redirects.", "{ ends_with: /welcome }")
    case .version: KeyInfo(.either([.choice(["1.1", "2"]), .table("predicates")]), "The version of HTTP.", "2")
    case .tls:
      KeyInfo(.table("expected tls"), "The server's certificate and the version of TLS.", "{ days_left: { gte: 14 }, version: 1.3 }")
    case .error:
      KeyInfo(
        .oneOrMore(.choice(ErrorName.allCases.map(\.rawValue)), or: "error"),
        "The request must fail in this way, without a response. A mapping also checks the message of the failure.", "certificate")
    case .method: KeyInfo(.check, "For `listen`: the method of the received request.", "POST")
    case .query: KeyInfo(.mapping(.check), "For `listen`: parameters of the query of the received request, by name.", "{ state: abc }")
    case .that: KeyInfo(.either([.boolean, .list(.boolean)]), "Conditions.", "['${response.json.total == 3}']")
    }
  }

  /// The description of a key that checks a stream of this format: of the key for the list of the items, or for the time until the first one.
  private func info(of format: StreamFormat) -> KeyInfo {
    let source = format.key == format.rawValue ? "a stream of `\(format.key)`" : "a `\(format.key)`"
    return rawValue == format.timeKey
      ? KeyInfo(.table("predicates of a time"), "Of \(source): the time until the first \(format.itemName).", "{ lt: 2s }")
      : KeyInfo(
        .check, "Of \(source): the list `response.\(rawValue)`; its length counts all received \(rawValue).", "{ length: { gte: 3 } }")
  }
}

/// The names of the predicates, which are the keys of a mapping of predicates.
enum PredicateKey: String, DocumentKey {
  case eq, ne, gt, gte, lt, lte
  case `in`
  case contains
  case startsWith = "starts_with"
  case endsWith = "ends_with"
  case matches, type, length, empty, exists, each, any, none, subset, schema, not, json, date
  static let table = KeyTable<PredicateKey>("predicates")

  var info: KeyInfo {
    switch self {
    case .eq:
      KeyInfo(.anything, "The value is equal to this. Numbers are compared by value, lists and mappings item by item.", "{ title: Dune }")
    case .ne: KeyInfo(.anything, "The value exists and is not equal.", "draft")
    case .gt: KeyInfo(.anything, "A number is greater.", "5")
    case .gte: KeyInfo(.anything, "A number is greater or equal.", "5")
    case .lt: KeyInfo(.anything, "A number is less.", "5")
    case .lte: KeyInfo(.anything, "A number is less or equal.", "5")
    case .in: KeyInfo(.either([.list(.anything), .pattern("\\$\\{")]), "Equal to one of these.", "[new, open]")
    case .contains: KeyInfo(.anything, "A text has this part, a list has this item, or a mapping has this name.", "Dune")
    case .startsWith: KeyInfo(.anything, "The text starts with this.", "/books/")
    case .endsWith: KeyInfo(.anything, "The text ends with this.", ".png")
    case .matches: KeyInfo(.text, "The regular expression matches a part of the text.", "'^[a-z]+$'")
    case .type:
      KeyInfo(
        .either([
          .oneOf(JSONTypeName.allCases.map(\.rawValue)), .null, .list(.either([.oneOf(JSONTypeName.allCases.map(\.rawValue)), .null])),
        ]),
        "The value has this type, or one of these types.", "number")
    case .length: KeyInfo(.check, "The number of characters, items or members.", "{ gte: 1 }")
    case .empty: KeyInfo(.boolean, "True: the value has no characters, items or members. False: it has some.", "false")
    case .exists: KeyInfo(.boolean, "True: the value exists; it may be null. False: it does not exist.", "true")
    case .each: KeyInfo(.check, "The list has items, and this holds for each of them.", "{ type: string }")
    case .any: KeyInfo(.check, "This holds for at least one item.", "{ eq: Dune }")
    case .none: KeyInfo(.check, "The list has items, and this holds for none of them.", "{ lt: 0 }")
    case .subset:
      KeyInfo(
        .either([.mapping(.anything), .list(.anything), .pattern("\\$\\{")]), "The value has at least these members or items.",
        "{ title: Dune }")
    case .schema:
      KeyInfo(
        .either([.path, .flag, .table("schema"), .jsonSchema]), "The value is valid by a JSON Schema, written out or in a file.",
        "{ type: object }")
    case .not: KeyInfo(.check, "The value does not match these predicates.", "{ contains: error }")
    case .json: KeyInfo(.mapping(.check), "The text is JSON, and this holds for values in it, by JSONPath.", "{ $.id: 7 }")
    case .date: KeyInfo(.table("date"), "The value is a time, as text or a number, within these limits.", "{ within: 5m }")
    }
  }
}

/// The keys of an entry of `extract:`, if the entry is a mapping.
enum ExtractKey: String, DocumentKey {
  case json, pointer, xpath, plist, regex, header, cookie, url, query
  case firstBytes = "first_bytes"
  case attribute, matches, then
  case defaultValue = "default"
  case optional, first, all, secret
  static let table = KeyTable<ExtractKey>("an extract")
  /// The keys that select the source of the value. An extract has exactly one of these keys.
  static let sources: [ExtractKey] = [.json, .pointer, .xpath, .plist, .regex, .header, .cookie, .url, .query, .firstBytes]

  var info: KeyInfo {
    switch self {
    case .json: KeyInfo(.name, "A JSONPath into the body; one that can select several values gives the list.", "$.token")
    case .pointer: KeyInfo(.name, "A JSON Pointer into the body.", "/token")
    case .xpath: KeyInfo(.name, "An XPath 1.0 into the body as XML or HTML: the text of the node.", "//h1")
    case .plist: KeyInfo(.name, "A JSONPath into a body that is a property list, XML or binary.", "$.CFBundleVersion")
    case .regex:
      KeyInfo(
        .text, "A regular expression on the body; of its first match the named group, else the first group, else all that matched.",
        "'token=(\\w+)'")
    case .header: KeyInfo(.text, "A header field; a list if there are several.", "Location")
    case .cookie: KeyInfo(.text, "A cookie that the response sets.", "session")
    case .url: KeyInfo(.text, "`true`: the final URL. Text: a regular expression on it.", "'code=([^&]+)'")
    case .query: KeyInfo(.text, "For `listen`: a parameter of the query of the received request; a list if there are several.", "code")
    case .firstBytes: KeyInfo(.plainCount(1), "This number of the body's first bytes, at most 1024, in hexadecimal.", "8")
    case .attribute:
      KeyInfo(.oneOf(CookieFact.attributes.map(\.rawValue)), "With `cookie`: an attribute of the cookie in place of its value.", "expires")
    case .matches:
      KeyInfo(
        .text,
        "A regular expression for the text that was found: its named group, else its first group, else the whole match. For a list, each item is matched.",
        "'/books/(\\d+)'")
    case .then: KeyInfo(.name, "Filters for the value, as after the `|` of an expression.", "trim | upper")
    case .defaultValue: KeyInfo(.anything, "The value if nothing is found.", "none")
    case .optional: KeyInfo(.flag, "A missing value is not a failure.", "true")
    case .first: KeyInfo(.flag, "The first value if there are several.", "true")
    case .all: KeyInfo(.flag, "The list of all values that are found, even of a single one.", "true")
    case .secret: KeyInfo(.flag, "The value is masked in all output.", "true")
    }
  }
}

/// The only key of a mapping that names a file in place of a value, as in `sha256: { file: PATH }`.
enum FileKey: String, DocumentKey {
  case file
  static let table = KeyTable<FileKey>("`sha256`")

  var info: KeyInfo { KeyInfo(.path, "A file, relative to the document.", "cover.png") }
}

extension TLSFact: DocumentKey {
  static let table = KeyTable<TLSFact>("`tls`")

  var info: KeyInfo {
    switch self {
    case .daysLeft: KeyInfo(.check, "Whole days until the certificate expires.", "{ gte: 14 }")
    case .expiresIn: KeyInfo(.table("predicates of a time"), "The time until the certificate expires.", "{ gt: 14d }")
    case .subject: KeyInfo(.check, "The subject of the certificate.", "{ contains: CN=shop.example.com }")
    case .issuer: KeyInfo(.check, "The issuer of the certificate.", "{ contains: Let's Encrypt }")
    case .san:
      KeyInfo(
        .check, "The names that the certificate is for, a list.", "{ contains: shop.example.com }")
    case .fingerprint:
      KeyInfo(.check, "The SHA-256 digest of the certificate, in hexadecimal.", "{ length: 64 }")
    case .version: KeyInfo(.check, "The version of TLS.", "1.3")
    case .cipher: KeyInfo(.check, "The cipher suite, as OpenSSL names it.", "{ starts_with: TLS_AES }")
    }
  }
}
