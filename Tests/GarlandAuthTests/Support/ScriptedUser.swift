import GarlandAuth
import GarlandNetworking
import GarlandSandbox
import HTTPTypes

/// A user who fills in the provider's forms without a browser.
struct ScriptedUser: AuthorizationAgent {
  let provider: Provider
  var redirect = "http://127.0.0.1:4711/callback"
  var password = "wonderland"
  var decision = "allow"
  /// Changes the redirect before it is returned.
  var change: @Sendable (String) -> String = { $0 }

  func redirectURI() async throws(OAuthError) -> String { redirect }

  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String {
    do {
      return change(try await walk(to: request.url, until: request.redirectURI))
    } catch {
      throw .authorization("\(error)")
    }
  }

  /// Follows the provider's pages from a URL to the redirect, and fills in their forms. Returns the URL of the
  /// redirect.
  func walk(to url: String, until redirect: String) async throws -> String {
    let jar = CookieJar()
    func send(_ target: String, form: String? = nil) async throws -> TransferResponse {
      var transfer = TransferRequest(url: target, method: form == nil ? .get : .post)
      transfer.settings.cookies = jar
      transfer.settings.redirects = .deliver
      if let form {
        transfer.headerFields[.contentType] = "application/x-www-form-urlencoded"
        transfer.body = .bytes(Array(form.utf8))
      }
      return try await provider.session.engine.response(for: transfer)
    }
    var response = try await send(url)
    for _ in 0..<8 {
      if let location = response.headerFields[.location] {
        let target = location.hasPrefix("/") ? provider.url + location : location
        if target.hasPrefix(redirect + "?") { return target }
        response = try await send(target)
        continue
      }
      let page = String(decoding: response.bytes, as: UTF8.self)
      guard response.status.code == 200, let id = Self.value("request", page) else { break }
      if page.contains("id=\"login\"") {
        response = try await send("\(provider.url)/oauth/login", form: "request=\(id)&username=alice&password=\(password)")
      } else {
        let boxes = page.split(separator: "name=\"scope\" value=\"").dropFirst().map { "&scope=\($0.prefix { $0 != "\"" })" }.joined()
        response = try await send(
          "\(provider.url)/oauth/consent", form: "request=\(id)&csrf=\(Self.value("csrf", page) ?? "")&decision=\(decision)\(boxes)")
      }
    }
    throw OAuthError.authorization("the provider answered \(response.status.code)")
  }

  private static func value(_ name: String, _ page: String) -> String? {
    guard let range = page.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
    return String(page[range.upperBound...].prefix { $0 != "\"" })
  }
}
