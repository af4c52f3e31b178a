public import GarlandDiagnostics

/// A place in a step that names another step: `${create.id}`.
public struct StepReference: Sendable {
  /// What of the other step is named.
  public enum Member: Sendable, Hashable {
    /// An index of its ``Step/extractions``.
    case extract(Int)
    /// A part of its response.
    case response(ResponseMember)
  }

  /// Which part of the document holds the reference.
  public struct Place: Sendable, Hashable {
    /// The key it stands in, such as `json`, `headers.Authorization` or, for one that comes from the defaults, `defaults.bearer`.
    public let key: String
    /// Whether the defaults said it, not the step.
    public let isDefault: Bool

    init(key: String, isDefault: Bool) {
      self.key = key
      self.isDefault = isDefault
    }
  }

  /// The ordinal of the step that is named.
  public let target: Int
  /// What of it.
  public let member: Member
  /// Its name as written: `id`, `status`.
  public let name: String
  /// Where the reference stands: `create.id`.
  public let range: SourceRange
  /// Whether a `??` gives another value when there is none.
  public let isOptional: Bool
  /// The key it stands in.
  public let place: Place
}
