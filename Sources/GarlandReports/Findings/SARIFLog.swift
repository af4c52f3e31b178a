import GarlandDiagnostics

/// A log in the Static Analysis Results Interchange Format
/// ([SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html)).
struct SARIFLog {
  private static let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  /// The name that stands for the folder of the sources, to which relative paths refer. The program that reads the log replaces this name
  /// with the folder (section 3.14.14).
  private static let base = "%SRCROOT%"

  private let diagnostics: [Diagnostic]
  private let mask: Mask
  private let root: SourceRoot
  private let codes: [String]

  init(_ diagnostics: [Diagnostic], mask: Mask, root: SourceRoot) {
    self.root = root
    self.diagnostics = diagnostics
    self.mask = mask
    codes = Set(diagnostics.map(\.code.rawValue)).sorted()
  }

  func bytes(version: String) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.word("$schema", Self.schema)
      json.word("version", "2.1.0")
      json.array("runs", [version]) { json, version in
        json.object { json in
          json.object("tool") { $0.object("driver") { driver(&$0, version) } }
          json.word("columnKind", "utf16CodeUnits")
          json.array("results", diagnostics, result)
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private func driver(_ json: inout JSONWriter, _ version: String) {
    json.word("name", "Garland")
    json.word("semanticVersion", version)
    json.array("rules", codes) { json, code in
      json.object { json in
        json.word("id", code)
        json.object("shortDescription") { $0.word("text", code.split(separator: "-").joined(separator: " ")) }
      }
    }
  }

  private func result(_ json: inout JSONWriter, _ diagnostic: Diagnostic) {
    let code = diagnostic.code.rawValue
    json.object { json in
      json.word("ruleId", code)
      json.member("ruleIndex", codes.firstIndex(of: code))
      json.word("level", diagnostic.severity.rawValue)
      let helps = diagnostic.helps.map { "\n\($0.message)" }.joined()
      json.object("message") { $0.member("text", diagnostic.message + helps) }
      if let range = diagnostic.range, let path = root.path(of: range.file.name) {
        json.array("locations", [path]) { json, path in
          json.object { json in
            place(&json, path, range)
            if let label = diagnostic.label { json.object("message") { $0.member("text", label) } }
          }
        }
      }
      related(&json, diagnostic)
      fixes(&json, diagnostic)
    }
  }

  private func related(_ json: inout JSONWriter, _ diagnostic: Diagnostic) {
    guard !diagnostic.notes.isEmpty else { return }
    json.array("relatedLocations", diagnostic.notes) { json, note in
      json.object { json in
        if let range = note.range, let path = root.path(of: range.file.name) { place(&json, path, range) }
        json.object("message") { $0.member("text", note.message) }
      }
    }
  }

  private func fixes(_ json: inout JSONWriter, _ diagnostic: Diagnostic) {
    let fixes = diagnostic.helps.compactMap { help in
      help.fix.flatMap { fix in root.path(of: fix.range.file.name).map { (help.message, fix, $0) } }
    }
    guard !fixes.isEmpty else { return }
    json.array("fixes", fixes) { json, fix in
      let (message, fix, path) = fix
      json.object { json in
        json.object("description") { $0.member("text", message) }
        json.array("artifactChanges", [fix]) { json, fix in
          json.object { json in
            artifact(&json, path)
            json.array("replacements", [fix]) { json, fix in
              json.object { json in
                region(&json, "deletedRegion", fix.range)
                json.object("insertedContent") { $0.member("text", String(decoding: fix.replacementBytes, as: UTF8.self)) }
              }
            }
          }
        }
      }
    }
  }

  // MARK: Places

  private func place(_ json: inout JSONWriter, _ path: String, _ range: SourceRange) {
    json.object("physicalLocation") { json in
      artifact(&json, path)
      region(&json, "region", range)
    }
  }

  private func artifact(_ json: inout JSONWriter, _ path: String) {
    json.object("artifactLocation") { json in
      json.member("uri", SourcePath.reference(path))
      if !path.hasPrefix("/") { json.word("uriBaseId", Self.base) }
    }
  }

  /// Writes a range of a source file as a region (SARIF 2.1.0, section 3.30). Columns count UTF-16 code units from 1. The end column is the
  /// column after the last character.
  private func region(_ json: inout JSONWriter, _ name: StaticString, _ range: SourceRange) {
    let offsets = range.offsets
    let (start, end) = (range.start.line, range.end.line)
    json.object(name) { json in
      json.member("startLine", start)
      json.member("startColumn", Self.column(of: offsets.lowerBound, inLine: start, of: range.file))
      json.member("endLine", end)
      json.member("endColumn", Self.column(of: offsets.upperBound, inLine: end, of: range.file))
    }
  }

  private static func column(of offset: Int, inLine line: Int, of file: SourceFile) -> Int {
    let start = file.offset(ofLine: line)
    let end = min(max(offset, start), file.bytes.count)
    return String(decoding: file.bytes[start..<end], as: UTF8.self).utf16.count + 1
  }
}
