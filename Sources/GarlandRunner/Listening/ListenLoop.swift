import Glibc

/// The thread of a ``ListenServer``. It accepts connections, reads a request from each, responds to it, and passes the request to the run.
///
/// `@unchecked Sendable`: one thread creates the object and passes it to a second thread. From then on, only the second thread uses it.
final class ListenLoop: @unchecked Sendable {
  enum Command: Sendable {
    case open(Int32, port: Int, bodyLimit: Int)
    case shutDown
  }

  private struct Port {
    let number: Int
    let bodyLimit: Int
  }

  /// The maximum number of open connections. Further connections wait in the system's queue.
  private static let mostConnections = 256
  /// The time after which the connection of a client that sends nothing is closed.
  private static let patience = Duration.seconds(30)
  /// The time that the server waits, after the response, for the client to close the connection. If the server closed the connection first,
  /// the client's system could drop the response.
  private static let farewell = Duration.seconds(2)

  private let wake: Int32
  private let answer: ListenServer.Answer
  private let arrived: ListenServer.Arrived
  private var ports: [Int32: Port] = [:]
  private var connections: [Int32: ListenConnection] = [:]
  private var isShutDown = false
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(wake: Int32, answer: @escaping ListenServer.Answer, arrived: @escaping ListenServer.Arrived) {
    self.wake = wake
    self.answer = answer
    self.arrived = arrived
  }

  /// Runs the server until it is shut down and the last connection is closed.
  ///
  /// - Parameter commands: returns the commands that other threads have sent since the last call of this closure.
  func run(_ commands: () -> [Command]) {
    while !isShutDown || !connections.isEmpty {
      for command in commands() { carryOut(command) }
      if isShutDown, connections.isEmpty { break }
      var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
      if isShutDown { polled = [] }
      if connections.count < Self.mostConnections {
        for descriptor in ports.keys { polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
      }
      for (descriptor, connection) in connections {
        polled.append(pollfd(fd: descriptor, events: Int16(connection.isWriting ? POLLOUT : POLLIN), revents: 0))
      }
      let count = poll(&polled, nfds_t(polled.count), timeout())
      if count < 0, errno != EINTR { break }
      for entry in polled where count > 0 && entry.revents != 0 {
        if entry.fd == wake {
          drainWake()
        } else if let port = ports[entry.fd] {
          accept(entry.fd, port)
        } else if let connection = connections[entry.fd] {
          serve(connection)
        }
      }
      let now = ContinuousClock.now
      for (descriptor, connection) in connections where connection.deadline <= now { drop(descriptor) }
    }
    for descriptor in connections.keys { close(descriptor) }
    for descriptor in ports.keys { close(descriptor) }
  }

  private func carryOut(_ command: Command) {
    switch command {
    case .open(let descriptor, let number, let bodyLimit):
      guard !isShutDown else {
        close(descriptor)
        return
      }
      ports[descriptor] = Port(number: number, bodyLimit: bodyLimit)
    case .shutDown:
      isShutDown = true
      for descriptor in ports.keys { close(descriptor) }
      ports = [:]
      // Only connections on which a response has begun continue.
      for (descriptor, connection) in connections where !connection.isAnswered { drop(descriptor) }
    }
  }

  private func timeout() -> Int32 {
    guard let first = connections.values.lazy.map(\.deadline).min() else { return -1 }
    let left = (first - ContinuousClock.now) / .milliseconds(1)
    return Int32(max(0, min(left.rounded(.up), 60_000)))
  }

  private func drainWake() {
    var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    while read(wake, &bytes, bytes.count) > 0 {}
  }

  private func accept(_ descriptor: Int32, _ port: Port) {
    while connections.count < Self.mostConnections {
      let connection = Glibc.accept(descriptor, nil, nil)
      // The client may have closed the connection meanwhile, which is not an error of the server.
      guard connection >= 0 else { return }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
      var limits = RequestParser.Limits()
      limits.body = port.bodyLimit
      connections[connection] = ListenConnection(connection, port: port.number, limits, deadline: .now + Self.patience)
    }
  }

  private func serve(_ connection: ListenConnection) {
    if connection.isWriting {
      flush(connection)
      return
    }
    // Reads only a limited number of bytes at a time, so that a client that sends much does not delay the other clients.
    let count = recv(connection.descriptor, &buffer, buffer.count, 0)
    guard count != 0, count > 0 || errno == EAGAIN || errno == EINTR else {
      if count == 0, let action = connection.parser.close() { act(action, connection) }
      if !connection.isWriting { drop(connection.descriptor) }
      return
    }
    guard count > 0, !connection.isAnswered else { return }
    connection.deadline = .now + Self.patience
    for action in connection.parser.receive(buffer[..<count]) { act(action, connection) }
    flush(connection)
  }

  private func act(_ action: RequestParser.Action, _ connection: ListenConnection) {
    switch action {
    case .proceed: connection.output += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    case .received(let request):
      connection.arrival = .request(request)
      connection.answer(answer(connection.port, request))
    case .refuse(let status, let reason):
      connection.arrival = .refused(reason: reason)
      connection.answer(status)
    }
    if connection.isAnswered { flush(connection) }
  }

  /// Writes as many bytes of the response as possible. After the whole response was written, passes the request to the run, and then waits
  /// a short time for the client to close the connection.
  private func flush(_ connection: ListenConnection) {
    while connection.isWriting {
      let count = send(connection.descriptor, connection.output, connection.output.count, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else {
        // The client has not waited for the response, but its complete request has arrived.
        tell(connection)
        drop(connection.descriptor)
        return
      }
      connection.output.removeFirst(count)
    }
    guard connection.isAnswered, connection.arrival != nil else { return }
    tell(connection)
    shutdown(connection.descriptor, Int32(SHUT_WR))
    connection.deadline = .now + Self.farewell
  }

  private func tell(_ connection: ListenConnection) {
    guard let arrival = connection.arrival else { return }
    connection.arrival = nil
    arrived(connection.port, arrival)
  }

  private func drop(_ descriptor: Int32) {
    guard connections.removeValue(forKey: descriptor) != nil else { return }
    close(descriptor)
  }
}
