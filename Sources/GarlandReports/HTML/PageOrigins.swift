import GarlandResults

/// Assigns a number to each origin (scheme, host and port) to which the steps of a run send requests.
///
/// The number depends only on the origin's name, and not on the order of results: if a report is created again from a recording, the
/// results are in a different order.
struct PageOrigins {
  /// The names of the origins, such as `https://shop.example:8443`. Each key is the number of the origin; see ``number(of:)``.
  private(set) var names: [Int: String] = [:]
  private var numbers: [Substring: Int] = [:]

  /// Returns the number of the origin to which a step sent its first request. Returns -1 if the step sent no request itself, for example
  /// because it called a document.
  mutating func number(of result: StepResult) -> Int {
    guard result.step.isRequest, let hop = result.ownExchanges.first?.hops.first else { return -1 }
    let origin = Self.origin(of: hop.url)
    if let known = numbers[origin] { return known }
    let number = Int(Fingerprint.of([String(origin)]).prefix(7), radix: 16) ?? 0
    names[number] = String(origin)
    numbers[origin] = number
    return number
  }

  private static func origin(of url: String) -> Substring {
    guard let scheme = url.firstRange(of: "://") else { return url.prefix { $0 != "/" && $0 != "?" } }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // A user name and a password before the host are not part of an origin.
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return url[..<scheme.upperBound] + host
  }
}
