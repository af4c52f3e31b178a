/// Methods for transfers that need no network, because the URL contains the data or refers to a
/// local file.
extension TransferCore {
  func launchLocal(_ transfer: Transfer) {
    guard let local = transfer.local.resource else { return }
    transfer.state = .running
    transfer.beginHop(at: now)
    let readsContent = transfer.request.method != .head
    switch local {
    case .data(let url):
      // If a step fails, the transfer has stored the reason.
      if transfer.beginResponse(type: url.mediaType, length: Int64(url.bytes.count)), readsContent { _ = transfer.receiveLocal(url.bytes) }
      endLocal(transfer, nil)
    case .file(let path):
      let source = FileSource(path: path)
      transfer.local.source = source
      let loop = loop
      let refusal = source.start(readsContent: readsContent) { event in loop.perform { loop.take(event, for: transfer) } }
      if let refusal { end(transfer, with: .unsupported("no thread could be started: \(refusal)")) }
    }
  }

  /// Handles an event from the thread that reads the file of a transfer.
  func take(_ event: FileSource.Event, for transfer: Transfer) {
    guard transfer.state == .running, let source = transfer.local.source, let local = transfer.local.resource else { return }
    transfer.lastActivity = now
    switch event {
    case .opened(let length):
      if transfer.beginResponse(type: local.mediaType, length: length) { source.next() } else { endLocal(transfer, nil) }
    case .piece(let piece): takePiece(piece, for: transfer)
    case .end: endLocal(transfer, nil)
    case .failed(let failure): endLocal(transfer, failure)
    }
  }

  /// Delivers a piece of a file to the reader of the response. If the transfer is suspended or the reader cannot
  /// receive more at the moment, stores the piece until the transfer continues.
  func takePiece(_ piece: [UInt8], for transfer: Transfer) {
    if transfer.isSuspended || transfer.mustWait {
      transfer.local.heldPiece = piece
    } else if transfer.receiveLocal(piece) {
      transfer.local.source?.next()
    } else {
      endLocal(transfer, nil)
    }
  }

  private func endLocal(_ transfer: Transfer, _ failure: NetworkingError.File?) {
    transfer.collectLocalMetrics(at: now)
    let result = transfer.localResult(failure)
    detach(transfer)
    finish(transfer, result)
  }
}
