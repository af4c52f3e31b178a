public import GarlandDiagnostics

/// The credentials of a request.
public struct AuthTemplate: Sendable {
  /// The kinds of authentication.
  public enum Kind: Sendable {
    /// No credentials, even if the defaults have credentials: `auth: none`.
    case none
    /// `bearer: TOKEN`: the header `Authorization: Bearer TOKEN`.
    case bearer(Template)
    /// `basic: user:password`: the user is everything before the first `:`. The value of the template is the whole text.
    case basic(Template)
    /// Digest authentication: `digest: user:password`. Only digests of this text are sent, in response to the server's challenges.
    case digest(Template)
    /// `auth: NAME`: an entry of ``Workflow/authentications``.
    case named(Int)
  }

  /// The kind of authentication, with its settings.
  public let kind: Kind
  /// The place of the credentials.
  public let range: SourceRange
  /// Whether the credentials are inherited from `defaults:`, instead of written in the step. Default credentials are sent only to the
  /// origin of `base_url`.
  public let isDefault: Bool

  package var sendsNothing: Bool { if case .none = kind { true } else { false } }
}
