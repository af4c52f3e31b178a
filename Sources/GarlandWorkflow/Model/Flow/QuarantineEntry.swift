public import GarlandDiagnostics

/// A step whose failures do not count until a date.
public struct QuarantineEntry: Sendable {
  /// The absolute path of the document, symbolic links resolved.
  public let path: String
  /// The document as the list writes it.
  public let document: String
  /// The id of the step.
  public let step: Located<String>
  /// Why its failures do not count.
  public let reason: String
  /// The last day on which they do not count.
  public let until: CalendarDay
  /// The place of the date.
  public let untilRange: SourceRange

  /// Whether failures of the step do not count on a day.
  ///
  /// - Parameter today: the day; nil ends no quarantine.
  public func holds(on today: CalendarDay?) -> Bool { today.map { $0 <= until } ?? true }
}
