/// A number of bytes, as `10KB` or `5MiB` says it.
public struct ByteSize: Sendable, Hashable, Comparable {
  /// Bytes.
  public let bytes: Int

  /// - Parameter bytes: bytes.
  public init(bytes: Int) { self.bytes = bytes }

  /// Reads text: digits, perhaps with a fraction, and a unit of `B KB MB GB TB KiB MiB GiB TiB`, in
  /// which K is 1000 and Ki 1024; nil for any other text, or over 2⁶³ − 1 bytes.
  public init?(_ text: String) {
    guard let (amount, unit) = Quantity.split(text), let factor = Self.units[unit] else { return nil }
    guard let bytes = Quantity.scale(amount, by: factor) else { return nil }
    self.bytes = bytes
  }

  private static let units: [String: Int] = [
    "B": 1, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
    "TiB": 1 << 40, "kB": 1000,
  ]

  /// Whether one has fewer bytes than the other.
  public static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }
}
