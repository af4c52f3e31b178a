import GarlandTransfer
import HTTPTypes

/// What an origin has answered in a run: when it did so last, and where it can be asked once more.
struct OriginAnswers {
  /// A URL that was answered.
  struct Place: Sendable {
    let url: String
    /// Whether it was asked for by GET, so that it can be again.
    let isGet: Bool

    fileprivate var path: Substring { OriginAnswers.path(of: url) }
  }

  /// When the last answer came, by the system's clock.
  private(set) var last: Duration
  /// Two of different paths, if there are: when one of them falls silent, the other one can be asked.
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
    guard !isFull, places[0].url != url || !places[0].isGet else { return }
    let new = Place(url: url, isGet: method == .get)
    let path = new.path
    if let index = places.firstIndex(where: { $0.path == path }) {
      if new.isGet { places[index] = new }
    } else if places.count < 2 {
      places.append(new)
    } else if new.isGet, let index = places.firstIndex(where: { !$0.isGet }) {
      places[index] = new
    }
    isFull = places.count == 2 && places.allSatisfy(\.isGet)
  }

  /// A place of another path than that of a URL that is not answered.
  func place(otherThan url: String) -> Place? {
    let path = Self.path(of: url)
    return places.filter { $0.path != path }.max { !$0.isGet && $1.isGet }
  }

  /// A URL up to its query.
  private static func path(of url: String) -> Substring {
    let end = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    return url[..<(end ?? url.endIndex)]
  }
}
