import Foundation
import Glibc

/// A server in a process of its own. It ends with the test process, also when that is killed: a shell between the two waits for the end of a
/// pipe that only the test process holds.
public final class ServerProcess: Sendable {
  /// The server that could not be started, and the reason.
  public struct StartError: Error, CustomStringConvertible {
    /// Words.
    public let description: String

    /// Words.
    public init(description: String) { self.description = description }
  }

  private let pid: pid_t
  private let lifeline: Int32

  /// Starts a command and waits until `port` accepts connections. Its output goes to `log`. At its
  /// end, `leftover` is removed.
  public init(_ command: [String], port: UInt16, log: String, leftover: String, environment: [String: String] = [:]) throws {
    var pipeEnds: [Int32] = [-1, -1]
    guard pipe(&pipeEnds) == 0 else { throw StartError(description: "no pipe") }
    for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipeEnds[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // The child inherits no other descriptor: neither other servers' lifelines nor locks of the
    // program that runs the tests. A listening socket of another test, for one, would accept
    // connections that are never answered.
    guard ChildProcess.closeFrom(&actions, 3) == 0 else { throw StartError(description: "descriptors can't be closed in a child") }
    // The threads that tests run on have most signals blocked, and a server must hear the one that ends it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let script = "\"$@\" </dev/null & server=$!; cat >/dev/null; kill $server; wait $server; rm -rf \"$0\""
    let arguments = ["/bin/sh", "-c", script, leftover] + command
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    var child = pid_t()
    let status = Self.withStrings(arguments) { arguments in
      Self.withStrings(variables) { posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, $0) }
    }
    close(pipeEnds[0])
    guard status == 0 else {
      close(pipeEnds[1])
      throw StartError(description: "\(command[0]) could not be started")
    }
    pid = child
    lifeline = pipeEnds[1]
    let end = ContinuousClock.now + .seconds(20)
    while !LoopbackPort.accepts(port) {
      guard ContinuousClock.now < end, waitpid(pid, nil, WNOHANG) == 0 else {
        stop()
        let words = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw StartError(description: "\(command[0]) does not listen on port \(port): \(words)")
      }
      usleep(10_000)
    }
  }

  /// Stops it.
  public func stop() {
    close(lifeline)
    waitpid(pid, nil, 0)
  }

  private static func withStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
