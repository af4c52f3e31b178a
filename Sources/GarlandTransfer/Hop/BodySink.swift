import GarlandCrypto

/// The destination to which the bytes of a response's body are written.
enum BodySink {
  /// No body is stored: the body has not begun yet, or it is discarded, since it belongs to a redirect that is followed.
  case none
  case memory([UInt8])
  case prefix([UInt8], limit: Int, DigestHasher?)
  case file(DownloadWriter)
  case channel(BodyChannel)

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkingError) {
    switch self {
    case .none: break
    case .memory(var buffer):
      // Remove the buffer from `self` first, so that appending does not copy it.
      self = .none
      // The buffer grows to twice its size. Until the bytes are copied, the old buffer exists too.
      let count = buffer.count + bytes.count
      if AddressSpace.isLimited, count > buffer.capacity,
        let shortage = AddressSpace.shortage(ofBlock: count * 2, { buffer.reserveCapacity(count * 2) })
      {
        throw NetworkingError(.noRoom(for: "the body", shortage))
      }
      buffer.append(contentsOf: bytes)
      self = .memory(buffer)
    case .prefix(var buffer, let limit, let hasher):
      if buffer.count < limit {
        self = .none
        buffer.append(contentsOf: bytes.prefix(limit - buffer.count))
        self = .prefix(buffer, limit: limit, hasher)
      }
      do {
        try hasher?.update(bytes)
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
    case .file(let writer): try writer.write(bytes)
    case .channel(let channel): channel.append(bytes)
    }
  }

  /// Removes bytes that were written to a file but are no longer needed.
  mutating func abandon() {
    if case .file(let writer) = self { writer.abandon() }
    self = .none
  }
}
