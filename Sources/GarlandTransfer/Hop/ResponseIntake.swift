/// The received part of a hop's response.
struct ResponseIntake {
  var head = ResponseHead()
  /// The destination of the body.
  var sink = BodySink.none
  /// Decodes the body; nil until there is a body, or if it has no content coding.
  var decoding: ContentDecoding?
  /// The decoded bytes of the body.
  var received: Int64 = 0
  var decision = RedirectState.Decision.deliver
  /// The state after the received redirect, if it is followed.
  var next: RedirectState?
  /// The reason why a callback stopped libcurl.
  var failure: NetworkingError.Reason?
  /// Whether the request's tap reads the body.
  var isTapped = false
  /// The time of the turn in which the tap or the decoder was called last, and when it began there.
  var turn: UInt64 = 0
  var turnBegan: UInt64 = 0
  /// The bytes of libcurl's piece that were decoded before the other transfers got their turn.
  var takenOfPiece = 0
  /// Whether a callback stopped libcurl because nothing more is needed.
  var isSatisfied = false
  /// Whether the response is a challenge, and another one follows.
  var isAnswering = false
  /// Whether another head may follow, because libcurl answers this one.
  var isProvisional = false
  /// The number of heads that libcurl has answered.
  var answeredHeads = 0
  /// Whether the hop is sent again regardless of the response.
  var beginsAnew = false

  /// Drops the previous response. Written bytes of a body stay.
  mutating func begin() {
    let sink = sink
    self = ResponseIntake()
    self.sink = sink
  }

  /// Decides what a complete head means for a hop: deliver it, or send the hop in `next`.
  mutating func decide(for hop: RedirectState, isBodyRepeatable: Bool) {
    decision = .deliver
    next = nil
    // Only a redirect needs another state.
    guard (300..<400).contains(head.status) else { return }
    var following = hop
    decision = following.next(status: head.status, location: head.fields[.location], isBodyRepeatable: isBodyRepeatable)
    if decision == .follow { next = following }
  }

  /// Returns the error for a body that exceeds the limit; nil if it does not.
  func excess(over limit: Int64?, announced: Int64? = nil) -> NetworkingError.Reason? {
    guard let limit, announced ?? received > limit else { return nil }
    return .bodyTooLarge(limit: limit)
  }
}
