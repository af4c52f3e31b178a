public import GarlandJSON
import GarlandText

/// A JSON Schema. It is compiled when the document is checked.
public struct SchemaTemplate: Sendable {
  /// The compiled schema.
  public let schema: JSONSchema
  /// The absolute path of the file that contains the schema; nil if the schema is written in the document.
  let file: String?
  /// The absolute path of the document's folder.
  let folder: String

  /// Returns the location of a schema keyword in a short form. For a keyword in the schema's own file, the location is only the fragment;
  /// for another file, it contains the path relative to the document's folder.
  public func shown(_ location: String) -> String {
    let own = Self.uri(ofPath: file ?? folder + "/")
    if location.hasPrefix(own + "#") { return String(location.dropFirst(own.count)) }
    let folder = Self.uri(ofPath: folder + "/")
    return location.hasPrefix(folder) ? String(location.dropFirst(folder.count)) : location
  }

  /// Returns the `file:` URI of a schema file or of a folder. References in schemas are resolved relative to this URI.
  static func uri(ofPath path: String) -> String {
    "file://" + PercentEncoding.encode(path, keeping: PercentEncoding.filePath)
  }
}
