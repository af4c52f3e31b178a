/// The slice of a file that a request sends, from the keys `offset:` and `length:` in the same mapping as `file:`.
public struct SliceTemplate: Sendable {
  /// The offset of the first byte, from the key `offset:`, counted from 0. Default: 0.
  public let offset: Setting<ByteCount>?
  /// The number of bytes, from the key `length:`. It is smaller if the file ends earlier. Default: all bytes up to the end of the file.
  public let length: Setting<ByteCount>?
}

/// A number of bytes, written with or without a unit, such as `5242880` or `5MiB`.
public struct ByteCount: Sendable, Hashable {
  /// The number of bytes.
  public let bytes: Int64
}
