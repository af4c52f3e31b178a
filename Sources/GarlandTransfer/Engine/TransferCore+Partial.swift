import Glibc

/// Methods that resume downloads.
extension TransferCore {
  /// Starts to read a partial download on another thread, since reading may take time. Returns false if there is no partial download.
  func loadPartial(of transfer: Transfer) -> Bool {
    guard let target = transfer.keepingTarget else { return false }
    let url = transfer.resourceURL
    do throws(NetworkingError) {
      guard access(try PartialFile.path(for: target, url: url), F_OK) == 0 else { return false }
    } catch {
      end(transfer, with: error.reason)
      return true
    }
    transfer.state = .loading
    let loop = loop
    let refusal = WorkerThread.start(name: "garland-file") {
      let result = Result { () throws(NetworkingError) in try PartialFile.existing(for: target, url: url) }
      loop.perform { loop.loaded(result, for: transfer) }
    }
    if let refusal { end(transfer, with: .unsupported("no thread could be started: \(refusal)")) }
    return true
  }

  /// Continues a transfer after its partial download was read.
  func loaded(_ result: Result<PartialFile?, NetworkingError>, for transfer: Transfer) {
    guard transfer.state == .loading else { return }
    switch result {
    case .success(let partial):
      if let partial { transfer.take(partial) }
      transfer.state = .ready
      ready.append(transfer)
    case .failure(let error): end(transfer, with: error.reason)
    }
  }
}
