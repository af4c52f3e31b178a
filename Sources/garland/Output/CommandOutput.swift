import Glibc

/// Plain writing to a descriptor, for texts that hold no values of a run.
enum CommandOutput {
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(CommandFailure) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
      }
      if count >= 0 {
        offset += count
      } else if errno == EPIPE {
        // Whoever read has what it wanted, as with `| head`.
        return
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw .unwritable(descriptor, errno: errno)
      }
    }
  }
}
