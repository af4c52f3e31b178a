/// What the URL of a request began with. The next one often begins alike.
struct LastAuthority {
  let url: URLReference
  let prefix: [UInt8]

  init(_ url: URLReference) {
    var start = url
    start.path = ""
    start.query = nil
    start.fragment = nil
    self.url = start
    prefix = Array(start.description.utf8)
  }
}
