/// The methods with which a request waits until this machine has a network.
extension Request {
  /// Sends a request. If this machine has no network, sends it again as soon as a network is available.
  final func sendWhenConnected(_ request: TransferRequest, _ options: RequestOptions) async -> Result<TransferResponse, NetworkingError> {
    guard options.waitsForConnectivity ?? session.configuration.waitsForConnectivity else { return await send(request) }
    let clock = session.configuration.clock
    let end = request.settings.deadline.map { clock.now().advanced(by: $0) }
    var request = request
    while true {
      let result = await send(request)
      guard case .failure(let error) = result, !isCancelled, request.body.isRepeatable,
        let connectivity = Connectivity(of: request, after: error)
      else { return result }
      switch decide(after: error, connectivity) {
      case .fail: return result
      case .pause(let time): try? await clock.sleep(time)
      case .wait(let obstacle, let isFirst):
        if isFirst { tell(.waitsForConnectivity(obstacle)) }
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await connectivity.waitForWay() }
          if let end { group.addTask { try? await clock.sleep(clock.now().duration(to: end)) } }
          await group.next()
          group.cancelAll()
        }
      }
      if isCancelled { return .failure(NetworkingError(.cancelled, url: request.url)) }
      guard let end else { continue }
      let left = clock.now().duration(to: end)
      guard left > .zero else {
        let deadline = (try? original.get())?.settings.deadline ?? session.configuration.settings.deadline ?? .zero
        return .failure(NetworkingError(.timeout(.init(limit: .deadline, phase: .connecting, duration: deadline)), url: request.url))
      }
      request.settings.deadline = left
    }
  }
}
