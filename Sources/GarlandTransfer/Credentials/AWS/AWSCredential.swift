/// An AWS access key and the service it signs for (Signature Version 4).
///
/// ```swift
/// let key = AWSCredential(accessKey: "AKID…", secretKey: "…", region: "eu-central-1", service: "s3")
/// session.upload(file: "cover.png", to: url, method: .put).authenticate(.aws(key))
/// let link = try key.presigned("https://bucket.s3.eu-central-1.amazonaws.com/cover.png", expires: .seconds(3600))
/// ```
/// The signature covers the method, the URL, `Host`, `Content-Type`, the other header fields of the
/// caller except those that proxies change, and the digest of the content. Files and streams are
/// therefore read once before they are sent; ``payload-swift.property`` can avoid that.
public struct AWSCredential: Sendable, Hashable {
  /// The signed part of the content.
  public enum Payload: Sendable, Hashable {
    /// The digest. The content is read twice, and a stream that can be read only once is refused.
    case digest
    /// No part: the service receives `UNSIGNED-PAYLOAD`, which S3 accepts over TLS.
    case unsigned
  }

  /// The place of the signature.
  public enum Placement: Sendable, Hashable {
    /// The header: `Authorization`, `X-Amz-Date` and others.
    case header
    /// The URL, valid for this duration, a week at most (a presigned URL). The content is not
    /// signed then, and of the header only `Host`.
    case query(expires: Duration)
  }

  /// The public part of the access key.
  public var accessKey: String
  /// The secret part of the access key.
  public var secretKey: String
  /// The token of temporary credentials; nil for others.
  public var sessionToken: String?
  /// The region, such as `eu-central-1`.
  public var region: String
  /// The service, such as `s3` or `execute-api`.
  public var service: String
  /// The signed part of the content. Defaults to its digest.
  public var payload = Payload.digest
  /// The place of the signature. Defaults to the header.
  public var placement = Placement.header
  /// The time of the signature in seconds since 1970; nil, the default, is the time of signing.
  public var time: Int64?

  /// Creates a key for a service in a region.
  public init(accessKey: String, secretKey: String, sessionToken: String? = nil, region: String, service: String) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
    self.region = region
    self.service = service
  }

  /// Whether the rules of S3 apply: paths are encoded once and not normalised, and the content's
  /// digest is a header field.
  var isForStorage: Bool { service == "s3" || service.hasPrefix("s3-") }
}
