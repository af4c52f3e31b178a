import DequeModule

/// What a read from a stream brought.
public struct StreamReceived: Sendable, Hashable {
  /// The bytes.
  public var bytes: [UInt8] = []
  /// Whether the peer has closed its side: nothing more comes.
  public var isAtEnd = false
}

/// The order in which a stream's operations are done: reads one after the other, beside them writes one after the other, and a handshake after all that came before it and
/// before all that came after it.
///
/// A pure value.
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
    /// How much of a write has left.
    var sent = 0
  }

  /// What became of an operation that is taken out.
  enum Removal: Sendable, Hashable {
    /// It is not there: it has ended.
    case absent
    /// Nothing has happened for it.
    case untouched
    /// A part of it has been done, which can't be undone.
    case begun
  }

  private var reads = Deque<Entry>()
  private var writes = Deque<Entry>()
  /// The handshake that the others wait for.
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

  /// What is to be read now, or the closing of that side.
  var currentRead: Entry? { reads.first }
  /// What is to be written now, or the closing of that side.
  var currentWrite: Entry? { writes.first }

  /// The handshake, if it is its turn; once.
  mutating func beginHandshake() -> Bool {
    guard handshake != nil, !isHandshaking, reads.isEmpty, writes.isEmpty else { return false }
    isHandshaking = true
    return true
  }

  mutating func noteSent(_ count: Int) { if !writes.isEmpty { writes[0].sent += count } }

  mutating func endRead() { _ = reads.popFirst() }
  mutating func endWrite() { _ = writes.popFirst() }

  /// The handshake is done: what waited for it can go on. Its number.
  mutating func endHandshake() -> Int? {
    guard let id = handshake?.id else { return nil }
    handshake = nil
    isHandshaking = false
    let entries = waiting
    waiting.removeAll()
    for entry in entries { add(entry) }
    return id
  }

  /// Takes an operation out.
  mutating func remove(_ id: Int) -> Removal {
    if let index = reads.firstIndex(where: { $0.id == id }) {
      // What was received for it stays for the next.
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

  /// All that is there, by number.
  mutating func removeAll() -> [Int] {
    let all = reads.map(\.id) + writes.map(\.id) + (handshake.map { [$0.id] } ?? []) + waiting.map(\.id)
    self = StreamQueue()
    return all
  }
}
