public import GarlandDiagnostics
import GarlandText
import GarlandYAML

/// Finds suspicious parts of a document, which do not prevent a run: literal credentials, placeholders of other tools (such as `{{name}}`),
/// step templates that no step extends, and steps without expectations.
///
/// `garland check` reports them; a run does not search for them.
public struct DocumentLint {
  private let root: YAMLMapping?
  /// The byte ranges of `secrets` in profiles. The search for credentials skips these ranges, since `secrets` contains only names and
  /// paths.
  private let secretNames: [Range<Int>]
  /// The variables that the document declares.
  private let variables: Set<String>
  private(set) var diagnostics = DiagnosticList()
  /// The literal credentials that were found in the document. Every output must mask them.
  private(set) var credentials: [String] = []

  /// Reads the text of a document or of a project file.
  ///
  /// - Parameter file: The text, which has no syntax error.
  init(_ file: SourceFile) {
    var ignored = DiagnosticList()
    root = YAMLParser.parse(file, into: &ignored).first?.root?.mapping
    variables = Set(root?["vars"]?.mapping?.entries.map(\.name) ?? [])
    secretNames = (root?["profiles"]?.mapping?.entries ?? []).compactMap { $0.value.mapping?["secrets"]?.offsets }
  }

  /// Returns the warnings for a document, and the literal credentials in it.
  ///
  /// - Parameter isOfProject: Whether the document belongs to a project. If false, steps without expectations are not reported: a document
  ///   without a project may be a draft, and only a project file can switch this warning off.
  public static func findings(in workflow: Workflow, isOfProject: Bool) -> (diagnostics: DiagnosticList, credentials: [String]) {
    var lint = DocumentLint(workflow.file)
    lint.lookAtTexts()
    lint.lookForUnusedTemplates()
    for step in workflow.steps where isOfProject && step.expectsNothing {
      lint.diagnostics.report(
        Diagnostic(.noExpectation, severity: .warning, "the step `\(step.id)` checks only that the status is 2xx", at: step.idRange)
          .help("check the response, such as with `expect: { json: { $.id: { exists: true } } }`"))
    }
    return (lint.diagnostics, lint.credentials)
  }

  /// Returns the warnings for a project file, and the literal credentials in it.
  ///
  /// - Parameter documents: all documents of the project, to find templates that no document uses. Pass nil if only some documents are
  ///   checked, since another document may use the templates: unused templates are then not reported.
  public static func findings(in project: Project, of documents: [Workflow]?) -> (diagnostics: DiagnosticList, credentials: [String]) {
    var lint = DocumentLint(project.file)
    lint.lookAtTexts()
    if let documents, lint.hasTemplates { lint.lookForUnusedTemplates(in: documents.map { DocumentLint($0.file) }) }
    return (lint.diagnostics, lint.credentials)
  }

  /// Whether the document has templates under `defaults.steps`, which steps can extend.
  private var hasTemplates: Bool { root?["defaults"]?.mapping?["steps"]?.mapping?.entries.isEmpty == false }

  // MARK: Texts

  private static let sections: Set<String> = ["vars", "defaults", "auth", "steps", "profiles"]
  /// The keys of a step whose texts may be patterns, paths or queries. In such a text, `$name` may belong to the syntax of the pattern,
  /// path or query, so it is not reported as a shell variable.
  private static let ownLanguages: Set<String> = ["expect", "extract", "poll", "paginate", "graphql", "schema", "after", "tags", "when"]

  private mutating func lookAtTexts() {
    for entry in root?.entries ?? [] where Self.sections.contains(entry.name) {
      // The names of steps, templates and profiles are not names of credentials.
      look(at: entry.value, under: nil, areNames: entry.name == "steps" || entry.name == "profiles", hasOwnLanguage: false)
    }
  }

  /// Searches a node and all nodes below it for credentials, and for placeholders of other tools, such as `{{name}}`.
  ///
  /// - Parameters:
  ///   - key: the key whose value contains the node.
  ///   - areNames: whether the author of the document chose the keys of the mapping, such as the ids of steps.
  ///   - hasOwnLanguage: whether the text is a pattern, path or query, in which `$name` may be part of the syntax. A credential in such a
  ///     text is not reported: the step expects or extracts it, but does not send it.
  ///   - isRefused: whether the step expects an error status, so that the credentials that it sends are probably not real.
  private mutating func look(
    at node: YAMLNode, under key: String?, areNames: Bool, hasOwnLanguage: Bool, isRefused: Bool = false
  ) {
    // The target of an alias is searched where it is written.
    guard !node.isAlias, !secretNames.contains(node.offsets) else { return }
    switch node.content {
    case .mapping(let mapping):
      for entry in mapping.entries where node.offsets.contains(entry.key.offsets.lowerBound) {
        // In a key, `$name` is no variable: JSON has keys such as `$ref`.
        if !areNames, let name = entry.key.scalar { lookForTemplates(in: name, entry.key, hasOwnLanguage: true) }
        let isStep = areNames || (key == "defaults" && entry.name == "steps")
        look(
          at: entry.value, under: isStep ? nil : entry.name, areNames: key == "defaults" && entry.name == "steps",
          hasOwnLanguage: hasOwnLanguage || Self.ownLanguages.contains(entry.name),
          isRefused: isRefused || (isStep && Self.expectsRefusal(entry.value)))
      }
    case .sequence(let items):
      for item in items { look(at: item, under: key, areNames: false, hasOwnLanguage: hasOwnLanguage, isRefused: isRefused) }
    case .scalar(let scalar):
      guard node.isText else { return }
      lookForTemplates(in: scalar, node, hasOwnLanguage: hasOwnLanguage)
      if !hasOwnLanguage, !isRefused { lookForCredential(scalar, node, under: key ?? "") }
    }
  }

  /// Whether a step expects only statuses from 400 to 499, such as a step that sends a wrong password on purpose.
  private static func expectsRefusal(_ step: YAMLNode) -> Bool {
    guard let expect = step.mapping?["expect"], let status = expect.isScalar ? expect : expect.mapping?["status"] else { return false }
    let statuses = status.sequence ?? [status]
    return !statuses.isEmpty && statuses.allSatisfy { $0.text.hasPrefix("4") }
  }

  private mutating func lookForCredential(_ scalar: YAMLScalar, _ node: YAMLNode, under key: String) {
    let text = scalar.text
    let parts = CredentialText.findings(in: text, under: key)
    for part in parts {
      let value = String(decoding: Array(text.utf8)[part.range], as: UTF8.self)
      report(credential: value, of: Self.secretName(part.name ?? "basic"), at: scalar.sourceRange(of: part.range, in: node))
    }
    guard parts.isEmpty, !text.isEmpty, !ExpressionScanner.hasExpression(text), !text.contains("{{") else { return }
    let credential: Substring
    switch key {
    case "bearer": credential = text[...]
    case "basic", "digest", "ntlm":
      guard let colon = text.firstIndex(of: ":") else { return }
      credential = text[text.index(after: colon)...]
    // `auth` of a step contains only the name of an entry.
    case "auth", "session": return
    case _ where CredentialName.isCredential(key) && !text.contains("/"): credential = text[...]
    default:
      guard CredentialName.isToken(text) else { return }
      credential = text[...]
    }
    guard !credential.isEmpty, credential != "none" else { return }
    report(credential: String(credential), of: Self.secretName(key), at: node.range)
  }

  private mutating func report(credential: String, of name: String, at range: SourceRange) {
    credentials.append(credential)
    diagnostics.report(
      Diagnostic(.literalCredential, severity: .warning, "a credential is written out in the document", at: range)
        .help("declare `secrets: [\(name)]`, and write `${secrets.\(name)}` in its place"))
  }

  private static func secretName(_ key: String) -> String {
    switch key {
    case "bearer", "": return "TOKEN"
    case "basic", "digest", "ntlm": return "PASSWORD"
    default:
      let letters = key.utf8.map { $0.isLetterOrDigit ? $0 : UInt8(ascii: "_") }
      return String(decoding: letters, as: UTF8.self).uppercased()
    }
  }

  // MARK: Templates of other tools

  private mutating func lookForTemplates(in scalar: YAMLScalar, _ node: YAMLNode, hasOwnLanguage: Bool) {
    let bytes = Array(scalar.text.utf8)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "$") where ExpressionScanner.begins(at: index, in: bytes):
        // Skips an expression, or `$${`, which is a literal `${`.
        index = ExpressionScanner.end(of: bytes, from: index + 2) ?? bytes.count
      case UInt8(ascii: "$") where !hasOwnLanguage && (index == 0 || bytes[index - 1] != UInt8(ascii: "$")):
        let name = bytes[(index + 1)...].prefix { Lexer.isNamePart($0) && $0 != UInt8(ascii: "-") }
        let text = String(decoding: name, as: UTF8.self)
        if name.count > 1 || variables.contains(text), let first = name.first, !first.isDigit {
          report(index..<index + 1 + name.count, ForeignName(text), scalar, node)
        }
        index += 1 + name.count
      case UInt8(ascii: "{") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{"):
        if let end = bytes.withUnsafeBufferPointer({ ForeignName.end(of: $0, from: index) }) {
          report(index..<end, ForeignName(in: String(decoding: bytes[index..<end], as: UTF8.self)), scalar, node)
          index = end
        } else {
          index += 2
        }
      default: index += 1
      }
    }
  }

  private mutating func report(_ part: Range<Int>, _ name: ForeignName, _ scalar: YAMLScalar, _ node: YAMLNode) {
    let written = String(decoding: Array(scalar.text.utf8)[part], as: UTF8.self)
    diagnostics.report(
      Diagnostic(
        .foreignTemplate, severity: .warning, "`\(Words.excerpt(written))` is sent literally",
        at: scalar.sourceRange(of: part, in: node)
      ).help(variables.contains(name.name) ? "to insert the value, write `${vars.\(name.name)}`" : name.advice))
  }

  // MARK: Templates of steps

  /// The names of the templates that steps and other templates extend.
  private var extended: Set<String> {
    let steps = root?["steps"]?.mapping?.entries ?? []
    let templates = root?["defaults"]?.mapping?["steps"]?.mapping?.entries ?? []
    return (steps + templates).reduce(into: []) { names, entry in
      guard let bases = entry.value.mapping?["extends"] else { return }
      for base in bases.sequence ?? [bases] { names.insert(base.text) }
    }
  }

  /// Reports templates that no step extends.
  ///
  /// - Parameter others: The other documents whose steps may extend the templates.
  private mutating func lookForUnusedTemplates(in others: [DocumentLint] = []) {
    guard let templates = root?["defaults"]?.mapping?["steps"]?.mapping else { return }
    let used = others.reduce(into: extended) { $0.formUnion($1.extended) }
    for entry in templates.entries where !used.contains(entry.name) {
      diagnostics.report(
        Diagnostic(.unusedTemplate, severity: .warning, "no step extends the template `\(Words.excerpt(entry.name))`", at: entry.key.range)
          .help("use the template in a step with `extends: \(Words.excerpt(entry.name))`, or remove it"))
    }
  }
}

extension Step {
  /// Whether the step sends a request, but checks nothing and no step uses its response.
  fileprivate var expectsNothing: Bool {
    guard case .request(let request) = action, request.download == nil else { return false }
    if let stream = request.stream, stream.until != nil || stream.count != nil || !stream.each.isEmpty { return false }
    return expectations.isEmpty && extractions.isEmpty && neededByOthers.isEmpty && flow.cleanup == nil && flow.repetition.poll == nil
  }
}
