/// Credentials for AWS: `aws: {access_key, secret_key, session_token, region, service}`.
public struct AWSTemplate: Sendable {
  /// The access key of the AWS account, from the key `access_key:`.
  public let accessKey: Template
  /// The secret key of the AWS account, from the key `secret_key:`.
  public let secretKey: Template
  /// The session token, which only temporary credentials have, from the key `session_token:`.
  public let sessionToken: Template?
  /// The AWS region, such as `eu-central-1`: `region:`.
  public let region: Template
  /// The AWS service, such as `s3`: `service:`.
  public let service: Template
}
