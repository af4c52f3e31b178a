/// The start of a request's URL, up to the path. It is kept because the next URL often begins the same way.
final class LastAuthority: Sendable {
  let url: URLReference
  let prefix: [UInt8]
  let origin: Origin?
  /// Whether the URL uses `http` without TLS.
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
