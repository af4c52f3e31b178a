/// What a browser shows when it comes back from the provider.
struct LoopbackPage {
  let status: String
  let words: String

  /// That there is nothing at this place.
  static let nothing = LoopbackPage(status: "404 Not Found", words: "There is nothing here.")

  private init(status: String, words: String) {
    self.status = status
    self.words = words
  }

  /// How the login went, as the redirect says.
  init(of request: AuthorizationRequest, _ redirect: String) {
    do throws(OAuthError) {
      _ = try request.code(from: redirect)
      self.init(status: "200 OK", words: "You are logged in. You can close this page.")
    } catch {
      self.init(status: "400 Bad Request", words: "You are not logged in: \(error)")
    }
  }

  /// As a whole response. Nothing of the provider's becomes markup, and the code in the URL goes to nobody.
  var bytes: [UInt8] {
    let text = words.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    let page = "<!DOCTYPE html><meta charset=\"utf-8\"><title>Garland</title><p>\(text)\n"
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)", "Cache-Control: no-store",
      "Referrer-Policy: no-referrer", "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + page).utf8)
  }
}
