/// What is wrong with certificates, pins or hosts that trust is to be built on.
public enum TrustConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file could not be read.
  case file(FileFailure)
  /// A certificate could not be read, or there is none.
  case certificate(detail: String)
  /// A text is no pin.
  case pin(String, detail: String)
  /// A text is neither a host, nor `*.` and a domain, nor `*`.
  case host(String)
  /// Two texts mean the same host.
  case repeatedHost(String)
  /// There is nothing that could ever be accepted.
  case empty(String)

  /// Human words.
  public var description: String {
    switch self {
    case .file(let file): "could not \(file.operation.rawValue) \(file.path): \(file.detail)"
    case .certificate(let detail): "the certificate can't be read: \(detail)"
    case .pin(let text, let detail): "\"\(text)\" is no pin: \(detail)"
    case .host(let text): "\"\(text)\" is no host: a host name, an address, `*.example.com` or `*` would be"
    case .repeatedHost(let host): "there are two evaluators for the host \(host)"
    case .empty(let what): "there are no \(what), so that nothing would be accepted"
    }
  }
}
