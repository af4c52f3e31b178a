/// Netscape's file format for cookies, which curl and wget use: one cookie per line, seven fields
/// separated by tabs.
///
/// ```swift
/// let jar = CookieJar()
/// for cookie in CookieFile.parse(text) { jar.insert(cookie) }
/// let written = CookieFile.text(of: jar.cookies)
/// ```
public enum CookieFile {
  private static let httpOnlyPrefix = "#HttpOnly_"

  /// Returns the cookies in a file's text. Invalid lines are skipped, as in curl; see
  /// ``firstInvalidLine(of:)``.
  public static func parse(_ text: String) -> [Cookie] {
    text.split(whereSeparator: \.isNewline).compactMap { cookie(in: $0) }
  }

  /// Returns the number, starting at 1, of the first invalid line; nil if all lines are valid. A valid line is empty, or contains a cookie
  /// or a comment. A file with an invalid line is possibly not a cookie file, so the caller should not overwrite it.
  public static func firstInvalidLine(of text: String) -> Int? {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let isComment = line.hasPrefix("#") && !line.hasPrefix(httpOnlyPrefix)
      if !isComment, !line.allSatisfy(\.isWhitespace), cookie(in: line) == nil { return index + 1 }
    }
    return nil
  }

  private static func cookie(in line: Substring) -> Cookie? {
    var line = line
    let isHTTPOnly = line.hasPrefix(httpOnlyPrefix)
    if isHTTPOnly { line = line.dropFirst(httpOnlyPrefix.count) } else if line.hasPrefix("#") { return nil }
    // A line with six fields is a cookie with an empty value whose last tab an editor has removed.
    var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    if fields.count == 6 { fields.append("") }
    guard fields.count == 7, let expires = Int64(fields[4]), !fields[0].isEmpty else { return nil }
    let isDotted = fields[0].hasPrefix(".")
    return Cookie(
      name: fields[5], value: fields[6], domain: isDotted ? String(fields[0].dropFirst()) : fields[0],
      path: fields[2].isEmpty ? "/" : fields[2], expires: expires == 0 ? nil : expires, isHostOnly: fields[1].uppercased() != "TRUE",
      isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly)
  }

  /// Returns the text of a file that contains `cookies`, sorted by domain, path and name. A cookie that contains a tab or a line break is
  /// omitted, since the format cannot represent it.
  public static func text(of cookies: [Cookie]) -> String {
    var text = "# Netscape HTTP Cookie File\n"
    for cookie in cookies.sorted(by: { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }) {
      let fields = [
        (cookie.isHTTPOnly ? httpOnlyPrefix : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain, cookie.isHostOnly ? "FALSE" : "TRUE",
        cookie.path, cookie.isSecure ? "TRUE" : "FALSE", String(cookie.expires ?? 0), cookie.name, cookie.value,
      ]
      guard !fields.contains(where: { $0.contains { $0 == "\t" || $0.isNewline } }) else { continue }
      text += fields.joined(separator: "\t") + "\n"
    }
    return text
  }
}
