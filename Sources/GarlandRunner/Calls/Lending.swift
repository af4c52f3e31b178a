/// The requests of called documents for transfer slots and for resources (named limits for concurrent steps). Each request is stored until
/// the run grants it. The scheduler identifies a request by its number, the ticket.
struct Lending {
  private struct SlotRequest {
    let call: ActiveStep
    let granted: @Sendable (Int?) -> Void
  }

  private var slots: [Int: SlotRequest] = [:]
  private var loans: [Int: @Sendable () -> Void] = [:]
  private var nextTicket = 0

  /// Stores a request for a transfer slot that a step of a called document needs. Returns the number (ticket) that identifies the request.
  ///
  /// - Parameters:
  ///   - call: the step that calls the document.
  ///   - granted: the callback for the granted slot. Its argument is the number of the origin to which the slot belongs.
  mutating func add(for call: ActiveStep, _ granted: @escaping @Sendable (Int?) -> Void) -> Int {
    defer { nextTicket += 1 }
    slots[nextTicket] = SlotRequest(call: call, granted: granted)
    return nextTicket
  }

  /// Removes the request for a transfer slot that has the number `ticket`. Returns the callback that grants the slot; nil if the step that
  /// calls the document has ended in the meantime.
  mutating func takeSlot(_ ticket: Int) -> (@Sendable (Int?) -> Void)? {
    guard let request = slots.removeValue(forKey: ticket), !request.call.hasEnded else { return nil }
    return request.granted
  }

  /// Stores a called document's request for resources. `lent` is called when the resources are available. Returns the number (ticket) that
  /// identifies the request.
  mutating func add(_ lent: @escaping @Sendable () -> Void) -> Int {
    defer { nextTicket += 1 }
    loans[nextTicket] = lent
    return nextTicket
  }

  /// Removes the request with the given ticket, and returns the callback that grants the requested resources.
  mutating func takeLoan(_ ticket: Int) -> (@Sendable () -> Void)? { loans.removeValue(forKey: ticket) }
}
