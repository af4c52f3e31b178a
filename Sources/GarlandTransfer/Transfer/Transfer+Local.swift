import HTTPTypes

/// Transfers of `file:` and `data:` URLs. They do not use libcurl: libcurl reads a file in one call, which blocks all other transfers,
/// and does not support `data:` URLs.
extension Transfer {
  /// Checks whether a request for a local resource is supported, and stores the resource.
  func prepare(_ resource: LocalResource) throws(NetworkingError) {
    try checkIsDownload("a \(resource.scheme): URL")
    local.resource = resource
    if case .file = resource { origin = Origin(scheme: "file", host: "", port: 0) }
  }

  /// Throws an error if the method is not GET or HEAD, or if the request has a body. `what` is the kind of URL, for the error message.
  func checkIsDownload(_ what: String) throws(NetworkingError) {
    guard request.method == .get || request.method == .head else {
      throw NetworkingError(.unsupported("\(what) with another method than GET and HEAD"), url: request.url)
    }
    guard request.body.isEmpty else { throw NetworkingError(.unsupported("\(what) with a body"), url: request.url) }
  }

  /// Creates the head of a response that does not use HTTP. Returns false if the content exceeds the size limit for the response's body.
  func beginResponse(type: String, length: Int64?) -> Bool {
    var fields = HTTPFields()
    fields[.contentType] = type
    if let length { fields[.contentLength] = String(length) }
    intake.head = ResponseHead(fields: fields, version: localVersion)
    intake.decision = .deliver
    let head = BodyChannel.Head(status: intake.head.httpStatus, version: intake.head.version, headerFields: intake.head.fields)
    request.channel?.deliver(head)
    if let tap = request.tap { intake.isTapped = tap.begin(head) }
    return expectBody()
  }

  private var localVersion: HTTPVersion {
    switch local.resource {
    case .data: .data
    case .file: .file
    case nil: .ftp
    }
  }

  /// Processes a piece of the content of a `file:` or `data:` URL. Returns false to stop receiving the content.
  func receiveLocal(_ piece: [UInt8]) -> Bool {
    piece.isEmpty || piece.withUnsafeBytes { takeBody($0) }
  }

  func collectLocalMetrics(at now: UInt64) {
    metrics.total = .nanoseconds(Int64(max(now, startedAt) &- startedAt))
    guard let last = metrics.transactions.indices.last else { return }
    metrics.transactions[last].total = .nanoseconds(Int64(max(now, lastActivity) &- lastActivity))
    metrics.transactions[last].responseBodyBytes = intake.received
  }

  /// Returns the result of the finished transfer: the response or an error.
  ///
  /// - Parameter file: the error of reading the local file; nil if there was none.
  func localResult(_ file: NetworkingError.File?) -> Result<TransferResponse, NetworkingError> {
    if let failure = intake.failure { return .failure(error(failure)) }
    if let file { return .failure(error(.file(file))) }
    return response()
  }
}

extension LocalResource {
  var scheme: String {
    switch self {
    case .data: "data"
    case .file: "file"
    }
  }
}
