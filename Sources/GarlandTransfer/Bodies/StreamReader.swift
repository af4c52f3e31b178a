import Synchronization

/// Reads a body that the caller produces. Requests the next piece only when all bytes of the previous piece were read.
final class StreamReader: BodyReader, Sendable {
  private struct State {
    var next: (@Sendable () async throws -> [UInt8]?)?
    var piece: [UInt8] = []
    var position = 0
    var delivered: Int64 = 0
    var isFetching = false
    var isAtEnd = false
    var failure: NetworkingError.Reason?
    var task: Task<Void, Never>?
    /// The number of the current attempt to send the body. A piece that was produced for an earlier attempt is dropped.
    var generation = 0
  }

  private let stream: BodyStream
  private let state = Mutex(State())
  /// The closure that is called, on any thread, when a new piece or the end of the body has arrived. A read that had to wait can then be
  /// repeated.
  private let onReady: @Sendable () -> Void

  init(_ stream: BodyStream, onReady: @escaping @Sendable () -> Void) {
    self.stream = stream
    self.onReady = onReady
  }

  var length: Int64? { stream.length }
  var isRepeatable: Bool { stream.isRepeatable }
  var isWaiting: Bool { state.withLock { $0.isFetching } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome {
    let outcome: BodyReadOutcome = state.withLock { state in
      if let failure = state.failure { return .failed(failure) }
      let left = state.piece.count - state.position
      var count = min(buffer.count, left)
      if let length, left > 0 {
        let last = state.delivered + Int64(left)
        if last > length { return .failed(tooLong) }
        // libcurl requests no more bytes than announced. The last byte is held back until it is certain that no
        // byte follows.
        if last == length, !state.isAtEnd { count = min(count, left - 1) }
        if count == 0 { return .wait }
      }
      if count > 0 {
        state.piece.withUnsafeBytes {
          buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.position..<state.position + count]))
        }
        state.position += count
        state.delivered += Int64(count)
        return .bytes(count)
      }
      if state.isAtEnd {
        if let length, state.delivered < length {
          return .failed(.bodyStream(detail: "it ended after \(state.delivered) of the \(length) bytes announced"))
        }
        return .end
      }
      return .wait
    }
    if case .wait = outcome { fetch() }
    return outcome
  }

  private var tooLong: NetworkingError.Reason { .bodyStream(detail: "it is longer than the \(length ?? 0) bytes announced") }

  private func fetch() {
    let work: (next: @Sendable () async throws -> [UInt8]?, generation: Int)? = state.withLock { state in
      guard !state.isFetching else { return nil }
      state.isFetching = true
      let next = state.next ?? stream.makeReader()
      state.next = next
      return (next, state.generation)
    }
    guard let work else { return }
    let task = Task {
      do {
        var piece = try await work.next()
        while let empty = piece, empty.isEmpty { piece = try await work.next() }
        self.deliver(piece, failure: nil, generation: work.generation)
      } catch {
        self.deliver(nil, failure: .bodyStream(detail: "\(error)"), generation: work.generation)
      }
    }
    state.withLock { if $0.generation == work.generation { $0.task = task } }
  }

  private func deliver(_ piece: [UInt8]?, failure: NetworkingError.Reason?, generation: Int) {
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.isFetching = false
      state.failure = failure
      state.isAtEnd = piece == nil
      if state.position < state.piece.count {
        // The producer has made more bytes than announced.
        if piece != nil { state.failure = tooLong }
      } else {
        state.piece = piece ?? []
        state.position = 0
      }
      return true
    }
    if isCurrent { onReady() }
  }

  func rewind() -> Bool {
    state.withLock { state in
      // No piece was read yet, so no second sequence is needed.
      if state.next == nil, !state.isAtEnd { return true }
      guard stream.isRepeatable else { return false }
      state.task?.cancel()
      state = State(generation: state.generation + 1)
      return true
    }
  }

  func close() {
    state.withLock { state in
      state.task?.cancel()
      state = State(isAtEnd: true, generation: state.generation + 1)
    }
  }
}
