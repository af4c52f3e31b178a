/// What proves who is asking. It goes to the origin of the request's URL and to no other, on redirects and retries as well.
///
/// ```swift
/// session.request(url).authenticate(.digest(user: "alice", password: "secret"))
/// try configuration.credentials.set(.bearer(token), for: "https://api.example.com")
/// ```
/// A request with an `Authorization` field of its own is sent with that instead.
public enum Credential: Sendable, Hashable {
  /// User and password that answer the challenge which comes, and are not sent before: by digests where the server offers them (see ``digest(user:password:)``),
  /// as they are where it asks for Basic only. Later requests of the same engine to the same part of the origin have the answer with them.
  case challenged(user: String, password: String)
  /// User and password as they are (RFC 7617, in UTF-8), sent at once and not only when asked for.
  case basic(user: String, password: String)
  /// A token (RFC 6750), sent at once.
  case bearer(String)
  /// User and password, of which only digests are sent (RFC 7616): MD5, SHA-256 and SHA-512-256, with sessions, for `auth` and `auth-int`.
  ///
  /// The first request to a protection space is answered with a challenge, and sent again; later ones of the same engine have the answer with them. Large
  /// content, and such that can be read only once, waits for the server's leave in the meantime, unless ``TransferSettings/Values/expectContinue`` forbids that.
  case digest(user: String, password: String)
  /// A Kerberos ticket (RFC 4559) from the process's credential cache, where `kinit` puts it. Over HTTP/1.1.
  ///
  /// libcurl does this, where it was built with GSS-API; otherwise the request fails with ``NetworkingError/Reason/unsupported(_:)``. The Kerberos library asks its
  /// servers on the engine's thread, so that one that does not answer holds up the engine's other transfers: use an engine of its own where that matters.
  case negotiate
  /// NTLM, with user and password; the user may be written as `DOMAIN\user`. Over HTTP/1.1.
  ///
  /// libcurl does this, where it was built with it; otherwise the request fails with ``NetworkingError/Reason/unsupported(_:)``. It is the connection that is
  /// authenticated: whatever stands between must keep it for this client. See <doc:ProvingWhoIsAsking>.
  case ntlm(user: String, password: String)
  /// A signature by an AWS access key (Signature Version 4).
  indirect case aws(AWSCredential)
}
