/// How a route takes the body of a request that it does not refuse from its head.
struct Admission: Sendable {
  /// Whether a client that asks for it is told to go on at once.
  var continues = true
  /// How much of the body, or of each of its parts, is kept; nil for the server's own limit.
  var keptLimit: Int?
  /// The size over which a body is refused while it arrives.
  var sizeLimit: Int?
}
