import GarlandCrypto
import GarlandText
import Glibc
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Handles a connection: receives requests one after another, passes each to its handler, and executes the script of each response. A
/// script is a list of ``WireStep`` values, such as bytes to write or a pause.
///
/// This class writes bytes itself instead of using NIO's encoder, so that a response can contain any fault.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = Never
  typealias OutboundOut = ByteBuffer

  private struct Reception {
    var request: SandboxRequest
    let match: Router.Match
    let admission: Admission
    let intake: RequestIntake
    let keepsConnection: Bool
  }

  private struct Answer {
    var cursor: ScriptCursor
    let status: Int?
    let breaks: Bool
    let keepsConnection: Bool
    /// Whether the server waits before it closes the connection, because the client may still be sending a body that the server has
    /// rejected.
    let lingers: Bool
  }

  private enum Phase {
    case idle
    case receiving(Reception)
    case answering(Answer)
    /// The response was sent, and the server no longer sends. Bytes that still arrive are ignored until the client closes the connection.
    case lingering
    case closed
  }

  /// The maximum number of queued parts of requests; a part is a head, a piece of a body, or an end. If the queue is full, no more bytes
  /// are read from the connection. A pipelined request stays in the queue until the previous request has been answered.
  private static let heldPartLimit = 64
  /// The time for which a rejected client may continue to send before the connection is closed.
  private static let lingerTime = TimeAmount.seconds(2)
  /// The number of writes after which the connection lets other connections proceed.
  private static let writesPerTurn = 16

  private let server: ServerContext
  private let id: Int
  private var info: ConnectionInfo
  private var phase = Phase.idle
  private var held = CircularBuffer<HTTPServerRequestPart>()
  private var isReadHeld = false
  private var isPumping = false
  private var isPaused = false
  private var lastActivity = NIODeadline.now()
  private var timer: Scheduled<Void>?
  private var idleTimer: Scheduled<Void>?
  /// The sequence number of the request in progress; nil if there is none, or if the end of the request was already recorded.
  private var openSequence: Int?
  private var cachedDate: (second: Int, text: String)?

  init(context: ServerContext, id: Int) {
    server = context
    self.id = id
    info = ConnectionInfo(id: id, localPort: 0, peerAddress: "", peerPort: 0)
  }

  // MARK: - Events of the channel

  func channelActive(context: ChannelHandlerContext) {
    info = ConnectionInfo(
      id: id, localPort: context.channel.localAddress?.port ?? 0, peerAddress: context.channel.remoteAddress?.ipAddress ?? "",
      peerPort: context.channel.remoteAddress?.port ?? 0)
    watchIdleness(context, in: Self.amount(server.options.idleTimeout))
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(context)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastActivity = .now()
    let part = unwrapInboundIn(data)
    switch phase {
    case .answering(let answer): if !answer.lingers { held.append(part) }
    case .lingering, .closed: break
    case .idle, .receiving: process(part, context)
    }
  }

  func read(context: ChannelHandlerContext) {
    if held.count >= Self.heldPartLimit { isReadHeld = true } else { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { pump(context) }
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let parserError = error as? HTTPParserError else {
      context.close(promise: nil)
      return
    }
    switch phase {
    case .idle: answer(Refusal.malformed(parserError).response, nil, keepsConnection: false, lingers: true, context)
    case .receiving(let reception):
      answer(Refusal.malformed(parserError).response, reception.request, keepsConnection: false, lingers: true, context)
    case .answering, .lingering, .closed: context.close(promise: nil)
    }
  }

  // MARK: - Receiving

  private func process(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
    switch (part, phase) {
    case (.head(let head), .idle): begin(head, context)
    case (.body(let buffer), .receiving(let reception)): receive(buffer, reception, context)
    case (.end(let trailers), .receiving(let reception)): finish(reception, trailers, context)
    default: context.close(promise: nil)
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    info.requestNumber += 1
    var request = SandboxRequest(
      sequence: 0, method: head.method.rawValue, target: head.uri, version: "\(head.version.major).\(head.version.minor)",
      headers: head.headers.map { HeaderField($0.name, $0.value) }, connection: info, arrived: server.now)
    if !request.path.hasPrefix(IndexRoutes.controlPrefix) {
      request.sequence = server.recorder.nextSequence()
      server.recorder.begin(request)
      openSequence = request.sequence
    }
    // After a request that offers another protocol, NIO reads nothing more (RFC 9110 section 7.8). The sandbox never changes the protocol,
    // so it closes the connection.
    let keepsConnection = head.isKeepAlive && !request.headers.contains("Upgrade")
    let outcome: Result<(Router.Match, Admission), Refusal> = Result { () throws(Refusal) in
      let match = try server.router.match(request)
      request.parameters = match.parameters
      return (match, try match.route.admit(request))
    }
    switch outcome {
    case .failure(let refusal):
      // A small body is read, so that the connection can be kept. A larger body is rejected before or while it is sent.
      let isSmall = request.headers.first("Content-Length").flatMap { Int($0) }.map { $0 <= 64 << 10 } ?? false
      if request.announcesBody, request.expectsContinue || !isSmall {
        answer(refusal.response, request, keepsConnection: false, lingers: true, context)
      } else {
        let match = Router.Match(route: Route.refusing(refusal), parameters: [:])
        expect(request, match, Admission(), keepsConnection)
      }
    case .success(let (match, admission)):
      if request.expectsContinue, request.announcesBody, admission.continues {
        request.wasContinued = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
      }
      expect(request, match, admission, keepsConnection)
    }
  }

  private func expect(_ request: SandboxRequest, _ match: Router.Match, _ admission: Admission, _ keepsConnection: Bool) {
    let intake = RequestIntake(
      request: request, keptLimit: admission.keptLimit ?? server.options.keptBodyLimit, partKeptLimit: admission.keptLimit ?? (64 << 10))
    phase = .receiving(
      Reception(request: request, match: match, admission: admission, intake: intake, keepsConnection: keepsConnection))
  }

  private func receive(_ buffer: ByteBuffer, _ reception: Reception, _ context: ChannelHandlerContext) {
    do throws(CryptoError) {
      try reception.intake.add(buffer)
    } catch {
      answer(Refusal(500, error.description).response, reception.request, keepsConnection: false, lingers: true, context)
      return
    }
    if let limit = reception.admission.sizeLimit, reception.intake.size > limit {
      answer(Refusal.tooLarge(limit).response, reception.request, keepsConnection: false, lingers: true, context)
    }
  }

  private func finish(_ reception: Reception, _ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
    var request = reception.request
    do throws(CryptoError) {
      request.body = try reception.intake.finish(trailers: trailers?.map { HeaderField($0.name, $0.value) } ?? [])
    } catch {
      answer(Refusal(500, error.description).response, request, keepsConnection: false, lingers: false, context)
      return
    }
    if request.sequence > 0 { server.recorder.receivedBody(request.sequence, request.body.record(type: request.contentType)) }
    if let upgrade = WebSocketUpgrade(request) { return self.upgrade(upgrade, context) }
    let response = server.respond(to: request, by: reception.match.route)
    answer(response, request, keepsConnection: reception.keepsConnection, lingers: false, context)
  }

  /// Hands the connection over to the WebSocket chat. This handler stays in place to notice the end of the connection.
  private func upgrade(_ upgrade: WebSocketUpgrade, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: upgrade.head)), promise: nil)
    if let sequence = openSequence { server.recorder.end(sequence, at: server.now, status: 101, outcome: .completed) }
    openSequence = nil
    phase = .lingering
    // A chat may stay idle for any time: while `isPaused` is true, the idle timeout has no effect.
    isPaused = true
    do {
      let pipeline = context.pipeline.syncOperations
      try pipeline.addHandlers(
        [
          ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketChat.largestMessage)), WebSocketFrameEncoder(),
          WebSocketProtocolErrorHandler(), WebSocketChat(),
        ], position: .before(self))
      pipeline.removeHandler(try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self), promise: nil)
    } catch {
      context.close(promise: nil)
    }
  }

  // MARK: - Answering

  private func answer(
    _ response: SandboxResponse, _ request: SandboxRequest?, keepsConnection: Bool, lingers: Bool, _ context: ChannelHandlerContext
  ) {
    let result = ResponseAssembler.assemble(
      response, method: request?.method ?? "", version: request?.version ?? "1.1", keepsConnection: keepsConnection, date: date())
    phase = .answering(
      Answer(
        cursor: ScriptCursor(result.steps), status: result.status, breaks: result.breaks, keepsConnection: result.keepsConnection,
        lingers: lingers))
    pump(context)
  }

  /// Executes the script of the response until the script pauses or ends, or until the client receives too slowly.
  private func pump(_ context: ChannelHandlerContext) {
    guard !isPumping, !isPaused else { return }
    isPumping = true
    defer { isPumping = false }
    var writes = 0
    while case .answering(var answer) = phase, context.channel.isWritable {
      guard writes < Self.writesPerTurn else {
        after(.zero, context)
        return
      }
      // The phase is changed here, so that the enum holds no second reference while the cursor changes.
      phase = .idle
      var buffer = context.channel.allocator.buffer(capacity: 0)
      let action = answer.cursor.next(into: &buffer)
      phase = .answering(answer)
      switch action {
      case .write(let isLast):
        writes += 1
        lastActivity = .now()
        if isLast { record(answer, .completed) }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        if isLast { conclude(answer, context) }
      case .done:
        record(answer, .completed)
        conclude(answer, context)
      case .pause(let duration):
        after(Self.amount(duration), context)
        return
      case .hang:
        isPaused = true
        return
      case .close:
        record(answer, .broken)
        phase = .lingering
        context.close(promise: nil)
      case .reset:
        record(answer, .broken)
        phase = .lingering
        reset(context)
      }
    }
  }

  private func conclude(_ answer: Answer, _ context: ChannelHandlerContext) {
    guard case .answering = phase else { return }
    if answer.lingers {
      // If the connection were closed while the client sends, it would be reset, and the response could be lost (RFC 9112 section 9.6).
      phase = .lingering
      context.close(mode: .output, promise: nil)
      schedule(context, in: Self.lingerTime) { context in context.close(promise: nil) }
    } else if answer.keepsConnection {
      phase = .idle
      takeHeldParts(context)
    } else {
      phase = .lingering
      context.close(promise: nil)
    }
  }

  private func takeHeldParts(_ context: ChannelHandlerContext) {
    while let part = held.first {
      switch phase {
      case .idle, .receiving:
        held.removeFirst()
        process(part, context)
      case .answering, .lingering, .closed: return
      }
    }
    if isReadHeld {
      isReadHeld = false
      context.read()
    }
  }

  private func reset(_ context: ChannelHandlerContext) {
    // A linger time of zero makes closing send RST instead of FIN.
    if let provider = context.channel as? any SocketOptionProvider {
      provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
    } else {
      context.close(promise: nil)
    }
  }

  private func record(_ answer: Answer, _ outcome: SandboxRecord.Outcome) {
    guard let sequence = openSequence else { return }
    openSequence = nil
    let isBroken = outcome == .completed && answer.breaks
    server.recorder.end(sequence, at: server.now, status: answer.status, outcome: isBroken ? .broken : outcome)
  }

  // MARK: - The end, and time

  private func end(_ context: ChannelHandlerContext) {
    if case .closed = phase { return }
    phase = .closed
    if let openSequence {
      self.openSequence = nil
      server.recorder.end(openSequence, at: server.now, status: nil, outcome: .disconnected)
    }
    held.removeAll()
    timer?.cancel()
    idleTimer?.cancel()
    server.connections.remove(id)
  }

  private func after(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
    isPaused = true
    schedule(context, in: amount) { [self] context in
      isPaused = false
      pump(context)
    }
  }

  private func schedule(_ context: ChannelHandlerContext, in amount: TimeAmount, _ work: @escaping (ChannelHandlerContext) -> Void) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: amount) { work(context) }
  }

  private func watchIdleness(_ context: ChannelHandlerContext, in amount: TimeAmount) {
    idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: amount) { [self] in
      if isPaused { lastActivity = .now() }
      let limit = Self.amount(server.options.idleTimeout)
      let silence = NIODeadline.now() - lastActivity
      if silence >= limit { context.close(promise: nil) } else { watchIdleness(context, in: limit - silence) }
    }
  }

  private func date() -> String {
    let second = server.options.date()
    if let cachedDate, cachedDate.second == second { return cachedDate.text }
    let text = HTTPDate.text(Int64(second))
    cachedDate = (second, text)
    return text
  }

  private static func amount(_ duration: Duration) -> TimeAmount {
    TimeAmount(duration)
  }
}
