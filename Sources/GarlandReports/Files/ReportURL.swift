/// A URL that a report goes to.
public enum ReportURL {
  /// A URL without user and password, for messages.
  public static func shown(_ url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = url[start..<end].lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[url.index(after: at)...])
  }
}
