import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

/// Carries out steps that read their response item by item, as a stream.
extension Run {
  /// Prepares a step's request so that a stream reader receives the response while it arrives.
  func readStream(of step: ActiveStep, _ planned: PlannedStep, _ transfer: inout TransferRequest) throws(RequestRefusal) {
    guard let template = planned.step.request?.stream else { return }
    // A retry starts a new stream, and so does a request that is sent again with another token before any reconnection.
    if step.incoming.stream == nil || step.incoming.stream?.reconnections == 0 {
      step.incoming.stream = try makeReader(of: step, planned, template, transfer)
    }
    guard let reader = step.incoming.stream else { return }
    reader.sent()
    transfer.tap = reader
    if let id = reader.lastEventID, let name = HTTPField.Name("Last-Event-ID") { transfer.headerFields[name] = id }
  }

  private func makeReader(
    of step: ActiveStep, _ planned: PlannedStep, _ template: StreamTemplate, _ transfer: TransferRequest
  ) throws(RequestRefusal) -> StreamReader {
    let needs = planned.step.neededByItself.union(planned.neededByOthers)
    let isNeeded = needs.contains(.items) || ledger.isPrinted(planned.index)
    let hasLimit = planned.step.request?.transport.maxBody != nil
    let limits: StreamLimits
    do throws(EvaluationError) {
      limits = try inTime(planned) { () throws(EvaluationError) in
        try StreamLimits(
          template, isNeeded: isNeeded, maximumBody: hasLimit ? transfer.settings.maximumBodyBytes : nil,
          deadline: transfer.settings.deadline, in: step.context)
      }
    } catch {
      throw .value(error)
    }
    let source = StreamReader.Source(step: planned.step, template: template, traits: traits(of: planned), context: step.context)
    return StreamReader(source, limits, keptBytes: configuration.recording.keptBodyBytes, clock: configuration.clock) { [weak self] in
      // Bytes that arrive after the run was aborted are ignored.
      self?.assumeIsolated { $0.computation(of: planned, for: planned) } ?? Computation(limit: .zero)
    }
  }

  /// Starts the timer that ends the step's stream at its time limit. Does nothing if the step reads no stream.
  func limitStream(of step: ActiveStep) {
    guard let reader = step.incoming.stream else { return }
    let left = max(.zero, reader.limits.within - reader.elapsed)
    reader.timer?.cancel()
    reader.timer = transport.perform(after: left) { [weak self] in
      self?.assumeIsolated { _ in
        guard !step.hasEnded, step.incoming.stream === reader, let handle = step.handle else { return }
        reader.endTime()
        handle.conclude(after: reader.limits.within)
      }
    }
  }

  /// If a stream ended too early and the step may continue it with a new request, schedules this request and returns true. Otherwise
  /// returns false.
  func reconnects(_ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse) -> Bool {
    // HTML, section 9.2.3: with the status 204, a server requests that the client does not connect again.
    guard response.statusCode != 204, step.incoming.stream?.endedEarly == true else { return false }
    return reconnects(step) { recorder.exchange(of: request, response, isComplete: false) }
  }

  /// Whether a step sends its request again to continue a stream after an error. If so, this function schedules the request.
  func reconnects(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError) -> Bool {
    guard error.reason.isOfConnection, step.incoming.stream?.isInterrupted == true else { return false }
    return reconnects(step) { recorder.exchange(of: request, error) }
  }

  private func reconnects(_ step: ActiveStep, _ makeExchange: () -> Exchange) -> Bool {
    guard let reader = step.incoming.stream, step.haltReason == nil, mayGoOn(step), let wait = reader.reconnect() else { return false }
    var exchange = makeExchange()
    exchange.stream = reader.summary
    exchange.label = "connection \(reader.reconnections)"
    step.exchanges.append(exchange)
    pause(step, for: wait, because: "reconnection \(reader.reconnections) of \(reader.limits.reconnections)")
    return true
  }
}

extension NetworkingError.Reason {
  /// Whether a stream continues on another connection after this error, as in a browser after a network error (HTML, section 9.2.3). False
  /// for example if the server's certificate is refused or the deadline is reached: the stream then ends.
  fileprivate var isOfConnection: Bool {
    switch self {
    case .timeout(let timeout): timeout.limit != .deadline
    case .tls(.handshake, _), .invalidResponse, .undecodable: true
    default: RetryPolicy.transportErrors.contains(kind)
    }
  }
}
