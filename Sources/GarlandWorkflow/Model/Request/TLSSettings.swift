/// `tls:`; nil settings are unset.
public struct TLSSettings: Sendable {
  /// `ca:`: a PEM file of certificates to trust instead of the system's.
  public internal(set) var ca: FileTemplate?
  /// `cert:`: the client's certificate, a PEM file.
  public internal(set) var cert: FileTemplate?
  /// `key:`: the key of the client's certificate, a PEM file.
  public internal(set) var key: FileTemplate?
  /// `password:`: of the key, or of the PKCS#12 file.
  public internal(set) var password: Template?
  /// `min:`: the lowest version of TLS.
  public internal(set) var minVersion: Setting<TLSVersionSetting>?
  /// `pins:`: public keys, one of which must be in the server's chain. Empty is any.
  public internal(set) var pins: [Setting<PinSetting>] = []
  /// `verify:`. Default: true.
  public internal(set) var verify: Setting<Bool>?

  /// The keys that are null, so that the defaults' are not taken.
  var nulls: Set<TLSKey> = []

  init() {}
}

/// The keys of `tls:`.
enum TLSKey: String, CaseIterable, Hashable, Sendable {
  case ca, cert, key, password, min, pins, verify
}
