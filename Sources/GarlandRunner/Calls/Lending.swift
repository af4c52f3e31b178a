/// The transfer slots and resources that steps of called documents have requested from a run but not yet received. Each request has a
/// number, its ticket, by which the scheduler identifies the request.
struct Lending {
  private struct SlotRequest {
    let call: ActiveStep
    let granted: @Sendable (Int?) -> Void
  }

  private var slots: [Int: SlotRequest] = [:]
  private var loans: [Int: @Sendable () -> Void] = [:]
  private var nextTicket = 0

  /// Stores a request for a transfer slot, which a step of a called document needs. Returns the number (ticket) that identifies the
  /// request.
  ///
  /// - Parameters:
  ///   - call: the step that calls the document.
  ///   - granted: receives the slot.
  mutating func add(for call: ActiveStep, _ granted: @escaping @Sendable (Int?) -> Void) -> Int {
    defer { nextTicket += 1 }
    slots[nextTicket] = SlotRequest(call: call, granted: granted)
    return nextTicket
  }

  /// Removes a request for a slot and returns its callback; nil if the calling step has ended in the meantime.
  mutating func takeSlot(_ ticket: Int) -> (@Sendable (Int?) -> Void)? {
    guard let request = slots.removeValue(forKey: ticket), !request.call.hasEnded else { return nil }
    return request.granted
  }

  /// Stores a request of a called document for resources. Returns the number (ticket) that identifies the request.
  mutating func add(_ lent: @escaping @Sendable () -> Void) -> Int {
    defer { nextTicket += 1 }
    loans[nextTicket] = lent
    return nextTicket
  }

  /// Removes a request for resources and returns its callback.
  mutating func takeLoan(_ ticket: Int) -> (@Sendable () -> Void)? { loans.removeValue(forKey: ticket) }
}
