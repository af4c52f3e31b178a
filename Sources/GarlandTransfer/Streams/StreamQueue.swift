import DequeModule

/// The result of a read from a stream.
public struct StreamReceived: Sendable, Hashable {
  /// The bytes that were read from the stream.
  public var bytes: [UInt8] = []
  /// Whether the peer has closed its sending side, so that no more bytes will arrive.
  public var isAtEnd = false
}

/// The queue of a stream's pending operations, which determines their order.
///
/// Reads run one after another, and so do writes; reads and writes run concurrently. A handshake runs after all earlier operations and
/// before all later operations.
///
/// The queue performs no operation itself.
package struct StreamQueue: Sendable {
  package enum Operation: Sendable, Hashable {
    case read(minimum: Int, maximum: Int)
    case write([UInt8])
    case closeRead
    case closeWrite
    case secure
  }

  struct Entry: Sendable, Hashable {
    let id: Int
    let operation: Operation
    /// The number of bytes of a write that were already sent.
    var sent = 0
  }

  /// The state of an operation at the time when it was removed from the queue.
  enum Removal: Sendable, Hashable {
    /// The operation is no longer in the queue, because it has already ended.
    case absent
    /// The removed operation has had no effect.
    case untouched
    /// The removed operation has already had an effect that cannot be undone: bytes were sent, or the handshake has begun.
    case begun
  }

  private var reads = Deque<Entry>()
  private var writes = Deque<Entry>()
  /// The pending handshake, for which later operations wait; nil if no handshake is pending.
  private var handshake: Entry?
  private var isHandshaking = false
  private var waiting = Deque<Entry>()

  mutating func add(_ operation: Operation, id: Int) { add(Entry(id: id, operation: operation)) }

  private mutating func add(_ entry: Entry) {
    if handshake != nil {
      waiting.append(entry)
      return
    }
    switch entry.operation {
    case .read, .closeRead: reads.append(entry)
    case .write, .closeWrite: writes.append(entry)
    case .secure: handshake = entry
    }
  }

  /// The operation in progress on the receiving side: a read, or closing this side; nil if there is none.
  var currentRead: Entry? { reads.first }
  /// The current write, or the current closing of the sending side; nil if there is neither.
  var currentWrite: Entry? { writes.first }

  /// Begins the handshake if all earlier operations have ended. Returns true only if this call has begun it.
  mutating func beginHandshake() -> Bool {
    guard handshake != nil, !isHandshaking, reads.isEmpty, writes.isEmpty else { return false }
    isHandshaking = true
    return true
  }

  mutating func noteSent(_ count: Int) { if !writes.isEmpty { writes[0].sent += count } }

  mutating func endRead() { _ = reads.popFirst() }
  mutating func endWrite() { _ = writes.popFirst() }

  /// Records the end of the TLS handshake, so that later operations can begin. Returns the ID of the handshake; nil if no handshake is
  /// pending.
  mutating func endHandshake() -> Int? {
    guard let id = handshake?.id else { return nil }
    handshake = nil
    isHandshaking = false
    let entries = waiting
    waiting.removeAll()
    for entry in entries { add(entry) }
    return id
  }

  /// Removes an operation. Returns whether the operation has already had an effect that cannot be undone, such as sent bytes; see
  /// ``Removal``.
  mutating func remove(_ id: Int) -> Removal {
    if let index = reads.firstIndex(where: { $0.id == id }) {
      // The bytes that were received for this read stay available for the next read.
      reads.remove(at: index)
      return .untouched
    }
    if let index = writes.firstIndex(where: { $0.id == id }) {
      return writes.remove(at: index).sent == 0 ? .untouched : .begun
    }
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index)
      return .untouched
    }
    guard handshake?.id == id else { return .absent }
    if isHandshaking { return .begun }
    _ = endHandshake()
    return .untouched
  }

  /// Removes all operations and returns their IDs.
  mutating func removeAll() -> [Int] {
    let all = reads.map(\.id) + writes.map(\.id) + (handshake.map { [$0.id] } ?? []) + waiting.map(\.id)
    self = StreamQueue()
    return all
  }
}
