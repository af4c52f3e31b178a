public import GarlandDiagnostics

/// Requests of another tool, and the parts that could not be imported.
package struct ImportedCollection: Sendable {
  package var name: String?
  package var description: String?
  /// Variables, in order.
  package var variables: [(name: String, value: ImportedValue)] = []
  /// Names of secrets that are not written down, beside those that the requests themselves turn out to hold.
  package var secrets: [String] = []
  package var requests: [ImportedRequest] = []
  /// Warnings for features that were left out, and errors for files that give no request.
  package var diagnostics = DiagnosticList()

  package init() {}

  /// Adds the requests of another file.
  mutating func append(_ other: ImportedCollection) {
    name = name ?? other.name
    description = description ?? other.description
    // Of two variables with the same name, the first keeps it.
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

  mutating func refuse(_ message: String, at range: SourceRange?, help: String? = nil) {
    let diagnostic = Diagnostic(.badImport, message, at: range)
    diagnostics.report(help.map { diagnostic.help($0) } ?? diagnostic)
  }
}

extension DiagnosticCode {
  /// A part of a file of another tool has no counterpart, and was left out.
  public static let notImported: DiagnosticCode = "not-imported"
  /// A file of another tool can't be read.
  public static let badImport: DiagnosticCode = "bad-import"
}

extension SourceFile {
  /// The place of the first byte, for messages about the file as a whole.
  var start: SourceRange { SourceRange(self, 0..<min(1, bytes.count)) }
}

/// Reads a file that a command line takes options or header fields from (`--config`, `--header @file`). Returns nil if the file can't be read.
public typealias ImportFileReading = (String) -> [UInt8]?
