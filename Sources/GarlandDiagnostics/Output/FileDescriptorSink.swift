import Glibc

/// Writes to an open file descriptor, which it neither owns nor closes.
///
/// Writes that are cut short or interrupted go on; a descriptor that is not ready (a pipe that somebody made non-blocking) is waited for.
/// A closed pipe is reported as `OutputError.closed` only if `SIGPIPE` is ignored; otherwise the system ends the program.
public struct FileDescriptorSink: ByteSink {
  /// The descriptor.
  public let fileDescriptor: Int32

  /// - Parameter fileDescriptor: open for writing.
  public init(fileDescriptor: Int32) { self.fileDescriptor = fileDescriptor }

  /// Standard output.
  public static let standardOutput = FileDescriptorSink(fileDescriptor: 1)
  /// Standard error.
  public static let standardError = FileDescriptorSink(fileDescriptor: 2)

  /// Makes a closed pipe an error to handle rather than the end of the program. Call it once at start.
  public static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow any more (`ulimit -f`) is an error too, EFBIG, and not the end of the program.
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
          // Errors of poll show in the next write.
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
