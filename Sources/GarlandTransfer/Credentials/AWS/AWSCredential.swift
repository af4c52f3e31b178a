/// An AWS access key, and the region and service for which it signs requests (Signature Version 4).
///
/// ```swift
/// let key = AWSCredential(accessKey: "AKID…", secretKey: "…", region: "eu-central-1", service: "s3")
/// session.upload(file: "cover.png", to: url, method: .put).authenticate(.aws(key))
/// let link = try key.presigned("https://bucket.s3.eu-central-1.amazonaws.com/cover.png", expires: .seconds(3600))
/// ```
/// The signature covers the method, the URL, `Host`, `Content-Type`, the other header fields of the
/// caller except those that proxies change, and the digest of the content. For the digest, files and
/// streams are read once before they are sent; ``payload-swift.property`` can avoid that.
public struct AWSCredential: Sendable, Hashable {
  /// The choice whether the signature covers the content of the request.
  public enum Payload: Sendable, Hashable {
    /// The signature covers the content's digest. The content is read twice, so a stream that can be read
    /// only once is refused.
    case digest
    /// The signature does not cover the content: the service receives `UNSIGNED-PAYLOAD`, which S3 accepts
    /// over TLS.
    case unsigned
  }

  /// The part of the request that contains the signature.
  public enum Placement: Sendable, Hashable {
    /// The signature is in the header fields `Authorization`, `X-Amz-Date` and others.
    case header
    /// The signature is in the query of the URL. Such a presigned URL is valid for the given duration, at most a week. The signature then
    /// covers neither the content nor any header field except `Host`.
    case query(expires: Duration)
  }

  /// The public part of the access key.
  public var accessKey: String
  /// The secret part of the access key.
  public var secretKey: String
  /// The session token of temporary credentials; nil for permanent credentials.
  public var sessionToken: String?
  /// The region, such as `eu-central-1`.
  public var region: String
  /// The service, such as `s3` or `execute-api`.
  public var service: String
  /// The way in which the signature covers the content. Defaults to ``Payload/digest``: the signature covers the content's digest.
  public var payload = Payload.digest
  /// The part of the request that contains the signature. Defaults to the header.
  public var placement = Placement.header
  /// The time of the signature in seconds since 1970. Defaults to nil, which means the time of signing.
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
  /// digest is sent as a header field.
  var isForStorage: Bool { service == "s3" || service.hasPrefix("s3-") }
}
