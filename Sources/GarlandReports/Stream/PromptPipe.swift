import GarlandDiagnostics
import Glibc

/// A pipe to another program, to which output is written without ever waiting for the reader.
///
/// The option `O_NONBLOCK`, with which a write never waits, belongs to the open file, which this process shares with other processes. If
/// this process set the option for the shared file, the writes of other programs of a shell would fail. Therefore this type opens the pipe
/// a second time, through
/// [`/proc/self/fd`](https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html).
///
/// To query the free space first, and then write that many bytes, would not be safe: another program may write to the same pipe in between.
final class PromptPipe {
  /// The result of a write: all bytes were written, or the reason why the write stopped earlier.
  enum Progress: Equatable {
    case all
    /// Writing stopped because the pipe is full.
    case untilFull
    /// Writing stopped before a line that is too long for a single write.
    case untilLongLine
    case failure(OutputError)
  }

  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens the pipe of a file descriptor a second time. Returns nil if that is impossible, because the pipe belongs to another user or
  /// `/proc` is missing.
  static func open(_ fileDescriptor: Int32) -> PromptPipe? {
    let descriptor = Glibc.open("/proc/self/fd/\(fileDescriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return descriptor < 0 ? nil : PromptPipe(descriptor)
  }

  /// Writes as many lines as the pipe has room for, and removes them from `lines`.
  ///
  /// A write of at most `PIPE_BUF` bytes is atomic ([pipe(7)](https://man7.org/linux/man-pages/man7/pipe.7.html)), so that the output of
  /// other writers never appears in the middle of a line.
  func write(_ lines: inout [UInt8]) -> Progress {
    var written = 0
    let progress = lines.withUnsafeBytes { bytes in
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        guard let length = Self.pieceLength(rest) else { return Progress.untilLongLine }
        let count = Glibc.write(descriptor, rest.baseAddress, length)
        if count >= 0 {
          written += count
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN: return .untilFull
        case EPIPE: return .failure(.closed)
        default: return .failure(.failed(errno: errno))
        }
      }
      return .all
    }
    if written == lines.count { lines.removeAll(keepingCapacity: true) } else { lines.removeFirst(written) }
    return progress
  }

  /// Returns the length in bytes of the first lines, as many as one atomic write can write; nil if the first line alone is too long.
  static func pieceLength(_ lines: UnsafeRawBufferPointer) -> Int? {
    let most = Int(PIPE_BUF)
    guard lines.count > most else { return lines.count }
    return lines[..<most].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
  }
}
