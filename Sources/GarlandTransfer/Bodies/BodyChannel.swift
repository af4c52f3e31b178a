import DequeModule
import HTTPTypes
import Synchronization

/// Passes the body of a response, piece by piece, from the engine's thread to the code that reads it.
///
/// If too many bytes wait for the reader, the transfer is paused: a slow reader slows down the server.
///
/// Only one reader may use the channel at a time.
package final class BodyChannel: Sendable {
  /// The part of a response that is known before its body.
  package struct Head: Sendable {
    package let status: HTTPResponse.Status
    package let version: HTTPVersion
    package let headerFields: HTTPFields
  }

  private struct State {
    var head: Head?
    var pieces = Deque<[UInt8]>()
    var byteCount = 0
    /// Whether the transfer is paused because the channel was full.
    var isBlocked = false
    /// Whether the transfer has ended, so that no more pieces arrive.
    var isClosed = false
    var onDrain: (@Sendable () -> Void)?
    /// The continuation of the waiting reader; nil if no reader waits. Only code that holds the lock removes the continuation. The code
    /// that has removed the continuation must resume it, so that the continuation is resumed exactly once.
    var reader: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let limit: Int
  /// The maximum size in bytes of a piece that is composed of several smaller pieces. Received bytes are appended to the last piece in the
  /// channel, unless the piece would then exceed this size.
  private static let pieceSize = 16 << 10

  /// Creates a channel. The transfer is paused as soon as `limit` or more bytes wait for the reader.
  package init(limit: Int = 256 << 10) { self.limit = limit }

  // MARK: Methods for the engine

  /// Opens the channel. `onDrain` is called when the channel can accept pieces again after it was full.
  func open(onDrain: @escaping @Sendable () -> Void) {
    state.withLock { $0.onDrain = onDrain }
  }

  /// Returns whether the channel is full, so that the next piece must wait. If true, `onDrain` is called when the channel can accept pieces
  /// again.
  func mustWait() -> Bool {
    state.withLock { state in
      if state.byteCount < limit { return false }
      state.isBlocked = true
      return true
    }
  }

  /// Whether the transfer is paused because the channel is full. The transfer continues when the reader has taken enough pieces of the
  /// body.
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

  /// Closes the channel: no more pieces arrive. The channel does not store the reason why the transfer ended; the caller stores this
  /// reason.
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

  // MARK: Methods for the reader

  /// Waits for the head of the response. Returns nil if the transfer ended before a head arrived.
  package func head() async -> Head? {
    while true {
      let (head, isClosed) = state.withLock { ($0.head, $0.isClosed) }
      if head != nil || isClosed { return head }
      await wait { $0.head != nil }
    }
  }

  /// Waits for the next piece. Returns nil when no more pieces will arrive.
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

/// Receives the bytes of a response's body while they arrive. Called on the engine's first thread.
///
/// The size limit of bodies does not apply to a body with a tap: the body may be endless. The response itself stores only the first
/// ``keptBytes`` bytes.
package protocol BodyTap: AnyObject, Sendable {
  /// The number of bytes at the beginning of the body that are also stored in the response.
  var keptBytes: Int { get }
  /// Returns whether this object wants to receive the body of a response with the header `head`. If false, the body is received in the
  /// usual way. This method is called for each response except redirects that are followed.
  func begin(_ head: BodyChannel.Head) -> Bool
  /// Receives decoded bytes. Returns false if no more bytes are needed; the transfer then ends normally.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}
