/// The lowest TLS version that is allowed, from the key `tls.min:`.
public enum TLSVersionSetting: String, Sendable, Hashable, CaseIterable {
  /// TLS 1.0.
  case tls1_0 = "1.0"
  /// TLS 1.1.
  case tls1_1 = "1.1"
  /// TLS 1.2.
  case tls1_2 = "1.2"
  /// TLS 1.3.
  case tls1_3 = "1.3"
}
