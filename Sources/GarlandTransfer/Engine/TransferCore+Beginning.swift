import CCurl

/// Methods that start transfers and, after redirects, their next requests.
extension TransferCore {
  func begin() {
    // Start one batch per call, so that a completion that starts another transfer does not delay the network.
    guard !ready.isEmpty else { return }
    var batch = spareReady
    spareReady = []
    swap(&batch, &ready)
    for transfer in batch where transfer.state == .ready {
      if isStopped {
        end(transfer, with: .shutDown)
      } else {
        begin(transfer)
      }
    }
    batch.removeAll(keepingCapacity: true)
    spareReady = batch
  }

  private func begin(_ transfer: Transfer) {
    if transfer.isSuspended {
      // The transfer may have received a connection while it waited; another transfer can use this connection.
      detach(transfer)
      transfer.state = .held
      return
    }
    if !transfer.isPrepared {
      do throws(NetworkingError) {
        transfer.context = context
        try transfer.prepare(on: loop)
      } catch {
        finish(transfer, .failure(error))
        return
      }
      armDeadline(of: transfer)
      if loadPartial(of: transfer) { return }
    }
    guard let origin = transfer.origin else { return launchLocal(transfer) }
    if answersFromCache(transfer) || readsBeforehand(transfer) { return }
    if let responder = transfer.request.responder, transfer.local.resource == nil { return ask(responder, for: transfer) }
    let queue = transfer.place.slot ?? origins.queue(of: origin)
    if transfer.place.slot == nil {
      guard queue.hasRoom(limit: configuration.connectionsPerOrigin) else {
        transfer.state = .waiting
        beginWaiting(transfer)
        queue.enqueue(transfer, wasRedirected: transfer.hopCount > 0 || transfer.proof.isAnswer || transfer.route.isRepeated)
        return
      }
      queue.active += 1
      transfer.place.slot = queue
      if !queue.wasOpened, !queue.speaksHTTP2, transfer.expectsToShare {
        queue.wasOpened = true
        queue.opener = transfer
        sharesConnections = true
        opening.append(queue)
      }
    }
    if transfer.place.waitingSince != nil { endWaiting(transfer) }
    if transfer.local.resource != nil { return launchLocal(transfer) }
    launch(transfer, sharesConnection: queue.speaksHTTP2)
  }

  /// Finds the origins whose first connection has been opened since the last call, and starts the transfers that waited for these
  /// connections.
  func noteOpened() {
    let looked = opening
    opening.removeAll(keepingCapacity: true)
    for queue in looked {
      // An opener that has ended has already admitted the waiting transfers.
      guard let opener = queue.opener else { continue }
      if let easy = opener.easy, easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 {
        queue.opener = nil
        admit(from: queue)
      } else {
        opening.append(queue)
      }
    }
  }

  /// Starts to read the body of a transfer's request if the digest or length of the body must be known before the body is sent. Returns
  /// true if the transfer must wait until the whole body was read.
  private func readsBeforehand(_ transfer: Transfer) -> Bool {
    do throws(NetworkingError) {
      guard let pass = try transfer.missingPayload() else { return false }
      transfer.state = .preparing
      let loop = loop
      transfer.awaitedTask = Task.detached {
        let result = await pass.run()
        loop.perform { loop.withCore { $0.payloadIsRead(transfer, result) } }
      }
    } catch {
      end(transfer, with: error.reason)
    }
    return true
  }

  private func payloadIsRead(_ transfer: Transfer, _ result: Result<PayloadPass.Facts, NetworkingError>) {
    guard transfer.state == .preparing else { return }
    transfer.awaitedTask = nil
    switch result {
    case .success(let facts):
      transfer.content.take(facts)
      transfer.state = .ready
      ready.append(transfer)
    case .failure(let error): end(transfer, with: error.reason)
    }
  }

  private func launch(_ transfer: Transfer, sharesConnection: Bool) {
    do throws(NetworkingError) {
      let multi = try handles.open()
      let easy = try handles.take()
      transfer.easy = easy
      try transfer.configure(easy, waitsForShared: sharesConnection)
      let status = curl_multi_add_handle(multi, easy.handle)
      guard status == CURLM_OK else {
        throw NetworkingError(.library(code: Int32(status.rawValue), detail: String(cString: curl_multi_strerror(status))))
      }
      transfer.state = .running
      hasLaunched = true
      context.isQuiet = false
      transfer.beginHop(at: now)
      armIdle(of: transfer)
    } catch {
      detach(transfer)
      finish(transfer, .failure(error))
    }
  }
}
