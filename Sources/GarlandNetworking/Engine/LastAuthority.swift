/// What the URL of a request began with. The next one often begins alike.
final class LastAuthority {
  let url: URLReference
  let prefix: [UInt8]
  let origin: Origin?

  init(_ url: URLReference) {
    var start = url
    start.path = ""
    start.query = nil
    start.fragment = nil
    self.url = start
    origin = start.origin
    prefix = Array(start.description.utf8)
  }
}
