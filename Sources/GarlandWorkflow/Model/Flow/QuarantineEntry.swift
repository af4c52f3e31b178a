public import GarlandDiagnostics

/// A quarantined step. Until a certain date, its failures do not count.
public struct QuarantineEntry: Sendable {
  /// The absolute path of the quarantined step's document, with symbolic links resolved.
  public let path: String
  /// The path of the document as written in the list.
  public let document: String
  /// The id of the step.
  public let step: Located<String>
  /// The reason why the step's failures do not count.
  public let reason: String
  /// The last day on which the step's failures do not count.
  public let until: CalendarDay
  /// The source range of the date.
  public let untilRange: SourceRange

  /// Whether failures of the step do not count on the given day.
  ///
  /// - Parameter today: the day; if nil, every quarantine is still in effect.
  public func holds(on today: CalendarDay?) -> Bool { today.map { $0 <= until } ?? true }
}
