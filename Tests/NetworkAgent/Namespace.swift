import Glibc

/// The network namespace that the agent runs in, and is alone in.
enum Namespace {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a shell command.
  static func run(_ command: String) throws {
    let status = system("PATH=$PATH:/usr/sbin:/sbin; \(command)")
    guard status == 0 else { throw Failure(description: "`\(command)` failed with status \(status >> 8)") }
  }

  /// Two interfaces at either end of one cable: `v0` has 10.9.0.1 and is the way to the world, through 10.9.0.2.
  static func wire() throws {
    try run(
      "ip link set lo up; ip link add v0 type veth peer name v1; ip addr add 10.9.0.1/24 dev v0; ip link set v0 up; ip link set v1 up")
    try run("ip route add default via 10.9.0.2")
  }

  /// Puts a file of the agent's own in the place of one of the system's; it sees it alone.
  static func replace(_ path: String, by text: String) throws {
    let mine = "/tmp/garland-agent-\(getpid())-\(path.split(separator: "/").last ?? "")"
    guard let file = fopen(mine, "w") else { throw Failure(description: "\(mine) can't be written") }
    fputs(text, file)
    fclose(file)
    defer { unlink(mine) }
    try run("umount \(path) 2>/dev/null; mount --bind \(mine) \(path)")
  }
}
