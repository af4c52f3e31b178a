import GarlandDiagnostics

/// What a URL that is written out can't be, found before a request of it is.
extension DocumentDecoder {
  /// Looks at scheme and authority as far as they are no expression. Without both there is nothing to say.
  func checkAuthority(_ url: URLTemplate) {
    // Most URLs are paths.
    guard case .literal(let start)? = url.pieces.first, start.utf8.first != UInt8(ascii: "/"), !hasKnownAuthority(start),
      URLJoining.isAbsolute(start)
    else { return }
    guard let problem = URLAuthority.problem(of: start, isWhole: url.pieces.count == 1) else {
      // Others of the same origin are right as well.
      let scheme = start.utf8.firstRange(of: "://".utf8)
      let end = scheme.flatMap { start.utf8[$0.upperBound...].firstIndex(of: UInt8(ascii: "/")) }
      if let end { knownAuthority = Array(start.utf8[...end]) }
      return
    }
    report(.badURL, problem.message, at: url.range, help: problem.help)
  }

  /// Whether a URL begins with the scheme, host and port of one that was found right before, and the `/` behind them.
  private func hasKnownAuthority(_ start: String) -> Bool { !knownAuthority.isEmpty && start.utf8.starts(with: knownAuthority) }

  /// How a whole URL would begin that lacks something of its beginning: one slash of two, or the scheme.
  static func wholeURL(_ text: String) -> String {
    for scheme in ["https", "http"] where text.lowercased().hasPrefix("\(scheme):") {
      return "\(scheme)://\(text.dropFirst(scheme.count + 1).drop { $0 == "/" })"
    }
    let isHere = ["localhost", "127.", "[::1]"].contains { text.hasPrefix($0) }
    return "\(isHere ? "http" : "https")://\(text)"
  }
}
