/// What steps of called documents have asked a run for, until it is there: slots for transfers, and resources. Who asks has a ticket, by which the scheduler
/// knows them.
struct Lending {
  private struct SlotRequest {
    let call: ActiveStep
    let granted: @Sendable (Int?) -> Void
  }

  private var slots: [Int: SlotRequest] = [:]
  private var loans: [Int: @Sendable () -> Void] = [:]
  private var nextTicket = 0

  /// Keeps who asks for a slot, on behalf of a step that calls a document. Returns the ticket.
  mutating func add(for call: ActiveStep, _ granted: @escaping @Sendable (Int?) -> Void) -> Int {
    defer { nextTicket += 1 }
    slots[nextTicket] = SlotRequest(call: call, granted: granted)
    return nextTicket
  }

  /// Whom to tell that a slot is there; nil if the call has ended meanwhile.
  mutating func takeSlot(_ ticket: Int) -> (@Sendable (Int?) -> Void)? {
    guard let request = slots.removeValue(forKey: ticket), !request.call.hasEnded else { return nil }
    return request.granted
  }

  /// Keeps who asks for resources. Returns the ticket.
  mutating func add(_ lent: @escaping @Sendable () -> Void) -> Int {
    defer { nextTicket += 1 }
    loans[nextTicket] = lent
    return nextTicket
  }

  /// Whom to tell that resources are there.
  mutating func takeLoan(_ ticket: Int) -> (@Sendable () -> Void)? { loans.removeValue(forKey: ticket) }
}
