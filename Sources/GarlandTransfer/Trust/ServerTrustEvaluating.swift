/// Decides whether a server is trusted.
///
/// A ``ServerTrustManager`` calls the evaluator before each request to its hosts, on new and reused connections, before any part of the
/// request is sent. The evaluators of this library cover the usual cases; a custom evaluator looks like this:
/// ```swift
/// struct NoNewcomers: ServerTrustEvaluating {
///   func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
///     if let leaf = trust.chain.first, leaf.notBefore > yesterday { throw .refused("it was made today") }
///   }
/// }
/// ```
/// An evaluator runs on the engine's thread and delays all transfers, so it must not wait for anything.
public protocol ServerTrustEvaluating: Sendable {
  /// The name of the evaluator in error messages. Defaults to the name of the type.
  var name: String { get }
  /// The requirements for the connection. Defaults to a verified chain and the right host.
  var requirements: TrustRequirements { get }
  /// Checks the certificates of a server. Throws a problem to refuse the server.
  func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem)
}

extension ServerTrustEvaluating {
  /// The name of the evaluator in error messages: by default the name of the type.
  public var name: String { String(describing: Self.self) }
  /// Default implementation: the server must have a verified certificate chain, and its certificate must match the host.
  public var requirements: TrustRequirements { TrustRequirements() }
}

/// The proof of identity that a server has presented.
public struct ServerTrust: Sendable {
  /// The host of the URL, in lower case and ASCII.
  public let host: String
  /// The certificates, starting with the server's own.
  ///
  /// If ``isVerified`` is true, this is the verified chain: each certificate was issued by the next certificate, and the last certificate
  /// is trusted. The chain excludes other certificates that the server sent, and includes certificates that the server did not send, such
  /// as the root. If ``isVerified`` is false, these are the certificates that the server sent. Such certificates prove only that the server
  /// has the private key of the first certificate.
  public let chain: [Certificate]
  /// Whether the certificate chain was verified successfully.
  public let isVerified: Bool
  /// The stapled OCSP response in DER; nil if it was not requested or not sent.
  public let stapledResponse: [UInt8]?

  /// Creates the proof of a server's identity, which a ``ServerTrustEvaluating`` checks.
  public init(host: String, chain: [Certificate], isVerified: Bool, stapledResponse: [UInt8]? = nil) {
    self.host = host
    self.chain = chain
    self.isVerified = isVerified
    self.stapledResponse = stapledResponse
  }
}

/// The default validation: accepts a server with a chain of valid certificates up to a trusted authority, for
/// the right host.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
  /// Whether the certificate must contain the name or address of the host.
  public let validatesHost: Bool

  /// Creates an evaluator. If `validatesHost` is false (default: true), the certificate may be for another host.
  public init(validatesHost: Bool = true) { self.validatesHost = validatesHost }

  /// The name of the evaluator in error messages: `default validation`.
  public var name: String { "default validation" }
  /// The requirements for the connection: a verified chain and, if ``validatesHost`` is true, a certificate for the host.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost) }
  /// Accepts the server. The default validation consists only of ``requirements``, which were checked before this
  /// call.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
}

extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
  /// An evaluator with the default validation.
  public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }
}

/// Accepts every server.
///
/// Use it only for a development server without a proper certificate.
///
/// Only a session's configuration can disable validation. A request's own ``TransferSettings/Values/serverTrust`` cannot weaken the trust
/// of its session.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
  /// Creates an evaluator that accepts every server.
  public init() {}

  /// The name of the evaluator in error messages: `no validation`.
  public var name: String { "no validation" }
  /// The requirements for the connection: none.
  public var requirements: TrustRequirements { .nothing }
  /// Accepts every server.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
  /// An evaluator that accepts every server.
  public static var disabled: DisabledTrustEvaluator { DisabledTrustEvaluator() }
}
