public import GarlandDiagnostics

/// A part of a multipart body.
public struct PartTemplate: Sendable {
  /// The content of a part.
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
  /// The content of the part.
  public let content: Content
  /// `filename:`; without it a file has its own name.
  public let filename: Template?
  /// `type:`, a media type; without it that of the file's extension.
  public let type: Template?
  /// `headers:` of the part.
  public let headers: [HeaderTemplate]
  /// The place of the part.
  public let range: SourceRange
}
