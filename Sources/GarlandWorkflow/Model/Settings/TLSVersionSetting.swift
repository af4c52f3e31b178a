/// `tls.min:`: a version of TLS.
public enum TLSVersionSetting: String, Sendable, Hashable, CaseIterable {
  case tls1_0 = "1.0"
  case tls1_1 = "1.1"
  case tls1_2 = "1.2"
  case tls1_3 = "1.3"
}
