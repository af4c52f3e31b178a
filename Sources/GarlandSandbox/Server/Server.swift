import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The listening socket, its thread, and the state that the connections share.
final class Server: Sendable {
  let port: Int
  let context: ServerContext
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let isStopped = Mutex(false)
  /// The type of the decoder. The runtime of Swift 6.3 can crash if two threads use a generic class for the first time at the same moment, as
  /// two sandboxes in one process do with their first connections. A static property is initialized by one thread only.
  private static let decoder = ObjectIdentifier(ByteToMessageHandler<HTTPRequestDecoder>.self)

  private init(port: Int, context: ServerContext, channel: any Channel, group: MultiThreadedEventLoopGroup) {
    self.port = port
    self.context = context
    self.channel = channel
    self.group = group
  }

  static func start(port: Int, options: SandboxOptions) async throws(SandboxError) -> Server {
    guard (0...65_535).contains(port) else { throw .cannotListen(port: port, reason: "a port is a number from 0 to 65535") }
    _ = decoder
    let context = ServerContext(options: options, routes: AllRoutes.routes)
    // One thread is enough: handlers are short, delays are timers, and the order of events is
    // clear.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    context.callbacks.use(group)
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let id = context.connections.add(channel) else {
            try channel.pipeline.syncOperations.addHandler(BusyHandler())
            return
          }
          try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)),
            ConnectionHandler(context: context, id: id),
          ])
        }
      }
    let channel: any Channel
    do {
      // The socket is bound to an address instead of a host name, since a name lookup would take longer than all other work.
      channel = try await bootstrap.bind(to: SocketAddress(ipAddress: "127.0.0.1", port: port)).get()
    } catch {
      await shutDown(group)
      throw .cannotListen(port: port, reason: (error as? IOError).map { reason($0) } ?? "\(error)")
    }
    return Server(port: channel.localAddress?.port ?? port, context: context, channel: channel, group: group)
  }

  func stop() async {
    // After its thread has ended, a channel never completes a second close.
    let wasStopped = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return isStopped
    }
    guard !wasStopped else { return }
    context.callbacks.use(nil)
    await Self.close(channel)
    for connection in context.connections.close() { await Self.close(connection) }
    await Self.shutDown(group)
  }

  private static func close(_ channel: any Channel) async {
    // This fails only if the channel was already closed.
    _ = try? await channel.close().get()
  }

  private static func shutDown(_ group: MultiThreadedEventLoopGroup) async {
    // This fails only if the group was already shut down.
    try? await group.shutdownGracefully()
  }

  private static func reason(_ error: IOError) -> String {
    switch error.errnoCode {
    case EADDRINUSE: "another program listens there already"
    case EACCES: "ports below 1024 need special rights"
    default: error.description
    }
  }
}

/// Every route of the sandbox, in the order of the list that `GET /` shows.
enum AllRoutes {
  static let routes: [Route] =
    IndexRoutes.routes + EchoRoutes.routes + UploadRoutes.routes + StatusRoutes.routes + CookieRoutes.routes + RedirectRoutes.routes
    + AuthRoutes.routes + OAuthRoutes.routes + ProviderRoutes.routes + OAuth1Routes.routes + TimingRoutes.routes + StreamRoutes.routes
    + BytesRoutes.routes
    + CachingRoutes.routes
    + FormatRoutes.routes
    + JobRoutes.routes + CallbackRoutes.routes + ListRoutes.routes + CounterRoutes.routes + BookRoutes.routes + ReviewRoutes.routes
    + OrderRoutes.routes
    + FaultRoutes.routes
}

/// Rejects a connection with the status 503, because too many connections are open.
final class BusyHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    let answer = ByteBuffer(
      staticString: "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
