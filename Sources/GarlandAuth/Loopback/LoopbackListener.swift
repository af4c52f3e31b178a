import Glibc
import Synchronization

/// A non-blocking listening socket on the loopback interface. It reads small HTTP requests and responds to them.
final class LoopbackListener: Sendable {
  private struct State {
    var sockets: [Int32] = []
    var clients: [(socket: Int32, bytes: [UInt8])] = []
  }

  private static let limit = 16 << 10
  private static let clientLimit = 64
  private let state = Mutex(State())

  deinit { close() }

  /// The maximum number of attempts to find a port that is free in both address families.
  private static let trials = 16

  /// Listens at the loopback addresses of the given families, with the same port, and returns the port. Port 0 selects a free port.
  func listen(at families: [LoopbackFamily], port: UInt16) throws(OAuthError) -> UInt16 {
    close()
    var trial = 1
    while true {
      do throws(OAuthError) {
        let (sockets, bound) = try Self.open(families, port)
        state.withLock { $0.sockets = sockets }
        return bound
      } catch {
        guard port == 0, families.count > 1, trial < Self.trials else { throw error }
        trial += 1
      }
    }
  }

  private static func open(_ families: [LoopbackFamily], _ port: UInt16) throws(OAuthError) -> (sockets: [Int32], port: UInt16) {
    var sockets: [Int32] = []
    var bound = port
    for (index, family) in families.enumerated() {
      do throws(OAuthError) {
        guard let (socket, port) = try open(family, bound, isDispensable: index + 1 < families.count || !sockets.isEmpty) else { continue }
        sockets.append(socket)
        bound = port
      } catch {
        for socket in sockets { Glibc.close(socket) }
        throw error
      }
    }
    return (sockets, bound)
  }

  /// Opens a socket for one address family: IPv4 or IPv6.
  ///
  /// If another program uses the address, this method throws an error, whatever the value of `isDispensable`: the browser could send the
  /// authorization code to that program.
  ///
  /// - Parameter isDispensable: Whether the caller can do without this socket and use only a socket of the other address family. If true,
  ///   the method returns nil on a machine that does not support the requested family; if false, it throws an error.
  private static func open(
    _ family: LoopbackFamily, _ port: UInt16, isDispensable: Bool
  ) throws(OAuthError) -> (socket: Int32, port: UInt16)? {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(family.domain, type, 0)
    guard socket >= 0 else {
      if isDispensable, errno == EAFNOSUPPORT { return nil }
      throw failure("make a socket")
    }
    var reuse: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    if let bound = family == .version6 ? bind6(socket, port) : bind4(socket, port) { return (socket, bound) }
    let isMissing = errno == EADDRNOTAVAIL
    let failure = failure("listen on port \(port) of this machine, at \(family.address)")
    Glibc.close(socket)
    if isDispensable, isMissing { return nil }
    throw failure
  }

  /// The decision whether a request that has arrived is the expected redirect.
  enum Reaction {
    /// The request is the expected redirect. The associated page is the response.
    case answer(LoopbackPage)
    /// The request is not the expected redirect. The associated page is the response.
    case other(LoopbackPage)
  }

  /// Reads the requests that have arrived and responds to them.
  ///
  /// - Parameter react: receives the target of a request. Returns whether the request is the expected redirect, and the page to send. After
  ///   the redirect has arrived, `react` is not called any more: all further requests get the page for an unknown path.
  /// - Returns: the target of the request that is the expected redirect; nil if the redirect has not arrived.
  func takeRequest(_ react: (String) -> Reaction) -> String? {
    state.withLock { state in
      for socket in state.sockets {
        while case let client = accept(socket, nil, nil), client >= 0 {
          // If there are too many clients, close the oldest, so that a client that connects and sends nothing does not block the other
          // clients.
          if state.clients.count >= Self.clientLimit { Glibc.close(state.clients.removeFirst().socket) }
          _ = fcntl(client, F_SETFL, O_NONBLOCK)
          _ = fcntl(client, F_SETFD, FD_CLOEXEC)
          state.clients.append((client, []))
        }
      }
      var found: String?
      var waiting: [(socket: Int32, bytes: [UInt8])] = []
      for var client in state.clients {
        let hasEnded = Self.read(&client)
        guard let target = Self.target(client.bytes) else {
          if hasEnded { Glibc.close(client.socket) } else { waiting.append(client) }
          continue
        }
        switch found == nil ? react(target) : .other(.nothing) {
        case .answer(let page):
          found = target
          Self.send(page, to: client.socket)
        case .other(let page): Self.send(page, to: client.socket)
        }
      }
      state.clients = waiting
      return found
    }
  }

  /// Closes all sockets.
  func close() {
    state.withLock { state in
      for client in state.clients { Glibc.close(client.socket) }
      for socket in state.sockets { Glibc.close(socket) }
      state = State()
    }
  }

  /// Reads the available bytes from a client. Returns whether reading has ended: the client has closed or lost the connection, or its
  /// request is too large.
  private static func read(_ client: inout (socket: Int32, bytes: [UInt8])) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while client.bytes.count <= limit {
      let count = recv(client.socket, &buffer, buffer.count, 0)
      if count > 0 {
        client.bytes += buffer[..<count]
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        return true
      } else if errno == EAGAIN {
        return false
      }
    }
    return true
  }

  /// Returns the request target (path and query) of a complete GET request. Returns nil if the request is incomplete. For any other
  /// complete request, returns an empty text, so that the page for an unknown path is sent.
  private static func target(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n"), let line = text[..<end.lowerBound].split(separator: "\r\n").first else { return nil }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    return words.count == 3 && words[0] == "GET" && words[1].hasPrefix("/") ? String(words[1]) : ""
  }

  private static func send(_ page: LoopbackPage, to socket: Int32) {
    // The page fits into the empty buffer of a new socket.
    let bytes = page.bytes
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(socket, Int32(SHUT_WR))
    Glibc.close(socket)
  }

  private static func bind4(_ socket: Int32, _ port: UInt16) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return bind(socket, &address) ? UInt16(bigEndian: address.sin_port) : nil
  }

  private static func bind6(_ socket: Int32, _ port: UInt16) -> UInt16? {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return bind(socket, &address) ? UInt16(bigEndian: address.sin6_port) : nil
  }

  /// Binds the socket, listens, and stores the actual port in the address. Returns false if the system refuses.
  private static func bind<Address>(_ socket: Int32, _ address: inout Address) -> Bool {
    var length = socklen_t(MemoryLayout<Address>.size)
    return withUnsafeMutableBytes(of: &address) { bytes in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return Glibc.bind(socket, pointer, length) == 0 && Glibc.listen(socket, 16) == 0 && getsockname(socket, pointer, &length) == 0
    }
  }

  private static func failure(_ operation: String) -> OAuthError {
    .authorization("could not \(operation): \(String(cString: strerror(errno)))")
  }
}

/// The address family, IPv4 or IPv6, of a loopback address.
enum LoopbackFamily {
  /// The IPv4 loopback address, `127.0.0.1`.
  case version4
  /// The IPv6 loopback address, `::1`.
  case version6

  var domain: Int32 { self == .version6 ? AF_INET6 : AF_INET }
  var address: String { self == .version6 ? "[::1]" : "127.0.0.1" }
}
