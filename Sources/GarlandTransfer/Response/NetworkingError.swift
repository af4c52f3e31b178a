/// The reason why a transfer has no complete response, with the transfer's URL, metrics and received data.
///
/// ```swift
/// do throws(NetworkingError) {
///   let response = try await engine.response(for: request)
/// } catch {
///   print(error)            // "connection refused by 127.0.0.1:8080"
///   if error.isUnreachable { … }
/// }
/// ```
/// A response with status 404 or 500 is not an error here, since it is a complete response. The message never
/// contains a header value or a body, so only its URL may need masking.
public struct NetworkingError: Error, Sendable, CustomStringConvertible {
  /// The reason for the error.
  public let reason: Reason
  /// The URL of the request that failed, after redirects; nil if the error occurred before the URL was known.
  public var url: String?
  /// The metrics of the transfer up to the error; empty if no request was sent.
  public var metrics: TransferMetrics
  /// The reason why the request was not retried; nil if no retrier gave a reason.
  public var retryRefusal: RetryRefusal?
  /// Whether the host has already answered: with a redirect during this transfer, or on an earlier connection of the same stream. If true,
  /// the host does not count as unreachable when the transfer reaches its deadline.
  package var hasAnswered = false
  /// The received part of the response; nil if its header had not arrived.
  public var partialResponse: TransferResponse? {
    get { partial?.response }
    set { partial = Box(newValue, resumeData) }
  }
  /// The resume data of the download; nil if the download cannot be resumed, or if its partial file was not kept. See
  /// ``DownloadTarget/partial-swift.property``.
  public var resumeData: ResumeData? {
    get { partial?.resumeData }
    set { partial = Box(partialResponse, newValue) }
  }

  /// The partial response and resume data. They are boxed, because a response is large and this error is often
  /// part of a `Result`.
  private var partial: Box?
  private final class Box: Sendable {
    let response: TransferResponse?
    let resumeData: ResumeData?

    init?(_ response: TransferResponse?, _ resumeData: ResumeData?) {
      if response == nil, resumeData == nil { return nil }
      self.response = response
      self.resumeData = resumeData
    }
  }

  /// Creates an error from its reason.
  public init(_ reason: Reason, url: String? = nil, metrics: TransferMetrics = TransferMetrics()) {
    self.reason = reason
    self.url = url
    self.metrics = metrics
  }

  /// The error message, which does not contain the URL.
  public var description: String {
    var words = reason.description
    if case .validation(.unacceptableStatus(401)) = reason, let refusal = partialResponse?.authenticationRefusal { words += ": \(refusal)" }
    guard let retryRefusal else { return words }
    return "\(words) (\(retryRefusal))"
  }

  /// Whether the host was unreachable: its name did not resolve, or no TCP or TLS connection was
  /// possible.
  public var isUnreachable: Bool {
    switch reason.kind {
    case .resolve, .refused, .unreachable, .tls, .proxy: true
    case .timeout: reason.timeout.map { $0.phase <= .securing && !($0.limit == .deadline && hasAnswered) } ?? false
    default: false
    }
  }
}

extension NetworkingError {
  /// The reason why a background session could not be created or used.
  public enum Background: Sendable, Hashable, CustomStringConvertible {
    /// This identifier is already used by another session, in this process or in another process.
    case inUse(identifier: String)
    /// The file with the session's journal could not be read or written.
    case journal(File)
    /// The identifier, the folder or the configuration of the session is invalid. The associated value is the reason.
    case unusable(String)

    /// The error message.
    public var description: String {
      switch self {
      case .inUse(let identifier): "the background session \(identifier) is in use, and one process at a time can have it"
      case .journal(let file): "could not \(file.operation.rawValue) the journal \(file.path): \(file.detail)"
      case .unusable(let detail): "the background session can't be used: \(detail)"
      }
    }
  }
}

extension NetworkingError {
  /// The error that the caller's code has thrown, for example in an adapter, a validator or a serializer; nil if there is none.
  public var underlyingError: (any Error)? {
    switch reason {
    case .adaptation(let underlying), .validation(.custom(let underlying)), .serialization(.custom(let underlying)),
      .authentication(.refreshFailed(let underlying)), .parameters(.failed(let underlying)):
      underlying.error
    default: nil
    }
  }

  /// An error thrown by the caller's code: by an interceptor, a validator or a serializer.
  ///
  /// Two errors are equal if they have the same type and description.
  public struct Underlying: Sendable, Hashable, CustomStringConvertible {
    /// The original error that the caller's code has thrown.
    public let error: any Error

    /// Wraps an error.
    public init(_ error: any Error) { self.error = error }

    /// The description of the error.
    public var description: String { "\(error)" }

    /// Whether both errors have the same type and description.
    public static func == (left: Self, right: Self) -> Bool {
      type(of: left.error) == type(of: right.error) && left.description == right.description
    }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}
