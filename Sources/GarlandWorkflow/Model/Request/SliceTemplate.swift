/// The slice of a file that a request sends: `offset:` and `length:` in the same mapping as `file:`.
public struct SliceTemplate: Sendable {
  /// `offset:`: the first byte, counted from 0. Default: 0.
  public let offset: Setting<ByteCount>?
  /// `length:`: the number of bytes; fewer if the file ends before. Default: up to the end.
  public let length: Setting<ByteCount>?
}

/// A number of bytes, with or without a unit: `5242880`, `5MiB`.
public struct ByteCount: Sendable, Hashable {
  /// The number.
  public let bytes: Int64
}
