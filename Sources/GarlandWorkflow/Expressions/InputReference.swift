public import GarlandDiagnostics

/// A use of something that comes from outside the steps: a variable, a secret or an environment variable.
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
  /// Whether a `??` gives another value when it is not set.
  public let isOptional: Bool
  /// For an entry of `auth`: whether the member is a token, and not one that may be shown, such as
  /// its scope.
  public internal(set) var namesToken = true
}
