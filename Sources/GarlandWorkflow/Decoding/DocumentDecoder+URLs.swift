import GarlandDiagnostics

/// What a URL that is written out can't be, found before a request of it is.
extension DocumentDecoder {
  /// Looks at scheme and authority as far as they are no expression. Without both there is nothing to say.
  func checkAuthority(_ url: URLTemplate) {
    // Most URLs are paths.
    guard case .literal(let start)? = url.pieces.first, start.utf8.first != UInt8(ascii: "/"), URLJoining.isAbsolute(start),
      let problem = URLAuthority.problem(of: start, isWhole: url.pieces.count == 1)
    else { return }
    report(.badURL, problem.message, at: url.range, help: problem.help)
  }

  /// How a whole URL would begin that lacks something of its beginning: one slash of two, or the scheme.
  static func wholeURL(_ text: String) -> String {
    for scheme in ["https", "http"] where text.lowercased().hasPrefix("\(scheme):") {
      return "\(scheme)://\(text.dropFirst(scheme.count + 1).drop { $0 == "/" })"
    }
    let isHere = ["localhost", "127.", "[::1]"].contains { text.hasPrefix($0) }
    return "\(isHere ? "http" : "https")://\(text)"
  }
}
