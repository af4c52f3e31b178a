/// The reasons why one step waits for another, as a set of kinds.
public struct EdgeFacts: OptionSet, Sendable, Hashable {
  /// The set as a number with one bit for each kind.
  public let rawValue: UInt8
  /// Creates a set from its raw value.
  ///
  /// - Parameter rawValue: a number with one bit for each kind.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The step uses a value of the other step without `??`.
  public static let requiredValue = EdgeFacts(rawValue: 1)
  /// The step uses a value of the other step, followed by `??` and a replacement for a missing value.
  public static let optionalValue = EdgeFacts(rawValue: 2)
  /// The step names the other step in `after:`, so the other step must pass.
  public static let afterPassed = EdgeFacts(rawValue: 4)
  /// The step has `after: {x: ended}` for the other step `x`, so the other step must only end.
  public static let afterEnded = EdgeFacts(rawValue: 8)
  /// The other step downloads a file that the step sends, or compares its response with.
  public static let file = EdgeFacts(rawValue: 16)
  /// The step cleans up after the other step.
  public static let cleanup = EdgeFacts(rawValue: 32)
  /// The other step uses a value or an object that this step cleans up.
  public static let cleanupWait = EdgeFacts(rawValue: 64)
  /// The other step is above this step in a document with `order: file`.
  public static let fileOrder = EdgeFacts(rawValue: 128)

  /// The kinds that make one step depend on another. The other kinds only order the two steps.
  static let dependency: EdgeFacts = [.requiredValue, .optionalValue, .afterPassed, .afterEnded, .file, .cleanup]
}
