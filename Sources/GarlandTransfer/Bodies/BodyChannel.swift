import DequeModule
import HTTPTypes
import Synchronization

/// The body of a response on its way from the engine's thread to whoever takes it, piece by piece. When more waits than there is room for, the
/// transfer is paused: a slow reader slows the server down.
///
/// One reader at a time.
package final class BodyChannel: Sendable {
  /// What is known of a response before its body.
  package struct Head: Sendable {
    package let status: HTTPResponse.Status
    package let version: HTTPVersion
    package let headerFields: HTTPFields
  }

  private struct State {
    var head: Head?
    var pieces = Deque<[UInt8]>()
    var byteCount = 0
    /// Whether a piece was turned away.
    var isBlocked = false
    /// The transfer has ended: what is here is all.
    var isClosed = false
    var onDrain: (@Sendable () -> Void)?
    /// Is resumed once: whoever takes it out under the lock does it.
    var reader: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let limit: Int
  /// Up to this size pieces are put together while nobody takes them.
  private static let pieceSize = 16 << 10

  /// `limit` is how many bytes may wait before the transfer is paused.
  package init(limit: Int = 256 << 10) { self.limit = limit }

  // MARK: The engine's side

  /// `onDrain` is called when there is room again after a piece was turned away.
  func open(onDrain: @escaping @Sendable () -> Void) {
    state.withLock { $0.onDrain = onDrain }
  }

  /// Whether a piece has to wait. If so the transfer is told when there is room.
  func mustWait() -> Bool {
    state.withLock { state in
      if state.byteCount < limit { return false }
      state.isBlocked = true
      return true
    }
  }

  /// Whether the transfer waits for the reader.
  var isBlocked: Bool { state.withLock { $0.isBlocked } }

  func deliver(_ head: Head) { wake { $0.head = head } }

  func append(_ bytes: UnsafeRawBufferPointer) {
    wake { state in
      state.byteCount += bytes.count
      if let last = state.pieces.indices.last, state.pieces[last].count + bytes.count <= Self.pieceSize {
        state.pieces[last].append(contentsOf: bytes)
      } else {
        state.pieces.append(Array(bytes))
      }
    }
  }

  /// Says that nothing more comes. Whoever closes it knows why.
  package func close() {
    wake { state in
      state.isClosed = true
      state.onDrain = nil
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let reader = state.withLock { state in
      change(&state)
      return state.reader.take()
    }
    reader?.resume()
  }

  // MARK: The reader's side

  /// Waits for the head; nil if the transfer ended without one.
  package func head() async -> Head? {
    while true {
      let (head, isClosed) = state.withLock { ($0.head, $0.isClosed) }
      if head != nil || isClosed { return head }
      await wait { $0.head != nil }
    }
  }

  /// Waits for the next piece; nil when there are no more.
  package func next() async -> [UInt8]? {
    while true {
      let (piece, isClosed, drain) = state.withLock { state in
        guard let piece = state.pieces.popFirst() else { return (nil as [UInt8]?, state.isClosed, nil as (@Sendable () -> Void)?) }
        state.byteCount -= piece.count
        guard state.isBlocked, state.byteCount <= limit / 2 else { return (piece, false, nil) }
        state.isBlocked = false
        return (piece, false, state.onDrain)
      }
      drain?()
      if piece != nil || isClosed { return piece }
      await wait { !$0.pieces.isEmpty }
    }
  }

  private func wait(until isReady: @Sendable (State) -> Bool) async {
    await withUnsafeContinuation { continuation in
      let isReady = state.withLock { state in
        if isReady(state) || state.isClosed { return true }
        state.reader = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
