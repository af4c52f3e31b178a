/// The slice of a file that a request sends: `offset:` and `length:` in the same mapping as `file:`.
public struct SliceTemplate: Sendable {
  /// `offset:`: the first byte, counted from 0. Default: 0.
  public let offset: Setting<ByteCount>?
  /// The number of bytes, `length:`; fewer if the file ends earlier. Default: all bytes up to the end of the file.
  public let length: Setting<ByteCount>?
}

/// A number of bytes, with or without a unit: `5242880`, `5MiB`.
public struct ByteCount: Sendable, Hashable {
  /// The number of bytes.
  public let bytes: Int64
}
