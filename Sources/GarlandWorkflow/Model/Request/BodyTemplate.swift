/// The body of a request.
public struct BodyTemplate: Sendable {
  /// The kinds of bodies.
  public enum Kind: Sendable {
    /// A JSON body: `json:`.
    case json(ValueTemplate)
    /// An XML property list: `plist:`.
    case plist(ValueTemplate)
    /// Parameters in the format of an HTML form: `form:`.
    case form(ParametersTemplate)
    /// Text: `body:` with a text as its value.
    case text(Template)
    /// A file that is streamed, or a slice of it: `body: {file: …}`.
    case file(FileTemplate, SliceTemplate?)
    /// Bytes that the document contains as base64: `body: {base64: …}`.
    case base64(Template)
    /// The parts of a multipart body: `multipart:`.
    case multipart([PartTemplate])
    /// `graphql: {query, variables}`: a JSON body with these members. The step fails if the response contains errors, unless errors are
    /// allowed.
    case graphql(query: Template, variables: ValueTemplate?, operationName: Template?, allowsErrors: Bool)
  }

  /// The kind of the body.
  public let kind: Kind
  /// The key that sets the body, such as `json`.
  public let key: Located<String>
  /// Whether the body is inherited from `defaults:`, instead of written in the step.
  public let isDefault: Bool
}
