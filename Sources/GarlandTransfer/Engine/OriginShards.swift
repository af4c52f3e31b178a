import Synchronization

/// The threads of an engine with several threads, and the assignment of origins to threads.
///
/// A new origin is assigned to the next thread and stays there. So all data of an origin are on one thread and need no lock: the
/// connections to the origin, the maximum number of these connections, the HTTP/2 streams that share a connection, and the server's
/// authentication challenges.
final class OriginShards: Sendable {
  /// The event loops of all threads, beginning with the loop of the engine's own thread.
  let loops: [EngineLoop]

  private struct State {
    var numbers: [[UInt8]: Int] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  /// The maximum number of origins whose thread is remembered. A hash determines the threads of further origins, since a program with so
  /// many origins does not benefit from a remembered thread for each origin.
  private static let mostRemembered = 4_096

  /// Creates the additional threads. Returns nil for an engine with one thread.
  init?(_ first: EngineLoop, _ configuration: EngineConfiguration) {
    guard configuration.threads > 1 else { return nil }
    loops =
      [first]
      + (2...configuration.threads).map { number in
        var own = configuration
        own.threadName = "\(configuration.threadName)\(number)"
        return EngineLoop(configuration: own)
      }
  }

  /// Returns the event loop of the thread that sends requests to a URL. For a URL without an origin, returns the first loop, whose thread
  /// refuses the request.
  func loop(for url: String) -> EngineLoop {
    guard let origin = Self.origin(of: url) else { return loops[0] }
    let number = state.withLock { state in
      if let known = state.numbers[origin] { return known }
      guard state.numbers.count < Self.mostRemembered else {
        return Int(origin.reduce(UInt(0)) { $0 &* 31 &+ UInt($1) } % UInt(loops.count))
      }
      let number = state.next
      state.numbers[origin] = number
      state.next = (number + 1) % loops.count
      return number
    }
    return loops[number]
  }

  /// Returns the scheme, host and port of a URL in lower case, without credentials. A default port is omitted. Returns nil if the URL has
  /// no origin.
  static func origin(of url: String) -> [UInt8]? {
    let bytes = Array(url.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else { return nil }
    let rest = bytes[(colon + 3)...]
    var authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
    guard !authority.isEmpty else { return nil }
    let scheme = lowercased(bytes[..<colon])
    let port = scheme == Array("https".utf8) ? ":443" : ":80"
    if authority.count > port.utf8.count, authority.suffix(port.utf8.count).elementsEqual(port.utf8) {
      authority.removeLast(port.utf8.count)
    }
    return scheme + "://".utf8 + lowercased(authority)
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
