public import GarlandDiagnostics

/// The credentials of a request.
public struct AuthTemplate: Sendable {
  /// The ways.
  public enum Kind: Sendable {
    /// `auth: none`: nothing, whatever the defaults say.
    case none
    /// `bearer: TOKEN`: the header `Authorization: Bearer TOKEN`.
    case bearer(Template)
    /// `basic: user:password`: everything before the first `:` is the user. The template gives the whole text.
    case basic(Template)
    /// `digest: user:password`: the same, but only digests of it are sent, in answer to the server's challenges.
    case digest(Template)
    /// `auth: NAME`: an entry of ``Workflow/authentications``.
    case named(Int)
  }

  /// The way.
  public let kind: Kind
  /// The place of the credentials.
  public let range: SourceRange
  /// Whether the defaults set it, not the step: then it is sent only to the origin of `base_url`.
  public let isDefault: Bool

  package var sendsNothing: Bool { if case .none = kind { true } else { false } }
}
