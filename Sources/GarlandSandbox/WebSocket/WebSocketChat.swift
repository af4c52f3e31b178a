import GarlandJSON
import NIOCore
import NIOWebSocket

/// The WebSocket chat of the route `/ws`, after the handshake. It responds to JSON messages of some types, and echoes all other messages.
final class WebSocketChat: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The maximum number of messages that a client can request with one message.
  private static let most = 100_000
  /// The maximum size in bytes of a message, and of a frame. It is small, because the sandbox may be in the same process as a run whose
  /// memory is limited.
  static let largestMessage = 1 << 20

  private var message = ByteBuffer()
  private var isText = true

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    var content = frame.unmaskedData
    switch frame.opcode {
    case .ping: send(.pong, content, context)
    case .connectionClose: close(content, context)
    case .text, .binary, .continuation:
      if frame.opcode != .continuation {
        message.clear()
        isText = frame.opcode == .text
      }
      message.writeBuffer(&content)
      guard message.readableBytes <= Self.largestMessage else { return close(Self.close(1009, "too large"), context) }
      if frame.fin { answer(context) }
    default: break
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    let text = String(buffer: message)
    guard isText, let json = try? JSONValue(parsing: text), let type = json["type"]?.stringValue else {
      return send(isText ? .text : .binary, message, context)
    }
    switch type {
    case "hello":
      let user = json["user"] ?? .null
      send(.text, ByteBuffer(string: JSONValue.object(["type": "welcome", "room": "room-1", "user": user]).jsonText()), context)
    case "count":
      let count = min(max(0, json["to"]?.numberValue?.intValue ?? 0), Self.most)
      for number in 0..<count { send(.text, ByteBuffer(string: "{\"type\":\"chat\",\"number\":\(number + 1)}"), context) }
    case "close":
      close(Self.close(json["code"]?.numberValue?.intValue ?? 1000, json["reason"]?.stringValue ?? ""), context)
    default: send(.text, message, context)
    }
  }

  private static func close(_ code: Int, _ reason: String) -> ByteBuffer {
    var content = ByteBuffer()
    content.writeInteger(UInt16(clamping: code))
    content.writeString(reason)
    return content
  }

  private func close(_ content: ByteBuffer, _ context: ChannelHandlerContext) {
    send(.connectionClose, content, context)
    context.close(promise: nil)
  }

  private func send(_ opcode: WebSocketOpcode, _ content: ByteBuffer, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: content)), promise: nil)
  }
}
