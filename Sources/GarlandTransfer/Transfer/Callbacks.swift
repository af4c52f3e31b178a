import CCurl
import GarlandCrypto
import HTTPTypes

// libcurl calls these on the engine's thread, from within `curl_multi_perform`. They touch nothing but the transfer, and never call libcurl back.

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

let receiveHeader: garland_curl_data_callback = { bytes, size, count, context in
  guard let bytes, let context else { return 0 }
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Whoever runs the transfer holds it, for longer than libcurl calls.
  return Unmanaged<Transfer>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.receiveHeader(line) } ? line.count : 0
}

let receiveBody: garland_curl_data_callback = { bytes, size, count, context in
  guard let transfer = transfer(context) else { return 0 }
  guard let bytes, size * count > 0 else { return 0 }
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Taken later, all of it, when whoever takes the body has room again.
  if transfer.mustWait { return garland_writefunc_pause }
  if transfer.isFTP {
    // libcurl makes something like a header up for those who want no content.
    if transfer.request.method == .head { return piece.count }
    if !transfer.beginFTPResponse() { return 0 }
  }
  return transfer.takeBody(piece) ? piece.count : 0
}

let receiveDebugText: garland_curl_debug_callback = { _, type, text, count, context in
  guard type == CURLINFO_TEXT, let text, let transfer = transfer(context) else { return 0 }
  transfer.takeDebugText(UnsafeRawBufferPointer(start: text, count: count))
  return 0
}

let sendBody: garland_curl_data_callback = { bytes, size, count, context in
  guard let bytes, let transfer = transfer(context) else { return garland_readfunc_abort }
  return transfer.sendBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

let rewindBody: garland_curl_seek_callback = { context, offset, origin in
  guard let transfer = transfer(context), origin == 0, offset == 0, transfer.reader?.rewind() == true else { return CURL_SEEKFUNC_FAIL }
  transfer.sent = 0
  return CURL_SEEKFUNC_OK
}

extension Transfer {
  /// How much of a redirect's body is read so that its connection can be kept.
  private static let redirectBodyLimit: Int64 = 64 << 10

  /// False to make libcurl give up.
  fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    noteActivity()
    if isFTP {
      ftp?.received(line)
      return true
    }
    do throws(InvalidHead) {
      switch try head.take(line) {
      case .more: break
      case .interimEnd: return true
      case .end:
        if reader != nil { noteFirstByte() }
        if isProvisional { answeredHeads += 1 }
        isProvisional = mayBeAnsweredByLibrary
        return isProvisional || headEnded()
      }
    } catch {
      failure = .invalidResponse(detail: error.detail)
      return false
    }
    if head.byteCount > maximumHeaderBytes {
      failure = .headerTooLarge(limit: maximumHeaderBytes)
    } else if head.fieldCount > maximumHeaderFields {
      failure = .tooManyFields(limit: maximumHeaderFields)
    }
    return failure == nil
  }

  func headEnded() -> Bool {
    guard hop != nil else { return false }
    if let problem = head.lengthProblem, mayHaveBody {
      failure = .invalidResponse(detail: problem)
      return false
    }
    if head.received.contains("set-cookie"), let jar = request.settings.cookies, let url = hop?.url { jar.store(head.fields, from: url) }
    if let goesOn = answersChallenge() { return goesOn }
    if head.status == 417, hasAskedForLeave, reader?.rewind() == true {
      // RFC 9110, section 10.1.1: the request is repeated without the expectation. libcurl would repeat a field of ours for ever.
      mayExpect = false
      beginsAnew = true
      return false
    }
    if let cacheHop, cacheHop.received(head, sentCookies: cookieHeader) {
      decision = .deliver
      nextHop = nil
      return true
    }
    return takeHead()
  }

  /// RFC 9112, section 6.3: these end with their header, whatever it says.
  private var mayHaveBody: Bool {
    if head.status == 204 || head.status == 304 || hop?.method == .head { return false }
    return !(hop?.method == .connect && (200..<300).contains(head.status))
  }

  /// Takes the header of a response, of the network's or of the cache's. False if its body is not wanted.
  func takeHead() -> Bool {
    guard hop != nil else { return false }
    // Who is not sent elsewhere needs no other state.
    if (300..<400).contains(head.status), var next = hop {
      let isRepeatable = reader?.isRepeatable ?? true
      decision = next.next(status: head.status, location: head.fields[.location], isBodyRepeatable: isRepeatable)
      nextHop = decision == .follow ? next : nil
    } else {
      decision = .deliver
      nextHop = nil
    }
    if hop?.method == .connect, (200..<300).contains(head.status) {
      // The connection is a tunnel now; there is no body to wait for.
      isSatisfied = true
      return false
    }
    if decision == .follow { return true }
    if request.extent == .head {
      isSatisfied = true
      return false
    }
    if decision == .deliver, !resumes() {
      // Its body is read like that of a redirect.
      decision = .follow
      beginsAnew = true
      return true
    }
    if failure != nil { return false }
    if decision == .deliver { request.channel?.deliver(.init(status: head.httpStatus, version: head.version, headerFields: head.fields)) }
    return expectBody()
  }

  /// Makes room for a body whose length is known. False if that is too much.
  func expectBody() -> Bool {
    guard let announced = head.contentLength, (hop?.method ?? request.method) != .head else { return true }
    if let limit = request.settings.maximumBodyBytes, announced > limit, head.status != 304 {
      failure = .bodyTooLarge(limit: limit)
      return false
    }
    if request.destination == .memory, request.channel == nil {
      var buffer: [UInt8] = []
      buffer.reserveCapacity(Int(min(max(announced, 0), 1 << 20)))
      sink = .memory(buffer)
    } else if case .prefix(let limit, computesDigest: false) = request.destination, request.channel == nil {
      var buffer: [UInt8] = []
      buffer.reserveCapacity(min(Int(min(max(announced, 0), 1 << 20)), limit))
      sink = .prefix(buffer, limit: limit, nil)
    }
    return true
  }

  /// How leave to send the body is asked for now.
  var expectContinue: ExpectContinue {
    if !mayExpect { return .never }
    let setting = request.settings.expectContinue
    return setting == .automatic && wouldWasteBody ? .always : setting
  }

  /// Whether the hop's header had an `Expect` that the caller did not write.
  private var hasAskedForLeave: Bool {
    guard let hop, hop.sendsBody, reader != nil, hop.headerFields[.expect] == nil else { return false }
    return asksForLeave
  }

  /// Whether leave to send the body is asked for: by libcurl itself from a megabyte on, unless the settings say otherwise.
  var asksForLeave: Bool {
    switch expectContinue {
    case .never: false
    case .always: true
    case .automatic: bodyLength.map { $0 > 1 << 20 } ?? true
    }
  }

  /// Whether there is no room for what comes in.
  var mustWait: Bool { decision == .deliver && !isAnswering && request.channel?.mustWait() == true }

  /// Takes a piece of the body. False to make whoever brings it give up.
  func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    noteActivity()
    if isProvisional {
      // libcurl does not hand on the content of what it answers.
      isProvisional = false
      if !headEnded() { return false }
    }
    if replay == nil { cacheHop?.record(piece) }
    if decision == .follow || isAnswering || (replay == nil && cacheHop?.answer != nil) {
      head.hasBody = true
      received += Int64(piece.count)
      if received <= Self.redirectBodyLimit { return true }
      isSatisfied = true
      return false
    }
    do throws(ContentCodingError) {
      if !head.hasBody, head.received.contains("content-encoding"), request.settings.decodesContent,
        let codings = head.fields[.contentEncoding]
      {
        decoding = try ContentDecoding(codings)
      }
      head.hasBody = true
      if let decoding {
        try decoding.decode(piece) { (part) throws(ContentCodingError) in if !keep(part) { throw .refused } }
      } else if !keep(piece) {
        return false
      }
    } catch {
      if case .invalid(let detail) = error { failure = .undecodable(detail: detail) }
      return false
    }
    if noteBytes() { context?.noteNews(of: self) }
    return true
  }

  /// Takes decoded bytes; false when there is a reason to give up, which is then known.
  private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
    received += Int64(bytes.count)
    if let limit = request.settings.maximumBodyBytes, received > limit {
      failure = .bodyTooLarge(limit: limit)
      return false
    }
    if exceedsAnnouncedRest() { return false }
    do throws(NetworkingError) {
      try openSink()
      try sink.write(bytes)
      return true
    } catch {
      failure = error.reason
      return false
    }
  }

  /// Makes the place for the body when the first byte comes, or when there is none.
  func openSink() throws(NetworkingError) {
    guard case .none = sink else { return }
    if let channel = request.channel {
      sink = .channel(channel)
      return
    }
    switch request.destination {
    case .memory: sink = .memory([])
    case .prefix(let limit, let computesDigest):
      do {
        sink = .prefix([], limit: limit, computesDigest ? try DigestHasher(.sha256) : nil)
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
    case .discard: break
    case .file(let target):
      sink = .file(try openFile(target))
    }
  }

  fileprivate func sendBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let reader, !buffer.isEmpty else { return 0 }
    switch reader.read(into: buffer) {
    case .bytes(let count):
      noteActivity()
      sent += Int64(count)
      noteSent()
      if let bodyLength, sent > bodyLength { return failed(.bodyStream(detail: "it became longer than the \(bodyLength) bytes announced")) }
      if noteBytes() { context?.noteNews(of: self) }
      return count
    case .end:
      if let bodyLength, sent < bodyLength {
        return failed(.bodyStream(detail: "it ended after \(sent) of the \(bodyLength) bytes announced"))
      }
      return 0
    case .wait: return garland_readfunc_pause
    case .failed(let reason): return failed(reason)
    }
  }

  /// Notes when a response came to a body that was sent piece by piece: libcurl takes the first piece that it sends for the first byte.
  private func noteFirstByte() {
    guard let last = metrics.transactions.indices.last, metrics.transactions[last].requestSent != nil else { return }
    metrics.transactions[last].firstByte = .now - metrics.transactions[last].start
  }

  /// Notes when the latest bytes of the body left.
  private func noteSent() {
    guard let last = metrics.transactions.indices.last else { return }
    metrics.transactions[last].requestSent = .now - metrics.transactions[last].start
  }

  private func failed(_ reason: NetworkingError.Reason) -> Int {
    failure = reason
    return garland_readfunc_abort
  }
}
