/// The keys of an entry in the list `talk:`.
enum TalkKey: String, DocumentKey {
  case send, receive, close
  static let table = KeyTable<TalkKey>("`talk`")

  var info: KeyInfo {
    switch self {
    case .send: KeyInfo(.table("send"), "Sends a message.", "{ json: { type: hello } }")
    case .receive: KeyInfo(.table("receive"), "Waits for messages.", "{ json: { $.type: welcome }, within: 5s }")
    case .close:
      KeyInfo(
        .table("close"), "Closes the connection, as the last entry. Default: with code 1000, when everything else is done.",
        "{ code: 1000 }")
    }
  }
}

/// The keys of the mapping `send:` in an entry of `talk:`.
enum SendKey: String, DocumentKey {
  case text, json, base64
  static let table = KeyTable<SendKey>("`send`")

  var info: KeyInfo {
    switch self {
    case .text: KeyInfo(.text, "A message of text.", "hi ${room}")
    case .json: KeyInfo(.anything, "A value that is sent as JSON in a message of text.", "{ type: hello }")
    case .base64: KeyInfo(.text, "A message of bytes, given as Base64.", "aGVsbG8=")
    }
  }
}

/// The keys of the mapping `receive:` in an entry of `talk:`.
enum ReceiveKey: String, DocumentKey {
  case count, matching, within, type, text, json, schema, that, extract
  static let table = KeyTable<ReceiveKey>("`receive`")
  /// The keys of `receive:` that check each message.
  static let checks: KeySet<ReceiveKey> = [.type, .text, .json, .schema, .that]

  var info: KeyInfo {
    switch self {
    case .count: KeyInfo(.atLeast(1), "The number of messages to wait for. Default: 1.", "3")
    case .matching:
      KeyInfo(
        .boolean, "The condition on `message` by which messages count; others are passed over. An undefined value does not count.",
        "${message.json.type == 'chat'}")
    case .within: KeyInfo(.duration, "The time limit for all these messages. Default: 30s.", "5s")
    case .type: KeyInfo(.check, "The kind of each message: `text` or `binary`.", "text")
    case .text: KeyInfo(.check, "The text of each message.", "{ starts_with: hi }")
    case .json: KeyInfo(.mapping(.check), "Values in each message as JSON, by JSONPath.", "{ $.type: welcome }")
    case .schema:
      KeyInfo(
        .either([.path, .flag, .table("schema"), .jsonSchema]), "A JSON Schema that each message is valid by, written out or in a file.",
        "{ type: object }")
    case .that: KeyInfo(.either([.boolean, .list(.boolean)]), "Conditions on `message`.", "['${message.json.price > 0}']")
    case .extract:
      KeyInfo(
        .mapping(.either([.pattern("^\\$"), .table("extract")])),
        "Values of the last message, by name, for later entries of `talk` as `${NAME}`, and for other steps as `${STEP.NAME}`.",
        "{ room: $.room }")
    }
  }
}

/// The keys of the mapping `close:` in an entry of `talk:`.
enum CloseKey: String, DocumentKey {
  case code, reason
  static let table = KeyTable<CloseKey>("`close`")

  var info: KeyInfo {
    switch self {
    case .code: KeyInfo(.closeCode, "The code: 1000, 1001, or one of 3000 to 4999. Default: 1000.", "1000")
    case .reason: KeyInfo(.text, "The reason, at most 123 bytes.", "done")
    }
  }
}
