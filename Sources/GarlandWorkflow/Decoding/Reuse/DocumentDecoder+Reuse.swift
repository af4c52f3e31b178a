import GarlandDiagnostics
import GarlandYAML

/// Loads the other documents that a document uses.
extension DocumentDecoder {
  /// Decodes `use:`, a mapping from names to the paths of other documents. Expressions of this document use the names.
  func decodeUses(of node: YAMLNode) -> [UsedDocument] {
    guard let mapping = mapping(node, "a mapping of names to documents, such as `{ shop: ./shared/auth.yaml }`") else { return [] }
    var result: [UsedDocument] = []
    for entry in mapping.entries {
      checkName(entry.name, entry.key.range, reserved: ReservedNames.steps, what: "used document")
      guard let path = plainText(entry.value, "the path of a document") else {
        names.addUse(entry.name, nil)
        continue
      }
      let workflow = load(path, at: entry.value.range)
      names.addUse(entry.name, workflow.map { (result.count, $0) })
      if let workflow { result.append(UsedDocument(name: Located(entry.name, at: entry.key.range), workflow: workflow)) }
    }
    return result
  }

  /// The maximum nesting depth of documents that use or call each other, since each nested document uses stack space.
  static let mostOpenDocuments = 64

  /// Loads another document. If that fails, reports the reason and returns nil.
  ///
  /// - Parameters:
  ///   - path: the path as written in this document, relative to the folder of this document.
  ///   - range: the source range of the path.
  func load(_ path: String, at range: SourceRange) -> Workflow? {
    guard let resolved = locateFile(path, range) else { return nil }
    if let start = options.openDocuments.firstIndex(of: resolved) {
      let circle = options.openDocuments[start...].map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      report(
        .documentCycle,
        circle.count == 1
          ? "the document uses itself" : "the documents use each other in a circle: \(circle.joined(separator: " → ")) → \(circle[0])",
        at: range,
        help: circle.count == 1
          ? "move the steps that are needed twice into another document" : "move the steps that both documents need into a third document")
      return nil
    }
    // The mistakes of a document that was decoded before have already been reported.
    if let known = options.library.decoded(resolved) {
      if known == nil { others.hasBroken = true }
      return known
    }
    guard options.openDocuments.count < Self.mostOpenDocuments else {
      report(
        .nestedTooDeep, "documents use or call one another more than \(Self.mostOpenDocuments) deep", at: range,
        help: "let one document use all others, instead of each using the next one")
      others.hasBroken = true
      return nil
    }
    let bytes: [UInt8]
    do throws(WorkflowFileError) {
      bytes = try options.files.files.read(resolved, limit: WorkflowDecoder.documentLimit)
    } catch {
      report(.missingFile, "`\(Words.excerpt(path))` can't be read: \(error.message)", at: range)
      return nil
    }
    var inner = options
    inner.isUsed = true
    let folder = resolved.lastIndex(of: "/").map { String(resolved[..<$0]) } ?? ""
    let (workflow, found) = WorkflowDecoder.decode(
      name: Self.shown(path, from: isOfProject(range) ? range.file.name : file.name), bytes: bytes,
      directory: folder.isEmpty ? "/" : folder, options: inner)
    diagnostics.append(found)
    if workflow == nil { others.hasBroken = true }
    return workflow
  }

  /// Returns the path of a document as messages show it. It is relative or absolute, like the path of the document that refers to it.
  ///
  /// - Parameters:
  ///   - path: the path as written in the referring document.
  ///   - document: the path of the referring document.
  static func shown(_ path: String, from document: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var parts = document.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        if let last = parts.last, last != "..", last != "" { parts.removeLast() } else { parts.append("..") }
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
