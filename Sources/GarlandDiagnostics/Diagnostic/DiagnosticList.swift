/// Collects what one pass finds, so that a user sees all of it at once.
///
/// ```swift
/// var diagnostics = DiagnosticList()
/// diagnostics.report(Diagnostic("empty-file", "the file is empty", at: range))
/// diagnostics.hasErrors  // true
/// ```
public struct DiagnosticList: Sendable {
  /// In the order of discovery.
  public private(set) var all: [Diagnostic] = []
  /// Whether any of them is an error.
  public private(set) var hasErrors = false

  /// An empty list.
  public init() {}

  /// Whether nothing was found.
  public var isEmpty: Bool { all.isEmpty }

  /// Adds one.
  public mutating func report(_ diagnostic: Diagnostic) {
    all.append(diagnostic)
    if diagnostic.severity == .error { hasErrors = true }
  }

  /// Adds all of another list.
  public mutating func append(_ other: DiagnosticList) {
    for diagnostic in other.all { report(diagnostic) }
  }
}
