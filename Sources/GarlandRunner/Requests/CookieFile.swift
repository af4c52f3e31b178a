import GarlandNetworking

/// Cookies as text, in the format that Netscape began and curl and wget use: a line for each, seven fields between tabs
/// (https://curl.se/docs/http-cookies.html).
enum CookieFile {
  private static let httpOnlyPrefix = "#HttpOnly_"

  /// Lines that are no cookies are passed over, as every reader of the format does.
  static func parse(_ text: String) -> [Cookie] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      var line = line
      let isHTTPOnly = line.hasPrefix(httpOnlyPrefix)
      if isHTTPOnly {
        line = line.dropFirst(httpOnlyPrefix.count)
      } else if line.hasPrefix("#") {
        return nil
      }
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 7, let expires = Int64(fields[4]) else { return nil }
      let domain = fields[0].hasPrefix(".") ? fields[0].dropFirst() : fields[0]
      return Cookie(
        name: String(fields[5]), value: String(fields[6]), domain: String(domain), path: String(fields[2]),
        expires: expires == 0 ? nil : expires, isHostOnly: fields[1] != "TRUE", isSecure: fields[3] == "TRUE", isHTTPOnly: isHTTPOnly)
    }
  }

  /// The text for some cookies, in a stable order.
  static func text(for cookies: [Cookie]) -> String {
    let sorted = cookies.sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }
    var text = "# Netscape HTTP Cookie File\n"
    // What has a tab or a line break in it can't be written in this format.
    for cookie in sorted where !(cookie.name + cookie.value + cookie.path).contains(where: { $0 == "\t" || $0.isNewline }) {
      let fields = [
        (cookie.isHTTPOnly ? httpOnlyPrefix : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain, cookie.isHostOnly ? "FALSE" : "TRUE",
        cookie.path, cookie.isSecure ? "TRUE" : "FALSE", String(cookie.expires ?? 0), cookie.name, cookie.value,
      ]
      text += fields.joined(separator: "\t") + "\n"
    }
    return text
  }
}
