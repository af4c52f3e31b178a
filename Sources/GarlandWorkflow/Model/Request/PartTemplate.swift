public import GarlandDiagnostics

/// A part of a multipart body.
public struct PartTemplate: Sendable {
  /// The content of a part.
  public enum Content: Sendable {
    /// Text.
    case text(Template)
    /// A file that is streamed: the whole file, or a slice of it.
    case file(FileTemplate, SliceTemplate?)
    /// JSON, with the type `application/json` unless `type:` is set.
    case json(ValueTemplate)
    /// Bytes, written in base64.
    case base64(Template)
  }

  /// The name of the form's field.
  public let name: Template
  /// The content of the part.
  public let content: Content
  /// The file name that is sent: `filename:`. If nil, a file keeps its own name.
  public let filename: Template?
  /// The media type of the part: `type:`. If nil, the type follows from the file's extension.
  public let type: Template?
  /// The header fields of this part: `headers:`.
  public let headers: [HeaderTemplate]
  /// The place of the part.
  public let range: SourceRange
}
