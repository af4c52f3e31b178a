/// The settings of `tls:`. A setting that is nil is unset.
public struct TLSSettings: Sendable {
  /// `ca:`: a PEM file with the certificates that are trusted instead of the system's.
  public internal(set) var ca: FileTemplate?
  /// `cert:`: the client certificate, a PEM file.
  public internal(set) var cert: FileTemplate?
  /// `key:`: the private key of the client certificate, a PEM file.
  public internal(set) var key: FileTemplate?
  /// `password:`: the password of the private key, or of the PKCS#12 file.
  public internal(set) var password: Template?
  /// `min:`: the lowest TLS version that is allowed.
  public internal(set) var minVersion: Setting<TLSVersionSetting>?
  /// `pins:`: public keys. At least one of these keys must be in the server's certificate chain. If the list is empty, any key is
  /// accepted.
  public internal(set) var pins: [Setting<PinSetting>] = []
  /// Whether the server's certificate is verified: `verify:`. Default: true.
  public internal(set) var verify: Setting<Bool>?

  /// The keys that are null in the document, so that their defaults are not used.
  var nulls: Set<TLSKey> = []

  init() {}
}

/// The keys of `tls:`.
enum TLSKey: String, CaseIterable, Hashable, Sendable {
  case ca, cert, key, password, min, pins, verify
}
