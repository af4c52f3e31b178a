/// How urgent a transfer is, compared with others that wait for a connection to the same origin.
///
/// Of those that wait, the more urgent go first; those of the same priority go in the order in which they came. Over HTTP/2 it is told to the
/// server as well, which may make of it what it likes.
public enum TransferPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// After all others.
  case low
  /// The default.
  case normal
  /// Before all others.
  case high

  /// By urgency.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The weight of an HTTP/2 stream, from 1 to 256, of which 16 is the default (RFC 7540, section 5.3.2).
  var streamWeight: Int {
    switch self {
    case .low: 4
    case .normal: 16
    case .high: 64
    }
  }
}
