public import GarlandDiagnostics
import GarlandYAML

/// The quarantined steps of the documents in a folder. The failure of a quarantined step does not count. The project file and the file
/// `quarantine.yaml` in the same folder list these steps.
public struct QuarantineList: Sendable {
  /// The name of a file that lists quarantined steps.
  static let fileName = "quarantine.yaml"

  /// The entries of the project file and of `quarantine.yaml`.
  let entries: [QuarantineEntry]
  /// The file `quarantine.yaml`; nil if there is no such file.
  public let file: SourceFile?
  /// The mistakes in `quarantine.yaml`, and errors for steps that are listed twice.
  public let diagnostics: DiagnosticList

  init(_ entries: [QuarantineEntry], file: SourceFile?, _ diagnostics: DiagnosticList) {
    var known: [String: Located<String>] = [:]
    var diagnostics = diagnostics
    for entry in entries {
      if let first = known.updateValue(entry.step, forKey: "\(entry.path)#\(entry.step.value)") {
        diagnostics.report(
          Diagnostic(.conflict, "the step `\(entry.step.value)` is quarantined twice", at: entry.step.range)
            .note("the other entry is here", at: first.range).help("remove one of them"))
      }
    }
    self.entries = entries
    self.file = file
    self.diagnostics = diagnostics
  }

  /// Whether a path leads to a list of quarantined steps, according to the file's name.
  public static func isList(_ path: String) -> Bool { path == fileName || path.hasSuffix("/" + fileName) }
}

extension WorkflowDecoder.Options {
  /// Returns the quarantine entries that are valid today for the steps of the document that is being decoded. The keys are the ids of the
  /// steps.
  func quarantined(in directory: String) -> [String: QuarantineEntry] {
    guard let path = openDocuments.last, let list = projects?.quarantine(of: directory), !list.entries.isEmpty else { return [:] }
    let entries = list.entries.filter { $0.path == path && $0.holds(on: today) }
    return Dictionary(entries.map { ($0.step.value, $0) }) { first, _ in first }
  }
}

extension ProjectReader {
  /// Reads a file with a list of quarantined steps.
  ///
  /// - Parameters:
  ///   - name: the name of the file in errors.
  ///   - path: the file's absolute path.
  ///   - bytes: the file's content.
  func readQuarantine(name: String, path: String, bytes: [UInt8]) -> (file: SourceFile?, entries: [QuarantineEntry], DiagnosticList) {
    var diagnostics = DiagnosticList()
    guard let file = YAMLParser.text(name: name, bytes: bytes, limits: limits, into: &diagnostics) else { return (nil, [], diagnostics) }
    let roots = YAMLParser.parse(file, limits: limits, into: &diagnostics).compactMap(\.root)
    // An empty list quarantines nothing.
    guard !diagnostics.hasErrors, let root = roots.first else { return (file, [], diagnostics) }
    let options = WorkflowDecoder.Options(files: files, limits: limits)
    let decoder = DocumentDecoder(file, directory: PathName.folder(of: path), options: options)
    let entries = decoder.decodeQuarantine(root)
    return (file, entries, decoder.diagnostics)
  }
}

extension DocumentDecoder {
  /// Decodes a list of quarantined steps.
  func decodeQuarantine(_ node: YAMLNode) -> [QuarantineEntry] {
    guard let items = node.sequence else {
      report(
        .wrongType, "expected a list of quarantined steps, found \(found(node))", at: node.range,
        help: "write `- { step: tests/shop.yaml#pay, reason: SHOP-123, until: 2026-12-01 }`")
      return []
    }
    return items.compactMap(decodeQuarantined)
  }

  private func decodeQuarantined(_ node: YAMLNode) -> QuarantineEntry? {
    guard let reader = reader(node, QuarantineKey.table, "a step such as `{ step: …, reason: …, until: … }`") else { return nil }
    func text(_ key: QuarantineKey, _ what: String) -> Located<String>? {
      guard let node = reader.value(key) else {
        if !reader.hasRefusedKeys { report(.missingKey, "`\(key.rawValue)` is missing", at: startOf(reader.node)) }
        return nil
      }
      return plainText(node, what).map { Located($0, at: node.range) }
    }
    let step = text(.step, "a step such as `tests/shop.yaml#pay`")
    let reason = text(.reason, "a reason")
    let until = text(.until, "a date such as `2026-12-01`")
    guard let step, let reason, let until else { return nil }
    let parts = step.value.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      report(
        .wrongType, "expected a document and a step such as `tests/shop.yaml#pay`, found `\(Words.excerpt(step.value))`", at: step.range)
      return nil
    }
    guard let day = CalendarDay(until.value) else {
      report(.wrongType, "expected a date such as `2026-12-01`, found `\(Words.excerpt(until.value))`", at: until.range)
      return nil
    }
    let path = FileAccess.normalise(parts[0].hasPrefix("/") ? parts[0] : directory + "/" + parts[0])
    return QuarantineEntry(
      path: options.files.files.resolve(path) ?? path, document: parts[0], step: Located(parts[1], at: step.range),
      reason: reason.value, until: day, untilRange: until.range)
  }
}
