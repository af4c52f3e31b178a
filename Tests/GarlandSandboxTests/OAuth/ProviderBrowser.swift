import GarlandCrypto
import GarlandJSON
import GarlandSandbox
import GarlandText
import Testing

/// A user with a browser that supports only the actions that the tests need.
struct ProviderBrowser {
  let sandbox: Sandbox
  let proof: ProofKey
  var parameters: [String: String]
  var cookie: String?

  init(_ sandbox: Sandbox, client: String = "smoke", redirect: String = "http://127.0.0.1:4711/callback") throws {
    self.sandbox = sandbox
    proof = try #require(ProofKey(verifier: String(repeating: "v", count: 43)))
    parameters = [
      "response_type": "code", "client_id": client, "redirect_uri": redirect, "state": "s t", "nonce": "n1", "scope": "openid read",
      "code_challenge": try proof.challenge(), "code_challenge_method": "S256",
    ]
  }

  var headers: [String] { cookie.map { ["Cookie: \($0)"] } ?? [] }

  func authorize(_ method: String = "GET") throws -> RawResponse {
    let query = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encode($0.value))" }.joined(separator: "&")
    return method == "GET"
      ? try sandbox.get("/oauth/authorize?\(query)", headers) : try sandbox.request(method, "/oauth/authorize", headers, form: query)
  }

  /// Visits the pages up to the redirect to the client.
  mutating func walk(user: String = "alice", password: String = "wonderland", decision: String = "allow") throws -> RawResponse {
    var response = try authorize()
    while response.status == 303, let target = response.first("Location"), target.hasPrefix("/") {
      response = try sandbox.get(target, headers)
      guard response.status == 200 else { break }
      let request = try #require(Self.value(of: "request", in: response.text))
      if target.hasPrefix("/oauth/login") {
        response = try sandbox.request("POST", "/oauth/login", form: "request=\(request)&username=\(user)&password=\(password)")
        cookie = response.first("Set-Cookie").map { String($0.prefix { $0 != ";" }) }
      } else {
        let csrf = try #require(Self.value(of: "csrf", in: response.text))
        let scope = Self.values(of: "scope", in: response.text).map { "&scope=\($0)" }.joined()
        response = try sandbox.request(
          "POST", "/oauth/consent", headers, form: "request=\(request)&csrf=\(csrf)&decision=\(decision)\(scope)")
      }
    }
    return response
  }

  /// Returns the parameters in the redirect to the client.
  static func result(_ response: RawResponse) -> [String: String] {
    guard let location = response.first("Location"), let question = location.firstIndex(of: "?") else { return [:] }
    var pairs: [String: String] = [:]
    for pair in location[location.index(after: question)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      pairs[parts[0]] = parts.count > 1 ? parts[1].replacing("%20", with: " ").replacing("%3A", with: ":").replacing("%2F", with: "/") : ""
    }
    return pairs
  }

  func redeem(_ code: String, _ changes: [String: String?] = [:], headers: [String] = []) throws -> RawResponse {
    var form: [String: String?] = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": parameters["redirect_uri"], "client_id": parameters["client_id"],
      "code_verifier": proof.verifier,
    ]
    for (name, value) in changes { form[name] = .some(value) }
    let text = form.compactMap { pair in pair.value.map { "\(pair.key)=\(Self.encode($0))" } }.joined(separator: "&")
    return try sandbox.request("POST", "/oauth/token", headers, form: text)
  }

  static func value(of name: String, in html: String) -> String? { values(of: name, in: html).first }

  static func values(of name: String, in html: String) -> [String] {
    html.split(separator: "name=\"\(name)\" value=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  static func encode(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: return String(Unicode.Scalar(byte))
      default: return "%" + Hex.encode([byte]).uppercased()
      }
    }.joined()
  }
}
