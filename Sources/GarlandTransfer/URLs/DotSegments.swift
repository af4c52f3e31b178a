/// Removes `.` and `..` from paths (RFC 3986, section 5.2.4).
enum DotSegments {
  static func removed(from path: String) -> String {
    guard hasCandidate(path) else { return path }
    var output: [Substring] = []
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    let last = segments.count - 1
    for (index, segment) in segments.enumerated() {
      if isAbsolute, index == 0 { continue }
      switch dots(in: segment) {
      case 1: if index == last { output.append("") }
      case 2:
        if !output.isEmpty { output.removeLast() }
        if index == last { output.append("") }
      default: output.append(segment)
      }
    }
    return (isAbsolute ? "/" : "") + output.joined(separator: "/")
  }

  private static func hasCandidate(_ path: String) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in path.utf8 {
      if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
      previous = byte
    }
    return false
  }

  /// Returns the number of dots in a segment that consists only of dots; 0 for any other segment. `%2e` counts
  /// as a dot, as in browsers, since a server may decode it.
  private static func dots(in segment: Substring) -> Int {
    var count = 0
    var bytes = segment.utf8[...]
    while let byte = bytes.first {
      if byte == UInt8(ascii: ".") {
        bytes = bytes.dropFirst()
      } else if byte == UInt8(ascii: "%"), bytes.dropFirst().first == UInt8(ascii: "2"),
        let third = bytes.dropFirst(2).first, third | 0x20 == UInt8(ascii: "e")
      {
        bytes = bytes.dropFirst(3)
      } else {
        return 0
      }
      count += 1
    }
    return count
  }
}
