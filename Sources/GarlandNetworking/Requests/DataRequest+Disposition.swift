extension DataRequest {
  /// Calls a closure for each response, after its header has arrived and before its body is read.
  ///
  /// The closure is not called for redirects that are followed, nor for challenges that are answered.
  ///
  /// ```swift
  /// let request = session.request(url).onResponse { head in
  ///   head.headerFields[.contentType] == "application/zip" ? .becomeDownload(DownloadTarget(path: "big.zip")) : .allow
  /// }
  /// ```
  @discardableResult
  public final func onResponse(_ decide: @escaping @Sendable (_ head: TransferResponse) async -> ResponseDisposition) -> Self {
    change { $0.disposition = decide }
    return self
  }

  /// The path of the file that ``ResponseDisposition/becomeDownload(_:)`` has written; nil until the
  /// file is complete and has been moved to this path.
  public final var file: String? {
    guard state == .finished, error == nil, case .file(let file) = response?.body else { return nil }
    return file.targetPath
  }

  /// Sends a request. After the response header has arrived, `decide` chooses what happens with the body.
  final func transfer(
    _ request: TransferRequest, decide: @Sendable (TransferResponse) async -> ResponseDisposition
  ) async -> Result<TransferResponse, NetworkingError> {
    let channel = BodyChannel()
    async let ending = transfer(request, into: channel)
    guard let head = await channel.head() else { return await ending }
    switch await decide(TransferResponse(head, to: request)) {
    case .allow:
      var bytes: [UInt8] = []
      while let piece = await channel.next() { bytes += piece }
      return await ending.map { $0.replacing(body: .bytes(bytes)) }
    case .cancel:
      stopTransfer()
      while await channel.next() != nil {}
      return await ending.cancelled(head: TransferResponse(head, to: request))
    case .becomeDownload(let target):
      let written: Result<ResponseFile, NetworkingError> = await write(channel, to: target, TransferResponse(head, to: request))
      if case .failure = written { stopTransfer() }
      while await channel.next() != nil {}
      let result = await ending
      switch (written, result) {
      case (.failure(var error), _):
        error.url = request.url
        return .failure(error)
      case (.success(let file), .failure(let error)):
        file.abandon()
        return .failure(error)
      case (.success(let file), .success(let response)):
        return Result { () throws(NetworkingError) in response.replacing(body: .file(try file.finish())) }
      }
    }
  }

  private func write(
    _ channel: BodyChannel, to target: DownloadTarget, _ head: TransferResponse
  ) async -> Result<ResponseFile, NetworkingError> {
    do throws(NetworkingError) {
      let file = try ResponseFile(target, for: head)
      do throws(NetworkingError) {
        while let piece = await channel.next() { try file.write(piece) }
      } catch {
        file.abandon()
        throw error
      }
      return .success(file)
    } catch {
      return .failure(error)
    }
  }
}

extension Result where Success == TransferResponse, Failure == NetworkingError {
  /// Returns the error ``NetworkingError/Reason/cancelled`` with the metrics of this result and with `head` as its partial response. Call
  /// this method if the transfer was cancelled after the response header `head` had arrived.
  func cancelled(head: TransferResponse) -> Result {
    var error = NetworkingError(.cancelled, url: head.url)
    switch self {
    case .success(let response): error.metrics = response.metrics
    case .failure(let failure): error.metrics = failure.metrics
    }
    error.partialResponse = head
    return .failure(error)
  }
}

extension Request {
  /// Sends a request once, and passes the response body to `channel`. Closes the channel when the transfer has ended.
  final func transfer(_ request: TransferRequest, into channel: BodyChannel) async -> Result<TransferResponse, NetworkingError> {
    var request = request
    request.channel = channel
    let result = await transfer(request)
    channel.close()
    return result
  }
}
