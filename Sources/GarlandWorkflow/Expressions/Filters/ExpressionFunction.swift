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

  /// The parameters and the result of the function, and an example of a call for error messages. The language reference has the same
  /// example.
  var signature: (parameters: [Filter.Signature.Parameter], result: ValueKinds, example: String) {
    switch self {
    case .uuid: ([], .text, "uuid()")
    case .now: ([], .text, "now()")
    case .random: ([.init(name: "min", kinds: .number), .init(name: "max", kinds: .number)], .number, "random(1, 6)")
    case .file: ([.init(name: "path", kinds: .text)], .text, "file('query.sql')")
    case .fileSHA256: ([.init(name: "path", kinds: .text)], .text, "file_sha256('cover.png')")
    case .fileMD5: ([.init(name: "path", kinds: .text)], .text, "file_md5('cover.png')")
    case .fileSize: ([.init(name: "path", kinds: .text)], .number, "file_size('cover.png')")
    case .fakeName: ([], .text, "fake_name()")
    case .fakeEmail: ([], .text, "fake_email()")
    case .fakeWords: ([.init(name: "count", kinds: .number)], .text, "fake_words(3)")
    case .fakeNumber: ([.init(name: "min", kinds: .number), .init(name: "max", kinds: .number)], .number, "fake_number(1, 100)")
    }
  }
}
