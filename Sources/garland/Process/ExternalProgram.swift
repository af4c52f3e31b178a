import Glibc

/// The reason why a program could not be run.
struct ExternalProgramError: Error {
  let message: String

  init(code: Int32) { message = String(cString: strerror(code)) }
}

/// Runs a program until it ends, and collects its standard output and standard error.
enum ExternalProgram {
  static func run(
    _ program: String, _ arguments: [String]
  ) throws(ExternalProgramError) -> (status: Int32, output: [UInt8], error: [UInt8]) {
    let output = try Pipe()
    let error = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, error.writing, STDERR_FILENO)
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    let code = DescriptorLimit.asInherited { posix_spawnp(&child, program, &actions, nil, words, environ) }
    guard code == 0 else { throw ExternalProgramError(code: code) }
    output.closeWriting()
    error.closeWriting()
    let (first, second) = Pipe.drain(output, error)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { if errno != EINTR { throw ExternalProgramError(code: errno) } }
    return (status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F), first, second)
  }

  private final class Pipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init() throws(ExternalProgramError) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw ExternalProgramError(code: errno) }
      // The program gets its ends by dup2(2), which does not copy this flag.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      reading = ends[0]
      writing = ends[1]
    }

    deinit {
      if reading >= 0 { close(reading) }
      closeWriting()
    }

    func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    /// Reads both pipes at the same time, so that neither can become full and block the program.
    static func drain(_ first: Pipe, _ second: Pipe) -> ([UInt8], [UInt8]) {
      let pipes = [first, second]
      var found: [[UInt8]] = [[], []]
      var isOpen = [true, true]
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while isOpen.contains(true) {
        var polled = pipes.indices.filter { isOpen[$0] }.map { pollfd(fd: pipes[$0].reading, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { break }
        for ready in polled where ready.revents != 0 {
          guard let index = pipes.firstIndex(where: { $0.reading == ready.fd }) else { continue }
          let count = Glibc.read(ready.fd, &buffer, buffer.count)
          if count > 0 {
            found[index].append(contentsOf: buffer[..<count])
          } else if count == 0 || errno != EINTR {
            isOpen[index] = false
          }
        }
      }
      return (found[0], found[1])
    }
  }
}
