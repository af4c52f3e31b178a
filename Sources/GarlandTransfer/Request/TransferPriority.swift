/// The priority of a transfer among others that wait for a connection to the same origin.
///
/// Transfers with a higher priority go first; transfers with equal priority go in the order of arrival. Over HTTP/2 the server
/// receives the priority too, and may use or ignore it.
public enum TransferPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// The transfer goes after the transfers of all other priorities.
  case low
  /// The default.
  case normal
  /// The transfer goes before the transfers of all other priorities.
  case high

  /// Orders priorities from low to high.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The weight of an HTTP/2 stream, from 1 to 256; the default is 16 (RFC 7540, section 5.3.2).
  var streamWeight: Int {
    switch self {
    case .low: 4
    case .normal: 16
    case .high: 64
    }
  }
}
