/// Why a file gives no rows.
public struct RowsError: Error, Sendable {
  /// A sentence without an end: "line 3 has 4 cells, and the first line names 5".
  public let message: String
  /// The advice.
  public let help: String?

  static let outOfTime = RowsError("the time for reading it was over")

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
