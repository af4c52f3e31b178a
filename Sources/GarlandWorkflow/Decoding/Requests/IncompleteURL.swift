/// A URL that lacks the scheme, or the `://` after the scheme. The type guesses which URL the
/// author meant, for suggestions.
package struct IncompleteURL {
  /// The kind of text with which the URL begins.
  enum Start {
    /// A scheme that is followed by an incorrect form of `://`, such as `http:/` or `http//`.
    case scheme
    /// A host with a port or a path, such as `example.com/books`.
    case host
    /// A text such as `example.com` or `books.json`, which may be a host or a file.
    case hostOrFile
    /// A text that has none of the other forms. It is probably not a host.
    case other
  }

  let start: Start
  /// The text with a complete scheme before it, such as `https://example.com` for `example.com`.
  package let completed: String

  package init(_ text: String) {
    let lowered = text.lowercased()
    for scheme in ["https", "http"] where lowered.hasPrefix("\(scheme):") || lowered.hasPrefix("\(scheme)//") {
      start = .scheme
      completed = "\(scheme)://\(text.dropFirst(scheme.count).drop { $0 == ":" || $0 == "/" })"
      return
    }
    let isHere = ["localhost", "127.", "[::1]"].contains { text.hasPrefix($0) }
    completed = "\(isHere ? "http" : "https")://\(text)"
    let authority = text.prefix { !"/?#".contains($0) }
    let host = authority.hasPrefix("[") ? authority : authority.prefix { $0 != ":" }
    let isHost = host.allSatisfy { $0.isLetter || $0.isNumber || "-._[]:".contains($0) } && !host.hasPrefix(".") && !host.hasSuffix(".")
    if isHost, isHere || host.contains(".") || host.hasPrefix("[") {
      start = isHere || authority.count < text.count || host.count < authority.count ? .host : .hostOrFile
    } else {
      start = .other
    }
  }
}
