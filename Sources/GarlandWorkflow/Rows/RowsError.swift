/// The error that is thrown if a file contains no usable rows.
public struct RowsError: Error, Sendable {
  /// The message of the error, as a sentence without a full stop, such as "line 3 has 4 cells, and the first line names 5".
  public let message: String
  /// Advice on how to correct the file.
  public let help: String?

  static let outOfTime = RowsError("the file could not be read within the time limit")

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
