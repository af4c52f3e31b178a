/// A credential for one origin.
///
/// It is sent to the origin of the request's URL and to no other, also on redirects and retries.
///
/// ```swift
/// session.request(url).authenticate(.digest(user: "alice", password: "secret"))
/// try configuration.credentials.set(.bearer(token), for: "https://api.example.com")
/// ```
/// If a request has its own `Authorization` field, it is sent with that field instead.
public enum Credential: Sendable, Hashable {
  /// A user and password that are sent only as the answer to a challenge. They are sent as digests if the server offers Digest (see
  /// ``digest(user:password:)``), and as plain text if the server requires Basic. Later requests of the same engine to the same protection
  /// space contain the answer without waiting for a challenge.
  case challenged(user: String, password: String)
  /// The user and password are sent as plain text (RFC 7617, in UTF-8), without waiting for a challenge.
  case basic(user: String, password: String)
  /// The token is sent as a bearer token (RFC 6750), without waiting for a challenge.
  case bearer(String)
  /// A user and password that are sent only as digests (RFC 7616). Supported are MD5, SHA-256 and SHA-512-256, also as session variants
  /// (`-sess`), with the qualities of protection `auth` and `auth-int`.
  ///
  /// The first request to a protection space receives a challenge and is sent again; later requests of the same engine contain the answer
  /// to the challenge from the start. Large content, and content that can be read only once, is sent only after the server has permitted
  /// it, unless ``TransferSettings/Values/expectContinue`` is `never`.
  case digest(user: String, password: String)
  /// A Kerberos ticket (RFC 4559) from the process's credential cache, which `kinit` fills.
  ///
  /// Works over HTTP/1.1 only.
  ///
  /// libcurl implements Negotiate, if it was built with GSS-API; otherwise the request fails with
  /// ``NetworkingError/Reason/unsupported(_:)``. The Kerberos library contacts its servers on the engine's
  /// thread, so an unresponsive server delays the engine's other transfers. Use a separate engine if that
  /// matters.
  case negotiate
  /// NTLM with user and password, over HTTP/1.1.
  ///
  /// The user may be written as `DOMAIN\user`.
  ///
  /// libcurl implements this scheme, if it was built with NTLM; otherwise the request fails with
  /// ``NetworkingError/Reason/unsupported(_:)``. NTLM authenticates the connection and not each request, so a proxy must not use the same
  /// connection for other clients. See the page ProvingWhoIsAsking of GarlandNetworking.
  case ntlm(user: String, password: String)
  /// The request is signed with an AWS access key (Signature Version 4).
  indirect case aws(AWSCredential)
}
