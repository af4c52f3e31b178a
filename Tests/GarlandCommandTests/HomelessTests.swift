import TestSupport
import Testing

/// Tests that a missing home folder, as for services, is not created.
@Suite(.timeLimit(.minutes(15))) struct HomelessTests {
  @Test func `neither a login nor a run creates a missing home folder`() async throws {
    let folder = try Garland.folder(
      auth: "shop: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: service, client_secret: s3cr3t } }",
      steps: "a: { get: /health }")
    let homeless: [String: String?] = ["HOME": folder.path + "/none", "XDG_STATE_HOME": nil, "GARLAND_SANDBOX": "http://127.0.0.1:1"]
    let login = try await Garland.run(["auth", "login", "shop", "w.yaml"], environment: homeless, in: folder.path)
    #expect(login.status == 2 && login.error.contains("no folder to keep tokens"), "\(login.error)")
    let run = try await Garland.run(["run", "w.yaml", "--sandbox"], environment: homeless, in: folder.path)
    #expect(run.status == 0, "\(run.error)")
    #expect(folder.names == ["w.yaml"])
  }
}
