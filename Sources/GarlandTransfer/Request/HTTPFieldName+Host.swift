import HTTPTypes

extension HTTPField.Name {
  /// The field `Host`, which HTTPTypes handles as `authority`; libcurl takes it as a field. The
  /// literal is a token, so the fallback is never used.
  package static let hostField = HTTPField.Name("Host") ?? .referer
}
