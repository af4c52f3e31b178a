import FoundationEssentials
import GarlandAuth
import GarlandNetworking
import TestSupport

/// A provider whose responses the test defines.
struct CannedProvider: Sendable {
  struct Answer: Sendable {
    var status = 200
    var type = "application/json"
    var body: String

    init(_ body: String, status: Int = 200, type: String = "application/json") {
      self.body = body
      self.status = status
      self.type = type
    }
  }

  let url: String
  let session: Session
  let clock = TestClock()
  let secrets = Collected<String>()
  /// The received paths and forms.
  let requests: Collected<(path: String, form: String)>
  private let server: RawServer

  /// Creates a provider. `answer` receives the path, the form, and the number of earlier requests
  /// to that path; `PROVIDER` in its text stands for the URL of the provider.
  init(_ answer: @escaping @Sendable (_ path: String, _ form: String, _ before: Int) -> Answer) throws {
    let requests = Collected<(path: String, form: String)>()
    self.requests = requests
    server = try RawServer { connection in
      guard let (head, body) = connection.readRequest() else { return }
      let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      let form = String(decoding: body, as: UTF8.self)
      let before = requests.all.count { $0.path == path }
      requests.add((path, form))
      let answer = answer(path, form, before)
      let host = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6) ?? ""
      let text = answer.body.replacing("PROVIDER", with: "http://\(host)")
      connection.send(
        "HTTP/1.1 \(answer.status) Canned\r\nContent-Type: \(answer.type)\r\nContent-Length: \(text.utf8.count)\r\n"
          + "Connection: close\r\n\r\n\(text)")
    }
    url = server.url
    session = Session(.ephemeral)
  }

  func manager(_ configuration: OAuthConfiguration, cache: (any TokenCache)? = nil) -> TokenManager {
    TokenManager(
      configuration, transport: SessionTransport(session),
      environment: AuthEnvironment(
        now: { [clock] in AuthEnvironment.systemTime() + clock.ahead }, sleep: { [clock] in clock.advance(by: $0) },
        registerSecret: { [secrets] in secrets.add($0) }), cache: cache)
  }

  func configuration(_ grant: OAuthGrant, _ change: (inout OAuthConfiguration) -> Void = { _ in }) -> OAuthConfiguration {
    var configuration = OAuthConfiguration(grant: grant, clientID: "client")
    configuration.endpoints.token = "\(url)/token"
    configuration.endpoints.deviceAuthorization = "\(url)/device"
    configuration.endpoints.authorization = "\(url)/authorize"
    change(&configuration)
    return configuration
  }
}

/// A user who returns with a given redirect; `STATE` in the redirect stands for the state of the request.
struct CannedUser: AuthorizationAgent {
  var redirect = "http://127.0.0.1:4711/callback"
  let answer: String

  func redirectURI() async throws(OAuthError) -> String { redirect }

  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String {
    let state = request.url.split(separator: "state=").last.map { String($0.prefix { $0 != "&" }) } ?? ""
    return answer.replacing("STATE", with: state)
  }
}
