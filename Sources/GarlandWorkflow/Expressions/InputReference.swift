public import GarlandDiagnostics

/// A reference to something outside of the steps: a variable, a secret, an environment variable, an input or an entry of `auth`.
public struct InputReference: Sendable, Hashable {
  /// The target of a reference.
  public enum Target: Sendable, Hashable {
    /// An index of ``Workflow/variables``.
    case variable(Int)
    /// An index of ``Workflow/secrets``.
    case secret(Int)
    /// An index of ``Workflow/environmentVariables``.
    case environment(Int)
    /// An index of ``Workflow/inputs``.
    case input(Int)
    /// An index of ``Workflow/authentications``.
    case authentication(Int)
  }

  /// The target of the reference.
  public let target: Target
  /// The place of the reference.
  public let range: SourceRange
  /// Whether a `??` supplies another value if the target is not set.
  public let isOptional: Bool
  /// Whether an expression with an entry of `auth` refers to a token. False for a member that may be shown, such as the scope.
  public internal(set) var namesToken = true
}
