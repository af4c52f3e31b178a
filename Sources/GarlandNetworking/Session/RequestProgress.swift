/// The upload or download progress of a body.
public struct RequestProgress: Sendable, Hashable {
  /// The number of bytes sent, or received and decoded.
  public let completed: Int64
  /// The total number of bytes; nil if unknown.
  public let total: Int64?

  /// Creates a progress value.
  public init(completed: Int64, total: Int64?) {
    self.completed = completed
    self.total = total
  }

  /// The fraction between 0 and 1; nil if the total is unknown.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }
}
