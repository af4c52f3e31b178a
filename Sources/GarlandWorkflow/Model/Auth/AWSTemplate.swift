/// Credentials for AWS: `aws: {access_key, secret_key, session_token, region, service}`.
public struct AWSTemplate: Sendable {
  /// `access_key:`.
  public let accessKey: Template
  /// `secret_key:`.
  public let secretKey: Template
  /// `session_token:`, only for temporary credentials.
  public let sessionToken: Template?
  /// `region:`.
  public let region: Template
  /// `service:`.
  public let service: Template
}
