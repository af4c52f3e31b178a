import GarlandCrypto
import GarlandText
import Glibc
import HTTPTypes

/// Signs requests (Signature Version 4). The same input yields the same signature.
struct AWSSigner {
  private static let algorithm = "AWS4-HMAC-SHA256"
  static let unsigned = "UNSIGNED-PAYLOAD"
  private static let maximumExpiry: Duration = .seconds(7 * 24 * 3600)
  /// The names of the caller's header fields that are not signed, because proxies may change these fields or the signer adds them itself.
  private static let unsignedFields: Set<String> = [
    "authorization", "connection", "content-length", "expect", "proxy-authorization", "transfer-encoding", "user-agent", "x-amzn-trace-id",
    "accept-encoding", "te", "upgrade", "cookie",
  ]

  let credential: AWSCredential
  /// The time of the signature in the form `20150830T123600Z`.
  private let timestamp: String
  private let scope: String

  /// Creates a signer. `time` is the time of the signature in seconds since 1970.
  init(_ credential: AWSCredential, time: Int64) {
    self.credential = credential
    timestamp = Self.timestamp(time)
    scope = "\(timestamp.prefix(8))/\(credential.region)/\(credential.service)/aws4_request"
  }

  /// The changes that add a signature to a request: new header fields or a new URL.
  struct Signature {
    var fields: [HTTPField] = []
    /// The URL to send the request to; it may contain the signature.
    var url: URLReference
  }

  /// Signs a request. `contentDigest` is the content's digest in hexadecimal; it is not needed if
  /// the content is not signed.
  func sign(method: String, url: URLReference, fields: HTTPFields, contentDigest: String) throws(CryptoError) -> Signature {
    switch credential.placement {
    case .header: try signHeader(method: method, url: url, fields: fields, contentDigest: contentDigest)
    case .query(let expires): try signQuery(method: method, url: url, fields: fields, expires: expires)
    }
  }

  private func signHeader(
    method: String, url: URLReference, fields: HTTPFields, contentDigest: String
  ) throws(CryptoError) -> Signature {
    let isSigned = credential.payload == .digest
    let payload = isSigned ? contentDigest : Self.unsigned
    var added: [(name: String, value: String)] = [("X-Amz-Date", timestamp)]
    if credential.isForStorage || !isSigned { added.append(("X-Amz-Content-Sha256", payload)) }
    if let token = credential.sessionToken { added.append(("X-Amz-Security-Token", token)) }
    let replaced = Set(added.map { $0.name.lowercased() })
    var signed = [(name: "host", value: fields[.hostField] ?? Self.host(of: url))]
    for field in fields {
      let name = field.name.canonicalName
      if name != "host", !replaced.contains(name), !Self.unsignedFields.contains(name) { signed.append((name, field.value)) }
    }
    signed += added.map { ($0.name.lowercased(), $0.value) }
    let request = AWSRequest(
      method: method, path: url.path, query: url.query, fields: signed, payload: payload, encodesPathOnce: credential.isForStorage)
    var result = Signature(url: url)
    for field in added {
      if let name = HTTPField.Name(field.name) { result.fields.append(HTTPField(name: name, value: field.value)) }
    }
    result.fields.append(
      HTTPField(
        name: .authorization,
        value: "\(Self.algorithm) Credential=\(credential.accessKey)/\(scope), SignedHeaders=\(request.signedNames), "
          + "Signature=\(try signature(of: request))"))
    return result
  }

  private func signQuery(method: String, url: URLReference, fields: HTTPFields, expires: Duration) throws(CryptoError) -> Signature {
    let seconds = max(1, min(expires, Self.maximumExpiry).components.seconds)
    var parameters = [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credential.accessKey)/\(scope)"), ("X-Amz-Date", timestamp),
      ("X-Amz-Expires", String(seconds)),
    ]
    if let token = credential.sessionToken { parameters.append(("X-Amz-Security-Token", token)) }
    parameters.append(("X-Amz-SignedHeaders", "host"))
    var target = url
    let added = parameters.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
    target.query = (url.query.map { $0.isEmpty ? "" : $0 + "&" } ?? "") + added
    let payload = credential.isForStorage ? Self.unsigned : try Digest(of: EmptyCollection<UInt8>(), using: .sha256).hex
    let request = AWSRequest(
      method: method, path: target.path, query: target.query, fields: [("host", fields[.hostField] ?? Self.host(of: url))],
      payload: payload, encodesPathOnce: credential.isForStorage)
    target.query = (target.query ?? "") + "&X-Amz-Signature=\(try signature(of: request))"
    return Signature(url: target)
  }

  func signature(of request: AWSRequest) throws(CryptoError) -> String {
    let digest = try Digest(of: request.canonical.utf8, using: .sha256).hex
    var key = Array("AWS4\(credential.secretKey)".utf8)
    for part in [String(timestamp.prefix(8)), credential.region, credential.service, "aws4_request"] {
      key = try HMAC.authenticate(part.utf8, key: key, using: .sha256).bytes
    }
    return try HMAC.authenticate("\(Self.algorithm)\n\(timestamp)\n\(scope)\n\(digest)".utf8, key: key, using: .sha256).hex
  }

  /// Returns the host as libcurl writes it: without the scheme's default port.
  static func host(of url: URLReference) -> String {
    let host = url.host ?? ""
    guard let port = url.port, port != (url.scheme == "https" ? 443 : 80) else { return host }
    return "\(host):\(port)"
  }

  /// Returns a time such as `20150830T123600Z`.
  private static func timestamp(_ time: Int64) -> String {
    InternetTime.text(seconds: time).filter { $0 != "-" && $0 != ":" }
  }
}

extension AWSCredential {
  /// Returns a presigned URL, which anyone can use without another credential until it expires.
  ///
  /// ```swift
  /// let link = try key.presigned("https://bucket.s3.amazonaws.com/cover.png", expires: .seconds(3600))
  /// ```
  /// `expires` is at most a week. The URL is valid only for requests with the given method, by default GET.
  public func presigned(_ url: String, method: HTTPRequest.Method = .get, expires: Duration) throws(NetworkingError) -> String {
    var credential = self
    credential.placement = .query(expires: expires)
    do {
      var target = try URLReference(url)
      guard target.host != nil else { throw NetworkingError(.invalidRequest("a URL to sign needs a host"), url: url) }
      if target.path.isEmpty { target.path = "/" }
      target.fragment = nil
      let signer = AWSSigner(credential, time: time ?? Int64(Glibc.time(nil)))
      return try signer.sign(method: method.rawValue, url: target, fields: HTTPFields(), contentDigest: "").url.description
    } catch let error as NetworkingError {
      throw error
    } catch let error as URLReferenceError {
      throw NetworkingError(.invalidRequest(error.description), url: url)
    } catch {
      throw NetworkingError(.unsupported("\(error)"), url: url)
    }
  }
}
