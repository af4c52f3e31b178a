public import GarlandDiagnostics

/// The credentials of a request, as the step or the defaults set them.
public struct AuthTemplate: Sendable {
  /// The kinds of authentication.
  public enum Kind: Sendable {
    /// The step sends no credentials, even if the defaults contain credentials. Written as `auth: none`.
    case none
    /// The token of the header field `Authorization: Bearer TOKEN`, from the key `bearer:`.
    case bearer(Template)
    /// The credentials `user:password` for basic authentication, from the key `basic:`. The text before the first `:` is the user name.
    case basic(Template)
    /// The credentials `user:password` for HTTP digest authentication, from the key `digest:`. A request answers the server's challenge
    /// with digests, and never contains the password itself.
    case digest(Template)
    /// An entry of `auth`, as an index of ``Workflow/authentications``.
    case named(Int)
  }

  /// The kind of authentication, with its settings.
  public let kind: Kind
  /// The source range of the credentials.
  public let range: SourceRange
  /// Whether the credentials are inherited from `defaults:`, and not written in the step. Default credentials are sent only to the scheme,
  /// host and port of `base_url`.
  public let isDefault: Bool

  package var sendsNothing: Bool { if case .none = kind { true } else { false } }
}
