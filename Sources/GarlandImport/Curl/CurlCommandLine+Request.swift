import GarlandDiagnostics
import GarlandText

/// Builds requests from the options, at the end of the command line or at `--next`.
extension CurlCommandLine {
  mutating func finish() {
    if let endingOption { return warn("with `\(endingOption)` curl sends nothing, and the command line was left out", at: program) }
    guard !urls.isEmpty else { return collection.refuse("this command line has no URL", at: SourceRange(file, program)) }
    if let conflict = conflict { return warn("curl refuses \(conflict), and the command line was left out", at: program) }
    warnOfRedirects()
    for (index, url) in urls.enumerated() {
      let upload = index < uploads.count ? uploads[index] : nil
      let output = index < outputs.count ? outputs[index] : flags.contains("remote-name-all") ? .remoteName : nil
      addRequests(url, upload, output)
    }
    if uploads.count > urls.count {
      warn("there is no URL for `--upload-file \(uploads[urls.count].path.source)`", at: uploads[urls.count].range)
    }
    if outputs.count > urls.count { warn("there are more `--output` than URLs", at: program) }
  }

  /// The description of two options that curl does not accept together; nil if there is no such conflict.
  private var conflict: String? {
    if !body.data.isEmpty, !body.parts.isEmpty { return "`--data` beside `--form`" }
    if !uploads.isEmpty, !body.isEmpty { return "`--upload-file` beside `--\(body.data.isEmpty ? "form" : "data")`" }
    if isHead, !uploads.isEmpty { return "`--upload-file` beside `--head`" }
    if flags.contains("no-head") { return "`--no-head` beside `--head`" }
    if isHead, !body.parts.isEmpty || !body.data.isEmpty && !putsDataIntoURL {
      return "`--head` beside `--\(body.data.isEmpty ? "form" : "data")`"
    }
    return nil
  }

  private mutating func warnOfRedirects() {
    guard followsRedirects, let method, let text = method.text.literal, !["GET", "HEAD"].contains(text) else { return }
    warn(
      "with `--location` curl sends `\(text)` again after each redirect; Garland sends a GET after a 303, and after a 301 or 302 of a POST",
      at: method.range)
  }

  // MARK: One URL

  /// Adds the requests for a URL and, if `upload` is not nil, for the file to upload. A glob such as `[1-3]` in the URL or in the file name
  /// stands for several texts; one request is then added for each combination of URL and file name.
  private mutating func addRequests(_ url: CurlURL, _ upload: (path: ImportedText, range: Range<Int>)?, _ output: Output?) {
    let (text, expressions) = url.text.flattened
    let paths = upload.map { $0.path.flattened }
    do throws(CurlGlob.Problem) {
      let isGlobbed = !flags.contains("globoff")
      let matches = isGlobbed ? try CurlGlob.matches(of: text) : [CurlGlob.Match(text: text)]
      let files = try paths.map { path throws(CurlGlob.Problem) in
        isGlobbed ? try CurlGlob.matches(of: path.text) : [CurlGlob.Match(text: path.text)]
      }
      for file in files ?? [CurlGlob.Match(text: "")] {
        let path = paths.map { ImportedText(flattened: file.text, $0.expressions) }
        for match in matches { addRequest(match, expressions, path, output, url.range) }
      }
    } catch {
      warn("`\(url.text.source)` \(error.message), and was left out", at: url.range)
    }
  }

  private mutating func addRequest(
    _ match: CurlGlob.Match, _ expressions: [String], _ upload: ImportedText?, _ output: Output?, _ range: Range<Int>
  ) {
    var queries = self.queries
    // If both are given, curl uses `--data`.
    if putsDataIntoURL, !body.data.isEmpty {
      queries = dataText().map { [$0] } ?? []
      if queries.isEmpty { leaveOut("`--data` that is not UTF-8, in a URL,", at: range) }
      let isOpen = queries.contains { $0.pieces.contains { if case .expression(let it) = $0 { it.hasPrefix("file(") } else { false } } }
      if isOpen { warn("curl refuses a file of `--data` with a space in it; a step percent-encodes the space", at: range) }
    }
    do throws(CurlURL.Problem) {
      // curl does not send a fragment.
      var given = ImportedText(flattened: match.text, expressions).split("#", limit: 2)[0]
      if let upload, let name = Self.lastName(of: upload), Self.endsAsFolder(given) {
        if name.literal == nil { warn("`\(name.source)` is added to the URL unchanged; curl adds only the last part of a path", at: range) }
        // The name belongs to the path, in front of the query.
        let parts = given.split("?", limit: 2)
        let encoded = name.mapLiterals { PercentEncoding.encode($0) }
        given = parts[0] + ImportedText(Self.hasPath(parts[0]) ? "" : "/") + encoded
        if parts.count == 2 { given = given + ImportedText("?") + parts[1] }
      }
      var request = ImportedRequest()
      request.url = try CurlURL.absolute(given, appending: queries, isPathKept: flags.contains("path-as-is"), scheme: defaultScheme)
      if let changes = CurlURL.changes(of: request.url) { warn(changes, at: range) }
      complete(&request, upload)
      addOutput(output, match, to: &request)
      collection.requests.append(request)
    } catch {
      warn("`\(given(match, expressions))` \(error.message), and was left out", at: range)
    }
  }

  private static func hasPath(_ url: ImportedText) -> Bool {
    let text = url.flattened.text
    return (text.range("://").map { text[$0.upperBound...] } ?? text[...]).contains("/")
  }

  private func given(_ match: CurlGlob.Match, _ expressions: [String]) -> String { ImportedText(flattened: match.text, expressions).source }

  /// Adds to a request everything except its URL: the body, the method, the credentials, the header fields and the settings.
  private mutating func complete(_ request: inout ImportedRequest, _ upload: ImportedText?) {
    let kept = headers
    if let upload {
      addUpload(upload, to: &request)
    } else if !body.parts.isEmpty {
      request.body = .multipart(body.parts)
    } else if !body.data.isEmpty, !putsDataIntoURL {
      addData(to: &request)
    } else if body.isJSON {
      // With `--get`, the data become part of the URL, but the header fields of `--json` are still sent.
      for name in ["Content-Type", "Accept"] where !headers.isSet(name) && !headers.isRemoved(name) {
        request.headers.append((name, ImportedText("application/json")))
      }
    }
    if headers.range != nil, request.body != nil {
      warn("with `--range` and a body, curl sends `Content-Range` or no range; the step sends `Range`", at: program)
    }
    request.method = methodName(of: request)
    if let method, method.text.literal == nil { request.methodText = method.text }
    addCredentials(to: &request, of: request.url)
    addHeaders(to: &request)
    addCookies(to: &request)
    addConnection(to: &request)
    addRetry(to: &request)
    addBaseline(to: &request)
    // A body that sets the media type itself has removed the header field for this request only.
    headers = kept
  }

  private mutating func addUpload(_ path: ImportedText, to request: inout ImportedRequest) {
    if path.literal == "-" || path.literal == "." {
      switch input {
      case .text(let word)?: request.body = word.bytes.map { .bytes($0) } ?? .text(word.text)
      case .file(let file)?: request.body = .file(file)
      case nil: warn("`--upload-file \(path.source)` reads standard input, and was left out", at: program)
      }
      leaveOut("the chunked transfer of `--upload-file \(path.source)`", at: program)
    } else {
      request.body = .file(path)
    }
    guard request.body != nil else { return }
    if let offset {
      leaveOut(
        "`--continue-at \(offset)` of an upload", at: program, help: "send a slice of the file: `body: { file: …, offset: \(offset) }`")
    }
    if !headers.isSet("Content-Type") { request.removedHeaders.append("Content-Type") }
    if !headers.isSet("Expect"), !headers.isRemoved("Expect") { request.headers.append(("Expect", ImportedText("100-continue"))) }
  }

  private mutating func methodName(of request: ImportedRequest) -> String {
    let usual = !uploads.isEmpty && request.body != nil ? "PUT" : isHead ? "HEAD" : request.body != nil ? "POST" : "GET"
    guard let method else { return usual }
    if method.text.literal == nil { return usual }
    guard let name = method.text.literal, HTTPToken.isToken(name) else {
      warn("`\(method.text.source)` is not a valid HTTP method, and `--request` was left out", at: method.range)
      return usual
    }
    return name
  }

  private mutating func addRetry(to request: inout ImportedRequest) {
    guard let retry, retry.limit > 0 else { return }
    var entries: [(key: String, value: ImportedValue)] = [("limit", .number(String(retry.limit))), ("delay", .string(retryDelay ?? "1s"))]
    if retryDelay != nil { entries += [("factor", .number("1")), ("jitter", .number("0"))] }
    // curl retries requests of every method; a step retries only safe and idempotent ones by
    // default.
    let isRepeated = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method)
    if !isRepeated { entries.append(("methods", .list([.string(request.method)]))) }
    request.settings.append(("retry", .object(entries)))
  }

  /// The methods for which a step without a body sends `Content-Length: 0`.
  static let announcingMethods = ["POST", "PUT", "PATCH"]

  /// Adds keys to the step for settings whose defaults differ between curl and Garland, so that the step behaves like the command.
  private mutating func addBaseline(to request: inout ImportedRequest) {
    if !flags.contains("compressed"), !headers.isSet("Accept-Encoding") {
      request.baseline.append(("headers", .object([("Accept-Encoding", .null)])))
    }
    if followsRedirects {
      request.baseline.append(("redirect", .object([("max", .number(String(connection.mostRedirects ?? 50)))])))
    } else {
      request.baseline.append(("redirect", .bool(false)))
      request.baseline.append(("expect", .object([("status", .list([.string("2xx"), .string("3xx")]))])))
    }
    // Without a body, a step sends `Content-Length: 0` for these methods. curl sends it only if the command line sets it.
    if request.body == nil, Self.announcingMethods.contains(request.method), headers.value("Content-Length")?.literal != "0" {
      request.removedHeaders.append("Content-Length")
    }
    if request.method == "HEAD", request.body != nil {
      leaveOut("the body of a HEAD request", at: program)
      request.body = nil
    }
  }

  // MARK: Destination of the response

  private mutating func addOutput(_ output: Output?, _ match: CurlGlob.Match, to request: inout ImportedRequest) {
    var path: ImportedText
    var isSuggested = false
    switch output {
    case .file(let name)?:
      if ["-", "/dev/null", ""].contains(name.literal) { return }
      path = name.mapLiterals { CurlGlob.name($0, match) }
    case .remoteName?:
      isSuggested = flags.contains("remote-header-name")
      let url = request.url.split("?", limit: 2)[0]
      guard !Self.endsAsFolder(url), let name = Self.lastName(of: url) else {
        return leaveOut("--remote-name", at: program, help: "the URL has no name at its end")
      }
      path = isSuggested ? ImportedText(".") : name
    case nil:
      if flags.contains("remote-header-name") { leaveOut("--remote-header-name", at: program) }
      if isResumed { leaveOut("--continue-at -", at: program) }
      return
    }
    if let outputFolder, !path.isEmpty { path = outputFolder + ImportedText("/") + path }
    var entries: [(key: String, value: ImportedValue)] = [("to", .text(ImportedText.joined(path)))]
    if isSuggested { entries.append(("name", .string("suggested"))) }
    if !flags.contains("clobber") || !isSuggested { entries.append(("replace", .bool(true))) }
    if isResumed, request.method == "GET" {
      entries.append(("resume", .bool(true)))
      warn("`--continue-at -` continues only a download that an earlier run of the workflow began", at: program)
    }
    request.settings.append(("download", .object(entries)))
  }

  /// Returns the part of a path after its last `/`; nil if this part is empty.
  private static func lastName(of text: ImportedText) -> ImportedText? {
    let parts = text.split("/")
    return parts.last.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a URL ends without a file name.
  private static func endsAsFolder(_ url: ImportedText) -> Bool {
    let path = url.split("?", limit: 2)[0]
    guard let text = path.literal else { return path.split("/").last?.isEmpty == true }
    return text.hasSuffix("/") || text.range("://").map { !text[$0.upperBound...].contains("/") } ?? !text.contains("/")
  }
}
