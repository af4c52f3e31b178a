import Glibc

/// A pipe whose ends are not inherited.
final class ProcessPipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ChildProcess.StartError(description: "no pipe: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    closeReading()
    closeWriting()
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }
}

/// Carries the input and the outputs of a program concurrently, so that no full pipe stops either
/// side.
///
/// `@unchecked Sendable`: made on one thread and handed to the one that calls ``carry(_:)``, which
/// alone uses it from then on.
final class ProcessTraffic: @unchecked Sendable {
  private let input: (pipe: ProcessPipe, bytes: [UInt8])
  private let output: ProcessPipe
  private let error: ProcessPipe

  init(input: (pipe: ProcessPipe, bytes: [UInt8]), output: ProcessPipe, error: ProcessPipe) {
    self.input = input
    self.output = output
    self.error = error
  }

  /// Returns when both outputs are closed.
  func carry(_ receive: (_ bytes: [UInt8], _ isError: Bool) -> Void) {
    var written = 0
    if input.bytes.isEmpty { input.pipe.closeWriting() }
    if input.pipe.writing >= 0 {
      // A program that doesn't read its input is no reason to end the tests.
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &set, nil)
      _ = fcntl(input.pipe.writing, F_SETFL, O_NONBLOCK)
    }
    while output.reading >= 0 || error.reading >= 0 {
      var polled = [
        pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0), pollfd(fd: error.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.pipe.writing, events: Int16(POLLOUT), revents: 0),
      ]
      guard poll(&polled, 3, -1) >= 0 else { continue }
      if polled[0].revents != 0 { read(from: output) { receive($0, false) } }
      if polled[1].revents != 0 { read(from: error) { receive($0, true) } }
      if polled[2].revents != 0 {
        let count = input.bytes.withUnsafeBytes { Glibc.write(input.pipe.writing, $0.baseAddress.map { $0 + written }, $0.count - written) }
        if count > 0 { written += count }
        if written == input.bytes.count || (count < 0 && errno != EAGAIN && errno != EINTR) { input.pipe.closeWriting() }
      }
    }
  }

  private func read(from pipe: ProcessPipe, _ receive: ([UInt8]) -> Void) {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
      count = Glibc.read(pipe.reading, buffer.baseAddress, buffer.count)
      filled = max(0, count)
    }
    if count > 0 {
      receive(bytes)
    } else if count == 0 || errno != EINTR {
      pipe.closeReading()
    }
  }
}
