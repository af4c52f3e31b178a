/// The settings for TLS, from the key `tls:`. A setting that is nil is unset.
public struct TLSSettings: Sendable {
  /// A PEM file with the certificates that are trusted instead of those of the system, from the key `ca:`.
  public internal(set) var ca: FileTemplate?
  /// The file with the client certificate, from the key `cert:`.
  public internal(set) var cert: FileTemplate?
  /// A PEM file with the private key of the client certificate, from the key `key:`.
  public internal(set) var key: FileTemplate?
  /// The password of the private key or of the PKCS#12 file, from the key `password:`.
  public internal(set) var password: Template?
  /// The lowest TLS version that is allowed, from the key `min:`.
  public internal(set) var minVersion: Setting<TLSVersionSetting>?
  /// Public keys, at least one of which must be in the server's certificate chain, from the key `pins:`. If the list is empty, any key is
  /// accepted.
  public internal(set) var pins: [Setting<PinSetting>] = []
  /// Whether the server's certificate is verified, from the key `verify:`. Default: true.
  public internal(set) var verify: Setting<Bool>?

  /// The keys whose value is null in the document. For these keys, the settings of `defaults:` are not used.
  var nulls: Set<TLSKey> = []

  init() {}
}

/// The keys of the mapping `tls:`.
enum TLSKey: String, CaseIterable, Hashable, Sendable {
  case ca, cert, key, password, min, pins, verify
}
