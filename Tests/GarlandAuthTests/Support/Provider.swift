import FoundationEssentials
import GarlandAuth
import GarlandCrypto
import GarlandJSON
import GarlandNetworking
import GarlandSandbox
import Synchronization
import TestSupport

/// The sandbox's provider with helpers for tests.
struct Provider: Sendable {
  let sandbox: Sandbox
  let session: Session
  let clock = TestClock()
  let secrets = Collected<String>()

  var url: String { sandbox.url }

  var environment: AuthEnvironment {
    AuthEnvironment(
      now: { [clock] in AuthEnvironment.systemTime() + clock.ahead }, sleep: { [self] in try await wait($0) },
      registerSecret: { [secrets] in secrets.add($0) })
  }

  /// Advances the clock of the test and the clock of the provider.
  private func wait(_ duration: Duration) async throws {
    clock.advance(by: duration)
    _ = try await ask(
      "POST", "/_sandbox/clock?advance=\(Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)")
  }

  /// Advances the clocks of client and provider, so that the tokens age.
  func advance(_ seconds: Int) async throws { try await wait(.seconds(seconds)) }

  func configuration(_ grant: OAuthGrant, client: String? = "service", secret: String? = "service-secret") -> OAuthConfiguration {
    var configuration = OAuthConfiguration(grant: grant, clientID: client)
    configuration.endpoints.token = "\(url)/oauth/token"
    if let secret { configuration.authentication = .basic(secret: secret) }
    return configuration
  }

  func manager(_ configuration: OAuthConfiguration, cache: (any TokenCache)? = nil) -> TokenManager {
    TokenManager(configuration, transport: SessionTransport(session), environment: environment, cache: cache)
  }

  @discardableResult
  func control(_ query: String) async throws -> JSONValue { try await ask("POST", "/_sandbox/oauth?\(query)") }

  /// Returns how often an event happened at the provider.
  func count(_ event: String) async throws -> Int {
    try await ask("GET", "/_sandbox/oauth")["counts"]?[event]?.intValue ?? 0
  }

  func ask(_ method: String, _ target: String, bearer: String? = nil, form: String? = nil) async throws -> JSONValue {
    var request = session.transferRequest(url + target, method: .init(rawValue: method) ?? .get)
    if let form {
      request.headerFields[.contentType] = "application/x-www-form-urlencoded"
      request.body = .bytes(Array(form.utf8))
    }
    if let bearer { request.credential = .bearer(bearer) }
    let response = try await session.engine.response(for: request)
    return (try? JSONValue(parsing: response.bytes)) ?? .null
  }

  /// Returns the key of the signing client.
  static func signerKey() throws -> JSONWebKey {
    let pem = try String(contentsOfFile: Repository.path("examples/oauth/signer.pem"), encoding: .utf8)
    return JSONWebKey(.privateKey(try PrivateKey(pem: pem)))
  }
}

func withProvider(_ body: (Provider) async throws -> Void) async throws {
  let sandbox = try await Sandbox.start()
  let session = Session(.ephemeral)
  do {
    try await body(Provider(sandbox: sandbox, session: session))
  } catch {
    session.cancelAndInvalidate()
    await sandbox.stop()
    throw error
  }
  session.cancelAndInvalidate()
  await sandbox.stop()
}

/// A clock that a test sets ahead of the system's.
final class TestClock: Sendable {
  private let state = Mutex(0.0)
  private let noted = Mutex<[Duration]>([])

  var ahead: Double { state.withLock { $0 } }
  var waits: [Duration] { noted.withLock { $0 } }

  func advance(by duration: Duration) {
    state.withLock { $0 += Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18 }
    noted.withLock { $0.append(duration) }
  }
}

/// A list to which several threads append.
final class Collected<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])
  func add(_ value: Value) { state.withLock { $0.append(value) } }
  var all: [Value] { state.withLock { $0 } }
}
