import NIOCore
import NIOPosix
import Synchronization

/// Sends the callbacks that requests have asked for.
final class CallbackSender: Sendable {
  private let group = Mutex<(any EventLoopGroup)?>(nil)

  /// Sets the event loops on which callbacks are sent from now on. With nil, no further callbacks are sent.
  func use(_ group: (any EventLoopGroup)?) { self.group.withLock { $0 = group } }

  /// Sends a request after a delay, and ignores its response. Returns false if the server is being stopped.
  func send(_ callback: Callback, after delay: TimeAmount) -> Bool {
    guard let group = group.withLock({ $0 }) else { return false }
    let loop = group.next()
    loop.scheduleTask(in: delay) {
      let connection = ClientBootstrap(group: loop).channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(CallbackHandler(callback.bytes)) }
      }
      // A refused connection is not reported, since the caller of the sandbox notices that no callback arrives.
      guard let address = try? SocketAddress(ipAddress: "127.0.0.1", port: callback.target.port) else { return }
      connection.connect(to: address).whenComplete { _ in }
    }
    return true
  }
}

/// Sends the request of a callback and ignores the response. The request has `Connection: close`, so the receiver closes the connection
/// after its response.
private final class CallbackHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
