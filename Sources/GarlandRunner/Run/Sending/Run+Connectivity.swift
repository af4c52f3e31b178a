import GarlandDiagnostics
import GarlandTransfer
import GarlandResults

/// Lets steps wait until this machine has a network connection.
extension Run {
  /// Whether a step whose request failed waits for the network instead of ending. If so, the caller must release the step's transfer slot.
  func waitsForNetwork(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError) -> Bool {
    guard request.waitsForConnectivity, step.haltReason == nil, !stage.isAborted, request.transfer.body.isRepeatable,
      let connectivity = Connectivity(of: request.transfer, after: error)
    else { return false }
    let left = timeLeft(of: step, request)
    if let left, left <= .zero { return false }
    switch step.host.patience.decide(after: error, obstacle: { connectivity.obstacle }) {
    case .fail: return false
    case .pause(let time): hold(step, left) { try? await Task.sleep(for: time, clock: .continuous) }
    case .wait(let obstacle, let isFirst):
      if isFirst { tellOfWaiting(step, obstacle) }
      hold(step, left) { await connectivity.waitForWay() }
    }
    return true
  }

  /// Returns the remaining time of a step's `deadline`; nil without a deadline. The time during which the step waits for the network counts
  /// towards the deadline.
  func timeLeft(of step: ActiveStep, _ request: BuiltRequest) -> Duration? {
    guard let deadline = request.transfer.settings.deadline, let startedAt = step.times.startedAt else { return nil }
    return deadline - (step.times.clock.time(at: now) - startedAt)
  }

  private func hold(_ step: ActiveStep, _ limit: Duration?, until isOver: @escaping @Sendable () async -> Void) {
    let transport = transport
    step.held = .offline(
      Task.detached {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await isOver() }
          if let limit { group.addTask { try? await Task.sleep(for: limit, clock: .continuous) } }
          await group.next()
          group.cancelAll()
        }
        transport.perform { self.assumeIsolated { $0.sendAgain(step) } }
      })
  }

  private func sendAgain(_ step: ActiveStep) {
    guard !step.hasEnded, let request = step.request, case .offline? = step.held else { return }
    step.held = nil
    step.host.isSentAgainForConnectivity = true
    if let left = timeLeft(of: step, request), left <= .zero, let deadline = request.transfer.settings.deadline {
      let timeout = NetworkingError.Timeout(limit: .deadline, phase: .connecting, duration: deadline)
      end(step, ending(of: step, request, NetworkingError(.timeout(timeout), url: request.transfer.url)))
      return
    }
    lineUp(step)
  }

  /// Tells the user that a step waits for a network connection, once for each step. A terminal shows the wait as progress; a log contains a
  /// line about the wait.
  private func tellOfWaiting(_ step: ActiveStep, _ obstacle: ReachabilityStatus.Obstacle) {
    let identity = identities[step.index]
    let range = plan.steps[step.index].place
    tell(
      .notice(
        Diagnostic("offline", severity: .warning, "the step `\(identity.id)` waits for the network: \(obstacle)", at: range)))
    if detail.contains(.lifecycle) {
      tell(.stepWaits(identity, iteration: step.iterationIndex, reason: "for the network: \(obstacle)", until: now))
    }
  }
}
