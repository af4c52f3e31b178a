import GarlandText

/// A resource whose URL needs no network.
enum LocalResource: Sendable, Hashable {
  case data(DataURL)
  /// A file on this machine, by its absolute path.
  case file(path: String)

  /// Parses a URL. Returns nil if its scheme is neither `data` nor `file`.
  init?(_ url: String) throws(NetworkingError) {
    if DataURL.end(ofScheme: "data", in: url) != nil {
      self = .data(try DataURL(url))
    } else if let start = DataURL.end(ofScheme: "file", in: url) {
      self = .file(path: try Self.path(url[start...], of: url))
    } else {
      return nil
    }
  }

  /// Returns the path of a `file:` URL. `text` is the URL without the scheme: `///etc/hosts`, `//localhost/etc/hosts` or `/etc/hosts`
  /// (RFC 8089).
  private static func path(_ text: Substring, of url: String) throws(NetworkingError) -> String {
    func invalid(_ detail: String) -> NetworkingError { NetworkingError(.invalidRequest(detail), url: url) }
    var rest = text
    if let end = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") }) { rest = rest[..<end] }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      let host = rest[..<slash].lowercased()
      guard host.isEmpty || host == "localhost" else { throw invalid("the file: URL names another machine, \(host)") }
      rest = rest[slash...]
    }
    let bytes = PercentEncoding.decode(rest)
    guard bytes.first == UInt8(ascii: "/") else { throw invalid("the file: URL has no absolute path") }
    guard !bytes.contains(0), let path = String(validating: bytes, as: UTF8.self) else {
      throw invalid("the file: URL has a path that no file has")
    }
    return path
  }

  /// The media type of the resource, for its response.
  var mediaType: String {
    switch self {
    case .data(let url): url.mediaType
    case .file(let path): MediaTypes.type(forPath: path)
    }
  }
}
