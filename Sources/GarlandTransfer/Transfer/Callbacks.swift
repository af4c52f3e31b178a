import CCurl
import GarlandCrypto
import HTTPTypes

// libcurl calls these functions on the engine's thread, within `curl_multi_perform`. They use only
// the transfer, and never call libcurl.

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

let receiveHeader: garland_curl_data_callback = { bytes, size, count, context in
  guard let bytes, let context else { return 0 }
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // The core retains the transfer until libcurl no longer calls this function for it.
  return Unmanaged<Transfer>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.receiveHeader(line) } ? line.count : 0
}

let receiveBody: garland_curl_data_callback = { bytes, size, count, context in
  guard let transfer = transfer(context) else { return 0 }
  guard let bytes, size * count > 0 else { return 0 }
  // libcurl ignores a refusal of a piece that it passes after a pause, and passes the next one. The first failure is the reason.
  if transfer.intake.failure != nil { return 0 }
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // libcurl passes the whole piece again later, when the reader has room.
  if transfer.mustWait { return garland_writefunc_pause }
  if transfer.isFTP {
    // For a request without content, libcurl passes header lines that it has created itself, and not content.
    if transfer.request.method == .head { return piece.count }
    if !transfer.beginFTPResponse() { return 0 }
  }
  return transfer.takeReceived(piece)
}

let receiveDebugText: garland_curl_debug_callback = { _, type, text, count, context in
  guard type == CURLINFO_TEXT, let text, let transfer = transfer(context) else { return 0 }
  transfer.proof.takeDebugText(UnsafeRawBufferPointer(start: text, count: count))
  return 0
}

let sendBody: garland_curl_data_callback = { bytes, size, count, context in
  guard let bytes, let transfer = transfer(context) else { return garland_readfunc_abort }
  return transfer.sendBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

let rewindBody: garland_curl_seek_callback = { context, offset, origin in
  guard let transfer = transfer(context), origin == 0, offset == 0, transfer.content.rewind() else { return CURL_SEEKFUNC_FAIL }
  return CURL_SEEKFUNC_OK
}

extension Transfer {
  /// The maximum number of bytes that are read from the body of a redirect. A connection can be reused only if the body was read
  /// completely.
  private static let redirectBodyLimit: Int64 = 64 << 10
  /// The time in nanoseconds that a ``BodyTap`` or a decoder may take in one iteration of the event loop.
  private static let share: UInt64 = 10_000_000

  /// Processes a header line. Returns false to stop libcurl.
  fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    noteActivity()
    if isFTP {
      local.ftp?.received(line)
      return true
    }
    do throws(InvalidHead) {
      switch try intake.head.take(line) {
      case .more: break
      case .interimEnd: return true
      case .end:
        if content.reader != nil { noteFirstByte() }
        if intake.isProvisional { intake.answeredHeads += 1 }
        intake.isProvisional = mayBeAnsweredByLibrary
        return intake.isProvisional || headEnded()
      }
    } catch {
      intake.failure = .invalidResponse(detail: error.detail)
      return false
    }
    guard let excess = limits.excess(of: intake.head) else { return true }
    intake.failure = excess
    return false
  }

  func headEnded() -> Bool {
    guard hop != nil else { return false }
    if let problem = intake.head.lengthProblem, mayHaveBody {
      intake.failure = .invalidResponse(detail: problem)
      return false
    }
    if intake.head.received.contains("set-cookie"), let jar = request.settings.cookies, let url = hop?.url {
      jar.store(intake.head.fields, from: url)
    }
    if let goesOn = answersChallenge() { return goesOn }
    if intake.head.status == 417, hasAskedForLeave, content.rewind() {
      // RFC 9110, section 10.1.1: the request is repeated without the expectation. libcurl would
      // repeat our own field forever.
      content.mayExpect = false
      intake.beginsAnew = true
      return false
    }
    if let cacheHop = cache.hop, cacheHop.received(intake.head, sentCookies: sentHead.cookies) {
      intake.decision = .deliver
      intake.next = nil
      return true
    }
    return takeHead()
  }

  /// Whether the response may have a body. Some responses never have one, whatever header fields they contain (RFC 9112, section 6.3):
  /// those with status 204 or 304, responses to HEAD, and successful responses to CONNECT.
  private var mayHaveBody: Bool {
    if intake.head.status == 204 || intake.head.status == 304 || hop?.method == .head { return false }
    return !(hop?.method == .connect && (200..<300).contains(intake.head.status))
  }

  /// Processes the complete header of a response, from the network or the cache. Returns false if the body of the response is not needed.
  func takeHead() -> Bool {
    guard let hop else { return false }
    intake.decide(for: hop, isBodyRepeatable: content.reader?.isRepeatable ?? true)
    if hop.method == .connect, (200..<300).contains(intake.head.status) {
      // The connection is now a tunnel; there is no body.
      intake.isSatisfied = true
      return false
    }
    if intake.decision == .follow { return true }
    if request.extent == .head {
      intake.isSatisfied = true
      return false
    }
    if intake.decision == .deliver, !resumes() {
      // The body of this response is read like that of a redirect.
      intake.decision = .follow
      intake.beginsAnew = true
      return true
    }
    if intake.failure != nil { return false }
    if intake.decision == .deliver {
      request.channel?.deliver(deliveredHead)
      if let tap = request.tap { intake.isTapped = tap.begin(deliveredHead) }
    }
    return expectBody()
  }

  private var deliveredHead: BodyChannel.Head {
    BodyChannel.Head(status: intake.head.httpStatus, version: intake.head.version, headerFields: intake.head.fields)
  }

  /// Prepares for a body of known length: reserves memory, and returns false if the length exceeds the limit.
  func expectBody() -> Bool {
    if intake.isTapped { return true }
    guard let announced = intake.head.contentLength, (hop?.method ?? request.method) != .head else { return true }
    if intake.head.status != 304, let excess = intake.excess(over: request.settings.maximumBodyBytes, announced: announced) {
      intake.failure = excess
      return false
    }
    if request.destination == .memory, request.channel == nil {
      var buffer: [UInt8] = []
      buffer.reserveCapacity(Int(min(max(announced, 0), 1 << 20)))
      intake.sink = .memory(buffer)
    } else if case .prefix(let limit, computesDigest: false) = request.destination, request.channel == nil {
      var buffer: [UInt8] = []
      buffer.reserveCapacity(min(Int(min(max(announced, 0), 1 << 20)), limit))
      intake.sink = .prefix(buffer, limit: limit, nil)
    }
    return true
  }

  /// The setting that determines whether the request waits for permission to send its body (`Expect: 100-continue`).
  var expectContinue: ExpectContinue {
    if !content.mayExpect { return .never }
    let setting = request.settings.expectContinue
    return setting == .automatic && wouldWasteBody ? .always : setting
  }

  /// Whether the request was sent with an `Expect` field that the engine, not the caller, has added.
  private var hasAskedForLeave: Bool {
    guard let hop, hop.sendsBody, content.reader != nil, hop.headerFields[.expect] == nil else { return false }
    return asksForLeave
  }

  /// Whether the request waits for permission to send its body (`Expect: 100-continue`).
  var asksForLeave: Bool { content.asksForLeave(expectContinue) }

  /// Whether the transfer must wait before it receives more data. True if the reader of the body is busy. Also true if the ``BodyTap`` or
  /// the content decoder has used up the time that a transfer gets in one iteration of the event loop.
  var mustWait: Bool {
    if intake.isTapped || intake.decoding != nil, yieldsTurn { return true }
    return intake.decision == .deliver && !intake.isAnswering && request.channel?.mustWait() == true
  }

  /// Whether this transfer must let other transfers run first, because its ``BodyTap`` or content decoder has used up the time that a
  /// transfer gets in one iteration of the event loop. Always false for the first piece of the body in an iteration.
  private var yieldsTurn: Bool {
    guard let context else { return false }
    if intake.turn != context.now {
      intake.turn = context.now
      intake.turnBegan = MonotonicClock.now
      return false
    }
    guard MonotonicClock.now &- intake.turnBegan > Self.share else { return false }
    context.noteYielding(self)
    return true
  }

  /// Processes a piece of the body that libcurl has received. An encoded piece is decoded a little at a time, so that other transfers can
  /// run in between. Returns the value that libcurl's callback must return.
  fileprivate func takeReceived(_ piece: UnsafeRawBufferPointer) -> Int {
    guard intake.decoding != nil || intake.head.received.contains("content-encoding") else {
      return takeBody(piece) ? piece.count : 0
    }
    // After a pause, libcurl passes the same piece again.
    var at = min(intake.takenOfPiece, piece.count)
    intake.takenOfPiece = 0
    while at < piece.count {
      // The first byte shows whether there is anything to decode.
      let end = at == 0 ? 1 : min(at + (intake.decoding?.mostAtOnce ?? piece.count), piece.count)
      guard takeBody(UnsafeRawBufferPointer(rebasing: piece[at..<end])) else { return 0 }
      at = end
      if at < piece.count, intake.decoding != nil, yieldsTurn {
        intake.takenOfPiece = at
        return garland_writefunc_pause
      }
    }
    return piece.count
  }

  /// Processes a piece of the body. Returns false to stop receiving the body.
  func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    noteActivity()
    if intake.isProvisional {
      // libcurl does not deliver the content of responses that it answers.
      intake.isProvisional = false
      if !headEnded() { return false }
    }
    if cache.replay == nil { cache.hop?.record(piece) }
    if intake.decision == .follow || intake.isAnswering || (cache.replay == nil && cache.hop?.answer != nil) {
      intake.head.hasBody = true
      intake.received += Int64(piece.count)
      if intake.received <= Self.redirectBodyLimit { return true }
      intake.isSatisfied = true
      return false
    }
    do throws(ContentCodingError) {
      if !intake.head.hasBody, intake.head.received.contains("content-encoding"), request.settings.decodesContent,
        let codings = intake.head.fields[.contentEncoding]
      {
        intake.decoding = try ContentDecoding(codings)
      }
      intake.head.hasBody = true
      if let decoding = intake.decoding {
        try decoding.decode(piece, until: isOver) { (part) throws(ContentCodingError) in if !keep(part) { throw .refused } }
      } else if !keep(piece) {
        return false
      }
    } catch {
      if case .invalid(let detail) = error { intake.failure = .undecodable(detail: detail) }
      return false
    }
    noteBytes()
    return true
  }

  /// Whether the transfer must end now, because the transfer was stopped or its deadline has passed. If true, also stores the reason.
  ///
  /// This method is called while a piece of the body is decoded. No timer fires during that time, and a few compressed bytes may become a
  /// gigabyte.
  private func isOver() -> Bool {
    if let stop, stop.isNow {
      intake.failure = .cancelled
      return true
    }
    guard let due = place.deadlineTimer?.due, let deadline = request.settings.deadline, MonotonicClock.now >= due else { return false }
    intake.failure = .timeout(.init(limit: .deadline, phase: phase, duration: deadline))
    return true
  }

  /// Passes decoded bytes to their destination. If the transfer has to stop, records the reason and returns
  /// false.
  private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
    intake.received += Int64(bytes.count)
    if !intake.isTapped, let excess = intake.excess(over: request.settings.maximumBodyBytes) {
      intake.failure = excess
      return false
    }
    if exceedsAnnouncedRest() { return false }
    do throws(NetworkingError) {
      try openSink()
      try intake.sink.write(bytes)
      if intake.isTapped, let tap = request.tap, !tap.take(bytes) {
        intake.isSatisfied = true
        return false
      }
      return true
    } catch {
      intake.failure = error.reason
      return false
    }
  }

  /// Opens the destination of the body. This method is called when the first byte of the body arrives, or at the end of a response without
  /// a body.
  func openSink() throws(NetworkingError) {
    guard case .none = intake.sink else { return }
    if let channel = request.channel {
      intake.sink = .channel(channel)
      return
    }
    switch request.destination {
    case .memory:
      if intake.isTapped, let tap = request.tap {
        intake.sink = .prefix([], limit: tap.keptBytes, nil)
      } else {
        intake.sink = .memory([])
      }
    case .prefix(let limit, let computesDigest):
      do {
        intake.sink = .prefix([], limit: limit, computesDigest ? try DigestHasher(.sha256) : nil)
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
    case .discard: break
    case .file(let target):
      intake.sink = .file(try openFile(target))
    }
  }

  fileprivate func sendBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard content.reader != nil, !buffer.isEmpty else { return 0 }
    switch content.read(into: buffer) {
    case .bytes(let count):
      noteActivity()
      noteSent()
      noteBytes()
      return count
    case .end: return 0
    case .wait: return garland_readfunc_pause
    case .failed(let reason):
      intake.failure = reason
      return garland_readfunc_abort
    }
  }

  /// Records the time at which the first byte of the response arrived, for a request whose body is streamed. libcurl's own time is wrong:
  /// it is the time at which libcurl sent the first piece of the request's body.
  private func noteFirstByte() {
    guard let last = metrics.transactions.indices.last, metrics.transactions[last].requestSent != nil else { return }
    metrics.transactions[last].firstByte = .now - metrics.transactions[last].start
  }

  /// Records the time when the latest bytes of the body were sent.
  private func noteSent() {
    guard let last = metrics.transactions.indices.last else { return }
    metrics.transactions[last].requestSent = .now - metrics.transactions[last].start
  }
}
