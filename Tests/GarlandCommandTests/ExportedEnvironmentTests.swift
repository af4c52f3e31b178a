import TestSupport
import Testing

/// Tests of an exported script in an environment that lacks variables.
@Suite(.timeLimit(.minutes(10))) struct ExportedEnvironmentTests {
  /// A document that needs two variables, of which a third one has a fallback.
  private static let document = """
    garland: 1
    secrets: [SHOP_PASSWORD]
    steps:
      a: { get: "${env.SHOP_URL}/get?region=${env.SHOP_REGION ?? 'eu'}", bearer: "${secrets.SHOP_PASSWORD}" }

    """

  private static func folder(_ target: String, _ file: String) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("shop.yaml", document)
    try await ExportedScript.export(target, file, in: folder)
    return folder
  }

  @Test func `if an environment variable of an exported script is not set, Locust ends before its first request and names the variable`()
    async throws
  {
    let folder = try await Self.folder("locust", "locustfile.py")
    let command = ".build/scale/bin/locust -f \(folder.path)/locustfile.py --headless --users 1 --run-time 60s"
    let result = try await ChildProcess.run(
      "/bin/bash", ["-c", ".ci/providers scale >&2 && exec \(command)"],
      environment: ["SHOP_URL": "http://127.0.0.1:9", "SHOP_PASSWORD": nil], in: Repository.path("."))
    #expect(result.status == 1)
    #expect(result.error.contains("error: the environment variable SHOP_PASSWORD is not set\n"), "\(result.error)")
    #expect(!result.error.contains("SHOP_URL is not set") && !result.error.contains("All users spawned"), "\(result.error)")
  }

  @Test func `the setup of an exported k6 script fails if an environment variable is not set, and names the variable`()
    async throws
  {
    let folder = try await Self.folder("k6", "shop.js")
    let result = try await ChildProcess.run(
      "/bin/bash", [Repository.path("Tests/Providers/k6/run"), "\(folder.path)/shop.js"],
      environment: ["SHOP_URL": nil, "SHOP_PASSWORD": nil])
    #expect(result.status != 0 && result.output.isEmpty, "\(result.output)")
    let words = "the environment variable SHOP_PASSWORD is not set, the environment variable SHOP_URL is not set"
    #expect(result.error.contains(words), "\(result.error)")
  }
}
