/// The handling of a request's body that a route does not refuse by the header.
struct Admission: Sendable {
  /// Whether the server answers `Expect: 100-continue` with `100 Continue` at once.
  var continues = true
  /// How much of the body, or of each of its parts, is kept; nil for the server's own limit.
  var keptLimit: Int?
  /// The size over which a body is refused while it arrives.
  var sizeLimit: Int?
}
