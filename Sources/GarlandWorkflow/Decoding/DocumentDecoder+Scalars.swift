import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

extension DocumentDecoder {
  // MARK: Reports

  /// - Parameters:
  ///   - replacement: what follows the help, put at `fixRange`.
  ///   - fixRange: what is replaced where that is not `range`.
  func report(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange?, label: String? = nil, help: String? = nil,
    replacement: String? = nil, fixRange: SourceRange? = nil
  ) {
    var diagnostic = Diagnostic(code, message, at: range, label: label)
    if let help = help ?? replacement.map({ "write `\(Words.excerpt($0))`" }) {
      let fix: Diagnostic.Fix? = if let place = fixRange ?? range, let replacement { .init(place, replacement) } else { nil }
      diagnostic = diagnostic.help(help, fix: fix)
    } else if code == .wrongType, let range, range.offsets.count == 1, range.text == "~" {
      diagnostic = diagnostic.help("`~` is text here: nothing is written `null`", fix: .init(range, "null"))
    }
    diagnostics.report(diagnostic)
  }

  /// - Parameter replacements: what may be meant instead, each of which is right at `range`.
  func report(_ code: DiagnosticCode, _ message: String, at range: SourceRange, replacements: [String]) {
    guard !replacements.isEmpty else { return report(code, message, at: range) }
    var diagnostic = Diagnostic(code, message, at: range)
    for text in replacements { diagnostic = diagnostic.help("write `\(Words.excerpt(text))`", fix: .init(range, text)) }
    diagnostics.report(diagnostic)
  }

  /// A node as an error names it.
  func found(_ node: YAMLNode) -> String {
    guard case .scalar(let scalar) = node.content else { return node.kindDescription }
    if scalar.isNull, scalar.text.isEmpty { return "nothing" }
    return Words.found(TemplateCompiler.constant(scalar))
  }

  func startOf(_ node: YAMLNode) -> SourceRange {
    SourceRange(node.range.file, node.range.offsets.lowerBound..<node.range.offsets.lowerBound)
  }

  // MARK: Kinds of nodes

  /// A mapping, or a report that there is none.
  func mapping(_ node: YAMLNode, _ what: String) -> YAMLMapping? {
    if case .mapping(let mapping) = node.content { return mapping }
    report(.wrongType, "expected \(what), found \(found(node))", at: node.range)
    return nil
  }

  /// A mapping with known keys, or a report that there is none.
  func reader<Key>(_ node: YAMLNode, _ table: KeyTable<Key>, _ what: String) -> MappingReader<Key>? {
    guard let mapping = mapping(node, what) else { return nil }
    return MappingReader(node, mapping, table, into: &diagnostics)
  }

  /// A scalar, or a report that there is none.
  func scalar(_ node: YAMLNode, _ what: String) -> YAMLScalar? {
    if case .scalar(let scalar) = node.content, !scalar.isNull { return scalar }
    report(.wrongType, "expected \(what), found \(found(node))", at: node.range)
    return nil
  }

  /// Whether there is a scalar; if not, that is reported.
  func isScalar(_ node: YAMLNode, _ what: String) -> Bool {
    if node.isScalar, !node.isNull { return true }
    report(.wrongType, "expected \(what), found \(found(node))", at: node.range)
    return false
  }

  /// Text that is no template: a name, an id, a description.
  func plainText(_ node: YAMLNode, _ what: String = "text") -> String? {
    guard let scalar = scalar(node, what) else { return nil }
    if ExpressionScanner.hasExpression(scalar.text) {
      report(.notAName, "`${…}` is not allowed here: this is read before any value exists", at: node.range)
      return nil
    }
    return scalar.text
  }

  /// One of a few words.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ node: YAMLNode, of: Word.Type) -> Word? {
    let all = Word.allCases.map(\.rawValue)
    guard let text = plainText(node, Words.list(all, conjunction: "or")) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let near = Suggestion.nearest(to: text, in: all)
    report(
      .wrongType, "expected \(Words.list(all, conjunction: "or")), found \(found(node))", at: node.range,
      help: near.map { "did you mean `\($0)`?" }, replacement: near)
    return nil
  }

  /// `true` or `false`, written out.
  func plainBool(_ node: YAMLNode) -> Bool? {
    guard let scalar = scalar(node, "`true` or `false`") else { return nil }
    if case .bool(let value) = scalar.value { return value }
    if ExpressionScanner.hasExpression(scalar.text) {
      report(.notAName, "`${…}` is not allowed here: this is read before any value exists", at: node.range)
    } else {
      let word = Bool.word(scalar.text)
      report(
        .wrongType, "expected `true` or `false`, found \(found(node))", at: node.range, help: word.map { "write `\($0)`" },
        replacement: word)
    }
    return nil
  }

  // MARK: Templates

  /// A scalar with or without expressions.
  func template(_ node: YAMLNode, _ scope: ExpressionScope, _ what: String = "text") -> Template? {
    guard isScalar(node, what) else { return nil }
    let template = templates.template(node, scope, into: &diagnostics)
    checkText(template, what)
    return template
  }

  /// An expression that can only give null, a list or a mapping is no text.
  private func checkText(_ template: Template, _ what: String) {
    guard case .expression(let expression) = template.content else { return }
    guard expression.kinds.isDisjoint(with: [.text, .number, .boolean]) else { return }
    report(.wrongType, "expected \(what), found \(expression.kinds.words)", at: expression.range, help: "write it as JSON with `| json`")
  }

  func value(_ node: YAMLNode, _ scope: ExpressionScope) -> ValueTemplate {
    templates.value(node, scope, into: &diagnostics)
  }

  /// A setting of a type.
  func setting<Wrapped: SettingValue>(_ node: YAMLNode, _ scope: ExpressionScope, as: Wrapped.Type = Wrapped.self) -> Setting<Wrapped>? {
    guard node.isScalar, !node.isNull else {
      report(.wrongType, "expected \(Wrapped.expectation), found \(found(node))", at: node.range)
      return nil
    }
    let template = templates.template(node, scope, into: &diagnostics)
    guard let constant = template.constant else {
      if case .expression(let expression) = template.content {
        let accepted: ValueKinds = Wrapped.self == Bool.self ? [.boolean, .text] : [.text, .number, .boolean]
        if expression.kinds.isDisjoint(with: accepted) {
          report(.wrongType, "expected \(Wrapped.expectation), found \(expression.kinds.words)", at: expression.range)
        }
      }
      return Setting(.template(template), at: node.range)
    }
    // An expression with a mistake has been reported.
    if constant.isNull { return nil }
    do {
      return Setting(.constant(try Wrapped.read(constant)), at: node.range)
    } catch {
      if error.suggestions.isEmpty, Wrapped.self == Bool.self, let condition = condition(node.scalar?.text ?? "") {
        report(.wrongType, error.message, at: node.range, help: "write an expression in `${…}`", replacement: condition)
      } else {
        report(.wrongType, error.message, at: node.range, replacements: error.suggestions)
      }
      return nil
    }
  }

  /// Returns a condition without `${…}` as one with it, in quotes; nil if the text is no
  /// comparison.
  private func condition(_ text: String) -> String? {
    // A JSONPath refers to the body.
    let text = text.hasPrefix("$.") ? "response.json" + text.dropFirst() : text
    let operators = ["==", "!=", "<", ">", "&&", "||"]
    guard operators.contains(where: { text.contains(" \($0) ") }),
      (try? ExpressionParser.parse(Array(text.utf8), from: 0, isBraced: false)) != nil
    else { return nil }
    return YAMLQuoting.quoted("${\(text)}")
  }

  // MARK: Files

  /// A file that the document names, which must be there if its path is a constant.
  ///
  /// - Parameter canBeDownloaded: whether a step may bring the file, so that it need not be there yet.
  func fileTemplate(_ node: YAMLNode, _ scope: ExpressionScope, canBeDownloaded: Bool = false) -> FileTemplate? {
    guard let path = template(node, scope, "the path of a file") else { return nil }
    guard let constant = path.constant else { return FileTemplate(path: pathOfProject(path), resolved: nil) }
    guard case .string(let text) = constant, !text.isEmpty else {
      if !constant.isNull { report(.wrongType, "expected the path of a file, found \(Words.found(constant))", at: node.range) }
      return nil
    }
    let missing = missingFiles.count
    if let found = locateFile(text, node.range, canBeDownloaded: canBeDownloaded) { return FileTemplate(path: path, resolved: found) }
    return missingFiles.count > missing ? FileTemplate(path: path, resolved: nil) : nil
  }

  /// The absolute path of a file that is there, or a report.
  func locateFile(_ path: String, _ range: SourceRange, canBeDownloaded: Bool = false) -> String? {
    let folder = folder(of: range)
    let name = folder == directory ? path : "\(folder)\u{0}\(path)"
    if let known = foundFiles[name] {
      namedFiles.add(known)
      return known
    }
    let resolved: String
    do {
      resolved = try options.files.locate(path, from: folder)
    } catch {
      if error.isOutside {
        report(
          .fileOutside, "`\(Words.excerpt(path))` lies outside of the project", at: range, help: "allow its folder with `--allow-path DIR`")
      } else {
        report(.missingFile, "`\(Words.excerpt(path))`: \(error.message)", at: range, help: "paths are relative to the document")
      }
      return nil
    }
    namedFiles.add(resolved)
    switch options.files.files.kind(of: resolved) {
    case .file:
      foundFiles[name] = resolved
      return resolved
    case .folder: report(.missingFile, "`\(Words.excerpt(path))` is a folder, not a file", at: range)
    case .unreadable: report(.missingFile, "`\(Words.excerpt(path))` can't be read: permission denied", at: range)
    case .missing:
      let missing = missingFile(path, range)
      if canBeDownloaded { missingFiles.append(missing) } else { diagnostics.report(missing) }
    }
    return nil
  }

  /// A file that is not there, and the one that was probably meant.
  private func missingFile(_ path: String, _ range: SourceRange) -> Diagnostic {
    let diagnostic = Diagnostic(.missingFile, "there is no file `\(Words.excerpt(path))`", at: range)
    let folder = folder(of: range)
    guard let near = options.files.files.nearest(to: path, in: folder, kind: .file),
      (try? options.files.locate(near, from: folder)) != nil
    else { return diagnostic.help("paths are relative to the \(isOfProject(range) ? "project file" : "document"), here \(folder)") }
    let isPlain = range.text == path || ["'", "\""].contains { range.text == $0 + path + $0 }
    return diagnostic.help("did you mean `\(Words.excerpt(near))`?", fix: isPlain ? .init(range, YAMLQuoting.scalar(near)) : nil)
  }

  /// Whether a path of the document leads to a file that it may read.
  func isFile(_ path: String) -> Bool {
    guard let resolved = try? options.files.locate(path, from: directory) else { return false }
    return options.files.files.kind(of: resolved) == .file
  }
}
