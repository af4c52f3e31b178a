import Glibc

/// Where the system keeps the certificate authorities that it trusts.
///
/// A bundle file and never a folder: libcurl can keep what it parsed from a file for all later connections, which saves 30 ms for each.
public enum CertificateAuthorities {
  /// The places where Linux distributions have their bundle.
  static let knownPlaces = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7
    "/etc/ssl/cert.pem",  // Alpine, BSDs
  ]

  /// The first bundle that can be read: what the environment says in `SSL_CERT_FILE` (which then is the only one), else a known place.
  public static func bundle(environment: [String: String] = [:], isReadable: (String) -> Bool = { access($0, R_OK) == 0 }) -> String? {
    if let named = environment["SSL_CERT_FILE"], !named.isEmpty { return named }
    return knownPlaces.first(where: isReadable)
  }

  /// The bundle for transfers that name none, looked for once.
  static let system: String? = bundle(environment: getenv("SSL_CERT_FILE").map { ["SSL_CERT_FILE": String(cString: $0)] } ?? [:])
}
