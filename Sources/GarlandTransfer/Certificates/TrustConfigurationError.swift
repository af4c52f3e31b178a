/// An error in the certificates, pins or hosts of a trust configuration.
public enum TrustConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A certificate or key file could not be read.
  case file(FileFailure)
  /// A certificate is invalid or missing.
  case certificate(detail: String)
  /// A text is not a valid pin.
  case pin(String, detail: String)
  /// A text is neither a host, nor `*.` and a domain, nor `*`.
  case host(String)
  /// A host has two evaluators.
  case repeatedHost(String)
  /// An evaluator was created with an empty list, so that it would accept no server. The associated value says
  /// what the list should contain, for example `pinned keys`.
  case empty(String)

  /// The error message.
  public var description: String {
    switch self {
    case .file(let file): "could not \(file.operation.rawValue) \(file.path): \(file.detail)"
    case .certificate(let detail): "the certificate can't be read: \(detail)"
    case .pin(let text, let detail): "\"\(text)\" is not a pin: \(detail)"
    case .host(let text): "\"\(text)\" is not a host: expected a host name, an address, `*.example.com` or `*`"
    case .repeatedHost(let host): "there are two evaluators for the host \(host)"
    case .empty(let what): "there are no \(what), so no server would be accepted"
    }
  }
}
