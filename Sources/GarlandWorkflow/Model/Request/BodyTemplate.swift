/// The body of a request.
public struct BodyTemplate: Sendable {
  /// The kinds of bodies.
  public enum Kind: Sendable {
    /// `json:`.
    case json(ValueTemplate)
    /// `plist:`, an XML property list.
    case plist(ValueTemplate)
    /// `form:`.
    case form(ParametersTemplate)
    /// `body:` as text.
    case text(Template)
    /// `body: {file: …}`, streamed: all of it, or a slice.
    case file(FileTemplate, SliceTemplate?)
    /// `body: {base64: …}`.
    case base64(Template)
    /// `multipart:`.
    case multipart([PartTemplate])
    /// `graphql: {query, variables}`: a JSON body with these members. Unless errors are allowed, a response with errors fails the step.
    case graphql(query: Template, variables: ValueTemplate?, operationName: Template?, allowsErrors: Bool)
  }

  /// The kind of the body.
  public let kind: Kind
  /// The key that says it, such as `json`.
  public let key: Located<String>
  /// Whether the defaults said it, not the step.
  public let isDefault: Bool
}
