import Collections

/// Hands out the slots of a run: so many transfers at once in all, and so many to one origin.
///
/// Whoever waits is served in order of rank. A step whose origin is known beforehand waits at that origin, so that a thousand steps for a busy
/// host neither take slots from other hosts nor have to be looked at again and again: each operation costs a logarithm.
struct TransferSlots {
  /// Who waits: a step (by rank) that has not begun, or an iteration of one that has.
  struct Ticket: Comparable {
    private let key: UInt64

    init(beginAt rank: Int) { key = UInt64(rank) << 32 }

    init(rank: Int, iteration: Int) { key = UInt64(rank) << 32 | UInt64(UInt32(truncatingIfNeeded: iteration + 1)) }

    var rank: Int { Int(key >> 32) }
    /// Nil for a step that has not begun.
    var iteration: Int? {
      let low = Int(key & 0xFFFF_FFFF)
      return low == 0 ? nil : low - 1
    }

    static func < (left: Ticket, right: Ticket) -> Bool { left.key < right.key }
  }

  /// A slot that became free and the one who gets it.
  struct Grant {
    var ticket: Ticket
    /// The origin that the slot is for; nil when it is not known yet.
    var origin: Int?
  }

  /// The head of an origin's queue, as it was when it was noted; it may have been served since.
  private struct Head: Comparable {
    var ticket: Ticket
    var origin: Int

    static func < (left: Head, right: Head) -> Bool { left.ticket < right.ticket }
  }

  let limit: Int
  let limitPerOrigin: Int
  private(set) var inUse = 0
  private var inUseByOrigin: [Int] = []
  private var queues: [Heap<Ticket>] = []
  private var heads = Heap<Head>()
  private var anywhere = Heap<Ticket>()

  init(limit: Int, limitPerOrigin: Int) {
    self.limit = limit
    self.limitPerOrigin = limitPerOrigin
  }

  /// How many slots of an origin are taken.
  func inUse(at origin: Int) -> Int { origin < inUseByOrigin.count ? inUseByOrigin[origin] : 0 }

  mutating func wait(_ ticket: Ticket, for origin: Int?) {
    guard let origin else {
      anywhere.insert(ticket)
      return
    }
    makeRoom(for: origin)
    queues[origin].insert(ticket)
    noteHead(of: origin)
  }

  mutating func release(_ origin: Int?) {
    inUse -= 1
    guard let origin else { return }
    inUseByOrigin[origin] -= 1
    noteHead(of: origin)
  }

  /// Takes a place at an origin for someone who holds a slot already, if there is one.
  mutating func extend(to origin: Int) -> Bool {
    makeRoom(for: origin)
    guard inUseByOrigin[origin] < limitPerOrigin else { return false }
    inUseByOrigin[origin] += 1
    return true
  }

  /// The next one that can go, who from now on holds the slot. Those who are marked as gone, by rank, lose their place.
  ///
  /// - Parameter placed: serves only those who wait at an origin.
  mutating func next(placed: Bool, gone: [Bool]) -> Grant? {
    guard inUse < limit else { return nil }
    while let ticket = anywhere.min, gone[ticket.rank] { anywhere.removeMin() }
    while let head = heads.min {
      guard queues[head.origin].min == head.ticket, inUseByOrigin[head.origin] < limitPerOrigin else {
        heads.removeMin()
        continue
      }
      guard !gone[head.ticket.rank] else {
        queues[head.origin].removeMin()
        heads.removeMin()
        noteHead(of: head.origin)
        continue
      }
      if !placed, let first = anywhere.min, first < head.ticket { break }
      heads.removeMin()
      queues[head.origin].removeMin()
      inUse += 1
      inUseByOrigin[head.origin] += 1
      noteHead(of: head.origin)
      return Grant(ticket: head.ticket, origin: head.origin)
    }
    guard !placed, let ticket = anywhere.popMin() else { return nil }
    inUse += 1
    return Grant(ticket: ticket, origin: nil)
  }

  private mutating func makeRoom(for origin: Int) {
    while inUseByOrigin.count <= origin {
      inUseByOrigin.append(0)
      queues.append([])
    }
  }

  private mutating func noteHead(of origin: Int) {
    guard inUseByOrigin[origin] < limitPerOrigin, let ticket = queues[origin].min else { return }
    heads.insert(Head(ticket: ticket, origin: origin))
  }
}
