/// The keys of `retry:` as a mapping.
enum RetryKey: String, DocumentKey {
  case limit, delay, factor, jitter
  case maxDelay = "max_delay"
  case statuses, methods, on
  static let table = KeyTable<RetryKey>("`retry`")
  private static let conditions = RetrySettings.Condition.allCases.map(\.rawValue)

  var info: KeyInfo {
    switch self {
    case .limit: KeyInfo(.atLeast(0), "How often the request is sent again. Default: 2.", "3")
    case .delay: KeyInfo(.duration, "The first wait. Default: 500 ms.", "1s")
    case .factor: KeyInfo(.numberAtLeast(1), "The factor by which the wait grows each time. Default: 2.", "1.5")
    case .jitter:
      KeyInfo(
        .numberAtLeast(0), "By how much of itself a wait may become longer, by chance: 0.25 is up to a quarter, which is the default.", "0")
    case .maxDelay:
      KeyInfo(.duration, "The longest wait. Where `Retry-After` asks for more than that, it is not tried again. Default: 60 s.", "10s")
    case .statuses:
      KeyInfo(
        .either([.status, .list(.status)]), "The statuses after which it is sent again. Default: 408, 429, 500, 502, 503 and 504.",
        "[429, 5xx]")
    case .methods:
      KeyInfo(
        .either([.name, .list(.name)]),
        "The methods that are sent again. Default: those that are idempotent: GET, HEAD, OPTIONS, TRACE, PUT and DELETE.", "[GET, POST]")
    case .on:
      KeyInfo(
        .either([.oneOf(Self.conditions), .filledList(.oneOf(Self.conditions))]),
        "The reasons for another attempt: an error in transit, a status of `statuses`, an expectation that the response does not meet. Default: transport and status.",
        "[transport, status, expect]")
    }
  }
}

/// The keys of `poll:`.
enum PollKey: String, DocumentKey {
  case until, every, within, fail
  static let table = KeyTable<PollKey>("`poll`")

  var info: KeyInfo {
    switch self {
    case .until:
      KeyInfo(
        .either([.boolean, .table("until")]),
        "A condition, or expectations as in `expect`, that end the poll. Any status will do unless an expectation names one; an undefined value counts as not yet.",
        "${response.json.state == 'done'}")
    case .every: KeyInfo(.duration, "The time from a response to the next request. Default: 1 s.", "500ms")
    case .within: KeyInfo(.duration, "How long it goes on; then the step fails. Default: 1 min.", "2m")
    case .fail: KeyInfo(.boolean, "The condition that makes waiting useless: the step fails at once.", "${response.json.state == 'broken'}")
    }
  }
}

/// The keys of `paginate:`.
enum PaginateKey: String, DocumentKey {
  case next, link, `while`, limit
  static let table = KeyTable<PaginateKey>("`paginate`")

  var info: KeyInfo {
    switch self {
    case .next:
      KeyInfo(
        .either([.text, .table("next")]),
        "The URL of the next page, absolute or relative to this one, or a mapping of changes to the request; undefined, null or empty on the last page.",
        "${response.json.next}")
    case .link: KeyInfo(.flag, "The next page is that of the `Link` header with `rel=\"next\"`.", "true")
    case .while: KeyInfo(.boolean, "Goes on only while this is true.", "${response.json.items | length > 0}")
    case .limit: KeyInfo(.atLeast(1), "How many pages are asked for at most. Default: 1000, and more than that is a failure.", "10")
    }
  }
}

/// The keys of `paginate.next:` as a mapping.
enum NextKey: String, DocumentKey {
  case url, query, headers, json, form
  static let table = KeyTable<NextKey>("`next`")

  var info: KeyInfo {
    switch self {
    case .url: KeyInfo(.text, "The URL of the next page, absolute or relative to this one. Default: the same.", "${response.json.next}")
    case .query:
      KeyInfo(
        .either([.mapping(.anything), .expression]), "Parameters of the query in place of those with the same names, or besides.",
        "{ cursor: '${response.json.cursor}' }")
    case .headers:
      KeyInfo(
        .mapping(.either([.text, .list(.text), .null])),
        "Header fields in place of those with the same names, or besides; null removes one.",
        "{ X-Cursor: '${response.headers.X-Next}' }")
    case .json:
      KeyInfo(
        .either([.mapping(.anything), .expression]),
        "Members to put over those of the JSON body, of `graphql` too; mappings are merged, null removes a member (RFC 7396).",
        "{ cursor: '${response.json.cursor}' }")
    case .form:
      KeyInfo(
        .either([.mapping(.anything), .expression]), "Parameters of the form in place of those with the same names, or besides.",
        "{ NextToken: '${response.json.token}' }")
    }
  }
}

/// The keys of `rows:` as a mapping.
enum RowsKey: String, DocumentKey {
  case file, format
  static let table = KeyTable<RowsKey>("`rows`")
  /// The pattern for the file extensions that determine the format of the rows. A file must have one of them if no key names the format.
  static let extensions = "\\.(csv|tsv|jsonl|ndjson|json)$"

  var info: KeyInfo {
    switch self {
    case .file: KeyInfo(.path, "The file, relative to the document.", "users.csv")
    case .format:
      KeyInfo(
        .oneOf(RowsFormat.allCases.map(\.rawValue)), "How it is written. Default: what its extension says.", "csv")
    }
  }
}
