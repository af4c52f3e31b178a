extension TLSFact: DocumentKey {
  static let table = KeyTable<TLSFact>("`tls`")

  var info: KeyInfo {
    switch self {
    case .daysLeft: KeyInfo(.check, "Whole days until the certificate expires.", "{ gte: 14 }")
    case .expiresIn: KeyInfo(.table("predicates of a time"), "The time until the certificate expires.", "{ gt: 14d }")
    case .subject: KeyInfo(.check, "The subject of the certificate.", "{ contains: CN=shop.example.com }")
    case .issuer: KeyInfo(.check, "The issuer of the certificate.", "{ contains: Let's Encrypt }")
    case .san:
      KeyInfo(
        .check, "The names that the certificate is for, a list.", "{ contains: shop.example.com }")
    case .fingerprint:
      KeyInfo(.check, "The SHA-256 digest of the certificate, in hexadecimal.", "{ length: 64 }")
    case .version: KeyInfo(.check, "The version of TLS.", "1.3")
    case .cipher: KeyInfo(.check, "The cipher suite, as OpenSSL names it.", "{ starts_with: TLS_AES }")
    }
  }
}
