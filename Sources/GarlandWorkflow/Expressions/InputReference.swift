public import GarlandDiagnostics

/// A use of something that comes from outside the steps: a variable, a secret or an environment variable.
public struct InputReference: Sendable, Hashable {
  /// What is used.
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

  /// What is used.
  public let target: Target
  /// Where.
  public let range: SourceRange
  /// Whether a `??` gives another value when it is not set.
  public let isOptional: Bool
  /// Of an entry of `auth`: whether it is a token, and not what may be told of one, such as its scope.
  public internal(set) var namesToken = true
}
