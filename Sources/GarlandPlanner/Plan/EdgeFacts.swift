/// The reasons why one step waits for another, as a set of kinds.
public struct EdgeFacts: OptionSet, Sendable, Hashable {
  /// The set of reasons for waiting as a number, with one bit for each kind of reason.
  public let rawValue: UInt8
  /// Creates a set from its raw value.
  ///
  /// - Parameter rawValue: a number with one bit for each kind of reason.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The waiting step uses a value of the step that it waits for, and has no replacement (`??`) for a missing value.
  static let requiredValue = EdgeFacts(rawValue: 1)
  /// The waiting step uses a value of the step that it waits for, and has a replacement (`??`) for a missing value.
  static let optionalValue = EdgeFacts(rawValue: 2)
  /// The waiting step has `after: x` for a step `x`, so `x` must pass.
  public static let afterPassed = EdgeFacts(rawValue: 4)
  /// The waiting step has `after: {x: ended}` for a step `x`, so it runs after `x` has ended, even if `x` has failed.
  static let afterEnded = EdgeFacts(rawValue: 8)
  /// The waiting step uses a file that the other step downloads. The waiting step sends the file, loops over its rows, or compares its own
  /// response with the file.
  public static let file = EdgeFacts(rawValue: 16)
  /// The waiting step is the cleanup of the step that it waits for.
  static let cleanup = EdgeFacts(rawValue: 32)
  /// The waiting step is a cleanup, and the step that it waits for uses a value or an object that the cleanup removes.
  static let cleanupWait = EdgeFacts(rawValue: 64)
  /// The waiting step is below the step that it waits for, in a document with `order: file`.
  static let fileOrder = EdgeFacts(rawValue: 128)

  /// The kinds of reasons that make a step depend on another step: a plan that contains the dependent step must also contain the other
  /// step. All other kinds of reasons only determine the order of two steps.
  static let dependency: EdgeFacts = [.requiredValue, .optionalValue, .afterPassed, .afterEnded, .file, .cleanup]
}
