import GarlandText

/// The header fields that a command line sets or removes.
struct CurlHeaders {
  /// The fields that `--header` sets, in order.
  var lines: [(name: String, value: ImportedText)] = []
  /// The names of fields that curl sends by default and that `--header NAME:` removes.
  var removed: [String] = []
  var userAgent: ImportedText?
  var referer: ImportedText?
  var range: ImportedText?

  func value(_ name: String) -> ImportedText? { lines.last { $0.name.lowercased() == name.lowercased() }?.value }
  func isSet(_ name: String) -> Bool { value(name) != nil }
  func isRemoved(_ name: String) -> Bool { !isSet(name) && removed.contains { $0.lowercased() == name.lowercased() } }

  mutating func remove(_ name: String) { lines.removeAll { $0.name.lowercased() == name.lowercased() } }
}

extension CurlCommandLine {
  mutating func takeHeader(_ text: ImportedText, at range: Range<Int>) {
    guard let path = text.dropping(prefix: "@") else { return takeHeaderLine(text, at: range) }
    let source: String?
    if path.literal == "-", case .text(let word)? = input {
      source = word.text.literal
    } else {
      var file = path
      if path.literal == "-", case .file(let given)? = input { file = given }
      source = file.literal.flatMap { reading($0) }.flatMap { String(validating: $0, as: UTF8.self) }
    }
    guard let source else { return warn("the fields of `--header @\(path.source)` can't be read, and were left out", at: range) }
    for line in source.split(whereSeparator: \.isNewline) { takeHeaderLine(ImportedText(String(line)), at: range) }
  }

  private mutating func takeHeaderLine(_ text: ImportedText, at range: Range<Int>) {
    let parts = text.split(":", limit: 2)
    guard parts.count == 2 else {
      // `Name;` sets a header field without a value.
      if let name = text.literal?.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false), name.count == 2,
        name[1].allSatisfy({ $0 == " " }), HTTPToken.isToken(name[0])
      {
        return headers.lines.append((String(name[0]), ImportedText("")))
      }
      return warn("`--header \(text.source)` is not a header field, and was left out", at: range)
    }
    guard let name = parts[0].literal, HTTPToken.isToken(name) else {
      return warn("`\(parts[0].source)` is not a valid header name; `--header` was left out", at: range)
    }
    let value = parts[1].trimmed
    if value.isEmpty {
      headers.removed.append(name)
    } else if name.lowercased() == "host" && headers.isSet(name) || name.lowercased() == "content-type" && headers.isSet(name) {
      // curl sends every `Host` and every `Content-Type` that it is given, but a request can have only one of each.
      headers.remove(name)
      headers.lines.append((name, value))
      warn("`--header \(name):` appears twice: only the last is sent", at: range)
    } else {
      headers.lines.append((name, value))
    }
  }

  mutating func takeReferer(_ text: ImportedText, at range: Range<Int>) {
    guard let literal = text.literal, literal.hasSuffix(";auto") else { return headers.referer = text }
    headers.referer = ImportedText(String(literal.dropLast(5)))
    leaveOut("--referer ;auto", at: range)
  }

  /// Adds the header fields to a request. The request's method and body must already be complete.
  mutating func addHeaders(to request: inout ImportedRequest) {
    var own: [(name: String, value: ImportedText)] = []
    if let agent = headers.userAgent, !headers.isSet("User-Agent") {
      if agent.isEmpty { request.removedHeaders.append("User-Agent") } else { own.append(("User-Agent", agent)) }
    }
    // An offset takes precedence over `--range`, except for the offset 0, which has no effect.
    let rest = uploads.isEmpty ? offset.flatMap { $0 == 0 ? nil : ImportedText("bytes=\($0)-") } : nil
    let range = rest ?? headers.range
    if let range, !headers.isSet("Range") { own.append(("Range", range)) }
    if let referer = headers.referer, !headers.isSet("Referer"), !referer.isEmpty { own.append(("Referer", referer)) }
    for line in headers.lines { if let line = field(line, of: request) { own.append(line) } }
    request.headers += own
    for name in headers.removed where headers.isRemoved(name) {
      // The fields that curl sends by default.
      let known = [
        "accept", "accept-encoding", "content-type", "content-length", "expect", "host", "user-agent", "te", "upgrade", "connection",
        "http2-settings",
      ]
      guard known.contains(name.lowercased()), !request.removedHeaders.contains(where: { $0.lowercased() == name.lowercased() }) else {
        continue
      }
      if name.lowercased() == "content-length", request.body != nil {
        leaveOut("--header \(name):", at: program)
      } else {
        request.removedHeaders.append(name)
      }
    }
    // curl accepts a response of any type, even of a type that `Accept` does not list.
    let accepted = request.headers.filter { $0.name.lowercased() == "accept" }
    if !accepted.isEmpty, !accepted.contains(where: { $0.value.literal?.contains("*/*") == true }) {
      request.expect("type", .string("*/*"))
    }
  }

  /// Returns the value of `Content-Length` that the imported step sends; nil if the step sends no such field, or if the value is unknown.
  private func announcedLength(of request: ImportedRequest) -> Int? {
    switch request.body {
    case nil: Self.announcingMethods.contains(request.method) ? 0 : nil
    case .json?, .form?, .text?, .bytes?: body.data.isEmpty ? nil : dataBytes()?.count
    case .file?, .multipart?, .graphql?: nil
    }
  }

  /// Converts a header field of the curl command to an entry of the step's `headers`. Returns nil if the step needs no such entry, because
  /// the body or another key of the step makes Garland send the field. Warns if Garland would send another value than curl.
  private mutating func field(
    _ line: (name: String, value: ImportedText), of request: ImportedRequest
  ) -> (name: String, value: ImportedText)? {
    switch line.name.lowercased() {
    case "cookie": return nil
    case "authorization": return request.credentials == nil ? line : nil
    case "content-length", "transfer-encoding":
      // The step itself sends the length if it is the length of the body.
      let length = line.name.lowercased() == "content-length" ? announcedLength(of: request) : nil
      if length.map({ String($0) }) != line.value.literal { leaveOut("--header \(line.name):", at: program) }
      return nil
    case "content-type":
      guard case .multipart? = request.body else { return line }
      if line.value.literal?.lowercased() != "multipart/form-data" {
        leaveOut("--header \(line.name):", at: program, help: "`multipart` sets its `Content-Type` itself")
      }
      return nil
    default: return line
    }
  }
}
