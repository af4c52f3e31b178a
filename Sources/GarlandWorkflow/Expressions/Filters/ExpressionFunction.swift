import GarlandJSON

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
    case .random: ([.init("min", .number), .init("max", .number)], .number, "random(1, 6)")
    case .file: ([.init("path", .text)], .text, "file('query.sql')")
    case .fileSHA256: ([.init("path", .text)], .text, "file_sha256('cover.png')")
    case .fileMD5: ([.init("path", .text)], .text, "file_md5('cover.png')")
    case .fileSize: ([.init("path", .text)], .number, "file_size('cover.png')")
    case .fakeName: ([], .text, "fake_name()")
    case .fakeEmail: ([], .text, "fake_email()")
    case .fakeWords: ([.init("count", .number)], .text, "fake_words(3)")
    case .fakeNumber: ([.init("min", .number), .init("max", .number)], .number, "fake_number(1, 100)")
    }
  }
}

extension ExpressionNode {
  /// Returns the value of a function call.
  func call(
    _ function: ExpressionFunction, _ arguments: [ExpressionNode], _ frame: EvaluationFrame
  ) throws(ExpressionFailure) -> Value {
    let services = frame.context.services
    switch function {
    case .uuid: return .plain(.string(Self.uuid(services.random(), services.random())))
    case .now:
      guard let time = Timestamp(seconds: services.now()) else { throw .wrong(.arithmetic, "the clock is out of range", at: range) }
      let milliseconds = time.milliseconds
      return .plain(.string(Timestamp(nanoseconds: milliseconds * 1_000_000).format("%Y-%m-%dT%H:%M:%S.%LZ") ?? time.iso))
    case .random:
      let low = try whole(arguments[0], frame)
      let high = try whole(arguments[1], frame)
      guard low <= high else { throw .wrong(.wrongType, "the first number of `random` must not be greater than the second", at: range) }
      return .plain(JSONValue(Self.random(low...high, services.random)))
    case .fakeName:
      var data = fakeData(frame)
      return .plain(.string(data.name()))
    case .fakeEmail:
      var data = fakeData(frame)
      return .plain(.string(data.email()))
    case .fakeWords:
      let count = try whole(arguments[0], frame)
      guard (0...10_000).contains(count) else { throw .wrong(.wrongType, "`fake_words` makes 0 to 10000 words", at: range) }
      var data = fakeData(frame)
      return .plain(.string(data.words(count)))
    case .fakeNumber:
      let low = try whole(arguments[0], frame)
      let high = try whole(arguments[1], frame)
      guard low <= high else {
        throw .wrong(.wrongType, "the first number of `fake_number` must not be greater than the second", at: range)
      }
      var data = fakeData(frame)
      return .plain(JSONValue(Self.random(low...high) { data.next() }))
    case .file: return .plain(.string(try Self.read(try path(arguments[0], frame), services, at: arguments[0].range)))
    case .fileSHA256: return .plain(.string(try digest(of: try path(arguments[0], frame), .sha256, services, at: arguments[0].range)))
    case .fileMD5: return .plain(.string(try digest(of: try path(arguments[0], frame), .md5, services, at: arguments[0].range)))
    case .fileSize:
      let path = try path(arguments[0], frame)
      do throws(WorkflowFileError) {
        return .plain(JSONValue(try services.files.size(of: path, from: services.directory)))
      } catch {
        throw Self.unreadable(path, error, at: arguments[0].range)
      }
    }
  }
}
