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
  private func hasKnownAuthority(_ start: String) -> Bool {
    guard !knownAuthority.isEmpty, start.utf8.count >= knownAuthority.count else { return false }
    var start = start
    return start.withUTF8 { text in
      for index in knownAuthority.indices where knownAuthority[index] != text[index] { return false }
      return true
    }
  }

  /// How a whole URL would begin that lacks something of its beginning: one slash of two, or the scheme.
  static func wholeURL(_ text: String) -> String {
    for scheme in ["https", "http"] where text.lowercased().hasPrefix("\(scheme):") {
      return "\(scheme)://\(text.dropFirst(scheme.count + 1).drop { $0 == "/" })"
    }
    let isHere = ["localhost", "127.", "[::1]"].contains { text.hasPrefix($0) }
    return "\(isHere ? "http" : "https")://\(text)"
  }

  /// That there is no base is one mistake, however many steps need one; and none of its own where the base is mistyped, misplaced or refused.
  func reportRelativeURLs(_ root: MappingReader<RootKey>) {
    guard let first = relativeURLs.first, !isBaseRefused(root) else { return }
    var seen: Set<Int> = [first.range.offsets.lowerBound]
    let others = relativeURLs.filter { seen.insert($0.range.offsets.lowerBound).inserted }
    var diagnostic = Diagnostic(.relativeURL, "a relative URL needs a `base_url`", at: first.range)
    if let second = others.first {
      let rest = others.count - 1
      diagnostic = diagnostic.note(
        "so does that of `\(second.step)`\(rest == 0 ? "" : rest == 1 ? ", and 1 other" : ", and \(rest) others")", at: second.range)
    }
    diagnostics.report(diagnostic.help("set `base_url` under `defaults`, or write the whole URL"))
  }

  private func isBaseRefused(_ root: MappingReader<RootKey>) -> Bool {
    if root.hasKey(near: StepKey.baseURL.rawValue, of: StepKey.defaultsTable.names) { return true }
    guard let defaults = root.value(.defaults) else { return false }
    guard let mapping = defaults.mapping else { return true }
    return mapping.entries.contains { entry in
      // One that is known and not null was refused itself, or no step would be without it.
      StepKey.defaultsTable.key(entry.name).map { $0 == .baseURL && !entry.value.isNull }
        ?? (MappingReader<StepKey>.near(entry.name, among: StepKey.defaultsTable.names) == StepKey.baseURL.rawValue)
    }
  }
}
