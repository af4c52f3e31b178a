/// The functions of the expression language, such as `now()`.
package enum ExpressionFunction: String, Sendable, CaseIterable {
  case uuid, now, random, file
  case fileSHA256 = "file_sha256"
  case fileMD5 = "file_md5"
  case fileSize = "file_size"
  case fakeName = "fake_name"
  case fakeEmail = "fake_email"
  case fakeWords = "fake_words"
  case fakeNumber = "fake_number"

  /// Whether the function's argument is the path of a file.
  var readsFile: Bool {
    switch self {
    case .file, .fileSHA256, .fileMD5, .fileSize: true
    case .uuid, .now, .random, .fakeName, .fakeEmail, .fakeWords, .fakeNumber: false
    }
  }

  /// The function's name with the names of its parameters, for messages: `random(min, max)`.
  var call: String { "\(rawValue)(\(signature.parameters.map(\.name).joined(separator: ", ")))" }

  /// The parameters and the result of the function, with a summary and an example for the language reference.
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
    case .fileSHA256:
      (
        [.init(name: "path", kinds: .text)], .text, "The SHA-256 digest of a file of any size, hexadecimal.", "file_sha256('cover.png')"
      )
    case .fileMD5:
      ([.init(name: "path", kinds: .text)], .text, "The MD5 digest of a file of any size, hexadecimal.", "file_md5('cover.png')")
    case .fileSize: ([.init(name: "path", kinds: .text)], .number, "The bytes of a file.", "file_size('cover.png')")
    case .fakeName: ([], .text, "A made-up name, the same for the same `--seed`.", "fake_name()")
    case .fakeEmail: ([], .text, "A made-up email address at `example.com`, the same for the same `--seed`.", "fake_email()")
    case .fakeWords:
      ([.init(name: "count", kinds: .number)], .text, "This number of made-up words, the same for the same `--seed`.", "fake_words(3)")
    case .fakeNumber:
      (
        [.init(name: "min", kinds: .number), .init(name: "max", kinds: .number)], .number,
        "A whole number, both ends included, the same for the same `--seed`.", "fake_number(1, 100)"
      )
    }
  }
}
