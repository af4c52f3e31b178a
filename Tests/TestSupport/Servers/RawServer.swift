import Glibc
import Synchronization

/// A TCP server whose every byte the test decides: for faults on the wire, and to see exactly what a client sends.
///
/// ```swift
/// let server = try RawServer { connection in
///   _ = connection.readRequest()
///   connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
///   connection.reset()
/// }
/// ```
/// Each connection has a thread of its own, and ends when the closure returns.
public final class RawServer: Sendable {
  /// `http://127.0.0.1:PORT`.
  public var url: String { "http://127.0.0.1:\(port)" }
  /// The port; 0 at a Unix socket.
  public let port: UInt16
  private let socket: Int32
  private let listener: pthread_t
  private let accepted: Counter

  private final class Counter: Sendable {
    let count = Atomic<Int>(0)
  }

  /// How many connections were accepted.
  public var connectionCount: Int { accepted.count.load(ordering: .relaxed) }

  /// Listens, and hands each connection to `handler` on a new thread.
  ///
  /// - Parameters:
  ///   - port: a certain port; by default one that is free.
  ///   - anyAddress: whether to listen on all IPv4 addresses of the machine, not only on 127.0.0.1.
  ///   - handler: what to do with a connection.
  public convenience init(
    port wanted: UInt16 = 0, anyAddress: Bool = false, _ handler: @escaping @Sendable (RawConnection) -> Void
  ) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = LoopbackPort.address(port: wanted)
    if anyAddress { address.sin_addr.s_addr = 0 }
    if wanted != 0 {
      // A server that comes back finds connections of its former life.
      var on: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0 }
    }
    guard status else { throw ServerProcess.StartError(description: "no socket to listen on") }
    try self.init(socket: socket, port: UInt16(bigEndian: address.sin_port), handler)
  }

  /// Listens at a Unix socket.
  ///
  /// - Parameters:
  ///   - path: where no file is yet; at most 107 bytes.
  ///   - handler: what to do with a connection.
  public convenience init(unixSocket path: String, _ handler: @escaping @Sendable (RawConnection) -> Void) throws {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      place.copyBytes(from: path.utf8.prefix(place.count - 1))
      return path.utf8.count < place.count
    }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 }
    }
    guard fits, status else { throw ServerProcess.StartError(description: "no socket to listen on at \(path)") }
    try self.init(socket: socket, port: 0, handler)
  }

  private init(socket: Int32, port: UInt16, _ handler: @escaping @Sendable (RawConnection) -> Void) throws {
    guard socket >= 0, listen(socket, 512) == 0 else { throw ServerProcess.StartError(description: "no socket to listen on") }
    self.socket = socket
    self.port = port
    let accepted = Counter()
    self.accepted = accepted
    let listener = Self.onThread {
      while true {
        let connection = accept(socket, nil, nil)
        if connection < 0 {
          // Without a descriptor to spare now, there may be one soon; anything else is the end.
          guard errno == EMFILE || errno == ECONNABORTED || errno == EINTR else { return }
          usleep(1000)
          continue
        }
        // A child process that another test starts must not keep it open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        accepted.count.wrappingAdd(1, ordering: .relaxed)
        let thread = Self.onThread {
          let connection = RawConnection(connection)
          handler(connection)
          connection.close()
        }
        if let thread { pthread_detach(thread) } else { close(connection) }
      }
    }
    guard let listener else { throw ServerProcess.StartError(description: "no thread to listen on") }
    self.listener = listener
  }

  deinit {
    // Ends the accept that the listening thread is in, or is about to be in: only when it has gone may the descriptor be another server's.
    shutdown(socket, Int32(SHUT_RDWR))
    pthread_join(listener, nil)
    close(socket)
  }

  private static func onThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var id = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let status = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    if status == 0 { return id }
    box.release()
    return nil
  }
}
