/// How far a body has come.
public struct RequestProgress: Sendable, Hashable {
  /// Bytes that were sent, or received and decoded.
  public let completed: Int64
  /// Bytes in all, nil if that is unknown.
  public let total: Int64?

  /// Both.
  public init(completed: Int64, total: Int64?) {
    self.completed = completed
    self.total = total
  }

  /// Between 0 and 1, nil if the total is unknown.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }
}
