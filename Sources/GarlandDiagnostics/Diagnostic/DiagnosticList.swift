/// Collects diagnostics, so that a user sees all mistakes at once and not only the first.
///
/// ```swift
/// var diagnostics = DiagnosticList()
/// diagnostics.report(Diagnostic("empty-file", "the file is empty", at: range))
/// diagnostics.hasErrors  // true
/// ```
public struct DiagnosticList: Sendable {
  /// The diagnostics in the order in which they were reported.
  public private(set) var all: [Diagnostic] = []
  /// Whether at least one diagnostic is an error.
  public private(set) var hasErrors = false

  /// Creates an empty list.
  public init() {}

  /// Whether the list has no diagnostics.
  public var isEmpty: Bool { all.isEmpty }

  /// Adds a diagnostic.
  public mutating func report(_ diagnostic: Diagnostic) {
    all.append(diagnostic)
    if diagnostic.severity == .error { hasErrors = true }
  }

  /// Adds all diagnostics of another list.
  public mutating func append(_ other: DiagnosticList) {
    for diagnostic in other.all { report(diagnostic) }
  }
}
