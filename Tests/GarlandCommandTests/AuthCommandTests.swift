import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of `garland auth`, and of the tokens that it stores for runs, with real processes and the requests of a real browser.
@Suite(.timeLimit(.minutes(15))) struct AuthCommandTests {
  static func document(_ oauth2: String, steps: String = "a: { get: /oauth/protected, auth: shop }") -> String {
    """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}", timeout: 60s }
    auth:
      shop: { oauth2: { issuer: "${env.GARLAND_SANDBOX}", client_id: smoke, scope: openid read, \(oauth2) } }
      key: { bearer: "${secrets.KEY}" }
    steps:
      \(steps)

    """
  }

  /// A simulated user with a folder for documents, a home folder and a provider.
  struct Desk {
    let sandbox: Sandbox
    let folder: TemporaryFolder
    let home: TemporaryFolder

    func garland(_ arguments: String..., environment: [String: String?] = [:]) async throws -> ChildProcess.Result {
      try await start(arguments, environment).result
    }

    func start(_ arguments: [String], _ environment: [String: String?] = [:]) throws -> ChildProcess {
      var variables: [String: String?] = [
        "GARLAND_SANDBOX": sandbox.url, "XDG_STATE_HOME": home.path, "BROWSER": nil, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
        "GARLAND_TOKEN_CACHE": nil,
      ]
      variables.merge(environment) { $1 }
      return try Garland.start(arguments, environment: variables, in: folder.path)
    }

    func control(_ query: String) async throws {
      let result = try await ChildProcess.run("/usr/bin/curl", ["-sf", "-X", "POST", "\(sandbox.url)/_sandbox/oauth?\(query)"])
      try #require(result.status == 0)
    }

    /// Returns the number of times that an event occurred at the provider.
    func count(_ event: String) async throws -> Int {
      let result = try await ChildProcess.run("/usr/bin/curl", ["-sf", "\(sandbox.url)/_sandbox/oauth"])
      return try JSONValue(parsing: result.outputBytes)["counts"]?[event]?.intValue ?? 0
    }

    var tokenFiles: [String] { contents("").filter { $0.hasSuffix(".json") } }

    func contents(_ name: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "\(home.path)/garland/tokens/\(name)")) ?? []
    }

    /// Changes the only stored token so that it has expired.
    func expire() throws {
      let name = "garland/tokens/\(try #require(tokenFiles.first))"
      guard var kept = try JSONValue(parsing: try home.read(name)).objectValue, var tokens = kept["tokens"]?.objectValue else { return }
      tokens["expires_at"] = 1_700_000_000
      kept["tokens"] = .object(tokens)
      try home.write(name, JSONValue.object(kept).jsonText())
      chmod("\(home.path)/\(name)", 0o600)
    }
  }

  static func withDesk(_ document: String, _ body: (Desk) async throws -> Void) async throws {
    let desk = Desk(sandbox: try await Sandbox.start(), folder: try TemporaryFolder(), home: try TemporaryFolder())
    try desk.folder.write("shop.yaml", document)
    do {
      try await body(desk)
    } catch {
      await desk.sandbox.stop()
      throw error
    }
    await desk.sandbox.stop()
  }

  static func hasNoSecret(_ result: ChildProcess.Result) -> Bool {
    let text = result.output + result.error
    return !text.contains("access-") && !text.contains("refresh-") && !text.contains("code-") && !text.contains("eyJ")
  }

  @Test func `after a browser login with 'garland auth login', later runs use the tokens of this login`() async throws {
    try await Self.withDesk(Self.document("grant: authorization_code")) { desk in
      let alone = try await desk.garland("run", "shop.yaml")
      #expect(alone.status == 1)
      #expect(alone.output.contains("garland auth login shop"), "\(alone.output)")
      let before = try await desk.garland("auth", "status", "shop", "shop.yaml")
      #expect(before.status == 1 && before.output == "shop: not logged in\n")

      let browser = try TestBrowser.install(in: desk.folder)
      let login = try await desk.garland("auth", "login", "shop", "shop.yaml", environment: ["BROWSER": browser])
      #expect(login.status == 0, "\(login.error)")
      #expect(login.output == "shop: logged in as alice, scope openid read, for 59 min and then refreshed\n")
      #expect(
        login.error.contains("Your browser has opened this page; log in there:\n\n  \(desk.sandbox.url)/oauth/authorize?response_type=code")
      )
      #expect(Self.hasNoSecret(login))
      let seen = String(decoding: try desk.folder.read("browser.log"), as: UTF8.self)
      #expect(seen.hasPrefix("200 ") && seen.contains("<h1>You are logged in</h1>"), "\(seen)")

      #expect(desk.tokenFiles.count == 1)
      for name in desk.contents("") {
        var status = stat()
        #expect(stat("\(desk.home.path)/garland/tokens/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
      }
      for _ in 0..<2 {
        let run = try await desk.garland("run", "shop.yaml", "--verbose")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(Self.hasNoSecret(run))
      }
      #expect(try await desk.count("token") == 1, "the runs asked for no token")
      // There is only one stored token.
      #expect(try await desk.garland("auth", "status", "shop.yaml").output == login.output)
      let status = try await desk.garland("auth", "status", "shop", "shop.yaml")
      #expect(status.status == 0 && status.output == login.output)

      let logout = try await desk.garland("auth", "logout", "shop", "shop.yaml")
      #expect(logout.status == 0 && logout.output == "shop: logged out, and the token is revoked\n")
      #expect(try await desk.count("revoke") == 2, "the refresh token and the access token")
      #expect(desk.tokenFiles.isEmpty)
      #expect(try await desk.garland("auth", "logout", "shop", "shop.yaml").output == "shop: not logged in\n")
      #expect(try await desk.garland("run", "shop.yaml").status == 1)
    }
  }

  @Test func `garland auth login --no-browser prints the URL of the login page`() async throws {
    try await Self.withDesk(Self.document("grant: authorization_code")) { desk in
      let login = try desk.start(["auth", "login", "shop", "shop.yaml", "--no-browser"])
      #expect(await login.sees("code_challenge_method=S256"))
      let error = login.soFar.error
      #expect(error.hasPrefix("Open this page to log in:\n\n  "))
      let url = try #require(error.split(separator: "\n").first { $0.hasPrefix("  http") }).trimmingPrefix("  ")
      let words = try TestBrowser.install(in: desk.folder).split(separator: " ").map(String.init)
      _ = try await ChildProcess.run(words[0], words.dropFirst() + [String(url)])
      #expect(await login.result.status == 0)
    }
  }

  @Test func `a run on a terminal opens the browser for a login`() async throws {
    try await Self.withDesk(Self.document("grant: authorization_code")) { desk in
      let browser = try TestBrowser.install(in: desk.folder)
      let environment: [String: String?] = [
        "GARLAND_SANDBOX": desk.sandbox.url, "XDG_STATE_HOME": desk.home.path, "BROWSER": browser, "CI": nil, "GITHUB_ACTIONS": nil,
        "TERM": "dumb", "SHELL": "/bin/sh",
      ]
      let arguments = ["--quiet", "--flush", "--return", "--command", "\(Garland.path) run shop.yaml", "/dev/null"]
      let run = try await ChildProcess.run("/usr/bin/script", arguments, environment: environment, in: desk.folder.path)
      #expect(run.status == 0, "\(run.output)\(run.error)")
      #expect(run.output.contains("to log in for the `auth` entry `shop`, open \(desk.sandbox.url)/oauth/authorize?"), "\(run.output)")
      #expect(Self.hasNoSecret(run))
      #expect(desk.tokenFiles.isEmpty, "nobody has asked for it to be kept")
    }
  }

  @Test func `a device login prints the code that the user has to enter`() async throws {
    try await Self.withDesk(Self.document("grant: device_code")) { desk in
      try await desk.control("device_interval=0")
      let login = try desk.start(["auth", "login", "shop", "shop.yaml"])
      #expect(await login.sees("enter the code"))
      let code = try #require(login.soFar.error.split(separator: "\n").first { $0.hasPrefix("  ") }).trimmingPrefix("  ")
      let form = "user_code=\(code)&username=alice&password=wonderland&decision=allow"
      _ = try await ChildProcess.run("/usr/bin/curl", ["-sf", "-d", form, "\(desk.sandbox.url)/oauth/device"])
      let result = await login.result
      #expect(result.status == 0, "\(result.error)")
      #expect(result.output.hasPrefix("shop: logged in"))
      #expect(Self.hasNoSecret(result))
      #expect(try await desk.garland("run", "shop.yaml").status == 0)
    }
  }

  /// The messages of failed logins, without the parts that differ each time.
  @Test func `each kind of failed login prints the message in the golden file`() async throws {
    try await Self.withDesk(Self.document("grant: authorization_code")) { desk in
      var text = ""
      func add(_ title: String, _ result: ChildProcess.Result) {
        let words = result.error.replacing(desk.sandbox.url, with: "http://SANDBOX").split(
          separator: "\n", omittingEmptySubsequences: false
        )
        .map { $0.hasPrefix("  http://SANDBOX/oauth/authorize") ? "  http://SANDBOX/oauth/authorize?…" : String($0) }
        text += "# \(title): \(result.status)\n\(words.joined(separator: "\n"))\(result.output)\n"
        #expect(Self.hasNoSecret(result))
      }
      let denying = try TestBrowser.install(in: desk.folder, decision: "deny")
      add("The user denies access", try await desk.garland("auth", "login", "shop", "shop.yaml", environment: ["BROWSER": denying]))
      let page = String(decoding: try desk.folder.read("browser.log"), as: UTF8.self)
      #expect(
        page.hasPrefix("400 ") && page.contains("<h1>You are not logged in</h1>")
          && page.contains("<p>the authorization endpoint refused the request with `access_denied`"), "\(page)")
      add("The user does not log in in time", try await desk.garland("auth", "login", "shop", "shop.yaml", "--within", "100ms"))
      try await desk.control("redirect_fault=state")
      let browser = try TestBrowser.install(in: desk.folder)
      add(
        "The redirect has another state",
        try await desk.garland("auth", "login", "shop", "shop.yaml", "--within", "5s", environment: ["BROWSER": browser]))
      add("The auth entry is undefined", try await desk.garland("auth", "login", "shp", "shop.yaml"))
      add("The auth entry has no token", try await desk.garland("auth", "login", "key", "shop.yaml"))
      add("The file does not exist", try await desk.garland("auth", "login", "shop", "shp"))
      let two = Self.document("grant: authorization_code").replacing(
        "steps:",
        with: "  robot: { oauth2: { grant: client_credentials, token_url: /t, client_id: robot, client_secret: secret-of-robot } }\nsteps:")
      try desk.folder.write("two.yaml", two)
      add("No name is given, and two auth entries exist", try await desk.garland("auth", "login", "two.yaml"))
      try desk.folder.write("none.yaml", "garland: 1\nsteps: { a: { get: \"http://127.0.0.1:1/\" } }\n")
      add("No name is given, and no auth entry exists", try await desk.garland("auth", "status", "./none.yaml"))
      try desk.folder.write(
        "down.yaml", Self.document("grant: authorization_code").replacing("\"${env.GARLAND_SANDBOX}\"", with: "http://127.0.0.1:1"))
      add("The provider is down", try await desk.garland("auth", "login", "shop", "down.yaml"))
      try desk.folder.write("far.yaml", Self.document("grant: authorization_code, redirect_uri: https://app.example/callback"))
      add("The redirect URI is not on this machine", try await desk.garland("auth", "login", "shop", "far.yaml"))
      expectGolden(text, "auth-login-failures.txt")
      #expect(desk.tokenFiles.isEmpty)
    }
  }

  @Test func `a run whose login was revoked tells the user to log in again`() async throws {
    try await Self.withDesk(Self.document("grant: authorization_code")) { desk in
      let browser = try TestBrowser.install(in: desk.folder)
      #expect(try await desk.garland("auth", "login", "shop", "shop.yaml", environment: ["BROWSER": browser]).status == 0)
      try await desk.control("revoke=all")
      try desk.expire()
      let run = try await desk.garland("run", "shop.yaml")
      #expect(run.status == 1)
      #expect(run.output.contains("garland auth login shop"), "\(run.output)")
      #expect(try await desk.count("token refresh_token") == 1)
    }
  }

  @Test func `two processes with the same expired token refresh the token only once`() async throws {
    let steps = (0..<20).map { "s\($0): { get: /oauth/protected, auth: shop }" }.joined(separator: "\n  ")
    try await Self.withDesk(Self.document("grant: password, username: alice, password: wonderland", steps: steps)) { desk in
      #expect(try await desk.garland("auth", "login", "shop", "shop.yaml").status == 0)
      #expect(try await desk.count("token") == 1)
      // The response is delayed, so that the other process starts before it arrives.
      try await desk.control("delay=1")
      for round in 1...2 {
        try desk.expire()
        let processes = try (0..<2).map { _ in try desk.start(["run", "shop.yaml"]) }
        for process in processes {
          let result = await process.result
          #expect(result.status == 0, "\(result.output)\(result.error)")
        }
        #expect(try await desk.count("token refresh_token") == round)
        #expect(try await desk.count("token password") == 1)
        #expect(try await desk.count("token") == round + 1)
      }
    }
  }

  @Test func `in CI, a run uses no tokens of earlier runs unless --token-cache allows it`() async throws {
    try await Self.withDesk(Self.document("grant: password, username: alice, password: wonderland")) { desk in
      // Without a login, no token is stored on the disk.
      #expect(try await desk.garland("run", "shop.yaml").status == 0)
      #expect(desk.tokenFiles.isEmpty)
      #expect(try await desk.count("token") == 1)
      // With `--token-cache always`, every token is stored, even in CI.
      for _ in 0..<2 {
        #expect(try await desk.garland("run", "shop.yaml", "--token-cache", "always", environment: ["CI": "true"]).status == 0)
      }
      #expect(desk.tokenFiles.count == 1)
      #expect(try await desk.count("token") == 2)
      #expect(try await desk.garland("run", "shop.yaml", environment: ["CI": "true", "GARLAND_TOKEN_CACHE": "always"]).status == 0)
      #expect(try await desk.garland("run", "shop.yaml").status == 0)
      #expect(try await desk.count("token") == 2)
      // Tokens are not stored in CI, or if the environment disables it; the option takes precedence.
      #expect(try await desk.garland("run", "shop.yaml", environment: ["CI": "true"]).status == 0)
      #expect(try await desk.count("token") == 3)
      #expect(try await desk.garland("run", "shop.yaml", environment: ["GARLAND_TOKEN_CACHE": "never"]).status == 0)
      #expect(try await desk.count("token") == 4)
      let told = try await desk.garland("run", "shop.yaml", "--token-cache", "never", environment: ["GARLAND_TOKEN_CACHE": "always"])
      #expect(told.status == 0)
      #expect(try await desk.count("token") == 5)
      let wrong = try await desk.garland("run", "shop.yaml", environment: ["GARLAND_TOKEN_CACHE": "yes"])
      #expect(wrong.status == 2 && wrong.error == "error: GARLAND_TOKEN_CACHE is yes, expected auto, always or never\n")
    }
  }

  /// Text and numbers of a provider are shown, but escape sequences in them are not executed.
  @Test func `terminal escape sequences in text from an OAuth provider are not written to the terminal`() async throws {
    let answer = #"{"access_token":"access-1","scope":"read\u001b[31m \u202eadmin","expires_in":1e300}"#
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(answer.utf8.count)\r\nConnection: close\r\n\r\n\(answer)")
    }
    let document = """
      garland: 1
      defaults: { base_url: "\(server.url)" }
      auth: { shop: { oauth2: { grant: client_credentials, token_url: /token, client_id: c, client_secret: client-secret } } }
      steps: { a: { get: /a, auth: shop } }
      """
    try await Self.withDesk(document) { desk in
      for command in ["login", "status"] {
        let result = try await desk.garland("auth", command, "shop", "shop.yaml")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output == "shop: logged in, scope read␛[31m <U+202E>admin, for 11574 d\n")
      }
    }
  }

  // MARK: Examples that need more than the sandbox

  @Test func `the example workflow for a login in a browser passes with the sandbox's OAuth provider`() async throws {
    let document = try String(contentsOfFile: Repository.path("examples/oauth/log_in_by_hand.yaml"), encoding: .utf8)
    try await Self.withDesk(document) { desk in
      let before = try await desk.garland("run", "shop.yaml")
      #expect(before.status == 0 && before.output.contains("1 skipped"), "\(before.output)\(before.error)")
      let browser = try TestBrowser.install(in: desk.folder)
      let login = try await desk.garland("auth", "login", "shop", "shop.yaml", environment: ["BROWSER": browser])
      #expect(login.status == 0, "\(login.error)")
      let run = try await desk.garland("run", "shop.yaml", environment: ["LOGGED_IN": "yes", "CI": nil])
      #expect(run.status == 0 && run.output.contains("1 passed"), "\(run.output)\(run.error)")
      #expect(try await desk.count("token") == 1)
    }
  }

  @Test func `the example examples/oauth/mtls.yaml passes if the provider receives the client certificate`() async throws {
    let sandbox = try await Sandbox.start()
    let front = try ChildProcess("/usr/bin/python3", [Repository.path(".ci/tls_front.py"), sandbox.url])
    try #require(await front.sees("\n"), "\(front.soFar)")
    let url = String(front.soFar.output.prefix { $0 != "\n" })
    let example = ["run", "examples/oauth/mtls.yaml"]
    let run = try await Garland.run(example, environment: ["MTLS_PROVIDER": url])
    #expect(run.status == 0 && run.output.contains("1 passed"), "\(run.output)\(run.error)")
    // Here, no proxy forwards the client's certificate.
    let plain = try await Garland.run(example, environment: ["MTLS_PROVIDER": sandbox.url])
    #expect(plain.status == 1 && plain.output.contains("the client certified has shown no certificate"), "\(plain.output)")
    // Without a TLS provider, the example has nothing to do.
    let alone = try await Garland.run(example, environment: ["MTLS_PROVIDER": nil])
    #expect(alone.status == 0 && alone.output.contains("1 skipped"), "\(alone.output)\(alone.error)")
    front.signal(SIGTERM)
    _ = await front.result
    await sandbox.stop()
  }
}
