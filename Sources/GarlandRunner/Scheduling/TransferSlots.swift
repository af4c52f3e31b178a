import HeapModule

/// Assigns the transfer slots of a run, which limit the number of concurrent transfers in total and for each origin.
///
/// Waiting steps get slots in the order of their ranks (positions in the start order). A step whose origin is known before it begins waits
/// in the queue of this origin. Therefore, even a thousand steps that wait for a busy host take no slots from other hosts. Such steps also
/// cost little time: each operation on a queue takes logarithmic time.
struct TransferSlots {
  /// A place in a queue for transfer slots. It belongs to a step that has not begun, or to a loop item of a step that has begun. The rank
  /// of the step identifies the step.
  struct Ticket: Comparable {
    private let key: UInt64
    /// The number by which tickets are ordered.
    ///
    /// - If the step has not sent a request, the number contains the step's rank (its position in the start order) and the index of the
    ///   loop item.
    /// - Steps that have already sent a request get ascending numbers in the order in which they join the queue.
    private let order: UInt64

    init(beginAt rank: Int) {
      key = UInt64(rank) << 32
      order = key
    }

    init(rank: Int, iteration: Int) {
      key = UInt64(rank) << 32 | UInt64(UInt32(truncatingIfNeeded: iteration + 1))
      order = key
    }

    /// Creates a ticket for a step that has already sent a request and waits to send another one. A ticket with a
    /// lower `number` comes earlier in the queue.
    fileprivate init(_ ticket: Ticket, cameAs number: UInt64) {
      key = ticket.key
      order = number
    }

    var rank: Int { Int(key >> 32) }
    /// The index of the loop item. Nil if the ticket belongs to a step that has not begun.
    var iteration: Int? {
      let low = Int(key & 0xFFFF_FFFF)
      return low == 0 ? nil : low - 1
    }

    static func < (left: Ticket, right: Ticket) -> Bool { left.order < right.order }
  }

  /// A free transfer slot, and the ticket (position in a queue) of the step that receives the slot.
  struct Grant {
    var ticket: Ticket
    /// The origin to which the transfer slot belongs; nil if the origin is not known yet.
    var origin: Int?
  }

  /// The kinds of steps that wait for a transfer slot.
  enum Kind: Int, CaseIterable {
    /// A step that sends another request: a retry, a poll or a page. Such steps get a slot before all other steps. Otherwise, new steps
    /// could take all slots, and steps that have begun could not end.
    case repeating
    /// A step or loop item that has already begun, and waits to send its first request.
    case continuing
    /// A step that has not begun and uses values of other steps that are kept in memory. When the step ends, these values may be released.
    case draining
    /// A step that has not begun, and whose values must be kept for other steps after its end.
    case keeping
    /// A step that has not begun, and to which neither ``draining`` nor ``keeping`` applies.
    case other
  }

  /// A set of kinds of waiting steps. ``next(among:gone:)`` gives a free slot only to a step of one of these kinds.
  struct Kinds: OptionSet {
    let rawValue: UInt8

    static let underWay: Kinds = [Kinds(.repeating), Kinds(.continuing)]
    static let draining = Kinds(.draining)
    static let keeping = Kinds(.keeping)
    static let other = Kinds(.other)
    static let beginning: Kinds = [.draining, .keeping, .other]
    static let all: Kinds = [.underWay, .beginning]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    private init(_ kind: Kind) { rawValue = 1 << UInt8(kind.rawValue) }
  }

  /// The steps of one ``Kind`` that wait for a transfer slot, with a queue for each origin. Steps whose origin is unknown wait in
  /// ``anywhere``.
  private struct Line {
    /// The first ticket in an origin's queue at the time when this `Head` was created. The ticket may have received its transfer slot since
    /// then.
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

    /// Whether a ticket waits in the queue of an origin.
    func hasWaiting(at origin: Int) -> Bool { origin < queues.count && !queues[origin].isEmpty }

    mutating func noteHead(of origin: Int) {
      guard origin < queues.count, let ticket = queues[origin].min else { return }
      heads.insert(Head(ticket: ticket, origin: origin))
    }

    /// Whether ``first(gone:inUse:limit:)`` has no ticket to examine.
    var isEmpty: Bool { heads.isEmpty && anywhere.isEmpty }

    /// Returns the first ticket that can get a transfer slot, without removing it. Tickets of steps that have ended are removed.
    ///
    /// - Parameters:
    ///   - gone: for each rank (position in the start order), whether the step has ended.
    ///   - inUse: the number of slots in use at each origin.
    ///   - limit: the number of slots of each origin.
    mutating func first(gone: [Bool], inUse: [Int], limit: Int) -> (ticket: Ticket, origin: Int?)? {
      while let ticket = anywhere.min, gone[ticket.rank] { anywhere.removeMin() }
      while let head = heads.min {
        guard queues[head.origin].min == head.ticket, inUse[head.origin] < limit else {
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

    /// Removes the ticket that the last call of ``first(gone:inUse:limit:)`` returned.
    ///
    /// - Parameter origin: the origin that was returned with the ticket; nil if the ticket belongs to no origin.
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
  /// The number of tickets that ``waitAgain(_:for:)`` has added so far. These tickets are numbered from 1 in the order in which they were
  /// added. A ticket with a lower number comes first.
  private var repeatCount: UInt64 = 0
  /// The queues of tickets, one queue for each ``Kind``. The raw value of the kind is the index of the queue. A ticket represents a step or
  /// a loop item that waits for a slot.
  private var lines = Array(repeating: Line(), count: Kind.allCases.count)

  init(limit: Int, limitPerOrigin: Int) {
    self.limit = limit
    self.limitPerOrigin = limitPerOrigin
  }

  /// Whether no transfer slot is in use.
  var areAllFree: Bool { inUse == 0 && inUseByOrigin.allSatisfy { $0 == 0 } }

  /// Adds a ticket (a place in a queue for transfer slots) to the queue of `origin`. If `origin` is nil, because it is not known yet, the
  /// ticket waits for any slot of the run.
  mutating func wait(_ ticket: Ticket, for origin: Int?, _ kind: Kind) {
    if let origin { makeRoom(for: origin) }
    lines[kind.rawValue].insert(ticket, for: origin)
    if let origin { noteHead(of: origin, in: kind.rawValue) }
  }

  /// Adds a ticket to the queue of an origin, for a step (or an item of its loop) that has already sent a request and now needs to send
  /// another one. The ticket comes after all tickets that were added by earlier calls of this function.
  mutating func waitAgain(_ ticket: Ticket, for origin: Int) {
    repeatCount += 1
    wait(Ticket(ticket, cameAs: repeatCount), for: origin, .repeating)
  }

  mutating func release(_ origin: Int?) {
    inUse -= 1
    guard let origin else { return }
    inUseByOrigin[origin] -= 1
    noteHead(of: origin)
  }

  /// Acquires a transfer slot at an origin for a step that already holds a slot of the run. Returns false if the origin has no free slot.
  mutating func extend(to origin: Int) -> Bool {
    makeRoom(for: origin)
    guard inUseByOrigin[origin] < limitPerOrigin else { return false }
    inUseByOrigin[origin] += 1
    return true
  }

  /// Acquires a transfer slot for a step that does not wait in the queue for slots.
  mutating func take(_ origin: Int?) {
    inUse += 1
    guard let origin else { return }
    makeRoom(for: origin)
    inUseByOrigin[origin] += 1
  }

  /// Returns the first step in the queues that has not begun and could begin now; nil if there is none.
  mutating func firstToBegin(gone: [Bool]) -> Ticket? { first(among: .beginning, gone: gone)?.ticket }

  /// Removes and returns the next ticket that can get a transfer slot, and assigns the slot to it. Tickets of steps that have ended are
  /// removed; `gone` says for each rank (position in the start order) whether the step has ended.
  mutating func next(among kinds: Kinds, gone: [Bool]) -> Grant? {
    guard inUse < limit, let first = first(among: kinds, gone: gone) else { return nil }
    lines[first.line].remove(first.origin)
    inUse += 1
    if let origin = first.origin {
      inUseByOrigin[origin] += 1
      noteHead(of: origin)
    }
    return Grant(ticket: first.ticket, origin: first.origin)
  }

  private mutating func first(among kinds: Kinds, gone: [Bool]) -> (line: Int, ticket: Ticket, origin: Int?)? {
    // If no step waits, the lines are not accessed for a change, since that would copy them in each repetition of a load test.
    if lines.allSatisfy(\.isEmpty) { return nil }
    var first: (line: Int, ticket: Ticket, origin: Int?)?
    for line in lines.indices where kinds.contains(Kinds(rawValue: 1 << UInt8(line))) {
      guard let found = lines[line].first(gone: gone, inUse: inUseByOrigin, limit: limitPerOrigin) else { continue }
      if line == Kind.repeating.rawValue { return (line, found.ticket, found.origin) }
      if let first, first.ticket < found.ticket { continue }
      first = (line, found.ticket, found.origin)
    }
    return first
  }

  private mutating func makeRoom(for origin: Int) {
    while inUseByOrigin.count <= origin { inUseByOrigin.append(0) }
    for line in lines.indices where lines[line].queues.count <= origin { lines[line].makeRoom(for: origin) }
  }

  private mutating func noteHead(of origin: Int) {
    // If no step waits, the lines are not accessed for a change, since that would copy them in each repetition of a load test.
    guard inUseByOrigin[origin] < limitPerOrigin, lines.contains(where: { $0.hasWaiting(at: origin) }) else { return }
    for line in lines.indices { lines[line].noteHead(of: origin) }
  }

  private mutating func noteHead(of origin: Int, in line: Int) {
    if inUseByOrigin[origin] < limitPerOrigin { lines[line].noteHead(of: origin) }
  }
}
