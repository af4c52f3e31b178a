/// The reasons why one step waits for another, as a set of kinds.
public struct EdgeFacts: OptionSet, Sendable, Hashable {
  /// The set as a number with one bit for each kind.
  public let rawValue: UInt8
  /// Creates a set from its raw value.
  ///
  /// - Parameter rawValue: a number with one bit for each kind.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The step uses a value of the other step, without an alternative.
  public static let requiredValue = EdgeFacts(rawValue: 1)
  /// The step uses a value of the other step, with a `??` for a missing value.
  public static let optionalValue = EdgeFacts(rawValue: 2)
  /// The step has `after: x`.
  public static let afterPassed = EdgeFacts(rawValue: 4)
  /// The step has `after: {x: ended}`.
  public static let afterEnded = EdgeFacts(rawValue: 8)
  /// The step sends a file that the other step downloads, or compares with it.
  public static let file = EdgeFacts(rawValue: 16)
  /// The step cleans up after the other step.
  public static let cleanup = EdgeFacts(rawValue: 32)
  /// The other step uses the thing that this step cleans up.
  public static let cleanupWait = EdgeFacts(rawValue: 64)
  /// The other step is above this step in a document with `order: file`.
  public static let fileOrder = EdgeFacts(rawValue: 128)

  /// The kinds that make one step depend on another. The other kinds only order the two steps.
  static let dependency: EdgeFacts = [.requiredValue, .optionalValue, .afterPassed, .afterEnded, .file, .cleanup]
}
