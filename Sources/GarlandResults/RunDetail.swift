/// The kinds of data that an observer needs in addition to the bare results. A run omits data that
/// no observer needs.
///
/// The result of a failed step always has all details.
public struct RunDetail: OptionSet, Sendable, Hashable {
  /// The set as a number with one bit for each kind of detail.
  public let rawValue: UInt8

  /// Creates a set of kinds of detail.
  ///
  /// - Parameter rawValue: a number with one bit for each kind of detail.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The observer needs the events `stepReady`, `stepStarted` and `stepWaits`.
  public static let lifecycle = RunDetail(rawValue: 1 << 0)
  /// The observer needs the event `stepProgressed`.
  public static let progress = RunDetail(rawValue: 1 << 1)
  /// The observer needs the header fields, all timing phases, sizes and TLS details in the exchanges of passed steps. Without this detail,
  /// these exchanges contain only the method, the URL, the status and the total time.
  public static let fields = RunDetail(rawValue: 1 << 2)
  /// The observer needs the bodies in the exchanges of steps that passed.
  public static let bodies = RunDetail(rawValue: 1 << 3)
  /// The observer needs the values in `StepResult.extracted` and `StepResult.found`.
  public static let extracts = RunDetail(rawValue: 1 << 4)

  /// The observer needs the definitions of the steps in `RunStart.sources`.
  public static let sources = RunDetail(rawValue: 1 << 5)

  /// All details.
  public static let everything: RunDetail = [.lifecycle, .progress, .fields, .bodies, .extracts, .sources]
}
