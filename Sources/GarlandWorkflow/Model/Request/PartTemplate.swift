public import GarlandDiagnostics

/// A part of a `multipart/form-data` body, from an entry of `multipart:`.
public struct PartTemplate: Sendable {
  /// The content of a part of a multipart body.
  public enum Content: Sendable {
    /// A text.
    case text(Template)
    /// A file, or a slice of a file. The file is read while it is sent.
    case file(FileTemplate, SliceTemplate?)
    /// A JSON value. Its media type is `application/json` unless `type:` is set.
    case json(ValueTemplate)
    /// Bytes that the document contains as base64.
    case base64(Template)
  }

  /// The name of the form field that the part contains.
  public let name: Template
  /// The content of this part of a multipart body.
  public let content: Content
  /// The file name that is sent, from the key `filename:`. If nil, it is the name of the part's file.
  public let filename: Template?
  /// The media type of the part, from the key `type:`. If nil, the extension of the part's file determines the media type.
  public let type: Template?
  /// The header fields of the part, from the key `headers:`.
  public let headers: [HeaderTemplate]
  /// The source range of the part.
  public let range: SourceRange
}
