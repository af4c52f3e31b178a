import GarlandDiagnostics

/// A reference from an expression to a variable, a secret, an environment variable, an input or an entry of `auth`.
public struct InputReference: Sendable, Hashable {
  /// The value to which a reference refers.
  public enum Target: Sendable, Hashable {
    /// A variable, as an index of ``Workflow/variables``.
    case variable(Int)
    /// A secret, as an index of ``Workflow/secrets``.
    case secret(Int)
    /// An environment variable, as an index of ``Workflow/environmentVariables``.
    case environment(Int)
    /// An input, as an index of ``Workflow/inputs``.
    case input(Int)
    /// An entry of `auth`, as an index of ``Workflow/authentications``.
    case authentication(Int)
  }

  /// The value to which the reference refers.
  public let target: Target
  /// The source range of the reference.
  let range: SourceRange
  /// Whether the reference is followed by `??` and another value, which is used if the referenced value is not set.
  public let isOptional: Bool
  /// Whether a reference to an entry of `auth` uses a secret part of the token. False if the reference uses only a part that may be shown,
  /// such as the scope.
  var namesToken = true
}
