/// The keys of `retry:`, if its value is a mapping.
enum RetryKey: String, DocumentKey {
  case limit, delay, factor, jitter
  case maxDelay = "max_delay"
  case statuses, methods, on
  static let table = KeyTable<RetryKey>("`retry`")
  private static let conditions = RetrySettings.Condition.allCases.map(\.rawValue)

  var info: KeyInfo {
    switch self {
    case .limit: KeyInfo(.atLeast(0), "The number of retries. Default: 2.", "3")
    case .delay: KeyInfo(.duration, "The first wait. Default: 500 ms.", "1s")
    case .factor: KeyInfo(.numberAtLeast(1), "The factor by which the wait grows each time. Default: 2.", "1.5")
    case .jitter:
      KeyInfo(
        .numberAtLeast(0), "The largest random addition to a wait, as a part of it. Default: 0.25, a quarter.", "0")
    case .maxDelay:
      KeyInfo(.duration, "The longest wait. If `Retry-After` asks for a longer one, the request is not retried. Default: 60 s.", "10s")
    case .statuses:
      KeyInfo(
        .either([.status, .list(.status)]), "The statuses that are retried. Default: 408, 429, 500, 502, 503 and 504.",
        "[429, 5xx]")
    case .methods:
      KeyInfo(
        .either([.name, .list(.name)]),
        "The methods that are retried. Default: the idempotent ones, GET, HEAD, OPTIONS, TRACE, PUT and DELETE.", "[GET, POST]")
    case .on:
      KeyInfo(
        .either([.oneOf(Self.conditions), .filledList(.oneOf(Self.conditions))]),
        "The reasons for a retry: an error in transit, a status of `statuses`, an expectation that the response does not meet. Default: transport and status.",
        "[transport, status, expect]")
    }
  }
}

/// The keys of the mapping `poll:`.
enum PollKey: String, DocumentKey {
  case until, every, within, fail
  static let table = KeyTable<PollKey>("`poll`")

  var info: KeyInfo {
    switch self {
    case .until:
      KeyInfo(
        .either([.boolean, .table("until")]),
        "A condition, or expectations as in `expect`, that end the poll. Any status is accepted unless an expectation names one; an undefined value does not end the poll.",
        "${response.json.state == 'done'}")
    case .every: KeyInfo(.duration, "The time from a response to the next request. Default: 1 s.", "500ms")
    case .within: KeyInfo(.duration, "The time limit of the poll; then the step fails. Default: 1 min.", "2m")
    case .fail: KeyInfo(.boolean, "The condition that makes the step fail at once.", "${response.json.state == 'broken'}")
    }
  }
}

/// The keys of the mapping `paginate:`.
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
    case .link: KeyInfo(.flag, "The `Link` header with `rel=\"next\"` has the URL of the next page.", "true")
    case .while: KeyInfo(.boolean, "Requests the next page only while this is true.", "${response.json.items | length > 0}")
    case .limit: KeyInfo(.atLeast(1), "The largest number of pages; more pages are a failure. Default: 1000.", "10")
    }
  }
}

/// The keys of `paginate.next:`, if its value is a mapping.
enum NextKey: String, DocumentKey {
  case url, query, headers, json, form
  static let table = KeyTable<NextKey>("`next`")

  var info: KeyInfo {
    switch self {
    case .url: KeyInfo(.text, "The URL of the next page, absolute or relative to this one. Default: the same.", "${response.json.next}")
    case .query:
      KeyInfo(
        .either([.mapping(.anything), .expression]), "Parameters of the query, which replace those with the same names or are added.",
        "{ cursor: '${response.json.cursor}' }")
    case .headers:
      KeyInfo(
        .mapping(.either([.text, .list(.text), .null])),
        "Header fields, which replace those with the same names or are added; null removes one.",
        "{ X-Cursor: '${response.headers.X-Next}' }")
    case .json:
      KeyInfo(
        .either([.mapping(.anything), .expression]),
        "Members that are merged into the JSON body, also of `graphql`; null removes a member (RFC 7396).",
        "{ cursor: '${response.json.cursor}' }")
    case .form:
      KeyInfo(
        .either([.mapping(.anything), .expression]), "Parameters of the form, which replace those with the same names or are added.",
        "{ NextToken: '${response.json.token}' }")
    }
  }
}

/// The keys of `rows:`, if its value is a mapping.
enum RowsKey: String, DocumentKey {
  case file, format
  static let table = KeyTable<RowsKey>("`rows`")
  /// The pattern for the file extensions that determine the format of a file of rows. For a file with another extension, the document must
  /// contain the key `format`.
  static let extensions = "\\.(csv|tsv|jsonl|ndjson|json)$"

  var info: KeyInfo {
    switch self {
    case .file: KeyInfo(.path, "The file, relative to the document.", "users.csv")
    case .format:
      KeyInfo(
        .oneOf(RowsFormat.allCases.map(\.rawValue)), "The format of the file. Default: by its extension.", "csv")
    }
  }
}
