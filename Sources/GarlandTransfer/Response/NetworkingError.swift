/// Why a transfer did not end with a response, and how far it came.
///
/// ```swift
/// do throws(NetworkingError) {
///   let response = try await engine.response(for: request)
/// } catch {
///   print(error)            // "connection refused by 127.0.0.1:8080"
///   if error.isUnreachable { … }
/// }
/// ```
/// A response with status 404 or 500 is no error at this level: it arrived. The text never holds a header's value or a body, so it
/// needs no masking of its own beyond that of the URL.
public struct NetworkingError: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  public let reason: Reason
  /// The URL of the hop that failed, if the request came so far that it had one.
  public var url: String?
  /// What was measured until then. Empty when nothing was sent.
  public var metrics: TransferMetrics
  /// Why the request was not sent again, where a retrier had something to say about it.
  public var retryRefusal: RetryRefusal?
  /// The part of the response that had arrived, if its header had.
  public var partialResponse: TransferResponse? {
    get { partial?.response }
    set { partial = Box(newValue, resumeData) }
  }
  /// What the download can be continued with, if what came of it was kept: see ``DownloadTarget/partial-swift.property``.
  public var resumeData: ResumeData? {
    get { partial?.resumeData }
    set { partial = Box(partialResponse, newValue) }
  }

  /// Boxed, because a response is large and may itself be the payload of a `Result` beside this error.
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

  /// An error with nothing but its reason.
  public init(_ reason: Reason, url: String? = nil, metrics: TransferMetrics = TransferMetrics()) {
    self.reason = reason
    self.url = url
    self.metrics = metrics
  }

  /// Human words, without the URL.
  public var description: String {
    var words = reason.description
    if case .validation(.unacceptableStatus(401)) = reason, let refusal = partialResponse?.authenticationRefusal { words += ": \(refusal)" }
    guard let retryRefusal else { return words }
    return "\(words) (\(retryRefusal))"
  }

  /// Whether the host could not be reached at all: its name did not resolve, or no TCP or TLS connection came about.
  public var isUnreachable: Bool {
    switch reason.kind {
    case .resolve, .refused, .unreachable, .tls, .proxy: true
    case .timeout: reason.timeout.map { $0.phase <= .securing } ?? false
    default: false
    }
  }
}
