import HTTPTypes

extension HTTPField.Name {
  /// `Host`, which HTTPTypes leaves to its `authority`; libcurl takes it as a field. The literal is a token: the fallback is never taken.
  package static let hostField = HTTPField.Name("Host") ?? .referer
}
