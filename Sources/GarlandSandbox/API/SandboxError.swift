/// The reason why a sandbox did not start.
package enum SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sandbox cannot listen on the port: it is in use, not allowed, or out of range.
  case cannotListen(port: Int, reason: String)

  /// The error as a sentence for users.
  package var description: String {
    switch self {
    case .cannotListen(let port, let reason): "the sandbox cannot listen on 127.0.0.1:\(port): \(reason)"
    }
  }
}
