import Glibc
import TestSupport
import Testing

/// Tests of `--print '${auth.shop.access_token}'`, including a token that is not available.
@Suite(.timeLimit(.minutes(15))) struct PrintedTokenTests {
  private static func document(_ password: String = "wonderland", steps: String = "a: { get: /anything }") -> String {
    """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}", timeout: 300s }
    auth:
      shop:
        oauth2: { grant: password, issuer: "${env.GARLAND_SANDBOX}", client_id: smoke, username: alice, password: \(password), scope: openid read }
      web: { oauth2: { grant: device_code, issuer: "${env.GARLAND_SANDBOX}", client_id: smoke } }
    steps:
      \(steps)

    """
  }

  @Test func `--print fetches an OAuth token that no step of the run uses`() async throws {
    try await AuthCommandTests.withDesk(Self.document()) { desk in
      let run = try await desk.garland(
        "run", "shop.yaml", "--quiet", "--print", "${auth.shop.scope}", "--print", "${auth.shop.claims.sub}", "--print",
        "${auth.shop.access_token}", "--print", "${auth.shop.expires_at > 1}", "--print", "${auth.shop.claims.nothing ?? 'none'}")
      #expect(run.status == 0, "\(run.error)")
      let lines = run.output.split(separator: "\n").map(String.init)
      try #require(lines.count == 5, "\(run.output)")
      #expect(lines[0] == "openid read" && lines[1] == "alice" && lines[3] == "true" && lines[4] == "none", "\(lines)")
      let me = try await ChildProcess.run(
        "/usr/bin/curl", ["-sf", "-H", "Authorization: Bearer \(lines[2])", "\(desk.sandbox.url)/oauth/userinfo"])
      #expect(me.status == 0 && me.output.contains("alice"), "it is the token itself")
      #expect(try await desk.count("token password") == 1)
    }
  }

  @Test func `if a step has already fetched an OAuth token, --print sends no further token request`() async throws {
    let steps = "a: { get: /oauth/protected, auth: shop }"
    try await AuthCommandTests.withDesk(Self.document(steps: steps)) { desk in
      try desk.folder.write(
        "other.yaml",
        """
        garland: 1
        use: { s: ./shop.yaml }
        defaults: { base_url: "${env.GARLAND_SANDBOX}" }
        steps: { b: { get: /oauth/protected, auth: s.shop } }

        """)
      let run = try await desk.garland("run", "shop.yaml", "a", "--quiet", "--print", "${auth.shop.scope}")
      #expect(run.status == 0 && run.output == "openid read\n", "\(run.output)\(run.error)")
      #expect(try await desk.count("token password") == 1)
      let other = try await desk.garland("run", "other.yaml", "--quiet", "--print", "${auth.s.shop.claims.sub}")
      #expect(other.status == 0 && other.output == "alice\n", "\(other.output)\(other.error)")
      #expect(try await desk.count("token password") == 2)
    }
  }

  @Test func `if --print cannot fetch a token, the error is reported only once`() async throws {
    try await AuthCommandTests.withDesk(Self.document()) { desk in
      var text = ""
      func add(_ title: String, _ result: ChildProcess.Result) {
        let lines = (result.error + result.output).split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains(" ms") }
        text += "# \(title): \(result.status)\n\(lines.joined(separator: "\n"))\n"
      }
      let print = ["--quiet", "--print", "${auth.shop.scope}"]
      try desk.folder.write("wrong.yaml", Self.document("winterland"))
      add("A wrong password", try await desk.start(["run", "wrong.yaml"] + print).result)
      try desk.folder.write("needed.yaml", Self.document("winterland", steps: "a: { get: /oauth/protected, auth: shop }"))
      add("A wrong password that a step has used already", try await desk.start(["run", "needed.yaml"] + print).result)
      try desk.folder.write(
        "down.yaml", Self.document().replacing("issuer: \"${env.GARLAND_SANDBOX}\"", with: "issuer: http://127.0.0.1:1"))
      add("A provider that is down", try await desk.start(["run", "down.yaml"] + print).result)
      add("An undefined auth entry", try await desk.garland("run", "shop.yaml", "--quiet", "--print", "${auth.shp.scope}"))
      add("An undefined member of a token", try await desk.garland("run", "shop.yaml", "--quiet", "--print", "${auth.shop.skope}"))
      try desk.folder.write(
        "other.yaml",
        "garland: 1\nuse: { s: ./shop.yaml }\nsteps: { b: { get: \"${env.GARLAND_SANDBOX}/anything\" } }\n")
      add(
        "An auth entry of a document that is not used",
        try await desk.garland("run", "other.yaml", "--quiet", "--print", "${auth.s.shop.scope}")
      )
      let guarded = try await desk.garland("run", "wrong.yaml", "--quiet", "--print", "${auth.shop.scope ?? 'none'}")
      add("A default in place of a failed token", guarded)
      expectGolden(text, "printed-tokens.txt")
    }
  }

  /// No user approves the device, and the user interrupts the wait.
  @Test func `if a run waits for the token that --print needs, a signal ends the run`() async throws {
    try await AuthCommandTests.withDesk(Self.document()) { desk in
      let run = try desk.start(["run", "shop.yaml", "--print", "${auth.web.scope}"])
      #expect(await run.sees("enter the code"))
      run.signal(SIGINT)
      let result = await run.result
      #expect(result.status == 130, "\(result.error)")
    }
  }

  @Test func `--within limits the time that --print waits for a device login`() async throws {
    try await AuthCommandTests.withDesk(Self.document()) { desk in
      let login = try await desk.garland("auth", "login", "web", "shop.yaml", "--within", "100ms")
      #expect(login.status == 4)
      #expect(login.error.contains("error: no user approved the device within the time limit"), "\(login.error)")
    }
  }
}
