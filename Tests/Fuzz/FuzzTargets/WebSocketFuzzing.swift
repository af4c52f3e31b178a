import GarlandTransfer

/// Frames of a WebSocket server, as a client receives them.
enum WebSocketFuzzing {
  private static let limit = 1 << 16

  static func violation(of input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let frames = Array(input.dropFirst())
    let deflate = first & 1 == 0 ? nil : WebSocketDeflate()
    guard let whole = events(frames, by: frames.count, deflate), let bytewise = events(frames, by: 1, deflate) else {
      return "an endpoint can't be made"
    }
    guard whole.events == bytewise.events, whole.output == bytewise.output else { return "the messages depend on the pieces" }
    for event in whole.events {
      switch event {
      case .message(let message): if message.size > limit { return "a message over the limit" }
      case .failed(let violation):
        if !violation.code.isSendable || violation.detail.isEmpty { return "a violation without a code or words" }
      case .pong, .closed: break
      }
    }
    return nil
  }

  private static func events(
    _ frames: [UInt8], by size: Int, _ deflate: WebSocketDeflate?
  ) -> (events: [WebSocketEndpoint.Event], output: [UInt8])? {
    guard var endpoint = try? WebSocketEndpoint(limit: limit, deflate: deflate, makeMask: { 0 }) else { return nil }
    var events: [WebSocketEndpoint.Event] = []
    for start in stride(from: 0, to: frames.count, by: max(size, 1)) {
      frames[start..<min(frames.count, start + size)].withUnsafeBytes { endpoint.receive($0) { events.append($0) } }
    }
    return (events, endpoint.takeOutput())
  }
}
