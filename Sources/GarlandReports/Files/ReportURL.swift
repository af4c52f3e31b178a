/// The URL that a report goes to.
public enum ReportURL {
  /// Returns a URL for messages, without user and password, and with `…` in place of the query, which may contain a key.
  public static func shown(_ url: String) -> String {
    let bare = withoutUser(url)
    return bare.firstIndex(of: "?").map { bare[...$0] + "…" } ?? bare
  }

  private static func withoutUser(_ url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = url[start..<end].lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[url.index(after: at)...])
  }
}
