public import GarlandDiagnostics
public import GarlandJSON

/// A JSON Schema, compiled when the document is checked.
public struct SchemaTemplate: Sendable {
  /// The compiled schema.
  public let schema: JSONSchema
  /// The absolute path of the file it was read from; nil if the document holds it.
  public let file: String?
  /// Where the document says it.
  public let range: SourceRange
}
