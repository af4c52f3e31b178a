/// The reason why a transfer has no response, and its progress until then.
///
/// ```swift
/// do throws(NetworkingError) {
///   let response = try await engine.response(for: request)
/// } catch {
///   print(error)            // "connection refused by 127.0.0.1:8080"
///   if error.isUnreachable { … }
/// }
/// ```
/// A response with status 404 or 500 is no error at this level: it arrived. The message never
/// contains a header value or a body, so only its URL may need masking.
public struct NetworkingError: Error, Sendable, CustomStringConvertible {
  /// The reason.
  public let reason: Reason
  /// The URL of the failed hop, if the request had one by then.
  public var url: String?
  /// The metrics until the error. Empty if nothing was sent.
  public var metrics: TransferMetrics
  /// The reason why the request was not retried, if a retrier gave one.
  public var retryRefusal: RetryRefusal?
  /// The received part of the response, if its header had arrived.
  public var partialResponse: TransferResponse? {
    get { partial?.response }
    set { partial = Box(newValue, resumeData) }
  }
  /// The resume data of the download, if its partial file was kept; see
  /// ``DownloadTarget/partial-swift.property``.
  public var resumeData: ResumeData? {
    get { partial?.resumeData }
    set { partial = Box(partialResponse, newValue) }
  }

  /// Boxed, because a response is large and may be the payload of a `Result` beside this error.
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

  /// The message without the URL.
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
    case .timeout: reason.timeout.map { $0.phase <= .securing } ?? false
    default: false
    }
  }
}
