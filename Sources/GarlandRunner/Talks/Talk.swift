import DequeModule
import GarlandText
import GarlandJSON
import GarlandResults
import GarlandTransfer
import GarlandWorkflow

/// Handles the messages of a step's WebSocket connection: it creates the messages to send, counts and checks the messages that arrive, and
/// keeps those that other parts of the run need.
///
/// `@unchecked Sendable`: only the thread of the run uses the object.
final class Talk: ItemReading, @unchecked Sendable {
  let template: TalkTemplate
  /// The settings of the WebSocket connection. The maximum size of a message is used for two limits: for a single message, and for all kept
  /// messages together.
  let options: WebSocketOptions
  private let step: Step
  private let base: StepContext
  private let keepsMessages: Bool
  private let clock: @Sendable () -> Duration
  private let beganAt: Duration
  /// The step's `deadline`, and the time at which it is reached; nil if the step has no deadline.
  let deadline: (length: Duration, end: Duration)?
  /// The messages that have arrived and that no entry of `talk` has processed yet.
  var arrived = Deque<WebSocketMessage>()
  /// The maximum number of messages that are processed in a row, before other steps can use the thread of the run.
  static let mostPerTurn = 64
  private var kept = Deque<MessageItem>()
  private var weight = 0
  private(set) var count = 0
  private var checkCount = 0
  private var timeToFirst: Duration?
  /// The last messages that were sent or received, for reports.
  private var transcript: Deque<Exchange.Stream.Message> = []
  private var omitted = 0
  private static let transcriptLimit = 50
  private static let longestMessage = 1_000
  /// The current entry of the step's `talk` list: a message to send, or messages to receive. Nil before the first entry and after the last
  /// entry.
  var current: TalkTemplate.Move?
  private(set) var failures: [CheckFailure] = []
  private(set) var extracted: [Value?]
  /// The state of the connection: it is being opened, it is open, or the run was stopped.
  private enum Phase { case opening, open, stopped }
  private var phase = Phase.opening
  /// The close frame that is sent after the last entry of `talk:`.
  private(set) var close = WebSocketClose(.normal)

  init(
    _ template: TalkTemplate, _ options: WebSocketOptions, of step: Step, keepsMessages: Bool, deadline: Duration?, in context: StepContext,
    clock: @escaping @Sendable () -> Duration
  ) {
    self.template = template
    self.options = options
    self.step = step
    self.keepsMessages = keepsMessages
    self.clock = clock
    base = context
    beganAt = clock()
    self.deadline = deadline.map { ($0, clock() + $0) }
    extracted = Array(repeating: nil, count: step.extractions.count)
  }

  /// Whether the server has accepted the connection.
  var isOpen: Bool { phase != .opening }

  /// Whether the remaining entries of `talk` are omitted because the run was stopped.
  var isStopped: Bool { phase == .stopped }

  /// Records that the server has accepted the connection.
  func opened() { phase = .open }

  /// The current time, on the clock by which the deadline is measured.
  var now: Duration { clock() }

  /// The values that the expressions of the messages can use: the values of the step, and the values that were extracted from messages so
  /// far.
  var context: StepContext { base.with(extracted: extracted, of: step.ordinal) }

  // MARK: Sending

  /// Returns the message that an entry of `talk` sends. Returns nil and records a failure if the message can't be evaluated.
  func message(_ template: TalkTemplate.Message, _ move: TalkTemplate.Move) -> WebSocketMessage? {
    let context = context
    do throws(EvaluationError) {
      switch template {
      case .text(let text): return .text(try text.evaluateText(in: context).text)
      case .json(let value): return .text(try value.evaluate(in: context).json.jsonText())
      case .base64(let template):
        let text = try template.evaluateText(in: context).text
        guard Computation.hasRoom(for: 2 * text.utf8.count) else { return nil }
        guard let bytes = try? Base64.decode(text.utf8.filter { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) else {
          failures.append(CheckFailure(.value, subject: move.path, message: "is not base64", at: template.range))
          return nil
        }
        return .binary(bytes)
      }
    } catch {
      failures.append(CheckFailure(error))
      return nil
    }
  }

  /// Evaluates the close frame that an entry of `talk` defines. Records a failure if the frame can't be evaluated.
  func setClose(_ code: Setting<Int>?, _ reason: Template?, _ move: TalkTemplate.Move) {
    let context = context
    do throws(EvaluationError) {
      let number = try code?.resolve(in: context) ?? 1000
      guard TalkTemplate.isCloseCode(number) else {
        failures.append(CheckFailure(.value, subject: move.path, message: "a client can't send the close code \(number)", at: code?.range))
        return
      }
      let reasonText = try reason?.evaluateText(in: context).text ?? ""
      guard reasonText.utf8.count <= TalkTemplate.maximumReasonSize else {
        let size = Shown.count(reasonText.utf8.count, "byte")
        let message = "the reason has \(size), but at most \(TalkTemplate.maximumReasonSize) are allowed"
        failures.append(CheckFailure(.value, subject: move.path, message: message, at: reason?.range))
        return
      }
      close = WebSocketClose(WebSocketCloseCode(rawValue: UInt16(clamping: number)), reason: reasonText)
    } catch {
      failures.append(CheckFailure(error))
    }
  }

  // MARK: The transcript

  /// Records a message that was sent, for reports.
  func sent(_ message: WebSocketMessage) { record(message, isSent: true) }

  private func record(_ message: WebSocketMessage, isSent: Bool) {
    var entry = Exchange.Stream.Message(isSent: isSent, text: "")
    entry.time = clock() - beganAt
    switch message {
    case .text(let whole):
      entry.text = Shown.masking(secretsOf: base) {
        Shown.cut(Shown.masked(beginningOf: whole, Self.longestMessage), Self.longestMessage)
      }
    case .binary(let bytes):
      entry.isBinary = true
      entry.text = "(\(Shown.count(bytes.count, "byte")) of binary data)"
    }
    if transcript.count == Self.transcriptLimit {
      transcript.removeFirst()
      omitted += 1
    }
    transcript.append(entry)
  }

  // MARK: Receiving

  /// Records a message that arrives while the current entry of `talk` waits for messages. Returns whether the entry accepts the message.
  ///
  /// If no entry of `talk` has failed before, the entry accepts each message for which its condition `matching` is true. For an accepted
  /// message, the expectations of the entry are checked, too.
  ///
  /// - Parameter isLast: whether the entry is complete as soon as it accepts this message.
  func take(_ message: WebSocketMessage, for template: TalkTemplate.Receive, _ move: TalkTemplate.Move, isLast: Bool) -> Bool {
    count += 1
    if timeToFirst == nil { timeToFirst = clock() - beganAt }
    record(message, isSent: false)
    let item = MessageItem(message)
    keep(item)
    let context = context.with(item)
    guard failures.isEmpty, counts(item, template, context) else { return false }
    judge(item, template, move, isLast: isLast, context)
    return true
  }

  private func keep(_ item: MessageItem) {
    guard keepsMessages else { return }
    kept.append(item)
    weight += item.weight
    let limit = options.maximumMessageSize
    guard weight > limit else { return }
    var failure = CheckFailure(
      .expectation, subject: "messages",
      message: "have a total size above the limit of \(Shown.count(limit, "byte")); \(Shown.count(kept.count, "message")) are kept",
      at: template.range)
    failure.help = "`max_body` limits their size"
    failures.append(failure)
  }

  /// Whether the condition `matching` is true for a message. A condition with an undefined value counts as false.
  private func counts(_ item: MessageItem, _ template: TalkTemplate.Receive, _ context: StepContext) -> Bool {
    guard let matching = template.matching else { return true }
    do throws(EvaluationError) {
      return try matching.resolve(in: context)
    } catch {
      if !error.isUndefined, error.diagnostic.code != .responseBody { failures.append(CheckFailure(error)) }
      return false
    }
  }

  private func judge(
    _ item: MessageItem, _ template: TalkTemplate.Receive, _ move: TalkTemplate.Move, isLast: Bool, _ context: StepContext
  ) {
    var found: [CheckFailure] = Shown.masking(secretsOf: context) {
      var judge = ExpectationJudge(step: step, response: item, context: context, paths: BodyPaths.none)
      var found = judge.unmet(template.each)
      guard isLast, found.isEmpty else { return found }
      var extractor = Extractor(response: item, context: context, values: judge.values)
      for (index, extraction) in template.extractions {
        let (value, failure) = extractor.extract(extraction)
        if extracted.indices.contains(index) { extracted[index] = value }
        if let failure { found.append(failure) }
      }
      return found
    }
    checkCount += template.each.count
    for index in found.indices {
      found[index].subject = "\(move.path) \(found[index].subject)"
      if found[index].excerpt == nil { found[index].excerpt = Shown.masking(secretsOf: context) { Excerpt.beginning(of: item) } }
    }
    failures += found
  }

  /// Adds the failure of an entry of `talk` for which fewer messages arrived than expected.
  ///
  /// - Parameter when: the end of the waiting time in words, such as `within 5 s`.
  func miss(_ template: TalkTemplate.Receive, _ move: TalkTemplate.Move, came: Int, of wanted: Int, _ when: String) {
    checkCount += 1
    let messages = Shown.count(came, template.matching == nil ? "message" : "matching message")
    var failure = CheckFailure(
      .expectation, subject: move.path, message: "\(messages) arrived \(when), expected \(wanted)", at: move.range)
    failure.expected = "\(wanted)"
    failure.actual = "\(came)"
    if template.matching != nil, count > 0 {
      failure.help = "the server sent \(Shown.count(count, "message")) on this connection"
    }
    failures.append(failure)
  }

  func fail(_ failure: CheckFailure) { failures.append(failure) }

  /// Adds a failure with a message about an entry of `talk`.
  func fail(_ move: TalkTemplate.Move, _ message: String) {
    failures.append(CheckFailure(.expectation, subject: move.path, message: message, at: move.range))
  }

  /// Adds a failure for an entry of `talk` whose evaluation or check was stopped before its end. The failure replaces all other failures of
  /// the entry, since they may result from an incomplete value.
  ///
  /// Does nothing if such a failure was already added. There is one exception: a failure because of a lack of memory replaces an earlier
  /// failure with another cause.
  func fail(_ move: TalkTemplate.Move, endOf computation: Computation) {
    let isShort = computation.shortage != nil
    guard !failures.contains(where: { $0.isOutOfTime && (!isShort || $0.kind == .file) }) else { return }
    failures = [.outOfTime(move.path, at: move.range, in: computation)]
  }

  // MARK: Ending

  /// Omits the remaining entries of `talk`, since the run is stopped. Has an effect only in two cases:
  /// - An entry is being executed, and no entry has failed.
  /// - A check was ended early, by its time limit or by the stop of the run.
  func stop() {
    guard isOutOfTime || (current != nil && failures.isEmpty) else { return }
    phase = .stopped
    close = WebSocketClose(.goingAway)
  }

  func stop(_ transfer: any SentTransfer) {
    stop()
    if isStopped { transfer.cancel() }
  }

  /// If a connection error has occurred while an entry of `talk` was being executed, changes the failure so that its message names this
  /// entry.
  func explain(_ failure: inout CheckFailure, for error: NetworkingError) {
    guard let current else { return }
    failure.subject = current.path
    failure.range = current.range
  }

  /// Whether the evaluation or the check of a message was ended early, because its time limit was reached or the run was stopped.
  var isOutOfTime: Bool { failures.contains(where: \.isOutOfTime) }

  /// A summary of the messages for reports; nil if no connection was opened.
  var summary: Exchange.Stream? {
    guard isOpen else { return nil }
    var stream = Exchange.Stream(items: StreamFormat.messages.rawValue, count: count, timeToFirst: timeToFirst)
    stream.messages = Array(transcript)
    stream.omittedMessages = omitted
    return stream
  }

  /// The received messages, for expectations and expressions; nil if no connection was opened.
  var record: StreamRecord? {
    guard isOpen else { return nil }
    return StreamRecord(
      format: .messages, count: count, items: StreamItems(Array(kept), weight: weight), timeToFirst: timeToFirst, failures: failures,
      checkCount: checkCount, extracted: extracted)
  }
}
