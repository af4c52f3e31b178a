public import GarlandDiagnostics
public import GarlandJSON

/// A JSON Schema, compiled when the document is checked.
public struct SchemaTemplate: Sendable {
  /// The compiled schema.
  public let schema: JSONSchema
  /// The absolute path of the file it was read from; nil if the document holds it.
  public let file: String?
  /// The absolute path of the document's folder.
  let folder: String
  /// The place of the schema in the document.
  public let range: SourceRange

  /// Returns the place of a keyword as a reader would name it: without the names of the schema's
  /// own file and the document's folder.
  public func shown(_ location: String) -> String {
    let own = Self.uri(ofPath: file ?? folder + "/")
    if location.hasPrefix(own + "#") { return String(location.dropFirst(own.count)) }
    let folder = Self.uri(ofPath: folder + "/")
    return location.hasPrefix(folder) ? String(location.dropFirst(folder.count)) : location
  }

  /// The URI by which the schema in a file, or the folder of one, is known.
  static func uri(ofPath path: String) -> String {
    "file://" + PercentText.encode(path, keeping: "/")
  }
}
