/// What came of a hop's response so far.
struct ResponseIntake {
  var head = ResponseHead()
  /// Where the body goes.
  var sink = BodySink.none
  /// Undoes the content codings of the body; nil until there is a body, or when it has none.
  var decoding: ContentDecoding?
  /// Bytes of the body, decoded.
  var received: Int64 = 0
  var decision = RedirectState.Decision.deliver
  /// The state after the redirect that was received, if it is followed.
  var next: RedirectState?
  /// Why a callback made libcurl give up.
  var failure: NetworkingError.Reason?
  /// Whether a callback made libcurl stop because no more is wanted.
  var isSatisfied = false
  /// Whether the response is a challenge, and another one follows.
  var isAnswering = false
  /// Whether the head may be followed by another one, because libcurl answers it.
  var isProvisional = false
  /// How many heads libcurl has answered.
  var answeredHeads = 0
  /// Whether the hop is sent anew, whatever the response says.
  var beginsAnew = false

  /// Forgets the response before. What has been written of a body stays where it is.
  mutating func begin() {
    let sink = sink
    self = ResponseIntake()
    self.sink = sink
  }

  /// Decides what a complete head means for a hop: to deliver it, or to send the hop that is `next`.
  mutating func decide(for hop: RedirectState, isBodyRepeatable: Bool) {
    decision = .deliver
    next = nil
    // Who is not sent elsewhere needs no other state.
    guard (300..<400).contains(head.status) else { return }
    var following = hop
    decision = following.next(status: head.status, location: head.fields[.location], isBodyRepeatable: isBodyRepeatable)
    if decision == .follow { next = following }
  }

  /// Why the body may not become so long; nil if it may.
  func excess(over limit: Int64?, announced: Int64? = nil) -> NetworkingError.Reason? {
    guard let limit, announced ?? received > limit else { return nil }
    return .bodyTooLarge(limit: limit)
  }
}
