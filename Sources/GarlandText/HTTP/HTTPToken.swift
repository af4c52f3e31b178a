/// The tokens of HTTP, such as methods and the names of header fields (RFC 9110, section 5.6.2).
@usableFromInline package enum HTTPToken {
  /// Whether a byte may be part of a token: a letter, a digit, or one of ``!#$%&'*+-.^_`|~``.
  @inlinable @inline(__always) package static func contains(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    // One bit for each byte that is allowed, for the bytes below 64 and for those from 64.
    let allowed: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return allowed & (1 << UInt64(byte & 63)) != 0
  }

  /// Whether bytes are a token.
  @inlinable package static func isToken(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy { contains($0) } }

  /// Whether a text is a token.
  @inlinable package static func isToken(_ text: some StringProtocol) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { isToken($0) } ?? isToken(text.utf8)
  }
}
