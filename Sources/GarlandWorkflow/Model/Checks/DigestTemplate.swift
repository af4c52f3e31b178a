/// `expect.sha256`: the expected digest, or a file with the expected content.
public enum DigestTemplate: Sendable {
  /// The digest itself, in 64 hexadecimal digits.
  case hex(Setting<DigestText>)
  /// A file whose digest is expected.
  case file(FileTemplate)
}

/// The 64 hexadecimal digits of a SHA-256 digest.
public struct DigestText: Sendable, Hashable {
  /// The hexadecimal digits of the digest, in lower case.
  public let hex: String
}
