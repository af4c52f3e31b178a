import CCurl
import Glibc
import Synchronization

/// A connection that transfers a stream of bytes in both directions, for example for WebSocket. libcurl opens the
/// connection, so that names, proxies, TLS and trust work as in requests.
///
/// `@unchecked Sendable`: all its state is used on the loop's thread only, which
/// ``EngineLoop/withCore(_:)`` ensures.
package final class StreamConnection: EngineStream, @unchecked Sendable {
  typealias Completion = @Sendable (Result<StreamReceived, NetworkingError>) -> Void

  private enum State {
    case new
    case connecting(Transfer)
    case open
    case failed(NetworkingError)
  }

  private struct Pending {
    let finish: Completion
    var timer: LoopTimer?
  }

  private let request: TransferRequest
  private let isSecure: Bool
  private unowned let loop: EngineLoop
  private var state = State.new
  private var queue = StreamQueue()
  private var pending: [Int: Pending] = [:]
  private var easy: EasyHandle?
  private var socket: Int32 = -1
  private var secured = false
  private var peer: String?
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  private var isReadClosed = false
  private var isWriteClosed = false
  /// The events for which the socket of the stream is polled, as a combination of libcurl's bits `CURL_WAIT_POLLIN` and
  /// `CURL_WAIT_POLLOUT`.
  private(set) var events: Int16 = 0
  /// The index of this stream in the list of streams that the ``TransferCore`` polls; -1 if it is not in the list.
  var index = -1

  /// The maximum number of bytes that a stream writes before other streams continue.
  private static let turn = 1 << 20

  private let lastOperation = Atomic<Int>(0)
  /// The result of the transfer that opened the connection; nil until the connection is open. This transfer only connects, and does not
  /// send the request. The result contains the durations of the phases of connecting, and the header of the unsent request.
  private let opening = Mutex<TransferResponse?>(nil)

  /// Creates a connection. The first operation opens it, on a thread of the engine, so the engine must
  /// outlive the connection.
  package init(request: TransferRequest, isSecure: Bool, engine: Engine) {
    self.request = request
    self.isSecure = isSecure
    loop = engine.loop
  }

  var descriptor: Int32 { socket }

  // MARK: Operations

  /// Performs an operation and returns its result. An operation may have to wait for earlier operations; ``StreamQueue`` determines the
  /// order.
  package func perform(_ operation: StreamQueue.Operation, _ timeout: Duration?) async throws(NetworkingError) -> StreamReceived {
    let id = lastOperation.wrappingAdd(1, ordering: .relaxed).newValue
    let slot = ResultSlot<Result<StreamReceived, NetworkingError>>()
    let loop = loop
    let mark = CancellationMark()
    let result = await withTaskCancellationHandler {
      loop.perform {
        loop.withCore { core in self.add(operation, id: id, mark: mark, timeout: timeout, core: core) { slot.fill($0) } }
      }
      return await slot.value()
    } onCancel: {
      // The mark is set first, since the operation may arrive at its thread only after this call.
      mark.set()
      loop.perform { loop.withCore { self.end(id, .cancelled, $0) } }
    }
    return try result.get()
  }

  /// Opens the connection without sending the request. Returns a response without a status.
  ///
  /// The response contains the durations of the phases of connecting, and the header of the unsent request.
  package func connect(_ timeout: Duration?) async throws(NetworkingError) -> TransferResponse {
    _ = try await perform(.read(minimum: 0, maximum: 0), timeout)
    guard let response = opening.withLock({ $0 }) else { throw NetworkingError(.cancelled, url: request.url) }
    return response
  }

  /// Closes the connection. All pending and later operations fail with `reason`.
  package func close(_ reason: NetworkingError.Reason) {
    let loop = loop
    let error = NetworkingError(reason)
    loop.perform { loop.withCore { self.fail(error, $0) } }
  }

  private func add(
    _ operation: StreamQueue.Operation, id: Int, mark: CancellationMark, timeout: Duration?, core: TransferCore,
    _ finish: @escaping Completion
  ) {
    if mark.isSet { return finish(.failure(NetworkingError(.cancelled, url: request.url))) }
    if case .failed(let error) = state { return finish(.failure(error)) }
    var entry = Pending(finish: finish)
    if let timeout {
      let timer = LoopTimer(
        .action { [weak self, loop] in
          loop.withCore { core in
            guard let self else { return }
            self.end(id, .timeout(.init(limit: .deadline, phase: self.phase(operation), duration: timeout)), core)
          }
        })
      timer.due = MonotonicClock.now &+ timeout.nanoseconds
      core.timers.insert(timer)
      entry.timer = timer
    }
    pending[id] = entry
    queue.add(operation, id: id)
    if case .new = state { begin(request, core) } else { process(core) }
  }

  /// Returns the phase to report in the timeout error if `operation` exceeds its time limit. If the connection is still being opened, the
  /// result is the current phase of the opening, such as the TLS handshake.
  private func phase(_ operation: StreamQueue.Operation) -> NetworkingError.Phase {
    if case .connecting(let transfer) = state { return min(transfer.phase, .securing) }
    return switch operation {
    case .read, .closeRead: .receiving
    case .write, .closeWrite: .sending
    case .secure: .securing
    }
  }

  /// Ends an operation before it is complete. If a part of a write was already sent, or the TLS handshake has begun, the whole stream ends
  /// too.
  private func end(_ id: Int, _ reason: NetworkingError.Reason, _ core: TransferCore) {
    let removal = queue.remove(id)
    if removal == .absent { return }
    let error = NetworkingError(reason, url: request.url)
    complete(id, .failure(error), core)
    if removal == .begun { fail(error, core) } else { process(core) }
  }

  private func complete(_ id: Int, _ result: Result<StreamReceived, NetworkingError>, _ core: TransferCore) {
    guard let entry = pending.removeValue(forKey: id) else { return }
    if let timer = entry.timer { core.timers.remove(timer) }
    entry.finish(result)
  }

  /// Closes the connection with an error. Call it on the event loop's thread.
  func fail(_ error: NetworkingError, _ core: TransferCore) {
    if case .failed = state { return }
    let transfer: Transfer? = if case .connecting(let transfer) = state { transfer } else { nil }
    let hasBegun = if case .new = state { false } else { true }
    state = .failed(error)
    if hasBegun { close(core) }
    for id in queue.removeAll() { complete(id, .failure(error), core) }
    if let transfer { core.cancel(transfer) }
  }

  private func close(_ core: TransferCore) {
    events = 0
    core.remove(self)
    if let easy { core.handles.giveBack(easy) }
    core.handles.removeStream()
    easy = nil
    socket = -1
  }

  // MARK: Connecting

  private func begin(_ request: TransferRequest, _ core: TransferCore, adopting socket: AdoptedSocket? = nil) {
    let transfer = Transfer(request: request, progress: nil) { [weak self, loop] result in
      // The core calls this on its thread.
      loop.withCore { core in self?.connected(result, core) }
    }
    transfer.handover.socket = socket
    core.handles.addStream()
    state = .connecting(transfer)
    core.enqueue(transfer)
  }

  private func connected(_ result: Result<TransferResponse, NetworkingError>, _ core: TransferCore) {
    guard case .connecting(let transfer) = state else {
      // The connection was abandoned in the meantime.
      return
    }
    switch result {
    case .failure(let error): fail(error, core)
    case .success(let response):
      opening.withLock { $0 = response }
      easy = transfer.takeHandle()
      guard let easy, easy.socket >= 0 else {
        fail(NetworkingError(.connectionLost(detail: "it was closed at once"), url: request.url), core)
        return
      }
      socket = easy.socket
      peer = easy.string(CURLINFO_PRIMARY_IP)
      secured = secured || isSecure || transfer.handover.socket != nil
      state = .open
      core.add(self)
      if transfer.handover.socket != nil, let id = queue.endHandshake() { complete(id, .success(.init()), core) }
      process(core)
    }
  }

  // MARK: Starting TLS on an open connection

  private func secure(_ core: TransferCore) {
    func refuse(_ reason: NetworkingError.Reason) {
      if let id = queue.endHandshake() { complete(id, .failure(NetworkingError(reason, url: request.url)), core) }
      process(core)
    }
    if secured { return refuse(.unsupported("TLS within TLS")) }
    // Unread bytes from before the handshake were not protected. If the caller read them as protected bytes, they could come from an
    // attacker (as in CVE-2011-0411).
    if !buffer.isEmpty || isAtEnd || isReadClosed || isWriteClosed {
      return refuse(.tls(.handshake, detail: "the stream has unread bytes or a closed side"))
    }
    let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return refuse(.tls(.handshake, detail: systemMessage(errno))) }
    close(core)
    var next = request
    next.url = "https" + request.url.dropFirst("http".utf8.count)
    // The connection exists already, so neither a name lookup nor the proxy is needed.
    next.settings.proxy = .none
    next.settings.resolve = []
    next.settings.connectTo = [ConnectOverride(toHost: peer.flatMap { $0.isEmpty ? nil : $0 } ?? "127.0.0.1")]
    begin(next, core, adopting: AdoptedSocket(copy))
  }

  // MARK: Transferring bytes

  /// Performs all pending operations of this stream that are possible without waiting. Then stores in ``events`` the socket events that the
  /// remaining operations wait for.
  func process(_ core: TransferCore) {
    guard case .open = state else { return }
    events = 0
    write(core)
    guard case .open = state else { return }
    read(core)
    guard case .open = state else { return }
    if queue.beginHandshake() { secure(core) }
  }

  private func write(_ core: TransferCore) {
    var moved = 0
    while let entry = queue.currentWrite {
      guard case .write(let bytes) = entry.operation else {
        if secured {
          queue.endWrite()
          complete(entry.id, .failure(NetworkingError(.unsupported("closing one side of a stream with TLS"), url: request.url)), core)
          continue
        }
        isWriteClosed = true
        shutdown(socket, Int32(SHUT_WR))
        queue.endWrite()
        complete(entry.id, .success(.init()), core)
        continue
      }
      if isWriteClosed {
        queue.endWrite()
        complete(entry.id, .failure(NetworkingError(.invalidRequest("the stream was closed for writing"), url: request.url)), core)
        continue
      }
      if entry.sent == bytes.count {
        queue.endWrite()
        complete(entry.id, .success(.init()), core)
        continue
      }
      guard moved < Self.turn else {
        // Let other streams run before this stream continues.
        loop.perform { [weak self, loop] in loop.withCore { self?.process($0) } }
        return
      }
      guard let easy else { return }
      var count = 0
      let status = bytes.withUnsafeBytes { buffer in
        curl_easy_send(easy.handle, buffer.baseAddress.map { $0 + entry.sent }, buffer.count - entry.sent, &count)
      }
      switch status {
      case CURLE_OK:
        moved += count
        queue.noteSent(count)
      case CURLE_AGAIN:
        events |= Int16(CURL_WAIT_POLLOUT)
        return
      default: return fail(lost(status), core)
      }
    }
  }

  private func read(_ core: TransferCore) {
    while let entry = queue.currentRead {
      guard case .read(let minimum, let maximum) = entry.operation else {
        isReadClosed = true
        isAtEnd = true
        buffer = []
        shutdown(socket, Int32(SHUT_RD))
        queue.endRead()
        complete(entry.id, .success(.init()), core)
        continue
      }
      if buffer.count >= minimum || isAtEnd {
        queue.endRead()
        let bytes: [UInt8]
        if buffer.count <= maximum {
          bytes = buffer
          buffer = []
        } else {
          bytes = Array(buffer[..<maximum])
          buffer.removeFirst(maximum)
        }
        complete(entry.id, .success(.init(bytes: bytes, isAtEnd: isAtEnd && buffer.isEmpty)), core)
        continue
      }
      switch receive(upTo: maximum - buffer.count) {
      case CURLE_OK: break
      case CURLE_AGAIN:
        events |= Int16(CURL_WAIT_POLLIN)
        return
      case let status: return fail(lost(status), core)
      }
    }
  }

  private func receive(upTo limit: Int) -> CURLcode {
    guard let easy else { return CURLE_RECV_ERROR }
    var status = CURLE_OK
    let piece = [UInt8](unsafeUninitializedCapacity: min(limit, 64 << 10)) { space, count in
      status = curl_easy_recv(easy.handle, space.baseAddress, space.count, &count)
      if status != CURLE_OK { count = 0 }
    }
    if status == CURLE_OK {
      if piece.isEmpty { isAtEnd = true }
      if buffer.isEmpty { buffer = piece } else { buffer += piece }
    }
    return status
  }

  private func lost(_ status: CURLcode) -> NetworkingError {
    let text = easy?.errorText ?? ""
    let detail = text.isEmpty ? String(cString: curl_easy_strerror(status)) : text
    return NetworkingError(.connectionLost(detail: detail), url: request.url)
  }
}
