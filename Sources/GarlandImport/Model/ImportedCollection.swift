import GarlandDiagnostics

/// The requests of another tool's file, with diagnostics about the parts that could not be imported.
package struct ImportedCollection: Sendable {
  package var name: String?
  package var description: String?
  /// The variables of the workflow, in order.
  package var variables: [(name: String, value: ImportedValue)] = []
  /// The names of further secrets that the workflow declares, besides those that replace credentials in the requests. The values of these
  /// further secrets are not written to the workflow.
  package var secrets: [String] = []
  package var requests: [ImportedRequest] = []
  /// Warnings for features that were not imported, and errors for files from which no request could be read.
  package var diagnostics = DiagnosticList()

  package init() {}

  /// Adds the requests and warnings of another imported file.
  mutating func append(_ other: ImportedCollection) {
    name = name ?? other.name
    description = description ?? other.description
    // If two variables have the same name, the first one keeps the name.
    for variable in other.variables {
      if variables.contains(where: { $0.name == variable.name }) {
        warn("the variable `\(variable.name)` is in two files: the value of the first is used")
      } else {
        variables.append(variable)
      }
    }
    for secret in other.secrets where !secrets.contains(secret) { secrets.append(secret) }
    requests += other.requests
    diagnostics.append(other.diagnostics)
  }

  mutating func warn(_ message: String, at range: SourceRange? = nil, help: String? = nil) {
    let diagnostic = Diagnostic(.notImported, severity: .warning, message, at: range)
    diagnostics.report(help.map { diagnostic.help($0) } ?? diagnostic)
  }

  /// The advice for a user who tries to import an OpenAPI description, which is not supported.
  static let adviceOnOpenAPI =
    "OpenAPI describes an API, not requests: export a collection from the description, or write the steps with `garland init`"

  mutating func refuse(_ message: String, at range: SourceRange?, help: String? = nil) {
    let diagnostic = Diagnostic(.badImport, message, at: range)
    diagnostics.report(help.map { diagnostic.help($0) } ?? diagnostic)
  }
}

extension DiagnosticCode {
  /// The code for a part that was not imported from another tool's file, because Garland has no counterpart for this part.
  package static let notImported: DiagnosticCode = "not-imported"
  /// The code for a file of another tool that cannot be read.
  package static let badImport: DiagnosticCode = "bad-import"
}

extension SourceFile {
  /// The range of the first byte, for messages about the file as a whole.
  var start: SourceRange { SourceRange(self, 0..<min(1, bytes.count)) }
}

/// A function that reads a file from which a command line takes options or header fields (`--config`, `--header @file`). Returns nil if the
/// file cannot be read.
package typealias ImportFileReading = (String) -> [UInt8]?
