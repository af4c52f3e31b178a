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
    /// `body: {file: …}`, a file that is streamed: the whole file, or a slice of it.
    case file(FileTemplate, SliceTemplate?)
    /// `body: {base64: …}`.
    case base64(Template)
    /// `multipart:`.
    case multipart([PartTemplate])
    /// `graphql: {query, variables}`: a JSON body with these members. The step fails if the response contains errors, unless errors are
    /// allowed.
    case graphql(query: Template, variables: ValueTemplate?, operationName: Template?, allowsErrors: Bool)
  }

  /// The kind of the body.
  public let kind: Kind
  /// The key that sets the body, such as `json`.
  public let key: Located<String>
  /// Whether the body comes from the defaults, instead of from the step.
  public let isDefault: Bool
}
