import HTTPTypes

extension HTTPField.Name {
  /// The name of the field `Host`. HTTPTypes represents this field as `authority`, but libcurl expects it as a
  /// field. The literal is a valid token, so the fallback is never used.
  package static let hostField = HTTPField.Name("Host") ?? .referer
}
