public import GarlandDiagnostics

/// An entry of a document's `auth`: credentials that steps use by name.
public final class AuthDefinition: Sendable {
  /// The ways.
  public enum Kind: Sendable {
    /// `basic: user:password`.
    case basic(Template)
    /// `bearer: TOKEN`.
    case bearer(Template)
    /// `digest: user:password`.
    case digest(Template)
    /// `ntlm: user:password`.
    case ntlm(Template)
    /// `negotiate: true`: the Kerberos ticket that `kinit` got.
    case negotiate
    /// `aws: {…}`: signatures of AWS, version 4.
    case aws(AWSTemplate)
    /// `api_key: {…}`: a value in a header, the query or a cookie.
    case apiKey(APIKeyTemplate)
    /// `oauth1: {…}`: signatures by RFC 5849.
    case oauth1(OAuth1Template)
    /// `oauth2: {…}`: a token that is fetched, kept and refreshed.
    case oauth2(OAuth2Template)
  }

  /// The origin of an entry from a document of `use`.
  public struct Origin: Sendable {
    /// The document that declares it, whose variables and secrets it uses.
    public let workflow: Workflow
    /// Its index in that document's ``Workflow/authentications``.
    public let index: Int
  }

  /// Its name; `shop.api` for the entry `api` of the document that is used as `shop`.
  public let name: Located<String>
  /// The place of the entry.
  public let range: SourceRange
  /// The way.
  public let kind: Kind
  /// The variables, secrets and environment variables it uses, those of its `authorize` steps included.
  public let inputs: [InputReference]

  /// The document that declares it, if that is another one. Then whatever ``kind`` refers to is of that document, and ``inputs`` is empty.
  public let origin: Origin?

  init(name: Located<String>, range: SourceRange, kind: Kind, inputs: [InputReference]) {
    self.name = name
    self.range = range
    self.kind = kind
    self.inputs = inputs
    origin = nil
  }

  /// Makes the entry of another document.
  init(named name: String, from origin: Origin) {
    let definition = origin.workflow.authentications[origin.index]
    self.name = Located(name, at: definition.name.range)
    range = definition.range
    kind = definition.kind
    inputs = []
    self.origin = origin
  }

  /// Its settings of OAuth 2; nil if it is of another kind.
  public var oauth2: OAuth2Template? { if case .oauth2(let template) = kind { template } else { nil } }

  /// The word of its kind in documents.
  public var keyword: String {
    switch kind {
    case .basic: "basic"
    case .bearer: "bearer"
    case .digest: "digest"
    case .ntlm: "ntlm"
    case .negotiate: "negotiate"
    case .aws: "aws"
    case .apiKey: "api_key"
    case .oauth1: "oauth1"
    case .oauth2: "oauth2"
    }
  }
}
