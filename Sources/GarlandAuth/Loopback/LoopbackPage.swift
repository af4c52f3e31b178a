import GarlandText

/// A page with which ``LoopbackListener`` responds to the browser: the result of a login, or an error.
struct LoopbackPage {
  let status: String
  private let title: String
  private let words: String
  private let color: String

  /// The response for an unknown path.
  static let nothing = LoopbackPage(status: "404 Not Found", title: "Page not found", words: "Garland only waits for a login here.")

  /// The page for a redirect that has another `state` than the login for which Garland waits.
  static let stranger = LoopbackPage(
    status: "400 Bad Request", title: "This is not the login that Garland waits for",
    words: "Its state is not the one that was sent: it may belong to an earlier login, or to a login of another user. "
      + "Go on with the page that Garland has shown.")

  private init(status: String, title: String, words: String, color: String = "#b3261e") {
    self.status = status
    self.title = title
    self.words = words
    self.color = color
  }

  /// Creates the page that shows the result of a login. The page shows success if the URL `redirect` contains an authorization code for
  /// `request`; otherwise it shows the error message.
  init(of request: AuthorizationRequest, _ redirect: String) {
    do throws(OAuthError) {
      _ = try request.code(from: redirect)
      self.init(
        status: "200 OK", title: "You are logged in", words: "You can close this page and go back to the terminal.", color: "#1b7f3b")
    } catch {
      self.init(status: "400 Bad Request", title: "You are not logged in", words: "\(error)")
    }
  }

  /// The whole HTTP response. Text of the provider is escaped, and scripts are forbidden. The header field `Referrer-Policy` keeps the
  /// browser from sending the page's URL, which contains the authorization code, to other sites.
  var bytes: [UInt8] {
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>\(Markup.escape(title)) - Garland</title>
      <style>
        :root { color-scheme: light dark }
        body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 20vh auto 0; padding: 0 1.5rem }
        h1 { font-size: 1.6rem; border-left: .4rem solid \(color); padding-left: 1rem }
        p { overflow-wrap: anywhere }
      </style>
      <h1>\(Markup.escape(title))</h1>
      <p>\(Markup.escape(words))</p>

      """
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)", "Cache-Control: no-store",
      "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'", "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + page).utf8)
  }
}
