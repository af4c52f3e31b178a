import GarlandText

/// A minimal HTML page with forms.
struct Page {
  let title: String
  var body = ""

  init(_ title: String) { self.title = title }

  mutating func text(_ text: String, id: String? = nil) {
    body += "<p\(id.map { " id=\"\($0)\"" } ?? "")>\(Self.escape(text))</p>\n"
  }

  /// Adds a form that is sent by POST. `content` is HTML.
  mutating func form(_ id: String, action: String, hidden: [(String, String)], _ content: [String]) {
    body += "<form id=\"\(id)\" name=\"\(id)\" method=\"post\" action=\"\(Self.escape(action))\">\n"
    for (name, value) in hidden { body += "<input type=\"hidden\" name=\"\(name)\" value=\"\(Self.escape(value))\">\n" }
    for line in content { body += line + "\n" }
    body += "</form>\n"
  }

  static func field(_ label: String, _ name: String, type: String = "text", value: String = "") -> String {
    "<label>\(escape(label)) <input type=\"\(type)\" name=\"\(name)\" value=\"\(escape(value))\"></label>"
  }

  static func box(_ label: String, _ name: String, value: String) -> String {
    "<label><input type=\"checkbox\" name=\"\(name)\" value=\"\(escape(value))\" checked> \(escape(label))</label>"
  }

  static func button(_ label: String, _ name: String, value: String) -> String {
    "<button type=\"submit\" name=\"\(name)\" value=\"\(escape(value))\">\(escape(label))</button>"
  }

  func response(_ status: Int = 200, headers: [HeaderField] = []) -> SandboxResponse {
    let html = """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>\(Self.escape(title))</title></head>
      <body>
      <h1>\(Self.escape(title))</h1>
      \(body)</body>
      </html>

      """
    var response = SandboxResponse.text(html, type: "text/html; charset=utf-8", status: status)
    // The page must be neither framed nor stored (RFC 9700 section 4.16).
    response.headers += [
      HeaderField("Cache-Control", "no-store"), HeaderField("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]
    response.headers += headers
    return response
  }

  static func escape(_ text: String) -> String {
    Markup.escape(text) { $0 == "\"" ? "&quot;" : $0 == "'" ? "&#39;" : nil }
  }
}
