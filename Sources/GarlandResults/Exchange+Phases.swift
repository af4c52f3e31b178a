extension Exchange.Timing {
  /// The duration of each phase of a hop. The sum of all phases is the hop's ``total``.
  ///
  /// ```swift
  /// let phases = hop.timing.phases
  /// phases.wait  // from the last byte of the request to the first of the response
  /// ```
  public struct Phases: Sendable, Hashable {
    /// The time of waiting for a free connection, and all time that belongs to no other phase.
    public var queue = Duration.zero
    /// The duration of the lookup of the host's name.
    public var nameLookup = Duration.zero
    /// The duration of opening the connection, without the TLS handshake.
    public var connect = Duration.zero
    /// The duration of the TLS handshake.
    public var tls = Duration.zero
    /// The time that was needed to send the request.
    public var send = Duration.zero
    /// The time from the end of the request to the first byte of the response.
    public var wait = Duration.zero
    /// The time for receiving the response, from its first to its last byte.
    public var receive = Duration.zero

    /// Creates phases that took no time.
    init() {}
  }

  /// The times of the hop's consecutive phases. The time until a failure belongs to the phase in which the transfer failed.
  public var phases: Phases {
    var phases = Phases()
    var end = Duration.zero
    func part(until next: Duration) -> Duration {
      let next = min(max(next, end), total)
      defer { end = next }
      return next - end
    }
    if let nameLookup { phases.nameLookup = part(until: nameLookup) }
    if let connect { phases.connect = part(until: connect) }
    if let tls { phases.tls = part(until: tls) }
    if let requestStart { phases.queue = part(until: requestStart) }
    if let requestSent { phases.send = part(until: min(requestSent, firstByte ?? requestSent)) }
    if let firstByte {
      phases.wait = part(until: firstByte)
      phases.receive = part(until: total)
    } else if requestStart != nil {
      phases.wait = part(until: total)
    } else if tls != nil || connect != nil && nameLookup != nil {
      phases.tls = part(until: total) + phases.tls
    } else if nameLookup != nil {
      phases.connect = part(until: total)
    } else {
      phases.queue = part(until: total)
    }
    return phases
  }
}
