import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

extension DocumentDecoder {
  // MARK: Reports

  /// Reports a diagnostic with optional advice (`help`) and an optional fix.
  ///
  /// - Parameters:
  ///   - replacement: the text that the fix inserts at `fixRange`. If `help` is nil, the advice is "write", followed by this text.
  ///   - fixRange: the range that the fix replaces. Default: nil, which means `range`.
  func report(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange?, label: String? = nil, help: String? = nil,
    replacement: String? = nil, fixRange: SourceRange? = nil
  ) {
    var diagnostic = Diagnostic(code, message, at: range, label: label)
    if let help = help ?? replacement.map({ "write `\(Words.excerpt($0))`" }) {
      let fix: Diagnostic.Fix? = if let place = fixRange ?? range, let replacement { .init(place, replacement) } else { nil }
      diagnostic = diagnostic.help(help, fix: fix)
    } else if code == .wrongType, let range, range.offsets.count == 1, range.text == "~" {
      diagnostic = diagnostic.help("`~` is text here; for no value, write `null`", fix: .init(range, "null"))
    }
    diagnostics.report(diagnostic)
  }

  /// Reports a diagnostic with several possible fixes.
  ///
  /// - Parameter replacements: the texts that the author may have meant; each is a valid replacement at `range`.
  func report(_ code: DiagnosticCode, _ message: String, at range: SourceRange, replacements: [String]) {
    guard !replacements.isEmpty else { return report(code, message, at: range) }
    var diagnostic = Diagnostic(code, message, at: range)
    for text in replacements { diagnostic = diagnostic.help("write `\(Words.excerpt(text))`", fix: .init(range, text)) }
    diagnostics.report(diagnostic)
  }

  /// Describes a node's value in an error message of the form "expected …, found …".
  func found(_ node: YAMLNode) -> String {
    guard case .scalar(let scalar) = node.content else { return node.kindDescription }
    if scalar.isNull, scalar.text.isEmpty { return "nothing" }
    return Words.found(TemplateCompiler.constant(scalar))
  }

  func startOf(_ node: YAMLNode) -> SourceRange {
    SourceRange(node.range.file, node.range.offsets.lowerBound..<node.range.offsets.lowerBound)
  }

  // MARK: Kinds of nodes

  /// Returns the node's mapping. If the node is not a mapping, reports an error and returns nil.
  ///
  /// - Parameter what: the expected value in words, for the error.
  func mapping(_ node: YAMLNode, _ what: String) -> YAMLMapping? {
    if case .mapping(let mapping) = node.content { return mapping }
    report(.wrongType, "expected \(what), found \(found(node))", at: node.range)
    return nil
  }

  /// Returns a reader for a mapping with known keys. If the node is not a mapping, reports an error and returns nil.
  ///
  /// - Parameter what: the expected value in words, for the error.
  func reader<Key>(_ node: YAMLNode, _ table: KeyTable<Key>, _ what: String) -> MappingReader<Key>? {
    guard let mapping = mapping(node, what) else { return nil }
    return MappingReader(node, mapping, table, into: &diagnostics)
  }

  /// Returns the node's scalar. If the node is null or not a scalar, reports an error and returns nil.
  ///
  /// - Parameter what: the expected value in words, for the error.
  func scalar(_ node: YAMLNode, _ what: String) -> YAMLScalar? {
    if case .scalar(let scalar) = node.content, !scalar.isNull { return scalar }
    report(.wrongType, "expected \(what), found \(found(node))", at: node.range)
    return nil
  }

  /// Returns whether the node is a scalar other than null. Reports an error for any other node.
  ///
  /// - Parameter what: the expected value in words, for the error.
  func isScalar(_ node: YAMLNode, _ what: String) -> Bool {
    if node.isScalar, !node.isNull { return true }
    report(.wrongType, "expected \(what), found \(found(node))", at: node.range)
    return false
  }

  /// Decodes a text that must be known before the run, such as a name, an id or a description. Reports an error if the text contains an
  /// expression.
  func plainText(_ node: YAMLNode, _ what: String = "text") -> String? {
    guard let scalar = scalar(node, what) else { return nil }
    if ExpressionScanner.hasExpression(scalar.text) {
      report(.notAName, "`${…}` is not allowed here: this value must be known before the run", at: node.range)
      return nil
    }
    return scalar.text
  }

  /// Decodes a word that must be one of the raw values of an enumeration. For any other word, reports an error and returns nil.
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

  /// Decodes `true` or `false`. For any other value, such as an expression, reports an error and returns nil.
  func plainBool(_ node: YAMLNode) -> Bool? {
    guard let scalar = scalar(node, "`true` or `false`") else { return nil }
    if case .bool(let value) = scalar.value { return value }
    if ExpressionScanner.hasExpression(scalar.text) {
      report(.notAName, "`${…}` is not allowed here: this value must be known before the run", at: node.range)
    } else {
      let word = Bool.word(scalar.text)
      report(
        .wrongType, "expected `true` or `false`, found \(found(node))", at: node.range, help: word.map { "write `\($0)`" },
        replacement: word)
    }
    return nil
  }

  // MARK: Templates

  /// Decodes a text that may contain expressions. Reports a node that is not a scalar.
  func template(_ node: YAMLNode, _ scope: ExpressionScope, _ what: String = "text") -> Template? {
    guard isScalar(node, what) else { return nil }
    let template = templates.template(node, scope, into: &diagnostics)
    checkText(template, what)
    return template
  }

  /// Reports an expression whose value can only be null, a list or a mapping, in a position that requires text.
  private func checkText(_ template: Template, _ what: String) {
    guard case .expression(let expression) = template.content else { return }
    guard expression.kinds.isDisjoint(with: [.text, .number, .boolean]) else { return }
    report(
      .wrongType, "expected \(what), found \(expression.kinds.words)", at: expression.range, help: "convert the value to JSON with `| json`"
    )
  }

  func value(_ node: YAMLNode, _ scope: ExpressionScope) -> ValueTemplate {
    templates.value(node, scope, into: &diagnostics)
  }

  /// Decodes the value of a key, such as a duration or a number, as the type `Wrapped`. The value may be an expression, which is evaluated
  /// during the run.
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
    // An expression with a mistake has already been reported.
    if constant.isNull { return nil }
    do {
      return Setting(.constant(try Wrapped.read(constant)), at: node.range)
    } catch {
      if error.suggestions.isEmpty, Wrapped.self == Bool.self,
        let condition = BareCondition(node.scalar?.text ?? "", in: scope, isStep: { names.ordinal(of: $0) != nil || names.uses[$0] != nil })
      {
        report(.wrongType, error.message, at: node.range, help: condition.help, replacement: condition.replacement)
      } else {
        report(.wrongType, error.message, at: node.range, replacements: error.suggestions)
      }
      return nil
    }
  }

  // MARK: Files

  /// Decodes the path of a file. If the path contains no expression, the file must exist.
  ///
  /// - Parameter canBeDownloaded: whether the file may still be missing, because a step may download it. Default: false.
  func fileTemplate(_ node: YAMLNode, _ scope: ExpressionScope, canBeDownloaded: Bool = false) -> FileTemplate? {
    guard let path = template(node, scope, "the path of a file") else { return nil }
    guard let constant = path.constant else { return FileTemplate(path: pathOfProject(path), resolved: nil) }
    guard case .string(let text) = constant, !text.isEmpty else {
      if !constant.isNull { report(.wrongType, "expected the path of a file, found \(Words.found(constant))", at: node.range) }
      return nil
    }
    let missing = mentioned.missing.count
    if let found = locateFile(text, node.range, canBeDownloaded: canBeDownloaded) { return FileTemplate(path: path, resolved: found) }
    return mentioned.missing.count > missing ? FileTemplate(path: path, resolved: nil) : nil
  }

  /// Returns the absolute path of an existing file that the document names. If the file does not exist, reports an error and returns nil.
  func locateFile(_ path: String, _ range: SourceRange, canBeDownloaded: Bool = false) -> String? {
    let folder = folder(of: range)
    let name = folder == directory ? path : "\(folder)\u{0}\(path)"
    if let known = cache.files[name] {
      mentioned.named.add(known)
      return known
    }
    let resolved: String
    do {
      resolved = try options.files.locate(path, from: folder)
    } catch {
      if error.isOutside {
        report(
          .fileOutside, "`\(Words.excerpt(path))` leads outside the project", at: range,
          help: "allow the folder of the file with `--allow-path DIR`")
      } else {
        report(
          .missingFile, "`\(Words.excerpt(path))`: \(error.message)", at: range,
          help: "paths are relative to the folder of the document")
      }
      return nil
    }
    mentioned.named.add(resolved)
    switch options.files.files.kind(of: resolved) {
    case .file:
      cache.files[name] = resolved
      return resolved
    case .folder: report(.missingFile, "`\(Words.excerpt(path))` is a folder, not a file", at: range)
    case .unreadable: report("unreadable-file", "`\(Words.excerpt(path))` can't be read: permission denied", at: range)
    case .missing:
      let missing = missingFile(path, range)
      if canBeDownloaded { mentioned.missing.append(missing) } else { diagnostics.report(missing) }
    }
    return nil
  }

  /// Returns the diagnostic for a missing file, with a suggestion of the file that was probably meant.
  private func missingFile(_ path: String, _ range: SourceRange) -> Diagnostic {
    let diagnostic = Diagnostic(.missingFile, "there is no file `\(Words.excerpt(path))`", at: range)
    let folder = folder(of: range)
    guard let near = options.files.files.nearest(to: path, in: folder, kind: .file),
      (try? options.files.locate(near, from: folder)) != nil
    else {
      let place = isOfProject(range) ? "project file" : "document"
      return diagnostic.help("paths are relative to the folder of the \(place): \(folder)")
    }
    let isPlain = range.text == path || ["'", "\""].contains { range.text == $0 + path + $0 }
    return diagnostic.help("did you mean `\(Words.excerpt(near))`?", fix: isPlain ? .init(range, YAMLQuoting.scalar(near)) : nil)
  }

  /// Whether a path, relative to the document's folder, leads to an existing file that the document may read.
  func isFile(_ path: String) -> Bool {
    guard let resolved = try? options.files.locate(path, from: directory) else { return false }
    return options.files.files.kind(of: resolved) == .file
  }
}
