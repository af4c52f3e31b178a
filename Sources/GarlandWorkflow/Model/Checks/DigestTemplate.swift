/// The expected digest of a body, from `expect.sha256`.
public enum DigestTemplate: Sendable {
  /// The digest as 64 hexadecimal digits.
  case hex(Setting<DigestText>)
  /// A file whose content must have the same digest as the body.
  case file(FileTemplate)
}

/// The 64 hexadecimal digits of a SHA-256 digest.
public struct DigestText: Sendable, Hashable {
  /// The hexadecimal digits of the digest, in lower case.
  public let hex: String
}
