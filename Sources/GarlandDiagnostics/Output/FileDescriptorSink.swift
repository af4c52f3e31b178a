import Glibc

/// Writes to an open file descriptor.
///
/// The sink neither owns nor closes the descriptor.
///
/// A partial or interrupted write is continued; if the descriptor is not ready (a non-blocking pipe), the sink
/// waits. A closed pipe throws `OutputError.closed` only if the process ignores `SIGPIPE`; otherwise the system
/// ends the process.
public struct FileDescriptorSink: ByteSink {
  /// The open file descriptor to which the sink writes.
  let fileDescriptor: Int32

  /// Creates a sink.
  ///
  /// - Parameter fileDescriptor: A descriptor that is open for writing.
  public init(fileDescriptor: Int32) { self.fileDescriptor = fileDescriptor }

  /// Ignores `SIGPIPE`, so that a write to a closed pipe throws an error instead of ending the process. Call it
  /// once at start.
  public static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    // A file at its size limit (`ulimit -f`) gives the error EFBIG, too, and does not end the
    // process.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Writes all bytes.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    let problem: OutputError? = bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = Glibc.write(fileDescriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
        if count >= 0 {
          offset += count
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          var ready = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
          // If `poll` fails, the next write reports the error.
          _ = poll(&ready, 1, -1)
        case EPIPE: return .closed
        default: return .failed(errno: errno)
        }
      }
      return nil
    }
    if let problem { throw problem }
  }
}

/// The error of a failed write.
public enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reading end of the pipe or socket was closed (`EPIPE`).
  case closed
  /// The write failed with this error number of the system.
  case failed(errno: Int32)

  /// The error message.
  public var description: String {
    switch self {
    case .closed: "the program that reads the output has ended"
    case .failed(let number): "the output could not be written: \(Self.text(of: number))"
    }
  }

  private static func text(of number: Int32) -> String {
    // strerror is thread-safe since glibc 2.32.
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
