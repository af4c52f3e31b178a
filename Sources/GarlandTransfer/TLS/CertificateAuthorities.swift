import Glibc

/// The system's trusted certificate authorities.
///
/// Always a bundle file and never a folder: libcurl can cache the parsed file for all later
/// connections, which saves 30 ms for each.
public enum CertificateAuthorities {
  /// The paths of the bundle in Linux distributions.
  static let knownPlaces = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7
    "/etc/ssl/cert.pem",  // Alpine, BSDs
  ]

  /// Returns the first readable bundle: only that of `SSL_CERT_FILE` if the environment sets it,
  /// otherwise one of the known paths.
  public static func bundle(environment: [String: String] = [:], isReadable: (String) -> Bool = { access($0, R_OK) == 0 }) -> String? {
    if let named = environment["SSL_CERT_FILE"], !named.isEmpty { return named }
    return knownPlaces.first(where: isReadable)
  }

  /// The bundle for transfers that name none, found once.
  static let system: String? = bundle(environment: getenv("SSL_CERT_FILE").map { ["SSL_CERT_FILE": String(cString: $0)] } ?? [:])
}
