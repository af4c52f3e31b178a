import GarlandCrypto
import GarlandJSON

/// The behaviour of the provider. By default, the provider is correct; tests can make it return wrong responses.
struct ProviderSettings: Sendable {
  /// A wrong response that the token endpoint sends for a test.
  enum Fault: String, Sendable {
    case none
    case unavailable
    case html
    case noToken = "no_token"
    case reset
  }

  /// A mistake that the sandbox's OAuth provider makes in ID tokens, so that a test can check how a client handles it.
  enum IDTokenFault: String, Sendable {
    case none
    case issuer
    case audience
    case nonce
    case expired
    case future
    case unsigned
    case key
    case signature
    case hash
  }

  /// A mistake that the provider makes on purpose, for tests, in the redirect to the client.
  enum RedirectFault: String, Sendable {
    case none
    case state
    case noState = "no_state"
    case issuer
  }

  var expiresIn = 3600
  var codeLifetime = 60
  var deviceInterval = 1
  var deviceLifetime = 600
  /// The user in whose name every device is approved immediately; empty if devices wait for the approval of a user.
  var deviceUser = ""
  var rotates = true
  var algorithm = "RS256"
  var fault = Fault.none
  /// The number of faulty responses that the token endpoint will still send. Nil, which is the default, means any number.
  var faultTimes: Int?
  /// The delay of the token endpoint's response in seconds.
  var delay = 0.0
  var idTokenFault = IDTokenFault.none
  var redirectFault = RedirectFault.none

  static let names = [
    "expires_in", "code_lifetime", "device_interval", "device_lifetime", "device_user", "rotate", "id_token_alg", "fault", "fault_times",
    "delay",
    "id_token_fault", "redirect_fault",
  ]

  /// Sets the provider setting that has the given name.
  mutating func set(_ name: String, _ value: String) throws(Refusal) {
    switch name {
    case "expires_in": expiresIn = try Self.seconds(name, value)
    case "code_lifetime": codeLifetime = try Self.seconds(name, value)
    case "device_interval": deviceInterval = try Self.seconds(name, value)
    case "device_lifetime": deviceLifetime = try Self.seconds(name, value)
    case "device_user": deviceUser = try Self.choice(name, value.isEmpty || Users.passwords[value] != nil ? value : nil)
    case "rotate": rotates = try Self.choice(name, ["0": false, "1": true][value])
    case "id_token_alg": algorithm = try Self.choice(name, ProviderKeys.algorithms.contains(value) ? value : nil)
    case "fault":
      fault = try Self.choice(name, Fault(rawValue: value))
      faultTimes = nil
    case "fault_times": faultTimes = try Self.seconds(name, value)
    case "delay":
      guard let seconds = Double(value), (0...60).contains(seconds) else { throw Refusal(400, "delay has to be 0 to 60 seconds") }
      delay = seconds
    case "id_token_fault": idTokenFault = try Self.choice(name, IDTokenFault(rawValue: value))
    case "redirect_fault": redirectFault = try Self.choice(name, RedirectFault(rawValue: value))
    default: throw Refusal(400, "there is no setting \(name); there are \(Self.names.joined(separator: ", "))")
    }
  }

  /// Returns the fault for the next response of the token endpoint. If `faultTimes` is set, each fault decreases this number, and there are
  /// no faults after it has reached 0.
  mutating func nextFault() -> Fault {
    guard let left = faultTimes else { return fault }
    guard left > 0 else { return .none }
    faultTimes = left - 1
    return fault
  }

  var json: JSONValue {
    [
      "expires_in": JSONValue(expiresIn), "code_lifetime": JSONValue(codeLifetime), "device_interval": JSONValue(deviceInterval),
      "device_lifetime": JSONValue(deviceLifetime), "device_user": .string(deviceUser), "rotate": JSONValue(rotates ? 1 : 0),
      "id_token_alg": .string(algorithm),
      "fault": .string(fault.rawValue), "fault_times": JSONValue(faultTimes), "delay": .number(JSONNumber(delay) ?? 0),
      "id_token_fault": .string(idTokenFault.rawValue), "redirect_fault": .string(redirectFault.rawValue),
    ]
  }

  private static func seconds(_ name: String, _ value: String) throws(Refusal) -> Int {
    guard let number = Int(value), (0...1_000_000_000).contains(number) else { throw Refusal(400, "\(name) has to be a whole number") }
    return number
  }

  private static func choice<Value>(_ name: String, _ value: Value?) throws(Refusal) -> Value {
    guard let value else { throw Refusal(400, "\(name) cannot be that") }
    return value
  }
}

/// The users who can log in to the provider, and their passwords.
enum Users {
  static let passwords = ["alice": "wonderland", "bob": "builder", "admin": "letmein"]

  static func accepts(_ user: String, _ password: String) -> Bool {
    guard let expected = passwords[user] else { return false }
    return constantTimeEqual(expected.utf8, password.utf8)
  }
}
