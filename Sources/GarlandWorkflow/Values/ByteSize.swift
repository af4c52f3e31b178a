/// A number of bytes that is written with a unit, such as `10KB` or `5MiB`.
public struct ByteSize: Sendable, Hashable, Comparable {
  /// The number of bytes.
  public let bytes: Int

  /// Reads a size from a text: a number, which may have a fraction, and one of the units `B KB MB GB TB KiB MiB GiB TiB`. K is 1000 and Ki
  /// is 1024. Returns nil for any other text, and for more than 2⁶³ − 1 bytes.
  public init?(_ text: String) {
    guard let (amount, unit) = Quantity.split(text), let factor = Self.units[unit] else { return nil }
    guard let bytes = Quantity.scale(amount, by: factor) else { return nil }
    self.bytes = bytes
  }

  private static let units: [String: Int] = [
    "B": 1, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
    "TiB": 1 << 40, "kB": 1000,
  ]

  /// Whether the size `left` is smaller than the size `right`.
  public static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }
}
