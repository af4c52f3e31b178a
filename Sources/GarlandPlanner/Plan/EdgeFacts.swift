/// Why one step waits for another, as a set of kinds.
public struct EdgeFacts: OptionSet, Sendable, Hashable {
  /// A bit for each kind.
  public let rawValue: UInt8
  /// - Parameter rawValue: a bit for each kind.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It uses a value of the other, and has no other to put in its place.
  public static let requiredValue = EdgeFacts(rawValue: 1)
  /// It uses a value of the other, with a `??` for when there is none.
  public static let optionalValue = EdgeFacts(rawValue: 2)
  /// `after: x`.
  public static let afterPassed = EdgeFacts(rawValue: 4)
  /// `after: {x: ended}`.
  public static let afterEnded = EdgeFacts(rawValue: 8)
  /// It sends or compares a file that the other downloads.
  public static let file = EdgeFacts(rawValue: 16)
  /// It cleans up what the other did.
  public static let cleanup = EdgeFacts(rawValue: 32)
  /// The other uses what it cleans up.
  public static let cleanupWait = EdgeFacts(rawValue: 64)
  /// The other stands above it in a document with `order: file`.
  public static let fileOrder = EdgeFacts(rawValue: 128)

  /// Those that make one step depend on another; the rest only puts them in order.
  static let dependency: EdgeFacts = [.requiredValue, .optionalValue, .afterPassed, .afterEnded, .file, .cleanup]
}
