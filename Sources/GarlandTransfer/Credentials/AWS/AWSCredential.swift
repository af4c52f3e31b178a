/// An AWS access key and what it signs for (Signature Version 4).
///
/// ```swift
/// let key = AWSCredential(accessKey: "AKID…", secretKey: "…", region: "eu-central-1", service: "s3")
/// session.upload(file: "cover.png", to: url, method: .put).authenticate(.aws(key))
/// let link = try key.presigned("https://bucket.s3.eu-central-1.amazonaws.com/cover.png", expires: .seconds(3600))
/// ```
/// Signed are the method, the URL, `Host`, `Content-Type`, all other fields of the header that the request was given but those that proxies change, and the digest
/// of the content. For that, files and streams are read once before they are sent; see ``payload-swift.property`` for how to avoid it.
public struct AWSCredential: Sendable, Hashable {
  /// What is signed of the content.
  public enum Payload: Sendable, Hashable {
    /// Its digest. The content is read twice, and a stream that can be read only once is refused.
    case digest
    /// Nothing: the service is told `UNSIGNED-PAYLOAD`, which S3 takes over TLS.
    case unsigned
  }

  /// Where the signature goes.
  public enum Placement: Sendable, Hashable {
    /// Into the header: `Authorization`, `X-Amz-Date` and others.
    case header
    /// Into the URL, which works for this long, a week at most (a presigned URL). The content is not signed then, and of the header only `Host`.
    case query(expires: Duration)
  }

  /// The access key's public part.
  public var accessKey: String
  /// The access key's secret part.
  public var secretKey: String
  /// What temporary credentials have besides; nil if they are none.
  public var sessionToken: String?
  /// Such as `eu-central-1`.
  public var region: String
  /// Such as `s3` or `execute-api`.
  public var service: String
  /// What is signed of the content. Defaults to its digest.
  public var payload = Payload.digest
  /// Where the signature goes. Defaults to the header.
  public var placement = Placement.header
  /// The time that the signature is for, in seconds since 1970; nil, the default, is when it is made.
  public var time: Int64?

  /// A key for a service in a region.
  public init(accessKey: String, secretKey: String, sessionToken: String? = nil, region: String, service: String) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
    self.region = region
    self.service = service
  }

  /// S3's rules differ from those of all other services: paths are encoded once and left as they are, and the content's digest is a field of the header.
  var isForStorage: Bool { service == "s3" || service.hasPrefix("s3-") }
}
