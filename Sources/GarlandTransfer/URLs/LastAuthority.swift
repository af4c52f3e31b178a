/// What the URL of a request began with. The next one often begins alike.
final class LastAuthority: Sendable {
  let url: URLReference
  let prefix: [UInt8]
  let origin: Origin?
  /// Whether it is one of `http`, without TLS.
  let isCleartext: Bool

  init(_ url: URLReference) {
    var start = url
    start.path = ""
    start.query = nil
    start.fragment = nil
    self.url = start
    origin = start.origin
    isCleartext = start.scheme == "http"
    prefix = Array(start.description.utf8)
  }
}
