import GarlandTransfer
import HTTPTypes

/// Remembers when an origin (scheme, host and port) last responded in a run, and URLs to which it responded. A later probe can use these
/// URLs.
struct OriginAnswers {
  /// A URL for which the origin responded.
  struct Place: Sendable {
    let url: String
    /// Whether the request was a GET, so that it can be repeated.
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
  /// Up to two URLs of this origin, with different paths, to which it has responded. If a request for one of these URLs fails, a probe can
  /// use the other URL.
  private var places: [Place]
  /// Whether ``places`` contains two URLs of GET requests, so that further URLs are ignored.
  private var isFull = false

  init(_ url: String, _ method: HTTPRequest.Method, at time: Duration) {
    last = time
    places = [Place(url: url, isGet: method == .get)]
  }

  /// Records a response of the origin, and the URL of the request for later probes.
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

  /// Returns a URL to which the origin has responded and whose path is different from the path of `url`; nil if there is no such URL.
  func place(otherThan url: String) -> Place? {
    places.filter { !$0.hasPath(of: url) }.max { !$0.isGet && $1.isGet }
  }
}
