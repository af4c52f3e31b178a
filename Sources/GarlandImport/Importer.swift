import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// Creates a workflow from files of other tools: curl command lines, recordings of a browser (HAR), collections of Postman
/// (v2.0 and v2.1).
///
/// ```swift
/// let result = Importer.workflow(from: [file])
/// guard let text = result.text else { return show(result.diagnostics) }
/// ```
/// Unsupported features are skipped with a warning. Credentials are never written into the workflow: they become secrets.
package enum Importer {
  /// The format of an imported file.
  package enum Format: String, Sendable, CaseIterable {
    /// Command lines of curl, in the form in which users type them into a shell.
    case curl
    /// A recording of a browser in the HTTP Archive format (HAR).
    case har
    /// A collection of Postman.
    case postman
  }

  /// The result of an import: the workflow and the diagnostics.
  package struct Result: Sendable {
    /// The workflow as YAML; nil if there is an error.
    package var text: String?
    /// The number of steps in the workflow.
    package var stepCount = 0
    /// Warnings for the features that were not imported, or the error that prevented the import.
    package var diagnostics: DiagnosticList
    /// The credentials of the imported requests that were replaced with secrets. The output must mask these credentials, since the source
    /// lines in diagnostics may contain them.
    package var credentials: [String] = []
  }

  /// Creates the workflow for one or several files. Its steps are the requests of all files, one after another.
  ///
  /// - Parameters:
  ///   - files: the files. If no file contains a name for the workflow, the workflow gets the file name of the first file.
  ///   - format: the format of the files; nil detects the format of each.
  ///   - reading: reads the files that the options of command lines name. If the function returns nil for a file, the option is skipped.
  package static func workflow(
    from files: [SourceFile], format: Format? = nil, reading: @escaping ImportFileReading = { _ in nil }
  ) -> Result {
    var collection = ImportedCollection()
    for file in files {
      var next = self.collection(from: file, format: format, reading: reading)
      if next.requests.isEmpty, !next.diagnostics.hasErrors {
        if next.diagnostics.isEmpty {
          next.refuse(
            "this file has no request", at: file.start,
            help: "a file to import needs a `curl` command, an entry of a HAR file or an item of a Postman collection")
        } else {
          next.refuse("no request of this file can be imported: the warnings say what was left out", at: file.start)
        }
      }
      collection.append(next)
    }
    guard !collection.diagnostics.hasErrors else { return Result(text: nil, diagnostics: collection.diagnostics) }
    let workflow = WorkflowText(&collection, fileName: files.first?.name ?? "")
    guard !collection.requests.isEmpty else {
      if let file = files.first { collection.refuse("no request can be imported: the warnings say what was left out", at: file.start) }
      return Result(text: nil, diagnostics: collection.diagnostics)
    }
    return Result(
      text: workflow.text, stepCount: collection.requests.count, diagnostics: collection.diagnostics,
      credentials: Array(workflow.hidden.values.values))
  }

  private static func collection(from file: SourceFile, format: Format?, reading: @escaping ImportFileReading) -> ImportedCollection {
    guard String(validating: file.bytes, as: UTF8.self) != nil else {
      var collection = ImportedCollection()
      let offset = file.bytes.firstIndex { $0 >= 0x80 } ?? 0
      collection.refuse("the file is not UTF-8 text", at: SourceRange(file, offset..<min(offset + 1, file.bytes.count)))
      return collection
    }
    if let offset = file.bytes.firstIndex(of: 0) {
      var collection = ImportedCollection()
      collection.refuse("the file is not text: it has a zero byte", at: SourceRange(file, offset..<offset + 1))
      return collection
    }
    if format == nil, file.name.hasSuffix(".hurl") {
      var collection = ImportedCollection()
      collection.refuse(
        "a Hurl file can't be imported", at: file.start, help: "`garland help from-hurl` shows how to write each feature of Hurl in Garland"
      )
      return collection
    }
    let first = file.bytes.first { !isBlank($0) && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    if format == .curl || (format == nil && first != UInt8(ascii: "{") && first != UInt8(ascii: "[")) {
      return CurlImporter.collection(from: file, reading: reading)
    }
    let root: JSONValue
    do throws(JSONParsingError) {
      root = try JSONValue(parsing: file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.bytes.dropFirst(3)) : file.bytes)
    } catch {
      var collection = ImportedCollection()
      let offset = min(error.offset + (file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0), file.bytes.count)
      collection.refuse(
        "the file is not JSON: \(error.message)", at: SourceRange(file, offset..<min(offset + 1, file.bytes.count)))
      return collection
    }
    switch format ?? detected(root) {
    case .har?: return HARImporter.collection(from: root, file)
    case .postman?: return PostmanImporter.collection(from: root, file)
    case .curl?, nil:
      var collection = ImportedCollection()
      collection.refuse(
        "unrecognised file format", at: file.start,
        help: ValuesFile.isPostmanEnvironment(root)
          ? ValuesFile.adviceOnPostman
          : root["openapi"] != nil || root["swagger"] != nil
            ? ImportedCollection.adviceOnOpenAPI
            : "Garland imports HAR files (`log.entries`), Postman collections (`info`, `item`) and curl commands")
      return collection
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func detected(_ root: JSONValue) -> Format? {
    if root["log"]?["entries"] != nil { return .har }
    if root["item"] != nil || root["collection"]?["item"] != nil { return .postman }
    return nil
  }
}
