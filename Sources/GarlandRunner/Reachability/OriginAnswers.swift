import HTTPTypes

/// Remembers the time of an origin's last response in a run, and URLs to which the origin responded. A later probe can use these URLs. An
/// origin is a scheme, host and port.
struct OriginAnswers {
  /// The URL of a request to which the origin responded.
  struct Place: Sendable {
    let url: String
    /// Whether the request was a GET and can therefore be repeated.
    let isGet: Bool
    /// The length of the URL before its query, in bytes.
    private let pathLength: Int

    init(url: String, isGet: Bool) {
      self.url = url
      self.isGet = isGet
      pathLength = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.count
    }

    /// Whether the URL `other` has the same path as ``url``, so that the two URLs differ at most in the query and the fragment.
    fileprivate func hasPath(of other: String) -> Bool {
      if other == url { return true }
      let rest = other.utf8.dropFirst(pathLength)
      guard rest.isEmpty || rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "#") else { return false }
      return other.utf8.prefix(pathLength).elementsEqual(url.utf8.prefix(pathLength))
    }
  }

  /// The time of the last response, by the system's clock.
  private(set) var last: Duration
  /// Up to two URLs of requests to which this origin has responded. The URLs have different paths. If a request for one of these URLs
  /// fails, a probe can use the other URL.
  private var places: [Place]
  /// Whether ``places`` contains the URLs of two GET requests. If true, the URLs of later requests are not stored.
  private var isFull = false

  init(_ url: String, _ method: HTTPRequest.Method, at time: Duration) {
    last = time
    places = [Place(url: url, isGet: method == .get)]
  }

  /// Records that the origin has responded to a request, and the URL of this request, which a later probe can use.
  mutating func note(_ url: String, _ method: HTTPRequest.Method, at time: Duration) {
    last = time
    guard !isFull else { return }
    if let index = places.firstIndex(where: { $0.hasPath(of: url) }) {
      if method == .get, !places[index].isGet { places[index] = Place(url: url, isGet: true) }
      return
    }
    let new = Place(url: url, isGet: method == .get)
    if places.count < 2 {
      places.append(new)
    } else if new.isGet, let index = places.firstIndex(where: { !$0.isGet }) {
      places[index] = new
    }
    isFull = places.count == 2 && places.allSatisfy(\.isGet)
  }

  /// Returns the URL of a request to which the origin has responded, if the path of this URL differs from the path of `url`. Prefers a
  /// GET request. Returns nil if there is no such URL.
  func place(otherThan url: String) -> Place? {
    places.filter { !$0.hasPath(of: url) }.max { !$0.isGet && $1.isGet }
  }
}
