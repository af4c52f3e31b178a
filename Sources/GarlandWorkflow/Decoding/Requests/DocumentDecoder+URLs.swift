import GarlandDiagnostics
import GarlandYAML
import Glibc

/// Checks literal URLs, so that mistakes are found before a request is made.
extension DocumentDecoder {
  /// Decodes a URL and reports mistakes in it.
  ///
  /// - Parameters:
  ///   - isRead: whether the method is GET or HEAD. If true, a scheme of ``OtherScheme``, such as `file`, is also allowed.
  ///   - schemes: further allowed schemes, such as `ws`, regardless of the method.
  func decodeURL(_ node: YAMLNode, _ scope: ExpressionScope, isRead: Bool = false, alsoAllowing schemes: [String] = []) -> URLTemplate? {
    guard isScalar(node, "a URL") else { return nil }
    let url = templates.url(node, scope, into: &diagnostics)
    let count = diagnostics.all.count
    if node.hasText(where: Self.isSuspect), let scalar = node.scalar { checkCharacters(scalar, node, scope) }
    if node.hasText(where: Self.hasColonAfterSlash), let scalar = node.scalar { warnOfColonName(scalar, node, scope) }
    if diagnostics.all.count == count { checkAuthority(url, isRead: isRead, alsoAllowing: schemes) }
    return url
  }

  /// Decodes a `base_url`. Reports a base URL without a scheme.
  func decodeBaseURL(_ node: YAMLNode, _ scope: ExpressionScope) -> URLTemplate? {
    if isBaseOfWebSocket(node) { return nil }
    let count = diagnostics.all.count
    guard let url = decodeURL(node, scope) else { return nil }
    guard diagnostics.all.count == count, let (start, isWhole) = knownStart(of: url), !URLJoining.isAbsolute(start),
      isWhole || !Self.mayBeScheme(start)
    else { return url }
    var diagnostic = Diagnostic(.badURL, "`base_url` has no scheme such as `https://`", at: url.range)
    let completed = IncompleteURL(start)
    // A base URL is never a file, so `example.com` is a host.
    let isHost = completed.start != .other && url.constant != nil && !node.isAlias
    let shown = start.hasPrefix("/") || start.isEmpty ? "https://example.com\(start)" : completed.completed
    if url.constant == nil { diagnostic = diagnostic.note("its value begins with `\(Words.excerpt(start))`") }
    diagnostics.report(
      diagnostic.help(
        "write the whole URL, such as `\(Words.excerpt(shown))`",
        fix: isHost ? .init(url.range, url.range.text == url.source ? shown : YAMLQuoting.quoted(shown)) : nil))
    return url
  }

  /// Reports a base URL whose scheme is `ws` or `wss`. Returns whether the scheme is `ws` or `wss`.
  private func isBaseOfWebSocket(_ node: YAMLNode) -> Bool {
    guard let text = node.scalar?.text, let colon = text.firstIndex(of: ":") else { return false }
    let scheme = text[..<colon].lowercased()
    guard scheme == "ws" || scheme == "wss" else { return false }
    let usual = scheme == "ws" ? "http" : "https"
    let whole = usual + text[colon...]
    diagnostics.report(
      Diagnostic(.badURL, "`base_url` has the scheme `\(scheme)`, expected `\(usual)`", at: node.range).help(
        "if the base URL has the scheme `\(usual)`, a step with `websocket` uses `\(scheme)`",
        fix: node.isAlias ? nil : .init(node.range, node.range.text == text ? whole : YAMLQuoting.quoted(whole))))
    return true
  }

  /// Returns the known text at the start of a URL, and whether this text is the whole URL. The URL must begin with literal text, or with a
  /// variable whose value contains no expressions. Returns nil if the URL is empty or begins with any other expression.
  private func knownStart(of url: URLTemplate) -> (text: String, isWhole: Bool)? {
    switch url.pieces.first {
    case nil: return nil
    case .literal(let start): return (start, url.pieces.count == 1)
    case .expression(let expression, _):
      guard expression.source.hasPrefix("vars."), let variable = names.variable(String(expression.source.dropFirst(5))),
        let text = names.variables.values[variable]?.constant?.stringValue, !text.isEmpty
      else { return nil }
      return (text, url.pieces.count == 1)
    }
  }

  /// Whether a text may be the beginning of a scheme (RFC 3986, section 3.1). The rest of the scheme then comes from the expression after
  /// the text.
  private static func mayBeScheme(_ text: String) -> Bool {
    text.first.map { $0.isASCII && $0.isLetter } == true
      && text.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber) || "+-.".contains(character)
      }
  }

  /// Checks a URL with one of the schemes `file`, `data` and `ftp`. The file of a `file:` URL must exist.
  private func check(_ scheme: OtherScheme, _ start: String, _ url: URLTemplate) {
    switch scheme {
    case .file:
      guard let whole = url.constant else { return }
      guard let path = OtherScheme.path(ofFile: whole), !path.isEmpty else {
        report(.badURL, "the `file:` URL does not name a file on this machine", at: url.range, help: "write `file:PATH` or `file:///PATH`")
        return
      }
      _ = locateFile(path, url.range)
    case .data:
      if url.pieces.count == 1, !start.contains(",") {
        report(.badURL, "a `data:` URL needs a `,` before its content", at: url.range, help: "write it as in `data:text/plain,hello`")
      }
    case .ftp:
      if let problem = URLAuthority.problem(ofHostIn: start, isWhole: url.pieces.count == 1) {
        report(.badURL, problem.message, at: url.range, help: problem.help)
      }
    }
  }

  /// Whether a text contains a character that URLs do not allow. Such a text needs a closer check, since the character may be part of an
  /// expression. Nearly all texts contain no such character.
  private static func isSuspect(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      let byte = text[index]
      // The byte is visible ASCII except for braces.
      if byte &- 0x21 < 0x5A || byte > 0x7F || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "~") {
        index += 1
        continue
      }
      guard byte == UInt8(ascii: "{"), index > 0, text[index - 1] == UInt8(ascii: "$") else { return true }
      index += 1
    }
    return false
  }

  /// Whether a text contains `/:`, with which placeholders such as `/:id` begin in other tools. This is false for nearly all texts.
  private static func hasColonAfterSlash(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = text.baseAddress, memchr(base, Int32(UInt8(ascii: ":")), text.count) != nil else { return false }
    return text.indices.dropFirst().contains { text[$0] == UInt8(ascii: ":") && text[$0 - 1] == UInt8(ascii: "/") }
  }

  /// Warns of a URL that contains a placeholder of other tools, such as `/:id`, if the document has a value with the name `id`. Garland
  /// sends the text `:id` unchanged.
  private func warnOfColonName(_ scalar: YAMLScalar, _ node: YAMLNode, _ scope: ExpressionScope) {
    let bytes = Array(scalar.text.utf8)
    for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: ":") && bytes[index - 1] == UInt8(ascii: "/") {
      let name = bytes[(index + 1)...].prefix { Lexer.isNamePart($0) }
      let foreign = ForeignName(in: "{\(String(decoding: name, as: UTF8.self))}")
      guard !name.isEmpty, let value = foreign.value(templates, scope) else { continue }
      let part = index..<name.endIndex
      let written = String(decoding: bytes[part], as: UTF8.self)
      diagnostics.report(
        Diagnostic(.foreignTemplate, severity: .warning, "`\(written)` is sent unchanged", at: scalar.sourceRange(of: part, in: node))
          .help("to insert the value, write `${\(value)}`", fix: YAMLQuoting.fix(part, of: scalar, node, with: "${\(value)}")))
    }
  }

  /// Reports characters that are not allowed in URLs. Characters within expressions are ignored.
  private func checkCharacters(_ scalar: YAMLScalar, _ node: YAMLNode, _ scope: ExpressionScope) {
    let bytes = Array(scalar.text.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      // `$${` is a literal `${`.
      if bytes[index...].starts(with: "$${".utf8) {
        index += 3
        continue
      }
      if ExpressionScanner.begins(at: index, in: bytes) {
        guard let end = ExpressionScanner.end(of: bytes, from: index + 2) else { return }
        index = end
        continue
      }
      if byte == UInt8(ascii: "{"), let end = bytes.withUnsafeBufferPointer({ ForeignName.end(of: $0, from: index) }) {
        reportPlaceholder(scalar, index..<end, node, scope)
        index = end
        continue
      }
      if byte <= 0x20 || byte == 0x7F {
        let end = bytes[index...].firstIndex { $0 != byte } ?? bytes.count
        if byte == 0x20, Self.isInAuthority(bytes, index) {
          report(.badURL, "a host name can't contain a space", at: scalar.sourceRange(of: index..<end, in: node))
          return
        }
        report(
          .badURL, "a URL can't contain \(byte == 0x20 ? "a space" : "a control character")",
          at: scalar.sourceRange(of: index..<end, in: node),
          help: byte == 0x20 ? "write the space as `%20`; values in `${…}` and in `query:` are encoded automatically" : nil,
          replacement: byte == 0x20 && !node.isAlias ? String(repeating: "%20", count: end - index) : nil)
        return
      }
      index += 1
    }
  }

  /// Reports a placeholder such as `{id}` or `{{ id }}`. If the document has a value with that name, the report suggests Garland's
  /// expression for the value.
  private func reportPlaceholder(_ scalar: YAMLScalar, _ part: Range<Int>, _ node: YAMLNode, _ scope: ExpressionScope) {
    let written = String(decoding: Array(scalar.text.utf8)[part], as: UTF8.self)
    let foreign = ForeignName(in: written)
    let name = foreign.name
    var diagnostic = Diagnostic(
      .foreignTemplate, "`\(written)` is template syntax of another tool", at: scalar.sourceRange(of: part, in: node))
    if let value = foreign.value(templates, scope) {
      diagnostic = diagnostic.help("in Garland, write `${…}`", fix: YAMLQuoting.fix(part, of: scalar, node, with: "${\(value)}"))
    } else if let near = Suggestion.nearest(to: name, in: names.variables.names) {
      diagnostic = diagnostic.help(
        "in Garland, write `${…}`: did you mean the variable `\(near)`?",
        fix: YAMLQuoting.fix(part, of: scalar, node, with: "${vars.\(near)}")
      )
    } else {
      diagnostic = diagnostic.help(
        name.hasPrefix("$")
          ? foreign.advice
          : name.contains(".")
            ? "in Garland, write `${…}`, with a value of the document in it such as `${vars.x}` or `${STEP.EXTRACT}`"
            : Self.adviceToDeclare(name))
    }
    if !written.hasPrefix("{{") {
      let literal = written.replacing("{", with: "%7B").replacing("}", with: "%7D")
      diagnostic = diagnostic.choice(
        "to send the braces themselves, write `\(literal)`",
        fix: node.isAlias ? nil : .init(scalar.sourceRange(of: part, in: node), literal))
    }
    diagnostics.report(diagnostic)
  }

  private static func adviceToDeclare(_ name: String) -> String {
    "to use a variable, declare `vars: { \(name): … }` at the top of the document, and write `${vars.\(name)}` here"
  }

  /// Whether the byte at `index` is part of the scheme or authority of a URL, before its path. False if the URL has no scheme.
  private static func isInAuthority(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard let mark = bytes[..<index].firstRange(of: "://".utf8) else { return false }
    return !bytes[mark.upperBound..<index].contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
  }

  /// Checks the scheme and authority of a URL. Expressions in these parts, and URLs without these parts, are not checked.
  func checkAuthority(_ url: URLTemplate, isRead: Bool = false, alsoAllowing schemes: [String] = []) {
    // Most URLs consist only of a path.
    guard case .literal(let start)? = url.pieces.first, start.utf8.first != UInt8(ascii: "/"), !hasKnownAuthority(start),
      URLJoining.isAbsolute(start)
    else { return }
    if isRead, let scheme = OtherScheme(of: start) { return check(scheme, start, url) }
    let problem =
      schemes.contains { start.lowercased().hasPrefix($0 + ":") }
      ? URLAuthority.problem(ofHostIn: start, isWhole: url.pieces.count == 1)
      : URLAuthority.problem(of: start, isWhole: url.pieces.count == 1)
    guard let problem else {
      // Other URLs with the same origin are valid, too.
      let scheme = start.utf8.firstRange(of: "://".utf8)
      let end = scheme.flatMap { start.utf8[$0.upperBound...].firstIndex(of: UInt8(ascii: "/")) }
      if let end { cache.authority = Array(start.utf8[...end]) }
      return
    }
    report(.badURL, problem.message, at: url.range, help: problem.help)
  }

  /// Whether a URL begins with the scheme, host and port of the last URL that was found to be valid. These parts then need no further
  /// check.
  private func hasKnownAuthority(_ start: String) -> Bool {
    guard !cache.authority.isEmpty, start.utf8.count >= cache.authority.count else { return false }
    var start = start
    return start.withUTF8 { text in
      cache.authority.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: text[..<$0.count]).isSame(as: $0) }
    }
  }

  /// Reports a URL such as `books/1` in a step without a base URL. Such a URL begins with neither a scheme nor `/`.
  func reportIncompleteURL(_ url: URLTemplate) {
    var diagnostic = Diagnostic(.relativeURL, "a relative URL needs a `base_url`", at: url.range)
    if let name = Self.shellVariable(url.source) {
      let isKnown = names.variables.names.contains(name)
      let whole = "${vars.\(name)}\(url.source.dropFirst(name.count + 1))"
      diagnostics.report(
        isKnown
          ? diagnostic.help("in Garland, write `${vars.\(name)}`", fix: .init(url.range, YAMLQuoting.quoted(whole)))
          : diagnostic.help(Self.adviceToDeclare(name)))
      return
    }
    let whole = IncompleteURL(url.source)
    let help = "write the whole URL, such as `\(Words.excerpt(whole.completed))`"
    let fix = url.range.text == url.source ? Diagnostic.Fix(url.range, whole.completed) : nil
    switch whole.start {
    case .scheme:
      diagnostic.message = "the URL does not begin with `http://` or `https://`"
      diagnostics.report(diagnostic.help(help, fix: fix))
    case .host: diagnostics.report(diagnostic.help(help, fix: fix))
    case .hostOrFile: diagnostics.report(diagnostic.choice(help, fix: fix))
    case .other:
      let example = "https://HOST/\(Words.excerpt(url.source))"
      diagnostics.report(diagnostic.help("set `base_url` under `defaults`, or write the whole URL, such as `\(example)`"))
    }
  }

  /// Returns the name of the shell variable with which a text begins, such as `base` for `$base/books`. Returns nil if the text does not
  /// begin with a shell variable.
  private static func shellVariable(_ text: String) -> String? {
    guard text.hasPrefix("$") else { return nil }
    let name = text.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return name.isEmpty ? nil : String(name)
  }

  /// Reports a missing base URL once, even if many steps need it. If a base URL exists but is misspelt, misplaced or invalid, that mistake
  /// was reported, and this function reports nothing.
  func reportRelativeURLs(_ root: MappingReader<RootKey>) {
    guard let first = relativeURLs.first, !isBaseRefused(root) else { return }
    var seen: Set<Int> = [first.range.offsets.lowerBound]
    let others = relativeURLs.filter { seen.insert($0.range.offsets.lowerBound).inserted }
    var diagnostic = Diagnostic(.relativeURL, "a relative URL needs a `base_url`", at: first.range)
    if let second = others.first {
      let rest = others.count - 1
      let more = rest == 0 ? " also needs a `base_url`" : " and \(rest) other \(rest == 1 ? "URL" : "URLs") also need a `base_url`"
      diagnostic = diagnostic.note("the URL of the step `\(second.step)`\(more)", at: second.range)
    }
    diagnostics.report(diagnostic.help("set `base_url` under `defaults`, or write the whole URL"))
  }

  private func isBaseRefused(_ root: MappingReader<RootKey>) -> Bool {
    if !names.refused.isDisjoint(with: [.defaults, .profiles]) { return true }
    if root.hasKey(near: StepKey.baseURL.rawValue, of: StepKey.defaultsTable.names) { return true }
    guard let defaults = root.value(.defaults) else { return false }
    guard let mapping = defaults.mapping else { return true }
    return mapping.entries.contains { entry in
      // If the base URL is set but unknown here, it was invalid itself; otherwise every step would have one.
      StepKey.defaultsTable.key(entry.name).map { $0 == .baseURL && !entry.value.isNull }
        ?? (MappingReader<StepKey>.near(entry.name, among: StepKey.defaultsTable.names) == StepKey.baseURL.rawValue)
    }
  }
}
