import GarlandDiagnostics
import Glibc

/// A pipe of another program, for writing without ever waiting for its reader.
///
/// Whether writing waits is a property of what was opened, which this process shares with others:
/// with `O_NONBLOCK` set there, the writes of other programs of a shell would fail. So the pipe is
/// opened once more, through
/// [`/proc/self/fd`](https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html).
///
/// To look how much room there is, and then to write that much, would not do: others may write to
/// the same pipe in between.
final class PromptPipe {
  /// The progress of writing.
  enum Progress: Equatable {
    case all
    /// The pipe is full.
    case untilFull
    /// Up to a line that does not fit into one write.
    case untilLongLine
    case failure(OutputError)
  }

  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens the pipe that a descriptor leads to. Nil where that is not possible: the pipe may belong to another user, or `/proc` be
  /// missing.
  static func open(_ fileDescriptor: Int32) -> PromptPipe? {
    let descriptor = Glibc.open("/proc/self/fd/\(fileDescriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return descriptor < 0 ? nil : PromptPipe(descriptor)
  }

  /// Writes the lines for which the pipe has room, and removes them from `lines`.
  ///
  /// A write of up to `PIPE_BUF` bytes is done whole or not at all
  /// ([pipe(7)](https://man7.org/linux/man-pages/man7/pipe.7.html)), so that the output of other
  /// writers is never in the middle of a line.
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

  /// Returns the length of the lines that fit into one write. Nil if not even one line does.
  static func pieceLength(_ lines: UnsafeRawBufferPointer) -> Int? {
    let most = Int(PIPE_BUF)
    guard lines.count > most else { return lines.count }
    return lines[..<most].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
  }
}
