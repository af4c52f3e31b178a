import GarlandTransfer
import Glibc
import Synchronization

/// A small HTTP server on 127.0.0.1 for the listening steps of a run. Each step has its own port, and each connection carries one request.
/// The server has a single thread, which starts when the first port is opened and ends with ``shutDown()``.
package final class ListenServer: Sendable {
  /// The maximum size of a request's body, unless another limit is set: 10 MiB.
  package static let defaultBodyLimit = 10 << 20

  /// A received request, or the reason why the bytes are not a valid request.
  package enum Arrival: Sendable {
    case request(IncomingRequest)
    case refused(reason: String)
  }

  /// A function that returns the status of the response to a request. The server calls the function on the server's thread.
  package typealias Answer = @Sendable (_ port: Int, IncomingRequest) -> Int
  /// A function to which the server passes a received request. The server first sends the response, and then calls the function on the
  /// server's thread.
  package typealias Arrived = @Sendable (_ port: Int, Arrival) -> Void

  private struct State {
    var pipe: Int32?
    var commands: [ListenLoop.Command] = []
  }

  private let state = Mutex(State())
  private let answer: Answer
  private let arrived: Arrived

  package init(answer: @escaping Answer, arrived: @escaping Arrived) {
    self.answer = answer
    self.arrived = arrived
  }

  /// Begins to listen on a free port of 127.0.0.1.
  ///
  /// - Parameter bodyLimit: the maximum size of a request's body, in bytes.
  /// - Returns: the port.
  package func open(bodyLimit: Int = defaultBodyLimit) throws(ListenError) -> Int {
    let (descriptor, port) = try LoopbackSocket.listen()
    try begin()
    post(.open(descriptor, port: port, bodyLimit: bodyLimit))
    return port
  }

  /// Asks the server's thread to close all ports and connections, and returns without waiting until they are closed. A connection on which
  /// a response has begun is closed when the response is complete.
  package func shutDown() { post(.shutDown) }

  private func begin() throws(ListenError) {
    let failure: ListenError? = state.withLock { state -> ListenError? in
      guard state.pipe == nil else { return nil }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return ListenError(system: "the server can't be woken") }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      let wake = ends[0]
      let loop = ListenLoop(wake: wake, answer: answer, arrived: arrived)
      let refusal = WorkerThread.start(name: "garland-listen") {
        loop.run { [weak self] in
          self?.state.withLock { state in
            let commands = state.commands
            state.commands = []
            return commands
          } ?? [.shutDown]
        }
        close(wake)
      }
      if let refusal {
        close(ends[0])
        close(ends[1])
        return ListenError(message: "the system could not start a thread to listen: \(refusal)")
      }
      state.pipe = ends[1]
      return nil
    }
    if let failure { throw failure }
  }

  private func post(_ command: ListenLoop.Command) {
    state.withLock { state in
      guard let pipe = state.pipe else { return }
      state.commands.append(command)
      var byte: UInt8 = 0
      // If the pipe is full, the thread wakes up in any case.
      _ = write(pipe, &byte, 1)
      if case .shutDown = command {
        close(pipe)
        state.pipe = nil
      }
    }
  }

  deinit { shutDown() }
}

/// Opens sockets that listen on 127.0.0.1.
enum LoopbackSocket {
  /// Opens a socket that listens on a free port. Returns the socket's descriptor and its port.
  static func listen() throws(ListenError) -> (descriptor: Int32, port: Int) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw ListenError(system: "the system could not create a socket to listen") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 128) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isListening else {
      let error = ListenError(system: "no port could be opened to listen")
      close(descriptor)
      throw error
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}

extension ListenError {
  /// Creates an error for a failed system call. Its message consists of the operation that failed (`what`) and the system's description of
  /// `errno`.
  init(system what: String) { self.init(message: "\(what): \(String(cString: strerror(errno)))") }
}
