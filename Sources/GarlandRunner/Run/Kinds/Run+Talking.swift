import GarlandPlanner
import GarlandResults
import GarlandTransfer
import GarlandWorkflow
import Synchronization

/// Carries out `websocket:` steps, which exchange messages on a WebSocket connection.
///
/// The step occupies its transfer slot from the handshake until the connection is closed. The response to the handshake is checked like any
/// other response.
private struct TalkDriver: KindDriver {
  func prepareItems(
    of step: ActiveStep, _ planned: PlannedStep, _ transfer: inout TransferRequest, in run: isolated Run
  ) throws(RequestRefusal) {
    if let template = planned.step.action.talk { try run.makeTalk(template, of: step, planned, transfer) }
  }

  func carryOut(
    _ step: ActiveStep, _ planned: PlannedStep, _ transfer: TransferRequest, in run: isolated Run
  ) -> (any SentTransfer)? {
    run.converse(step, planned, transfer)
  }
}

extension KindDrivers {
  static var websocket: any KindDriver { TalkDriver() }
}

extension Run {
  /// The maximum time to wait for the server's response to the close frame.
  private static let closingTime = Duration.seconds(2)

  /// A handle with which the run can cancel the message exchange of a WebSocket connection, in the same way as a transfer.
  private struct TalkHandle: SentTransfer {
    let task: Task<Void, Never>
    let link: any WebSocketLink
    let isOpen: OpenMark

    func cancel() { task.cancel() }
    func cancelUnlessConnected() { if !isOpen.isSet { task.cancel() } }
    func conclude(after time: Duration) {}
  }

  /// A flag that shows whether a connection has been opened. Any thread can read it.
  private final class OpenMark: Sendable {
    private let mark = Atomic<Bool>(false)
    var isSet: Bool { mark.load(ordering: .relaxed) }
    func set() { mark.store(true, ordering: .relaxed) }
  }

  /// Prepares the message exchange of a WebSocket step.
  fileprivate func makeTalk(
    _ template: TalkTemplate, of step: ActiveStep, _ planned: PlannedStep, _ transfer: TransferRequest
  ) throws(RequestRefusal) {
    var options = WebSocketOptions()
    do throws(EvaluationError) {
      options.subprotocols = try inTime(planned) { () throws(EvaluationError) in
        var names: [String] = []
        for subprotocol in template.subprotocols { names.append(try subprotocol.evaluateText(in: step.context).text) }
        return names
      }
    } catch {
      throw .value(error)
    }
    let hasLimit = planned.step.request?.transport.maxBody != nil
    let limit = hasLimit ? transfer.settings.maximumBodyBytes.map { Int($0) } : nil
    options.maximumMessageSize = limit ?? StreamLimits.defaultSize
    let needs = planned.step.neededByItself.union(planned.neededByOthers)
    step.incoming.talk = Talk(
      template, options, of: planned.step, keepsMessages: needs.contains(.items) || ledger.isPrinted(planned.index),
      deadline: transfer.settings.deadline, in: step.context, clock: configuration.clock)
  }

  /// Opens the WebSocket connection of a step and exchanges the step's messages. Returns the handle that cancels the connection.
  fileprivate func converse(_ step: ActiveStep, _ planned: PlannedStep, _ transfer: TransferRequest) -> (any SentTransfer)? {
    guard let talk = step.incoming.talk else { return nil }
    let link = transport.webSocket(transfer, talk.options)
    let mark = OpenMark()
    let task =
      if let executor = transport.waitExecutor {
        Task(executorPreference: executor) { await self.converse(step, planned, talk, link, mark) }
      } else {
        // Unlike a task with a preference, this task begins on the thread of the run.
        Task { await self.converse(step, planned, talk, link, mark) }
      }
    return TalkHandle(task: task, link: link, isOpen: mark)
  }

  private func converse(_ step: ActiveStep, _ planned: PlannedStep, _ talk: Talk, _ link: any WebSocketLink, _ mark: OpenMark) async {
    let result: Result<TransferResponse, NetworkingError>
    var opening: TransferResponse?
    do throws(NetworkingError) {
      let response = try await link.open()
      opening = response
      if response.statusCode == 101 {
        mark.set()
        talk.opened()
        try await converse(step, planned, talk, link)
      }
      result = .success(response)
    } catch {
      if let opening, talk.isStopped {
        result = .success(opening)
      } else {
        // The server has answered: reports show its response, and the host needs no probe.
        var error = error
        if let opening { error.partialResponse = opening }
        result = .failure(error)
      }
    }
    var close = talk.close
    if case .failure(let error) = result, error.reason.kind == .cancelled { close = WebSocketClose(.goingAway) }
    let isOpen = talk.isOpen
    // The connection is also closed after an interrupt, which has cancelled the current task.
    await Task.detached(executorPreference: transport.waitExecutor) {
      if isOpen { _ = try? await link.close(close, timeout: Self.closingTime) }
      link.cancel()
    }.value
    guard step.incoming.talk === talk else { return }
    received(step, result)
  }

  private func converse(
    _ step: ActiveStep, _ planned: PlannedStep, _ talk: Talk, _ link: any WebSocketLink
  ) async throws(NetworkingError) {
    for move in talk.template.moves where talk.failures.isEmpty {
      if Task.isCancelled || step.hasEnded { throw NetworkingError(.cancelled) }
      talk.current = move
      if step.haltReason != nil {
        talk.stop()
        return
      }
      switch move.kind {
      case .send(let template):
        guard let message = compute(planned, talk, move, { talk.message(template, move) }), talk.failures.isEmpty else { continue }
        do throws(NetworkingError) {
          try await link.send(message)
          talk.sent(message)
        } catch {
          guard let close = try? await link.end?.get() else { throw error }
          talk.fail(move, Self.words(of: close))
        }
      case .receive(let template): try await receive(template, move, step, planned, talk, link)
      case .close(let code, let reason): compute(planned, talk, move) { talk.setClose(code, reason, move) }
      }
    }
    talk.current = nil
  }

  /// Calls `body`, which evaluates or checks a message of a WebSocket step, with the step's time limit for evaluations. If `body` exceeds
  /// the limit, its result is incomplete, and this function adds a failure to `talk`.
  @discardableResult private func compute<Value>(
    _ planned: PlannedStep, _ talk: Talk, _ move: TalkTemplate.Move, _ body: () -> Value
  ) -> Value {
    let computation = computation(of: planned, for: planned)
    let value = computation.run(body)
    if computation.hasEnded { talk.fail(move, endOf: computation) }
    return value
  }

  private static func words(of close: WebSocketClose) -> String {
    let code = close.code == .noCode ? "without a code" : "with the code \(close.code)"
    let reason = close.reason.isEmpty ? "" : " and the reason \"\(Shown.cut(close.reason, 120))\""
    return "the server closed the connection \(code)\(reason)"
  }

  private func receive(
    _ template: TalkTemplate.Receive, _ move: TalkTemplate.Move, _ step: ActiveStep, _ planned: PlannedStep, _ talk: Talk,
    _ link: any WebSocketLink
  ) async throws(NetworkingError) {
    let (wanted, within): (Int, Duration)
    do throws(EvaluationError) {
      wanted = max(1, try template.count?.resolve(in: talk.context) ?? 1)
      within = try template.within?.resolve(in: talk.context) ?? TalkTemplate.Receive.defaultTime
    } catch {
      talk.fail(CheckFailure(error))
      return
    }
    let end = talk.now + within
    var came = 0
    while came < wanted, talk.failures.isEmpty {
      let message: WebSocketMessage?
      do throws(NetworkingError) {
        message = try await receive(until: end, talk, link)
      } catch {
        guard error.reason.timeout?.duration == .zero else { throw error }
        talk.miss(template, move, came: came, of: wanted, "within \(within.inWords)")
        return
      }
      guard let message else {
        let close = try? await link.end?.get()
        let when = close.map { "before " + Self.words(of: $0) } ?? "before the connection ended"
        talk.miss(template, move, came: came, of: wanted, when)
        return
      }
      if compute(planned, talk, move, { talk.take(message, for: template, move, isLast: came + 1 == wanted) }) { came += 1 }
      for value in talk.extracted { value?.forEachSecret { configuration.redactor.register($0) } }
      showProgress(of: step, talk)
    }
  }

  /// Returns the next message from the server; nil after the server has closed the connection.
  ///
  /// Throws a timeout if no message arrives before the time `end` or the step's deadline, whichever is earlier. If the deadline is earlier,
  /// the error contains the deadline's duration. Otherwise, the error contains the duration zero.
  private func receive(until end: Duration, _ talk: Talk, _ link: any WebSocketLink) async throws(NetworkingError) -> WebSocketMessage? {
    let deadline = talk.deadline.flatMap { $0.end < end ? $0 : nil }
    let overdue = NetworkingError(.timeout(.init(limit: .deadline, phase: .receiving, duration: deadline?.length ?? .zero)))
    let left = (deadline?.end ?? end) - talk.now
    guard left > .zero else { throw overdue }
    if let message = talk.arrived.popFirst() { return message }
    do throws(NetworkingError) {
      talk.arrived.append(contentsOf: try await link.receive(atMost: Talk.mostPerTurn, timeout: left))
      return talk.arrived.popFirst()
    } catch {
      throw error.reason.kind == .timeout ? overdue : error
    }
  }

  private func showProgress(of step: ActiveStep, _ talk: Talk) {
    let now = now
    guard detail.contains(.progress), !step.hasEnded, now - step.times.progressAt >= .milliseconds(100) else { return }
    step.times.progressAt = now
    let items = GarlandResults.TransferProgress.Items(count: talk.count, name: StreamFormat.messages.rawValue, expected: nil)
    tell(
      .stepProgressed(
        identities[step.index], iteration: step.iterationIndex,
        GarlandResults.TransferProgress(bytesReceived: 0, bytesExpected: nil, bytesSent: 0, bytesToSend: nil, items: items)))
  }
}
