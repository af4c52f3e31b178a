import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// Tests that access, refresh and ID tokens, codes, verifiers, client secrets and assertions appear in no output of a run, although no
/// document contains them.
@Suite(.timeLimit(.minutes(15))) struct TokenCanaryTests {
  static let clientSecret = "this-secret-has-more-than-32-bytes"

  static let workflow = """
    garland: 1
    vars: { base: "${env.GARLAND_SANDBOX}" }
    defaults: { base_url: "${vars.base}", timeout: 60s }
    auth:
      person: \(SandboxLogin.walking())
      device: { oauth2: { grant: device_code, issuer: "${vars.base}", client_id: smoke } }
      user: { oauth2: { grant: password, token_url: /oauth/token, client_id: service, client_secret: service-secret, username: bob, password: builder } }
      basic: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: service, client_secret: service-secret } }
      post: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: service, client_secret: service-secret, client_auth: client_secret_post, scope: read } }
      hmac: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: hmac, client_secret: \(clientSecret), client_auth: client_secret_jwt } }
      signer: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: signer, client_key: signer.pem } }
      assertion: { oauth2: { grant: jwt_bearer, token_url: /oauth/token, client_id: signer, client_key: signer.pem, assertion: { subject: alice } } }
      exchanged: { oauth2: { grant: token_exchange, token_url: /oauth/token, client_id: service, client_secret: service-secret, subject: user } }
    steps:
      somebody: { post: "/_sandbox/oauth?device_user=alice&device_interval=0" }
      person: { get: /anything, auth: person, expect: { status: 418 } }
      device: { get: /anything, auth: device, after: somebody, expect: { status: 418 } }
      user: { get: /anything, auth: user, expect: { json: { $.headers: nothing } } }
      basic: { get: /anything, auth: basic, expect: { body: nothing } }
      post: { get: /anything, auth: post, expect: { status: 418 } }
      hmac: { get: /anything, auth: hmac, expect: { status: 418 } }
      signer: { get: /anything, auth: signer, expect: { status: 418 } }
      assertion: { get: /anything, auth: assertion, expect: { status: 418 } }
      exchanged: { get: /anything, auth: exchanged, expect: { status: 418 } }
      encoded:
        post: "/anything?token=${auth.person.access_token}"
        auth: person
        headers: { X-Token: "${auth.person.id_token | base64}" }
        json:
          raw: ${auth.person.access_token}
          base64: ${auth.person.access_token | base64}
          base64url: ${auth.person.id_token | base64url}
          percent: ${auth.person.id_token | urlencode}
          upper: ${auth.user.access_token | upper}
          nested: "{\\"token\\": \\"${auth.user.access_token}\\"}"
        extract: { again: $.json.base64 }
        expect: { status: 418, that: ["${response.json.json.raw == 'x'}"] }
      form: { post: /anything, form: { token: "${auth.person.id_token}" }, expect: { status: 418 } }
      cut:
        post: /anything
        auth: person
        json: { token: "${auth.person.id_token}", padded: "padding ${auth.person.id_token}", list: ["${auth.person.id_token}"], base64: "${auth.person.id_token | base64}" }
        expect:
          json: { $.json.token: { matches: "^zz" }, $.json.padded: bob, $.json.list: [bob], $.json.base64: { starts_with: zz }, $.header.authorization: x }
          body: { contains: zz }
          that: ["${response.json.json.token == 'x'}", "${response.json.json.list == 'x'}"]
      kept: { post: /anything, json: { token: "${auth.user.access_token}" }, expect: { snapshot: { file: kept.json, ignore: [$.id] } } }
      used: { get: "/anything/${auth.user.access_token}", expect: { status: 418 } }
      revoke: { post: "/_sandbox/oauth?revoke=access", after: { person: ended, device: ended, user: ended, encoded: ended, form: ended, cut: ended, exchanged: ended, kept: ended, used: ended } }
      person_again: { get: /oauth/protected?scope=none, auth: person, after: revoke }
      device_again: { get: /oauth/protected?scope=none, auth: device, after: revoke }
      user_again: { get: /oauth/protected?scope=none, auth: user, after: revoke }

    """

  /// Returns the secrets that providers and clients have sent each other, as recorded by the sandbox.
  static func secrets(of sandbox: Sandbox) -> [String: Set<String>] {
    var found: [String: Set<String>] = ["client secret": ["service-secret", clientSecret], "password": ["builder"]]
    let named = [
      "code": "code", "code_verifier": "verifier", "refresh_token": "refresh token", "client_assertion": "client assertion",
      "assertion": "assertion", "subject_token": "access token", "device_code": "device code",
    ]
    for record in sandbox.records {
      for field in record.headers where field.name.lowercased() == "authorization" && field.value.hasPrefix("Bearer ") {
        found["access token", default: []].insert(String(field.value.dropFirst(7)))
      }
      for pair in (record.body.text ?? "").split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { continue }
        if let kind = named[parts[0]] { found[kind, default: []].insert(parts[1].replacing("%7E", with: "~")) }
        if record.target == "/anything", parts[0] == "token" { found["ID token", default: []].insert(parts[1]) }
      }
    }
    return found
  }

  static let kinds: Set<String> = [
    "access token", "refresh token", "ID token", "code", "device code", "verifier", "client secret", "client assertion", "assertion",
    "password",
  ]

  static func expectNone(of secrets: [String: Set<String>], in bytes: [UInt8], _ place: String) {
    for (kind, texts) in secrets {
      for text in texts {
        for form in SecretSearch.forms(of: text) where SecretSearch.contains(bytes, form.bytes) {
          Issue.record("\(place) holds a secret, \(kind): \(form.name)")
        }
      }
    }
    // Secrets that were not sent yet, such as the last refresh tokens, and all other JWTs are also searched.
    for prefix in ["access-", "refresh-", "code-"] where SecretSearch.contains(bytes, Array(prefix.utf8)) {
      Issue.record("\(place) holds \(prefix)…")
    }
    if holdsWebToken(bytes) { Issue.record("\(place) holds a JWT") }
  }

  /// Whether the bytes contain the beginning of a JWT. Only the start of a base64url word counts, since these letters also occur within
  /// words by chance, for example in one of 600 public keys.
  private static func holdsWebToken(_ bytes: [UInt8]) -> Bool {
    let prefix = Array("eyJ".utf8)
    func isBase64(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return bytes.indices.dropLast(2).contains {
      bytes[$0] == prefix[0] && bytes[$0...].starts(with: prefix) && ($0 == 0 || !isBase64(bytes[$0 - 1]))
    }
  }

  static func carryOut(_ arguments: [String], _ check: (ChildProcess.Result, [String: Set<String>]) throws -> Void = { _, _ in })
    async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let home = try TemporaryFolder()
    try folder.write("w.yaml", workflow)
    try folder.write("signer.pem", Array(try Data(contentsOf: URL(filePath: Repository.path("examples/oauth/signer.pem")))))
    let result = try await Garland.run(
      arguments, environment: ["GARLAND_SANDBOX": sandbox.url, "XDG_STATE_HOME": home.path], in: folder.path)
    let secrets = secrets(of: sandbox)
    await sandbox.stop()
    expectNone(of: secrets, in: result.outputBytes, "standard output")
    expectNone(of: secrets, in: result.errorBytes, "standard error")
    for name in folder.names where !["w.yaml", "signer.pem"].contains(name) { expectNone(of: secrets, in: try folder.read(name), name) }
    try check(result, secrets)
  }

  @Test(arguments: [
    ["run", "w.yaml"], ["run", "w.yaml", "--verbose"], ["run", "w.yaml", "--show", "all"],
    ["run", "w.yaml", "--color", "always", "--verbose"],
    ["run", "w.yaml", "--report", "junit=-"], ["run", "w.yaml", "--report", "json=-"],
    ["run", "w.yaml", "--update-snapshots", "--report", "junit=report.xml", "--report", "json=report.json"],
  ])
  func `no output of a run contains an OAuth token`(arguments: [String]) async throws {
    try await Self.carryOut(arguments) { result, secrets in
      #expect(result.status == 1, "\(result.error)")
      #expect(Set(secrets.keys) == Self.kinds, "the test looks for all of them")
      // All kinds of secrets were sent, so the output contains masks in their place.
      #expect(secrets["access token"]?.count ?? 0 >= 9 && secrets["refresh token"]?.count == 3, "\(secrets.mapValues(\.count))")
      #expect(result.output.contains("***") || result.output.isEmpty, "\(result.output)")
    }
  }

  @Test(arguments: ["person", "user", "hmac", "signer", "encoded"])
  func `the commands that garland curl prints contain placeholders instead of OAuth tokens`(
    step: String
  ) async throws {
    try await Self.carryOut(["curl", "w.yaml", step]) { result, _ in
      #expect(result.status == 0 || step == "encoded", "\(result.error)")
      guard result.status == 0 else { return }
      let name = step == "encoded" ? "PERSON" : step.uppercased()
      #expect(result.output.contains("Bearer ${\(name)_TOKEN}"), "\(result.output)")
      #expect(result.error.contains("set \(name)_TOKEN to a token of the `auth` entry `\(name.lowercased())`"), "\(result.error)")
    }
  }

  @Test func `the output of 'garland auth login' contains no OAuth token`() async throws {
    for arguments in [
      ["auth", "login", "person", "w.yaml"], ["auth", "login", "user", "w.yaml"], ["auth", "login", "signer", "w.yaml", "--verbose"],
    ] {
      try await Self.carryOut(arguments) { result, _ in #expect(result.status == 0, "\(result.error)") }
    }
  }
}
