/// The keys of the mapping `events:`.
enum EventsKey: String, DocumentKey {
  case until, count, within, each, keep, reconnect
  static let table = KeyTable<EventsKey>("`events`")

  var info: KeyInfo {
    switch self {
    case .until:
      KeyInfo(
        .boolean, "The condition on `event`, the last event that arrived, after which no more events are read.", "${event.data == '[DONE]'}"
      )
    case .count: KeyInfo(.atLeast(1), "The number of events to read.", "3")
    case .within:
      KeyInfo(
        .duration,
        "The time limit for reading. With `until` or `count`, the step fails when the limit is reached; without these keys, the step continues with the events that it has read. Default: 5m; when the default limit is reached, the step always fails.",
        "30s")
    case .each:
      KeyInfo(
        .table("each event"), "Expectations of every event; the first event that fails one ends the stream.",
        "{ json: { $.id: { type: integer } } }")
    case .keep:
      KeyInfo(
        .atLeast(0), "The number of events to keep, the last ones. Default: all if something uses `response.events`, otherwise none.", "100"
      )
    case .reconnect:
      KeyInfo(
        .atLeast(0),
        "The number of reconnections, with `Last-Event-ID`, when the stream ends too early or its connection fails. The wait is `retry:` of the stream, or 1s. Default: 0.",
        "3")
    }
  }
}

/// The keys of the mapping `events.each:`.
enum EachEventKey: String, DocumentKey {
  case type, data, id, json, schema, that
  static let table = KeyTable<EachEventKey>("`each`")

  var info: KeyInfo {
    switch self {
    case .type: KeyInfo(.check, "The type; `message` if the stream names none.", "message")
    case .data: KeyInfo(.check, "The data as text.", "{ contains: Dune }")
    case .id: KeyInfo(.check, "The last event ID.", "{ matches: '^\\d+$' }")
    case .json: KeyInfo(.mapping(.check), "Values in the data as JSON, by JSONPath.", "{ $.id: { type: integer } }")
    case .schema:
      KeyInfo(
        .either([.path, .flag, .table("schema"), .jsonSchema]), "A JSON Schema for the data, written out or in a file.",
        "{ type: object }")
    case .that: KeyInfo(.either([.boolean, .list(.boolean)]), "Conditions on `event`.", "['${event.json.price > 0}']")
    }
  }
}

/// The keys of the mapping `lines:`.
enum LinesKey: String, DocumentKey {
  case until, count, within, each, keep
  static let table = KeyTable<LinesKey>("`lines`")

  var info: KeyInfo {
    switch self {
    case .until:
      KeyInfo(.boolean, "The condition on `line`, the last line that arrived, after which no more lines are read.", "${line.json.done}")
    case .count: KeyInfo(.atLeast(1), "The number of lines to read.", "3")
    case .within:
      KeyInfo(
        .duration,
        "The time limit for reading. With `until` or `count`, the step fails when the limit is reached; without these keys, the step continues with the lines that it has read. Default: 5m; when the default limit is reached, the step always fails.",
        "30s")
    case .each:
      KeyInfo(
        .table("each line"), "Expectations of every line; the first line that fails one ends the stream.",
        "{ json: { $.id: { type: integer } } }")
    case .keep:
      KeyInfo(
        .atLeast(0), "The number of lines to keep, the last ones. Default: all if something uses `response.lines`, otherwise none.", "100")
    }
  }
}

/// The keys of the mapping `lines.each:`.
enum EachLineKey: String, DocumentKey {
  case text, json, schema, that
  static let table = KeyTable<EachLineKey>("`each`")

  var info: KeyInfo {
    switch self {
    case .text: KeyInfo(.check, "The line as text.", "{ contains: Dune }")
    case .json: KeyInfo(.mapping(.check), "Values in the line, by JSONPath.", "{ $.id: { type: integer } }")
    case .schema:
      KeyInfo(
        .either([.path, .flag, .table("schema"), .jsonSchema]), "A JSON Schema for the line, written out or in a file.",
        "{ type: object }")
    case .that: KeyInfo(.either([.boolean, .list(.boolean)]), "Conditions on `line`.", "['${line.json.price > 0}']")
    }
  }
}

/// The keys of the mapping `parts:`.
enum PartsKey: String, DocumentKey {
  case until, count, within, each, keep
  static let table = KeyTable<PartsKey>("`parts`")

  var info: KeyInfo {
    switch self {
    case .until:
      KeyInfo(
        .boolean, "The condition on `part`, the last part that arrived, after which no more parts are read.",
        "${part.headers.X-Motion == 'yes'}")
    case .count: KeyInfo(.atLeast(1), "The number of parts to read.", "3")
    case .within:
      KeyInfo(
        .duration,
        "The time limit for reading. With `until` or `count`, the step fails when the limit is reached; without these keys, the step continues with the parts that it has read. Default: 5m; when the default limit is reached, the step always fails.",
        "30s")
    case .each:
      KeyInfo(
        .table("each part"), "Expectations of every part; the first part that fails one ends the stream.", "{ type: image/jpeg }")
    case .keep:
      KeyInfo(
        .atLeast(0), "The number of parts to keep, the last ones. Default: all if something uses `response.parts`, otherwise none.", "1")
    }
  }
}

/// The keys of the mapping `parts.each:`.
enum EachPartKey: String, DocumentKey {
  case type, headers, json, body
  case firstBytes = "first_bytes"
  case schema, size, sha256, that
  static let table = KeyTable<EachPartKey>("`each`")

  var info: KeyInfo {
    switch self {
    case .that: KeyInfo(.either([.boolean, .list(.boolean)]), "Conditions on `part`.", "['${part.size > 1000}']")
    case .schema: expectation("A JSON Schema for the part, written out or in a file.", "{ type: object }")
    case .type: expectation("The media type of the part, perhaps with `*`.", "image/jpeg")
    case .headers: expectation("Header fields of the part, by name.", "{ X-Camera: garden }")
    case .json: expectation("Values in the part as JSON, by JSONPath.", "{ $.id: { type: integer } }")
    case .body: expectation("The body of the part as text.", "{ contains: Dune }")
    case .firstBytes: expectation("The bytes that the body of the part begins with, in hexadecimal, or a list of them.", "ffd8ff")
    case .size: expectation("Bytes of the part's body.", "{ lt: 100KB }")
    case .sha256: expectation("The digest of the part's body, or the file it is equal to.", "{ file: frame.jpg }")
    }
  }

  /// The key of `expect:` that makes the same check on a whole response, and has the same name as this key. Nil if there is no such key.
  var whole: ExpectKey? { ExpectKey(rawValue: rawValue) }

  private func expectation(_ summary: String, _ example: String) -> KeyInfo {
    KeyInfo(whole?.info.shape ?? .anything, summary, example)
  }
}
