import GarlandWorkflow
import Glibc

/// Standard input: a pipe, a file or a terminal.
enum StandardInput {
  /// The name of standard input in messages.
  static let name = "standard input"

  static func read(limit: Int) throws(WorkflowFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        guard bytes.count + count <= limit else { throw WorkflowFileError("it has more than \(limit) bytes") }
        bytes.append(contentsOf: buffer[..<count])
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw WorkflowFileError(String(cString: strerror(errno)))
      }
    }
  }
}
