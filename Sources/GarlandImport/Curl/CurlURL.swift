/// A URL of a command line, and its conversion to the URL that curl sends.
struct CurlURL {
  let text: ImportedText
  let range: Range<Int>

  /// The reason why a text is not a URL to which a request can be sent.
  struct Problem: Error {
    let message: String
  }

  /// Returns a URL in the form that curl sends. The result has a scheme, and its query contains the texts `queries`. `.` and `..` are
  /// removed from its path unless `isPathKept` is true.
  ///
  /// - Parameters:
  ///   - url: the URL, without a fragment.
  ///   - queries: the texts that are appended to the URL's query.
  ///   - isPathKept: whether `.` and `..` are kept in the path.
  ///   - scheme: the scheme for a URL without a scheme. Throws if the host name begins with the name of another scheme, as in
  ///     `ftp.example.com`, since curl would use that scheme.
  static func absolute(
    _ url: ImportedText, appending queries: [ImportedText], isPathKept: Bool, scheme: String
  ) throws(Problem) -> ImportedText {
    var url = ImportedText.joined(url)
    guard !url.isEmpty else { throw Problem(message: "is empty") }
    if case .literal(let text)? = url.pieces.first {
      if let mark = text.range("://") {
        let scheme = text[..<mark.lowerBound].lowercased()
        if ["ws", "wss"].contains(scheme) { throw Problem(message: "is the URL of a WebSocket connection: write a step with `websocket`") }
        guard ["http", "https"].contains(scheme), mark.upperBound < text.endIndex || url.pieces.count > 1
        else {
          throw Problem(message: "is not an `http:` or `https:` URL")
        }
      } else {
        guard !text.hasPrefix("/"), !text.hasPrefix("?"), ["http", "https"].contains(scheme) else {
          throw Problem(message: "is not an `http:` or `https:` URL")
        }
        let guessed = ["ftp", "dict", "ldap", "imap", "smtp", "pop3"].first { text.lowercased().hasPrefix($0 + ".") }
        if let guessed { throw Problem(message: "is not sent over HTTP, because curl derives the scheme `\(guessed)` from the host name") }
        url = ImportedText.joined(ImportedText("\(scheme)://") + url)
      }
    }
    if Self.hasBlank(url) { throw Problem(message: "has a space or a control character, which curl refuses") }
    for query in queries where !query.isEmpty {
      if Self.hasBlank(query) {
        throw Problem(message: "can't have `\(query.source)` in its query: curl refuses a space or a control character in a URL")
      }
      url = url + ImportedText(url.split("?", limit: 2).count == 2 ? (hasEmptyQuery(url) ? "" : "&") : "?") + query
    }
    url = ImportedText.joined(url)
    return rawExpressions(normalized(url, isPathKept: isPathKept))
  }

  /// Whether a text contains characters that curl does not accept in a URL.
  private static func hasBlank(_ text: ImportedText) -> Bool {
    text.pieces.contains { piece in
      if case .literal(let text) = piece { text.utf8.contains { $0 <= 0x20 || $0 == 0x7F } } else { false }
    }
  }

  private static func hasEmptyQuery(_ url: ImportedText) -> Bool {
    if case .literal(let text)? = url.pieces.last { text.hasSuffix("?") } else { false }
  }

  /// Returns the host (in lower case) and the port of a URL; nil if one of these is unknown.
  static func authority(of url: ImportedText) -> (host: String, port: String)? {
    guard case .literal(let text)? = url.pieces.first, let mark = text.range("://") else { return nil }
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard authority.endIndex < text.endIndex || url.pieces.count == 1 else { return nil }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    let isSecure = text.lowercased().hasPrefix("https:")
    if let bracket = place.lastIndex(of: "]") {
      let port = place[bracket...].dropFirst(2)
      return (place[...bracket].lowercased(), port.isEmpty ? (isSecure ? "443" : "80") : String(port))
    }
    let pair = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (pair[0].lowercased(), pair.count == 2 && !pair[1].isEmpty ? String(pair[1]) : isSecure ? "443" : "80")
  }

  // MARK: The path

  /// Returns the URL without `.` and `..` in its path. Returns the URL unchanged if `isPathKept` is true, or if the path continues with an
  /// expression, whose value is known only when the workflow runs.
  private static func normalized(_ url: ImportedText, isPathKept: Bool) -> ImportedText {
    guard case .literal(let text)? = url.pieces.first, let mark = text.range("://"),
      let start = text[mark.upperBound...].firstIndex(of: "/")
    else { return url }
    let end = text[start...].firstIndex(of: "?") ?? text.endIndex
    // The text after a variable may belong to the same path segment.
    let isWhole = end < text.endIndex || url.pieces.count == 1
    let path = String(text[start..<end])
    guard isWhole, !isPathKept else { return url }
    return ImportedText(pieces: [.literal(text[..<start] + withoutDots(path) + text[end...])] + url.pieces.dropFirst())
  }

  /// Removes `.` and `..` from a path (RFC 3986, section 5.2.4).
  private static func withoutDots(_ path: String) -> String {
    var result: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { result.append("") }
      case "..":
        if !result.isEmpty { result.removeLast() }
        if isLast { result.append("") }
      default: result.append(segment)
      }
    }
    return "/" + result.joined(separator: "/")
  }

  /// Adds the filter `raw` to the expressions of a URL, so that the step does not percent-encode their values. An expression at the
  /// beginning of the URL stays unchanged.
  private static func rawExpressions(_ url: ImportedText) -> ImportedText {
    ImportedText(
      pieces: url.pieces.enumerated().map { index, piece in
        guard index > 0, case .expression(let expression) = piece else { return piece }
        return .expression(expression + " | raw")
      })
  }

  /// Returns a description of the characters in a URL that curl sends unchanged, but Garland would percent-encode in a step. Returns nil if
  /// the URL has no such characters.
  static func changes(of url: ImportedText) -> String? {
    var changed: [Character] = []
    // In a path, curl encodes all characters beyond ASCII.
    var isQuery = false
    // The brackets of an IPv6 address are not encoded.
    var slashesBeforePath = url.source.contains("://") ? 3 : 0
    for case .literal(let text) in url.pieces {
      for character in text {
        if character == "/" { slashesBeforePath -= 1 }
        if character == "?" { isQuery = true }
        let isBehindHost = isQuery || slashesBeforePath <= 0
        let isChanged = character.isASCII ? "\"<>^`{|}\\".contains(character) || isBehindHost && "[]".contains(character) : isQuery
        if isChanged, !changed.contains(character) { changed.append(character) }
      }
    }
    if !changed.isEmpty {
      return changed.prefix(8).map { "`\($0)`" }.joined(separator: " ") + " in the URL is percent-encoded; curl sends it unchanged"
    }
    let path = url.split("?", limit: 2)[0].source.lowercased().replacing("%2e", with: ".")
    let hasDots = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).contains { $0 == "." || $0 == ".." }
    return hasDots ? "`..` and `.` in the path are resolved; curl sends them unchanged" : nil
  }
}
