public import GarlandDiagnostics

/// An entry of a document's `auth`: credentials that steps use by name.
public final class AuthDefinition: Sendable {
  /// The kinds of authentication.
  public enum Kind: Sendable {
    /// Basic authentication: `basic: user:password`.
    case basic(Template)
    /// A bearer token: `bearer: TOKEN`.
    case bearer(Template)
    /// Digest authentication: `digest: user:password`.
    case digest(Template)
    /// NTLM authentication: `ntlm: user:password`.
    case ntlm(Template)
    /// `negotiate: true`: authentication with the Kerberos ticket that `kinit` obtained.
    case negotiate
    /// `aws: {…}`: AWS signatures, version 4.
    case aws(AWSTemplate)
    /// `api_key: {…}`: a value in a header, the query or a cookie.
    case apiKey(APIKeyTemplate)
    /// `oauth1: {…}`: signatures as defined in RFC 5849.
    case oauth1(OAuth1Template)
    /// `oauth2: {…}`: a token that is fetched, reused and refreshed.
    case oauth2(OAuth2Template)
  }

  /// The document that declares an `auth` entry, if the entry comes from another document that `use:` lists.
  public struct Origin: Sendable {
    /// The document that declares the entry. The entry uses that document's variables and secrets.
    public let workflow: Workflow
    /// The entry's index in ``Workflow/authentications`` of the document that declares it.
    public let index: Int
  }

  /// The entry's name: `shop.api` for the entry `api` of the document that is used as `shop`.
  public let name: Located<String>
  /// The place of the entry.
  public let range: SourceRange
  /// The kind of authentication, with its settings.
  public let kind: Kind
  /// The variables, secrets and environment variables that the entry uses, including those of its `authorize` steps.
  public let inputs: [InputReference]

  /// The other document that declares the entry; nil for an entry of this document. If it is set, everything that ``kind`` refers
  /// to belongs to the other document, and ``inputs`` is empty.
  public let origin: Origin?

  init(name: Located<String>, range: SourceRange, kind: Kind, inputs: [InputReference]) {
    self.name = name
    self.range = range
    self.kind = kind
    self.inputs = inputs
    origin = nil
  }

  /// Creates an entry that refers to an entry of another document.
  init(named name: String, from origin: Origin) {
    let definition = origin.workflow.authentications[origin.index]
    self.name = Located(name, at: definition.name.range)
    range = definition.range
    kind = definition.kind
    inputs = []
    self.origin = origin
  }

  /// The OAuth 2 settings of the entry; nil if the entry is of another kind.
  public var oauth2: OAuth2Template? { if case .oauth2(let template) = kind { template } else { nil } }

  /// The key that selects the kind of the entry, such as `oauth2`.
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
