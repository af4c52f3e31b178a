import GarlandJSON

/// The body that results from `--data`, `--form` and similar options.
struct CurlBody {
  /// The part of a body that comes from one option.
  enum Content {
    case text(ImportedText)
    /// Content that consists of bytes that are not UTF-8.
    case bytes([UInt8])
    /// The content of a file, unchanged.
    case file(ImportedText)
  }

  /// The contents of all `--data` options. `isSeparated` is true if a `&` separates the content from the previous one.
  var data: [(content: Content, isSeparated: Bool)] = []
  var isJSON = false
  var parts: [ImportedRequest.Part] = []

  var isEmpty: Bool { data.isEmpty && parts.isEmpty }
}

extension CurlCommandLine {
  mutating func takeData(_ name: String, _ word: ShellWord, at range: Range<Int>) {
    if name == "json" { body.isJSON = true }
    let isSeparated = name != "json"
    if name == "data-urlencode" {
      if let text = encodedData(word, at: range) { body.data.append((.text(text), isSeparated)) }
      return
    }
    guard name != "data-raw", word.text.dropping(prefix: "@") != nil else {
      return body.data.append((word.bytes.map { .bytes($0) } ?? .text(word.text), isSeparated))
    }
    let isStripped = name == "data" || name == "data-ascii"
    if let content = content(ofFile: word.dropping(1).text, isStripped: isStripped, "--\(name)", at: range) {
      body.data.append((content, isSeparated))
    }
  }

  /// Returns the content of a file or of standard input. If `isStripped` is true, line breaks and zero bytes are removed, as curl does for
  /// some options. If the content can't be imported, warns and returns nil.
  private mutating func content(
    ofFile path: ImportedText, isStripped: Bool, _ option: String, at range: Range<Int>
  ) -> CurlBody.Content? {
    func stripped(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }
    var path = path
    if path.literal == "-" {
      switch input {
      case .text(let word)?:
        if let bytes = word.bytes { return .bytes(isStripped ? bytes.filter { !stripped($0) } : bytes) }
        guard isStripped else { return .text(word.text) }
        return .text(word.text.mapLiterals { String(decoding: $0.utf8.filter { !stripped($0) }, as: UTF8.self) })
      case .file(let file)?: path = file
      case nil:
        warn("`\(option) @-` reads standard input, and was left out", at: range, help: "write the text, or the name of a file")
        return nil
      }
    }
    if path.literal == "/dev/null" { return .text(ImportedText("")) }
    guard isStripped else { return .file(path) }
    if let bytes = foreignBytes(of: path, isTextWithNUL: false) {
      warnOfForeign(path, bytes, at: range)
      if bytes.contains(0) {
        warn(
          "`\(path.source)` has NUL bytes, which are left out, as curl's manual says: curl 7 leaves out the rest of their lines, too",
          at: range)
      }
      return .bytes(bytes.filter { !stripped($0) })
    }
    guard let file = path.fileExpression else {
      leaveOut("\(option) @\(path.source)", at: range)
      return nil
    }
    return .text(.expression(file + #" | replace('\r', '') | replace('\n', '')"#))
  }

  /// Returns the bytes of a file that is not text in UTF-8. An expression of the workflow could not read such a file. Returns nil for a
  /// text file, and for a file that the import can't read.
  ///
  /// - Parameter isTextWithNUL: whether a file that contains NUL can be text.
  func foreignBytes(of path: ImportedText, isTextWithNUL: Bool = true) -> [UInt8]? {
    guard let bytes = path.literal.flatMap({ reading($0) }) else { return nil }
    let isText = String(validating: bytes, as: UTF8.self) != nil && (isTextWithNUL || !bytes.contains(0))
    return isText ? nil : bytes
  }

  mutating func warnOfForeign(_ path: ImportedText, _ bytes: [UInt8], at range: Range<Int>) {
    warn(
      "`\(path.source)` is not text in UTF-8: the \(bytes.count) bytes that it has now are in the document, and the file is not read by the step",
      at: range)
  }

  /// Converts the value of `--data-urlencode` to the text that curl sends. The value has one of the forms `content`, `=content`,
  /// `name=content`, `@file` and `name@file`. The content is percent-encoded, the name is not. If the file cannot be imported, warns and
  /// returns nil.
  private mutating func encodedData(_ word: ShellWord, at range: Range<Int>) -> ImportedText? {
    let text = word.text
    let sides = text.split("=", limit: 2)
    if sides.count == 2 || text.split("@", limit: 2).count == 1 {
      if let bytes = word.bytes {
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        let hasName = name.count < bytes.count
        let content = FormDecoding.encoded(hasName ? bytes.dropFirst(name.count + 1) : bytes[...])
        return ImportedText((hasName && !name.isEmpty ? String(decoding: name, as: UTF8.self) + "=" : "") + content)
      }
      guard sides.count == 2 else { return text.urlEncoded }
      return sides[0].isEmpty ? sides[1].urlEncoded : sides[0] + ImportedText("=") + sides[1].urlEncoded
    }
    let parts = text.split("@", limit: 2)
    let name = parts[0].isEmpty ? ImportedText("") : parts[0] + ImportedText("=")
    switch content(ofFile: parts[1], isStripped: false, "--data-urlencode", at: range) {
    case .text(let text)?: return name + text.urlEncoded
    case .bytes(let bytes)?: return name + ImportedText(FormDecoding.encoded(bytes[...]))
    case .file(let path)?:
      if let bytes = foreignBytes(of: path) {
        warnOfForeign(path, bytes, at: range)
        return name + ImportedText(FormDecoding.encoded(bytes[...]))
      }
      if let file = path.fileExpression { return name + ImportedText.expression(file).urlEncoded }
      leaveOut("--data-urlencode @\(path.source)", at: range)
      return nil
    case nil: return nil
    }
  }

  mutating func takeQuery(_ word: ShellWord, at range: Range<Int>) {
    if let text = word.text.dropping(prefix: "+") {
      queries.append(text)
    } else if let text = encodedData(word, at: range) {
      queries.append(text)
    }
  }

  // MARK: The whole body

  /// Returns the contents of all `--data` options as one text. Returns nil if one of the contents is already known to have bytes that are
  /// not UTF-8. Warns about each `--data` option that reads a file, since the file must be UTF-8 when the workflow runs.
  mutating func dataText() -> ImportedText? {
    var result = ImportedText("")
    for (index, item) in body.data.enumerated() {
      if index > 0, item.isSeparated { result = result + ImportedText("&") }
      switch item.content {
      case .text(let text): result = result + text
      case .bytes: return nil
      case .file(let path):
        if foreignBytes(of: path) != nil { return nil }
        warn("`@\(path.source)` beside other data has to be text in UTF-8", at: program)
        guard let file = path.fileExpression else {
          leaveOut("the file `\(path.source)` of `--data`", at: program)
          continue
        }
        result = result + .expression(file)
      }
    }
    return ImportedText.joined(result)
  }

  /// Returns the contents of all `--data` options as bytes; nil if one of them is not known before the workflow runs, or if a file cannot
  /// be read.
  func dataBytes() -> [UInt8]? {
    var bytes: [UInt8] = []
    for (index, item) in body.data.enumerated() {
      if index > 0, item.isSeparated { bytes.append(UInt8(ascii: "&")) }
      switch item.content {
      case .text(let text):
        guard let literal = text.literal else { return nil }
        bytes += Array(literal.utf8)
      case .bytes(let more): bytes += more
      case .file(let path):
        guard let found = path.literal.flatMap({ reading($0) }) else { return nil }
        bytes += found
      }
    }
    return bytes
  }

  /// Sets the body of a request from the request's `--data` options. The body has the most readable form, such as `json`, with which the
  /// step sends the same bytes as curl.
  mutating func addData(to request: inout ImportedRequest) {
    let usual = body.isJSON ? "application/json" : "application/x-www-form-urlencoded"
    let type = headers.value("Content-Type") ?? ImportedText(usual)
    if body.isJSON, !headers.isSet("Accept"), !headers.isRemoved("Accept") {
      request.headers.append(("Accept", ImportedText("application/json")))
    }
    request.body = typedBody(type.literal ?? "")
    switch request.body {
    // For these bodies, the step sets the media type itself.
    case .json? where type.literal == "application/json" && !headers.isRemoved("Content-Type"): headers.remove("Content-Type")
    case .form?: headers.remove("Content-Type")
    default:
      if !headers.isSet("Content-Type"), !headers.isRemoved("Content-Type") { request.headers.append(("Content-Type", type)) }
    }
  }

  private mutating func typedBody(_ type: String) -> ImportedRequest.Body? {
    if body.data.count == 1, case .file(let path) = body.data[0].content { return .file(path) }
    guard let text = dataText() else {
      if let bytes = dataBytes() {
        for case .file(let path) in body.data.map(\.content) { warnOfForeign(path, reading(path.literal ?? "") ?? [], at: program) }
        return .bytes(bytes)
      }
      leaveOut("`--data` that is not UTF-8, beside a file or a variable,", at: program)
      return nil
    }
    if type.contains("json"), let value = JSONTemplate.exactValue(of: text) { return .json(value) }
    let isForm = type == "application/x-www-form-urlencoded" && !headers.isRemoved("Content-Type")
    if isForm, let pairs = FormDecoding.exactPairs(of: text) { return .form(pairs) }
    return .text(text)
  }
}

extension ImportedText {
  /// The expression that reads the file whose name is this text. Nil if the text is empty, or if it combines expressions and literal text.
  var fileExpression: String? {
    if let literal { return literal.isEmpty ? nil : "file(\(Self.quoted(literal)))" }
    guard pieces.count == 1, case .expression(let name)? = pieces.first else { return nil }
    return "file(\(name))"
  }

  /// Returns a text as a string literal of an expression.
  static func quoted(_ text: String) -> String {
    let inner = JSONValue.string(text).jsonBytes().dropFirst().dropLast()
    let plain = String(decoding: inner, as: UTF8.self).replacing("\\\"", with: "\"")
    return "'" + plain.replacing("'", with: "\\'") + "'"
  }

  /// The text in the percent-encoding of curl's `--data-urlencode`.
  var urlEncoded: ImportedText {
    ImportedText(
      pieces: pieces.map { piece in
        switch piece {
        case .literal(let text): .literal(FormDecoding.encoded(Array(text.utf8)[...]))
        case .expression(let expression): .expression(expression + " | urlencode | replace('%20', '+')")
        }
      })
  }
}
