import GarlandDiagnostics
import GarlandWorkflow

/// A request converted to a step that can be added to a document.
package struct StepText: Sendable {
  /// The keys and values of the step, as a mapping.
  package let value: ImportedValue
  /// The entries of `auth` to which the step refers. They must be added to the document together with the step.
  package let authentications: [(name: String, value: ImportedValue)]
  /// The secrets that replace the request's credentials, each with its value; nil for a secret whose value comes from the environment.
  package let secrets: [(name: String, value: String?)]
  /// Warnings about the parts that were not imported, or the error that prevented the conversion.
  package private(set) var diagnostics: DiagnosticList

  /// Converts a request to a step.
  ///
  /// - Parameters:
  ///   - request: The request that becomes a step.
  ///   - taken: The names of the secrets that the document already has.
  package init(_ request: ImportedRequest, secrets taken: [String]) {
    self.init(request, DiagnosticList(), secrets: taken)
  }

  /// Converts a request to a step.
  ///
  /// - Parameters:
  ///   - diagnostics: the warnings that reading the request has caused.
  ///   - taken: the names of the secrets that the document already has.
  init(_ request: ImportedRequest, _ diagnostics: DiagnosticList, secrets taken: [String]) {
    var writer = WorkflowText(secrets: taken)
    value = .object(writer.entriesAlone(of: request))
    authentications = writer.authentications
    let values = writer.hidden.values
    secrets = writer.hidden.names.dropFirst(taken.count).map { ($0, values[$0]) }
    self.diagnostics = diagnostics
  }
}

extension WorkflowText {
  /// Creates a writer for one step of a document. `secrets` are the names of the secrets that the document already has.
  init(secrets: [String]) {
    hidden = HiddenCredentials(secrets)
    common = []
  }

  /// Returns the keys and values of a step that will be added to an existing document. If the source tool and Garland have different
  /// defaults for a setting, the step itself gets the setting. In `defaults`, the setting would change the other steps, too.
  mutating func entriesAlone(of request: ImportedRequest) -> [(key: String, value: ImportedValue)] {
    var request = request
    // Braces are not allowed in URLs, and would be mistaken for the template of another tool.
    request.url = ImportedText.joined(request.url).mapLiterals { $0.replacing("{", with: "%7B").replacing("}", with: "%7D") }
    // The warnings about replaced credentials are not shown.
    var hiding = ImportedCollection()
    hidden.hide(in: &request, of: "", &hiding)
    return entries(of: withOwnBaseline(request, isAlone: true))
  }
}

/// Writes entries of mappings and items of lists as YAML.
package enum StepYAML {
  /// Returns an entry of a mapping in block style, including its line break.
  package static func entry(_ key: String, _ value: ImportedValue, indent: Int) -> String {
    var writer = YAMLText()
    guard case .object(let members) = value, !members.isEmpty else {
      writer.entry(key, value, indent: indent)
      return writer.text
    }
    writer.line(String(repeating: " ", count: indent) + YAMLText.scalar(key, inFlow: false) + ":")
    for member in members { writer.entry(member.key, member.value, indent: indent + 2) }
    return writer.text
  }

  /// Returns an entry of a mapping in flow style, that is, in braces.
  package static func flowEntry(_ key: String, _ value: ImportedValue) -> String {
    "\(YAMLText.scalar(key, inFlow: true)): \(YAMLText.flow(value) ?? "null")"
  }
}

extension ImportedText {
  /// Parses text as it is written in workflow documents. Returns nil if a `${` is not closed.
  package init?(source: String) {
    guard let pieces = ExpressionScanner.pieces(of: source) else { return nil }
    self.init(pieces: pieces)
  }
}

extension ImportedValue {
  /// Parses the text after the `=` of `--json NAME=VALUE`, or a JSON text without a name. Returns nil if the text is invalid.
  ///
  /// The value gets its type by the rules of YAML: `5` becomes a number, and `true` a boolean. An expression keeps the type of its value.
  package init?(typing text: String, into diagnostics: inout DiagnosticList) {
    let isWritten = text.first.map { "{[\"'".contains($0) } ?? false
    guard let source = ImportedText(source: text) else { return nil }
    if source.literal == nil, isWritten, let value = JSONTemplate.value(of: source) {
      self = value
    } else if source.literal == nil, !isWritten {
      self = .text(source)
    } else {
      guard let value = ValuesFile.typedValue(text, name: "--json", into: &diagnostics) else { return nil }
      self.init(value) { .text(ImportedText(source: $0) ?? ImportedText($0)) }
    }
  }
}
