/// The body of a request.
public struct BodyTemplate: Sendable {
  /// The kinds of bodies, each with its content.
  public enum Kind: Sendable {
    /// A JSON body, from the key `json:`.
    case json(ValueTemplate)
    /// An XML property list, from the key `plist:`.
    case plist(ValueTemplate)
    /// Parameters in the format of an HTML form, from the key `form:`.
    case form(ParametersTemplate)
    /// A text, from the key `body:` with a text as its value.
    case text(Template)
    /// A file, or a slice of a file, from `body: {file: …}`. The file is read while it is sent.
    case file(FileTemplate, SliceTemplate?)
    /// Bytes that the document contains as base64, from `body: {base64: …}`.
    case base64(Template)
    /// The parts of a multipart body, from the key `multipart:`.
    case multipart([PartTemplate])
    /// A GraphQL query as a JSON body, from the key `graphql:`. If the response contains errors, the step fails, unless `allowsErrors` is
    /// true.
    case graphql(query: Template, variables: ValueTemplate?, operationName: Template?, allowsErrors: Bool)
  }

  /// The kind of the body, such as JSON or a form, with its content.
  public let kind: Kind
  /// The key that sets the body, such as `json`.
  public let key: Located<String>
  /// Whether the body is inherited from `defaults:`, and not written in the step.
  public let isDefault: Bool
}

/// The slice of a file that a request sends, from the keys `offset:` and `length:` in the same mapping as `file:`.
public struct SliceTemplate: Sendable {
  /// The offset of the first byte, from the key `offset:`, counted from 0. Default: 0.
  public let offset: Setting<ByteCount>?
  /// The number of bytes to send, from the key `length:`. Fewer bytes are sent if the file ends earlier. Default: all bytes up to the end
  /// of the file.
  public let length: Setting<ByteCount>?
}

/// A number of bytes, written with or without a unit, such as `5242880` or `5MiB`.
public struct ByteCount: Sendable, Hashable {
  /// The number of bytes, without a unit: 5,242,880 for `5MiB`.
  public let bytes: Int64
}

/// A file to which a document refers by a path relative to the document.
public struct FileTemplate: Sendable {
  /// The path as written in the document.
  public let path: Template
  /// The absolute path of the file, without symbolic links. Nil in two cases:
  ///
  /// - The path contains expressions.
  /// - The file was missing when the document was checked, and a step may download it.
  public let resolved: String?
}
