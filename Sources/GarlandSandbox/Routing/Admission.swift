/// The rules for receiving the body of a request that the route has not already rejected because of its header.
struct Admission: Sendable {
  /// Whether the server responds to `Expect: 100-continue` with `100 Continue` at once.
  var continues = true
  /// The number of bytes that are kept of the body, or of each of its parts; nil for the server's own limit.
  var keptLimit: Int?
  /// The size above which a body is rejected while it arrives.
  var sizeLimit: Int?
}
