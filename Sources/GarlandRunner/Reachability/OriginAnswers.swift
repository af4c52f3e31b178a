import GarlandTransfer
import HTTPTypes

/// The answers of an origin in a run: the time of the last one, and the address for another probe.
struct OriginAnswers {
  /// A URL that was answered.
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

    /// Whether another URL differs from this one by no more than its query.
    fileprivate func hasPath(of other: String) -> Bool {
      let rest = other.utf8.dropFirst(pathLength)
      guard rest.isEmpty || rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "#") else { return false }
      return other.utf8.prefix(pathLength).elementsEqual(url.utf8.prefix(pathLength))
    }
  }

  /// The time of the last answer, by the system's clock.
  private(set) var last: Duration
  /// Two URLs of different paths, if there are: when one of them fails, the other one can be
  /// probed.
  private var places: [Place]
  /// Whether there are no better ones to be noted.
  private var isFull = false

  init(_ url: String, _ method: HTTPRequest.Method, at time: Duration) {
    last = time
    places = [Place(url: url, isGet: method == .get)]
  }

  /// Takes note of an answer.
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

  /// A place of another path than that of a URL that is not answered.
  func place(otherThan url: String) -> Place? {
    places.filter { !$0.hasPath(of: url) }.max { !$0.isGet && $1.isGet }
  }
}
