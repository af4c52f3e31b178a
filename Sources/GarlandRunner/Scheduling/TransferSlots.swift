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

  /// Those who wait, by where they want to go.
  private struct Line {
    /// The head of an origin's queue, as it was when it was noted; it may have been served since.
    struct Head: Comparable {
      var ticket: Ticket
      var origin: Int

      static func < (left: Head, right: Head) -> Bool { left.ticket < right.ticket }
    }

    var queues: [Heap<Ticket>] = []
    var heads = Heap<Head>()
    var anywhere = Heap<Ticket>()

    mutating func makeRoom(for origin: Int) {
      while queues.count <= origin { queues.append([]) }
    }

    mutating func insert(_ ticket: Ticket, for origin: Int?) {
      if let origin { queues[origin].insert(ticket) } else { anywhere.insert(ticket) }
    }

    mutating func noteHead(of origin: Int) {
      guard origin < queues.count, let ticket = queues[origin].min else { return }
      heads.insert(Head(ticket: ticket, origin: origin))
    }

    /// The first who can go, left in its place. Those who are marked as gone, by rank, lose theirs.
    mutating func first(gone: [Bool], hasRoom: (Int) -> Bool) -> (ticket: Ticket, origin: Int?)? {
      while let ticket = anywhere.min, gone[ticket.rank] { anywhere.removeMin() }
      while let head = heads.min {
        guard queues[head.origin].min == head.ticket, hasRoom(head.origin) else {
          heads.removeMin()
          continue
        }
        guard !gone[head.ticket.rank] else {
          queues[head.origin].removeMin()
          heads.removeMin()
          noteHead(of: head.origin)
          continue
        }
        if let first = anywhere.min, first < head.ticket { return (first, nil) }
        return (head.ticket, head.origin)
      }
      return anywhere.min.map { ($0, nil) }
    }

    /// Takes the one that `first` has just given.
    mutating func remove(_ origin: Int?) {
      guard let origin else {
        anywhere.removeMin()
        return
      }
      heads.removeMin()
      queues[origin].removeMin()
    }
  }

  let limit: Int
  let limitPerOrigin: Int
  private(set) var inUse = 0
  private var inUseByOrigin: [Int] = []
  /// Steps that have not begun.
  private var beginning = Line()
  /// Those of them that use values that are kept for them.
  private var draining = Line()
  /// Iterations of those that have.
  private var continuing = Line()

  init(limit: Int, limitPerOrigin: Int) {
    self.limit = limit
    self.limitPerOrigin = limitPerOrigin
  }

  /// Whether nobody has a slot.
  var areAllFree: Bool { inUse == 0 && inUseByOrigin.allSatisfy { $0 == 0 } }

  /// How many slots of an origin are taken.
  func inUse(at origin: Int) -> Int { origin < inUseByOrigin.count ? inUseByOrigin[origin] : 0 }

  /// - Parameter drains: whether it is a step that uses values that are kept for it.
  mutating func wait(_ ticket: Ticket, for origin: Int?, drains: Bool = false) {
    if let origin { makeRoom(for: origin) }
    if ticket.iteration != nil {
      continuing.insert(ticket, for: origin)
    } else if drains {
      draining.insert(ticket, for: origin)
    } else {
      beginning.insert(ticket, for: origin)
    }
    if let origin { noteHead(of: origin) }
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

  /// Takes a slot for someone who does not wait in line, since nobody else is at work.
  mutating func take(_ origin: Int?) {
    inUse += 1
    guard let origin else { return }
    makeRoom(for: origin)
    inUseByOrigin[origin] += 1
  }

  /// The first of the steps that have not begun and could.
  mutating func firstToBegin(gone: [Bool]) -> Ticket? {
    let (counts, most) = (inUseByOrigin, limitPerOrigin)
    let first = beginning.first(gone: gone) { counts[$0] < most }?.ticket
    guard let drained = draining.first(gone: gone, hasRoom: { counts[$0] < most })?.ticket else { return first }
    return first.map { min($0, drained) } ?? drained
  }

  /// The next one that can go, who from now on holds the slot. Those who are marked as gone, by rank, lose their place.
  ///
  /// - Parameters:
  ///   - onlyContinuing: serves only those whose step has begun.
  ///   - onlyDraining: of the others serves only those that use values that are kept.
  mutating func next(onlyContinuing: Bool, onlyDraining: Bool = false, gone: [Bool]) -> Grant? {
    guard inUse < limit else { return nil }
    let (counts, most) = (inUseByOrigin, limitPerOrigin)
    let continued = continuing.first(gone: gone) { counts[$0] < most }
    let drained = onlyContinuing ? nil : draining.first(gone: gone) { counts[$0] < most }
    let begun = onlyContinuing || onlyDraining ? nil : beginning.first(gone: gone) { counts[$0] < most }
    let last = Ticket(rank: Int(Int32.max), iteration: 0)
    let tickets = (continued?.ticket ?? last, drained?.ticket ?? last, begun?.ticket ?? last)
    let ticket: Ticket
    let origin: Int?
    if let continued, tickets.0 < tickets.1, tickets.0 < tickets.2 {
      (ticket, origin) = continued
      continuing.remove(origin)
    } else if let drained, tickets.1 < tickets.2 {
      (ticket, origin) = drained
      draining.remove(origin)
    } else if let begun {
      (ticket, origin) = begun
      beginning.remove(origin)
    } else {
      return nil
    }
    inUse += 1
    if let origin {
      inUseByOrigin[origin] += 1
      noteHead(of: origin)
    }
    return Grant(ticket: ticket, origin: origin)
  }

  private mutating func makeRoom(for origin: Int) {
    while inUseByOrigin.count <= origin { inUseByOrigin.append(0) }
    beginning.makeRoom(for: origin)
    draining.makeRoom(for: origin)
    continuing.makeRoom(for: origin)
  }

  private mutating func noteHead(of origin: Int) {
    guard inUseByOrigin[origin] < limitPerOrigin else { return }
    beginning.noteHead(of: origin)
    draining.noteHead(of: origin)
    continuing.noteHead(of: origin)
  }
}
