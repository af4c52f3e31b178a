import GarlandResults
import Testing

@testable import GarlandRunner

/// A run that is stopped while steps walk a provider's pages.
@Suite("Interrupted logins", .timeLimit(.minutes(5)))
struct InterruptedLoginTests {
  static let document = """
    garland: 1
    vars: { base: "${env.SANDBOX}" }
    defaults: { base_url: "${vars.base}", timeout: 60s }
    auth:
      shop:
        oauth2:
          grant: authorization_code
          issuer: ${vars.base}
          client_id: smoke
          redirect_uri: http://127.0.0.1:4711/callback
          authorize:
            steps:
              made: { post: /anything/made }
              slow: { get: /delay/10, after: made }
              page: { get: "${env.GARLAND_AUTHORIZE_URL}", after: slow }
              unmade: { delete: /anything/made, cleanup: made }
    steps:
      who: { get: /oauth/userinfo, auth: shop }
    """

  /// What they have made is cleaned up before the run is over, as everywhere.
  @Test func whatWasMadeIsCleanedUp() async throws {
    try await withSandbox { sandbox in
      let prepared = try TestRun.prepare(Self.document, sandbox, folder: nil, detail: .everything) { _ in }
      let run = try #require(prepared.run)
      let watch = Task {
        while !sandbox.records.contains(where: { $0.method == "POST" && $0.target == "/anything/made" }) {
          try await Task.sleep(for: .milliseconds(20))
        }
        run.interrupt(signal: "SIGINT")
      }
      let report = await run.start()
      try await watch.value
      #expect(report.summary.exitStatus == 130)
      #expect(sandbox.records.contains { $0.method == "DELETE" && $0.target == "/anything/made" })
    }
  }

  /// The same when the time for the whole run is up.
  @Test func alsoWhenTheTimeIsUp() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(Self.document, sandbox) { $0.deadline = .seconds(3) }
      #expect(run.summary.exitStatus == 4)
      let made = sandbox.records.count { $0.method == "POST" && $0.target == "/anything/made" }
      let unmade = sandbox.records.count { $0.method == "DELETE" && $0.target == "/anything/made" }
      #expect(made == unmade)
    }
  }
}
