public import GarlandDiagnostics

/// An entry of a document's `auth`: credentials, or the settings to obtain them. Steps refer to it by its name.
public final class AuthDefinition: Sendable {
  /// The kinds of authentication.
  public enum Kind: Sendable {
    /// Basic authentication, from the key `basic:` with the value `user:password`.
    case basic(Template)
    /// A bearer token, from the key `bearer:`.
    case bearer(Template)
    /// Digest authentication, from the key `digest:` with the value `user:password`.
    case digest(Template)
    /// NTLM authentication, from the key `ntlm:` with the value `user:password`.
    case ntlm(Template)
    /// Authentication with the Kerberos ticket that `kinit` obtained, from `negotiate: true`.
    case negotiate
    /// Signatures for AWS (Signature Version 4), from the key `aws:`.
    case aws(AWSTemplate)
    /// An API key in a header field, the query or a cookie, from the key `api_key:`.
    case apiKey(APIKeyTemplate)
    /// Signatures as defined in RFC 5849, from the key `oauth1:`.
    case oauth1(OAuth1Template)
    /// A token that is fetched, reused and refreshed, from the key `oauth2:`.
    case oauth2(OAuth2Template)
  }

  /// The origin of an `auth` entry that this document takes from another document.
  public struct Origin: Sendable {
    /// The document that declares the entry. The entry uses that document's variables and secrets.
    public let workflow: Workflow
    /// The index of the entry in the ``Workflow/authentications`` of ``workflow``.
    public let index: Int
  }

  /// The entry's name. An entry of another document has a name such as `shop.api`, if the document is listed under `use:` as `shop`.
  public let name: Located<String>
  /// The source range of the entry's value in the document that declares the entry.
  public let range: SourceRange
  /// The kind of authentication, with its settings.
  public let kind: Kind
  /// The references to variables, secrets and other inputs in this entry of `auth`, including those in its `authorize` steps.
  public let inputs: [InputReference]

  /// The entry of the other document that declares the credentials; nil for an entry of this document. If this property is not nil, all
  /// references in ``kind`` belong to the other document, and ``inputs`` is empty.
  public let origin: Origin?

  init(name: Located<String>, range: SourceRange, kind: Kind, inputs: [InputReference]) {
    self.name = name
    self.range = range
    self.kind = kind
    self.inputs = inputs
    origin = nil
  }

  /// Creates an `auth` entry that refers to an `auth` entry of another document.
  ///
  /// - Parameters:
  ///   - name: the name of the new entry in its own document, such as `shop.api`.
  ///   - origin: the entry to which the new entry refers.
  init(named name: String, from origin: Origin) {
    let definition = origin.workflow.authentications[origin.index]
    self.name = Located(name, at: definition.name.range)
    range = definition.range
    kind = definition.kind
    inputs = []
    self.origin = origin
  }

  /// The OAuth 2 settings of the entry; nil for an entry of another kind.
  public var oauth2: OAuth2Template? { if case .oauth2(let template) = kind { template } else { nil } }

  /// The key that selects the kind of authentication in this entry, such as `oauth2`.
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

/// An API key that is sent with each request: `api_key: {header: X-Api-Key, value: ${secrets.KEY}}`.
public struct APIKeyTemplate: Sendable {
  /// The part of a request in which the API key is sent.
  public enum Place: Sendable, Hashable {
    /// A header field with the given name.
    case header(String)
    /// A query parameter with the given name.
    case query(String)
    /// A cookie with the given name.
    case cookie(String)
  }

  /// The part of the request in which the API key is sent.
  public let place: Place
  /// The API key itself.
  public let value: Template
}

/// Credentials for AWS: `aws: {access_key, secret_key, session_token, region, service}`.
public struct AWSTemplate: Sendable {
  /// The access key of the AWS account, from the key `access_key:`.
  public let accessKey: Template
  /// The secret key of the AWS account, from the key `secret_key:`.
  public let secretKey: Template
  /// The session token, which only temporary credentials have, from the key `session_token:`.
  public let sessionToken: Template?
  /// The AWS region, such as `eu-central-1`, from the key `region:`.
  public let region: Template
  /// The AWS service, such as `s3`, from the key `service:`.
  public let service: Template
}
