import DequeModule
import GarlandJSON
import GarlandResults
import GarlandTransfer
import GarlandWorkflow

/// Reads the stream of a step item by item while it arrives. It counts and checks the items, keeps those that are needed, and decides when
/// to stop.
///
/// `@unchecked Sendable`: only the engine's thread uses the reader. The run is executed on the same thread.
final class StreamReader: BodyTap, ItemReading, @unchecked Sendable {
  /// The reason why no more items are read.
  private enum End {
    case satisfied
    case timeUp
    /// The run was stopped.
    case stopped
    case failed([CheckFailure])
    /// An item is larger than the limit in bytes.
    case tooLarge(limit: Int, CheckFailure)
  }

  /// The step whose stream is read, with its stream settings, the properties of its expectations, and the values that its expressions can
  /// use.
  struct Source {
    let step: Step
    let template: StreamTemplate
    let traits: StepTraits
    let context: StepContext
  }

  private let source: Source
  /// The registry of the secrets that failures must not contain.
  private let secrets: any SecretRegistry
  let limits: StreamLimits
  /// The maximum number of bytes from the beginning of the stream that are kept for reports.
  let keptBytes: Int
  private let clock: @Sendable () -> Duration
  /// The closure that creates a computation. The computation limits the time for checking a piece of the stream.
  private let makeComputation: () -> Computation
  private var items = ItemSource.none
  private var kept = Deque<any StreamItem>()
  private var weight = 0
  private(set) var count = 0
  private var checkCount = 0
  private var sentAt = Duration.zero
  private var timeToFirst: Duration?
  private var end: End?
  /// The error message that says why `until` had no value for the last item; nil if `until` had a value.
  private var doubt: String?
  /// Whether the response to the most recent request can be read as a stream.
  private(set) var isReading = false
  /// The number of times that the request was sent again to continue the stream.
  private(set) var reconnections = 0
  /// The timer that ends the stream after its time limit.
  var timer: (any Cancellable)?
  /// The transfer that must end as soon as its response arrives, because the run was stopped before. Nil if there is no such transfer.
  private var stopped: (any SentTransfer)?

  init(
    _ source: Source, _ limits: StreamLimits, keptBytes: Int, clock: @escaping @Sendable () -> Duration,
    _ makeComputation: @escaping () -> Computation
  ) {
    self.source = source
    secrets = source.context.secretRegistry
    self.limits = limits
    self.keptBytes = keptBytes
    self.clock = clock
    self.makeComputation = makeComputation
  }

  // MARK: Reading

  /// Prepares the reader for the response to a request that begins or continues the stream.
  func sent() {
    if reconnections == 0 { sentAt = clock() }
    isReading = false
  }

  func begin(_ head: BodyChannel.Head) -> Bool {
    let (format, type) = (source.template.format, head.headerFields[.contentType])
    isReading = StreamChecks.isStream(format, status: head.status.code, type: type, source.traits)
    guard isReading else { return false }
    items = ItemSource(format, type: type, limit: limits.size, after: items)
    if let transfer = stopped.take() { stop(transfer) }
    return true
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard end == nil else { return false }
    let computation = makeComputation()
    var goesOn = false
    do throws(ItemFault) {
      goesOn = try computation.run { () throws(ItemFault) in try items.decode(bytes) { take($0) } }
    } catch {
      fail(error)
    }
    if computation.hasEnded { end = .failed([.outOfTime(source.template.format.rawValue, at: source.template.range, in: computation)]) }
    return goesOn && end == nil
  }

  /// Counts, checks and keeps an item. Returns false if the stream ends with this item, so that no further item is read.
  private func take(_ item: some StreamItem) -> Bool {
    // An item that does not fit into the memory is incomplete.
    guard !Computation.hasEnded else { return false }
    count += 1
    if timeToFirst == nil { timeToFirst = clock() - sentAt }
    if let flaw = item.flaw {
      fail(flaw, item: count - 1, advice: nil)
      return false
    }
    keep(item)
    guard end == nil else { return false }
    let isLast = isLast(item)
    if !source.template.each.isEmpty, end == nil { judge(item, isLast: isLast) }
    if end == nil, isLast || count == limits.count { end = .satisfied }
    return end == nil
  }

  private func keep(_ item: some StreamItem) {
    guard limits.keep > 0 else { return }
    if kept.count == limits.keep, let first = kept.popFirst() { weight -= first.weight }
    kept.append(item)
    weight += item.weight
    if weight > limits.size {
      fail(
        "have a total size above the limit of \(Shown.count(limits.size, "byte")); \(Shown.count(kept.count, name)) are kept",
        advice: "`keep` limits their number, and `max_body` limits their total size")
    }
  }

  /// Checks an item against the expectations for each item.
  ///
  /// - Parameter isLast: whether the condition `until` is true for the item. If a last item only marks the end of the stream, like
  ///   `[DONE]`, and is not JSON, expectations about JSON are not checked.
  private func judge(_ item: some StreamItem, isLast: Bool) {
    let (step, context) = (source.step, source.context.with(item))
    let all = source.template.each
    let each = isLast && item.isMark ? all.filter { !$0.readsItemJSON } : all
    let failures = Shown.masking(secrets) {
      var judge = ExpectationJudge(step: step, response: item, context: context, paths: BodyPaths.none)
      return judge.unmet(each)
    }
    checkCount += each.count
    guard !failures.isEmpty else { return }
    end = .failed(
      failures.map { failure in
        var failure = failure
        failure.subject = "\(source.template.format.rawValue)[\(count - 1)] \(failure.subject)"
        if failure.excerpt == nil { failure.excerpt = Excerpt.beginning(of: item) }
        return failure
      })
  }

  /// Whether `until` is true for an item. An undefined value counts as false.
  private func isLast(_ item: some StreamItem) -> Bool {
    guard let until = source.template.until else { return false }
    do throws(EvaluationError) {
      doubt = nil
      return try until.resolve(in: source.context.with(item))
    } catch {
      if error.isUndefined || error.diagnostic.code == .responseBody {
        doubt = error.diagnostic.message
      } else {
        end = .failed([CheckFailure(error)])
      }
      return false
    }
  }

  // MARK: Ending

  private var name: String { source.template.format.itemName }

  /// Ends the stream with a failure about the item at the given index, or about all items if the index is nil.
  private func fail(_ message: String, item: Int? = nil, advice: String?) {
    let subject = source.template.format.rawValue + (item.map { "[\($0)]" } ?? "")
    end = .failed([failure(subject, message, advice)])
  }

  private func failure(_ subject: String, _ message: String, _ advice: String?) -> CheckFailure {
    var failure = CheckFailure(.expectation, subject: subject, message: message, at: source.template.range)
    failure.help = advice
    return failure
  }

  private func fail(_ fault: ItemFault) {
    let item: Int? =
      switch fault.subject {
      case .items: nil
      case .lastItem: count - 1
      case .nextItem: count
      }
    if let limit = fault.exceededLimit {
      end = .tooLarge(limit: limit, failure("\(source.template.format.rawValue)[\(count)]", fault.message, fault.advice))
    } else {
      fail(fault.message, item: item, advice: fault.advice)
    }
  }

  /// Returns the result of the transfer, or an error if an item of the stream is larger than the limit.
  func checked(_ result: Result<TransferResponse, NetworkingError>) -> Result<TransferResponse, NetworkingError> {
    guard case .success(let response) = result, case .tooLarge(let limit, _)? = end else { return result }
    var error = NetworkingError(.itemTooLarge(item: name, limit: Int64(limit)), url: response.url, metrics: response.metrics)
    error.partialResponse = response
    return .failure(error)
  }

  /// Adds the name and position of a stream item to a failure, if the transfer failed because this item exceeds the size limit.
  func explain(_ failure: inout CheckFailure, for error: NetworkingError) {
    guard error.reason.kind == .bodyTooLarge, case .tooLarge(_, let place)? = end else { return }
    failure.subject = place.subject
    failure.range = place.range
    failure.help = place.help
  }

  /// Handles the end of the response: reads the last item, and reports a failure if the stream is invalid.
  func finish() {
    guard end == nil, isReading else { return }
    let computation = makeComputation()
    computation.run { items.finish { take($0) } }
    if end == nil, let fault = items.ending, !endedEarly || !items.isInItem { fail(fault) }
    if computation.hasEnded { end = .failed([.outOfTime(source.template.format.rawValue, at: source.template.range, in: computation)]) }
  }

  /// Ends the stream because its time limit was exceeded.
  func endTime() { if end == nil { end = .timeUp } }

  /// Whether the stream ended early because the run was stopped.
  var isStopped: Bool { if case .stopped? = end { true } else { false } }

  /// Whether checking the items was interrupted, because it took too long or the run was stopped.
  var isOutOfTime: Bool { if case .failed(let failures)? = end { failures.contains(where: \.isOutOfTime) } else { false } }

  /// Ends the stream because the run was stopped. The stream ends immediately if a response has arrived, otherwise as soon as a response
  /// arrives.
  func stop(_ transfer: any SentTransfer) {
    guard isReading else {
      stopped = transfer
      return
    }
    if end == nil || isOutOfTime { end = .stopped }
    transfer.conclude(after: .zero)
  }

  /// Whether the server has ended the stream although the end condition `until` or `count` was not met.
  var endedEarly: Bool { end == nil && isReading && (source.template.until != nil || source.template.count != nil) }

  /// Whether a stream that had begun was interrupted, by the server or by an error, before the end condition `until` or `count` was met.
  var isInterrupted: Bool {
    end == nil && (isReading || reconnections > 0) && (source.template.until != nil || source.template.count != nil)
  }

  /// Counts a reconnection and returns the pause before it. Returns nil if no reconnection is allowed any more.
  func reconnect() -> Duration? {
    guard reconnections < limits.reconnections, canWaitForReconnection else { return nil }
    reconnections += 1
    return reconnectionWait
  }

  /// The pause before a reconnection: the time that the server has requested, or the default.
  private var reconnectionWait: Duration { items.reconnectionTime ?? StreamLimits.defaultReconnectionTime }

  /// Whether the wait before a reconnection ends before both the stream's limit `within` and the step's `deadline`.
  private var canWaitForReconnection: Bool { elapsed + reconnectionWait < min(limits.within, limits.deadline ?? limits.within) }

  /// The value of the field `Last-Event-ID` in a request that continues the stream; nil if the request has no such field.
  var lastEventID: String? { reconnections > 0 && !items.lastEventID.isEmpty ? items.lastEventID : nil }

  /// The time since the first request was sent.
  var elapsed: Duration { clock() - sentAt }

  /// The progress of reading the stream; nil if the response is not a stream.
  var progress: GarlandResults.TransferProgress.Items? {
    isReading ? .init(count: count, name: source.template.format.rawValue, expected: limits.count) : nil
  }

  /// A summary of the stream for reports.
  var summary: Exchange.Stream? {
    isReading || reconnections > 0 ? Exchange.Stream(items: source.template.format.rawValue, count: count, timeToFirst: timeToFirst) : nil
  }

  /// The stream that was read; nil if the response is not a stream.
  var record: StreamRecord? {
    guard isReading else { return nil }
    return StreamRecord(
      format: source.template.format, count: count, items: StreamItems(Array(kept), weight: weight), timeToFirst: timeToFirst,
      failures: failures, checkCount: checkCount + (judgesEnd ? 1 : 0))
  }

  /// Whether the end of the stream counts as a check: the step has the end condition `until` or `count`, and the stream did not end because
  /// of a failure, an item that is too large, or a stop of the run.
  private var judgesEnd: Bool {
    switch end {
    case .failed?, .stopped?, .tooLarge?: return false
    case .satisfied?, .timeUp?, nil: break
    }
    return source.template.until != nil || source.template.count != nil
  }

  private var failures: [CheckFailure] {
    switch end {
    case .satisfied?, .stopped?: []
    case .failed(let failures)?: failures
    case .tooLarge(_, let failure)?: [failure]
    case .timeUp?: limits.isTimeLimit(of: source.template) ? [unmet("within \(limits.within.inWords)")] : []
    case nil: endedEarly ? [unmet("before the server ended the stream")] : []
    }
  }

  /// Returns the failure of a stream that ended before its end condition was met.
  ///
  /// - Parameter when: the period in which the condition was not met, as a phrase for the error message, such as `within 10 s`.
  private func unmet(_ when: String) -> CheckFailure {
    let template = source.template
    let found = Shown.count(count, name)
    if let until = template.until {
      var failure = CheckFailure(
        .expectation, subject: "\(template.format.rawValue).until",
        message: "`\(Shown.cut(ConditionText.of(until), 120))` was not true \(when) (\(found))",
        at: until.range)
      failure.expected = "true"
      failure.actual = doubt
      failure.excerpt = lastExcerpt
      failure.help = cutAdvice
      return failure
    }
    if let count = limits.count {
      var failure = CheckFailure(
        .expectation, subject: "\(template.format.rawValue).count", message: "\(found) arrived \(when), expected \(count)",
        at: template.count?.range)
      failure.expected = "\(count)"
      failure.actual = "\(self.count)"
      failure.help = cutAdvice
      return failure
    }
    var failure = CheckFailure(
      .expectation, subject: template.format.rawValue, message: "did not end \(when) (\(found))", at: template.range)
    failure.help = "to stop reading earlier, write `until`, `count` or `within`"
    return failure
  }

  private var lastExcerpt: String? { makeComputation().run { kept.last.map { Excerpt.of($0.whole) } } }

  /// Advice that explains why the stream did not reconnect, or why its last item is incomplete; nil if there is nothing to explain.
  private var cutAdvice: String? {
    if end == nil, reconnections < limits.reconnections, !canWaitForReconnection {
      let limit = limits.deadline.map { $0 < limits.within } == true ? "deadline" : "within"
      return "no reconnection, because the wait before it, \(reconnectionWait.inWords), is longer than the rest of `\(limit)`"
    }
    guard end == nil, items.isInItem else { return nil }
    return source.template.format == .parts
      ? "the stream ends in the middle of a part: a part ends with the boundary"
      : "the stream ends in the middle of an event: an event ends with an empty line"
  }
}

extension StreamLimits {
  /// Whether the step fails if its stream reaches the time limit. False only for a stream that has `within`, but neither `until` nor
  /// `count`: such a stream ends at its time limit without a failure.
  func isTimeLimit(of template: StreamTemplate) -> Bool { template.until != nil || template.count != nil || template.within == nil }
}
