import GarlandDiagnostics

/// Writes the mistakes in workflow files in formats that other programs read, with secrets masked.
///
/// ```swift
/// let findings = Findings(diagnostics, redactor: redactor)
/// let log = findings.sarif(version: "1.0")
/// ```
package struct Findings {
  let diagnostics: [Diagnostic]
  let mask: Mask
  let root: SourceRoot

  /// Creates findings from diagnostics.
  ///
  /// - Parameters:
  ///   - diagnostics: the mistakes.
  ///   - redactor: masks the secrets.
  ///   - root: the folder that file names are relative to in the formats for other systems (SARIF and Code Quality).
  package init(_ diagnostics: [Diagnostic], redactor: Redactor, root: SourceRoot = SourceRoot()) {
    self.root = root
    self.diagnostics = DiagnosticRenderer.sorted(diagnostics)
    mask = Mask(redactor)
  }

  /// Returns a JSON document with the structure of `schemas/diagnostics.schema.json`.
  ///
  /// - Parameter generator: the name and version of this program.
  package func json(generator: String) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.word("format", "garland-diagnostics/1")
      json.word("generator", generator)
      json.member("errors", diagnostics.count { $0.severity == .error })
      json.member("warnings", diagnostics.count { $0.severity == .warning })
      json.array("diagnostics", diagnostics) { $1.write(&$0) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Returns a log in the format [SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
  ///
  /// - Parameter version: the version of this program.
  package func sarif(version: String) -> [UInt8] { SARIFLog(diagnostics, mask: mask, root: root).bytes(version: version) }

  /// Returns a Code Quality report in GitLab's format.
  package func codeQuality() -> [UInt8] {
    var issues = CodeQualityIssues(mask: mask, root: root)
    let lines = diagnostics.map { issues.issue($0) }
    return CodeQualityIssues.document(of: lines)
  }
}

extension Diagnostic {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      json.word("severity", severity.rawValue)
      json.word("code", code.rawValue)
      json.member("message", message)
      range?.write(&json)
      json.member("label", label)
      if !notes.isEmpty {
        json.array("notes", notes) { json, note in
          json.object { json in
            json.member("message", note.message)
            note.range?.write(&json)
          }
        }
      }
      guard !helps.isEmpty else { return }
      json.array("help", helps) { json, help in
        json.object { json in
          json.member("message", help.message)
          guard let fix = help.fix else { return }
          json.object("fix") { json in
            fix.range.write(&json)
            json.member("replacement", fix.replacement)
            if help.isChoice { json.member("choice", true) }
          }
        }
      }
    }
  }
}

extension SourceRange {
  fileprivate func write(_ json: inout JSONWriter) {
    let (start, end) = (start, end)
    json.member("file", file.name)
    json.member("line", start.line)
    json.member("column", start.column)
    json.member("endLine", end.line)
    json.member("endColumn", end.column)
    json.member("offset", offsets.lowerBound)
    json.member("length", offsets.count)
  }
}
