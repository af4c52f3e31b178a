import Glibc

/// The system's trusted certificate authorities.
///
/// They are always read from a bundle file and never from a folder. libcurl parses a file only once for all later connections, which saves
/// 30 ms for each connection.
public enum CertificateAuthorities {
  /// The paths at which Linux distributions store the bundle of authorities.
  static let knownPlaces = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7
    "/etc/ssl/cert.pem",  // Alpine, BSDs
  ]

  /// Returns the path of the bundle: the value of `SSL_CERT_FILE` in `environment` if it is set, without a check whether the file is
  /// readable; otherwise the first readable known path. Returns nil if no known path is readable.
  public static func bundle(environment: [String: String] = [:], isReadable: (String) -> Bool = { access($0, R_OK) == 0 }) -> String? {
    if let named = environment["SSL_CERT_FILE"], !named.isEmpty { return named }
    return knownPlaces.first(where: isReadable)
  }

  /// The path of the system's bundle of certificate authorities, for transfers whose settings do not name a bundle; nil if no bundle was
  /// found. The search for the bundle takes place once per process.
  static let system: String? = bundle(environment: getenv("SSL_CERT_FILE").map { ["SSL_CERT_FILE": String(cString: $0)] } ?? [:])
}
