/// A response while it is received: its head, the destination of its body, and the decisions about it, such as to follow a redirect.
struct ResponseIntake {
  var head = ResponseHead()
  /// The destination to which the bytes of the response's body are written.
  var sink = BodySink.none
  /// The decoder of the body's content codings; nil until the body begins, or if it has no content coding.
  var decoding: ContentDecoding?
  /// The number of decoded bytes of the body that were received so far.
  var received: Int64 = 0
  var decision = RedirectState.Decision.deliver
  /// The state of the next request if the response is a redirect that the transfer follows; otherwise nil.
  var next: RedirectState?
  /// The reason why a callback of libcurl stopped the transfer; nil if none did.
  var failure: NetworkingError.Reason?
  /// Whether the request's ``BodyTap`` reads the body.
  var isTapped = false
  /// The start time of the latest iteration of the event loop that called the ``BodyTap`` or the decoder of the content coding.
  /// ``turnBegan`` is the time of the first such call in this iteration.
  var turn: UInt64 = 0
  var turnBegan: UInt64 = 0
  /// If the transfer paused in the middle of a piece of the body, the number of bytes of this piece that were decoded before the pause.
  /// Such a pause lets other transfers run.
  var takenOfPiece = 0
  /// Whether a callback stopped libcurl because no further data is needed.
  var isSatisfied = false
  /// Whether the response is an authentication challenge, and this library responds to it by sending the request again with a credential.
  /// Another response then follows.
  var isAnswering = false
  /// Whether libcurl may react to this response by itself, by sending the request again. The head of another response may then follow.
  var isProvisional = false
  /// The number of challenges that libcurl has answered by itself, each time by sending the request again.
  var answeredHeads = 0
  /// Whether this response is ignored, and the request is sent again from its beginning.
  var beginsAnew = false

  /// Discards the state of the previous response, but keeps the destination of the body and the bytes that it already contains.
  mutating func begin() {
    let sink = sink
    self = ResponseIntake()
    self.sink = sink
  }

  /// Decides what to do after a complete head: deliver the response, or follow the redirect with the request in `next`.
  mutating func decide(for hop: RedirectState, isBodyRepeatable: Bool) {
    decision = .deliver
    next = nil
    // Only a redirect needs the state of a following request.
    guard (300..<400).contains(head.status) else { return }
    var following = hop
    decision = following.next(status: head.status, location: head.fields[.location], isBodyRepeatable: isBodyRepeatable)
    if decision == .follow { next = following }
  }

  /// Returns the error for a body that exceeds the limit; nil if the body is within the limit.
  func excess(over limit: Int64?, announced: Int64? = nil) -> NetworkingError.Reason? {
    guard let limit, announced ?? received > limit else { return nil }
    return .bodyTooLarge(limit: limit)
  }
}
