/// `expect.sha256`: a digest, or a file that has it.
public enum DigestTemplate: Sendable {
  /// 64 hexadecimal digits.
  case hex(Setting<DigestText>)
  /// The digest of this file.
  case file(FileTemplate)
}

/// The 64 hexadecimal digits of a SHA-256 digest.
public struct DigestText: Sendable, Hashable {
  /// The digits in lower case.
  public let hex: String
}
