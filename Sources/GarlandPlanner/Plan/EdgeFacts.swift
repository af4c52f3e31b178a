/// Why one step waits for another, as a set of kinds.
public struct EdgeFacts: OptionSet, Sendable, Hashable {
  /// A bit for each kind.
  public let rawValue: UInt8
  /// - Parameter rawValue: a bit for each kind.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The step uses a value of the other, without an alternative.
  public static let requiredValue = EdgeFacts(rawValue: 1)
  /// The step uses a value of the other, with a `??` for a missing one.
  public static let optionalValue = EdgeFacts(rawValue: 2)
  /// `after: x`.
  public static let afterPassed = EdgeFacts(rawValue: 4)
  /// `after: {x: ended}`.
  public static let afterEnded = EdgeFacts(rawValue: 8)
  /// The step sends or compares a file that the other downloads.
  public static let file = EdgeFacts(rawValue: 16)
  /// The step cleans up after the other.
  public static let cleanup = EdgeFacts(rawValue: 32)
  /// The other uses the thing that the step cleans up.
  public static let cleanupWait = EdgeFacts(rawValue: 64)
  /// The other step is above this one in a document with `order: file`.
  public static let fileOrder = EdgeFacts(rawValue: 128)

  /// The facts that make one step depend on another; the rest only orders them.
  static let dependency: EdgeFacts = [.requiredValue, .optionalValue, .afterPassed, .afterEnded, .file, .cleanup]
}
