/// Why a sandbox did not start.
public enum SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The port could not be listened on: it is taken, not allowed, or out of range.
  case cannotListen(port: Int, reason: String)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .cannotListen(let port, let reason): "the sandbox cannot listen on 127.0.0.1:\(port): \(reason)"
    }
  }
}
