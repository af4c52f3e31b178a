import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of a run that is stopped while `authorize` steps log in on a provider's pages.
@Suite("Interrupted logins", .timeLimit(.minutes(15)))
struct InterruptedLoginTests {
  static let pages = """
    made: { post: /anything/made }, slow: { get: /delay/10, after: made }, \
    page: { get: "${env.GARLAND_AUTHORIZE_URL}", after: slow }, unmade: { delete: /anything/made, cleanup: made }
    """
  static let document = """
    garland: 1
    vars: { base: "${env.SANDBOX}" }
    defaults: { base_url: "${vars.base}", timeout: 60s }
    auth:
      shop: \(SandboxLogin.walking(steps: pages))
    steps:
      who: { get: /oauth/userinfo, auth: shop }
    """

  /// Objects that the login steps have created are cleaned up before the run ends.
  @Test func `an interrupted login runs its cleanup before the run ends`() async throws {
    try await withSandbox { sandbox in
      let prepared = try TestRun.prepare(Self.document, sandbox, folder: nil, detail: .everything) { _ in }
      let run = try #require(prepared.run)
      let watch = Task {
        await sandbox.waitForRequest { $0.method == "POST" && $0.target == "/anything/made" }
        run.interrupt(signal: "SIGINT")
      }
      let report = await run.start()
      await watch.value
      #expect(report.summary.exitStatus == 130)
      #expect(sandbox.records.contains { $0.method == "DELETE" && $0.target == "/anything/made" })
    }
  }

  /// A cleanup of the login also runs if the time limit of the whole run is exceeded.
  @Test func `if the run's deadline passes during a login, the cleanup of the login runs before the run ends`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(Self.document, sandbox) { $0.pace.deadline = .seconds(3) }
      #expect(run.summary.exitStatus == 4)
      let made = sandbox.records.count { $0.method == "POST" && $0.target == "/anything/made" }
      let unmade = sandbox.records.count { $0.method == "DELETE" && $0.target == "/anything/made" }
      #expect(made == unmade)
    }
  }
}
