/// The functions of the language: `name(arguments)`.
enum ExpressionFunction: String, Sendable, CaseIterable {
  case uuid, now, random, file

  /// What it takes and gives.
  var signature: (parameters: [Filter.Signature.Parameter], result: ValueKinds, summary: String, example: String) {
    switch self {
    case .uuid: ([], .text, "A random UUID (version 4), in lower case.", "uuid()")
    case .now: ([], .text, "The time, in RFC 3339 with milliseconds, UTC.", "now()")
    case .random:
      (
        [.init(name: "min", kinds: .number), .init(name: "max", kinds: .number)], .number,
        "A random whole number, both ends included.", "random(1, 6)"
      )
    case .file: ([.init(name: "path", kinds: .text)], .text, "The text of a file, relative to the document.", "file('query.sql')")
    }
  }
}
