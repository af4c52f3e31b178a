public import GarlandDiagnostics

/// One part of a multipart body.
public struct PartTemplate: Sendable {
  /// What is in it.
  public enum Content: Sendable {
    /// Text.
    case text(Template)
    /// A file, streamed: all of it, or a slice.
    case file(FileTemplate, SliceTemplate?)
    /// JSON, of type `application/json` unless another is given.
    case json(ValueTemplate)
    /// Bytes.
    case base64(Template)
  }

  /// The name of the form's field.
  public let name: Template
  /// What is in it.
  public let content: Content
  /// `filename:`; without it a file has its own name.
  public let filename: Template?
  /// `type:`, a media type; without it that of the file's extension.
  public let type: Template?
  /// `headers:` of the part.
  public let headers: [HeaderTemplate]
  /// Where the part stands.
  public let range: SourceRange
}
