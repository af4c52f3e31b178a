import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// The export of documents, and the comparison of its outcomes with those of Garland.
enum ExportedScript {
  static func export(
    _ target: String, _ file: String, _ documents: [String] = ["shop.yaml"], in folder: TemporaryFolder
  ) async throws {
    let result = try await Garland.run(["export"] + documents + ["--to", target, "--output", file], in: folder.path)
    try #require(result.status == 0, "\(result.error)")
  }

  /// Returns the steps that passed and sent a request, and those that failed, in a run by Garland. If there are several documents, the name
  /// of a step begins with the name of its document.
  static func outcomes(
    _ documents: [String] = ["shop.yaml"], in folder: TemporaryFolder, _ sandbox: String
  ) async throws -> (passed: Set<String>, failed: Set<String>) {
    _ = try await Garland.run(
      ["run"] + documents + ["--report", "json=r.json"], environment: ["GARLAND_SANDBOX": sandbox, "SHOP_PASSWORD": "wonderland"],
      in: folder.path)
    let results = try JSONValue(parsing: folder.read("r.json"))["results"]?.arrayValue ?? []
    func names(_ isIncluded: (JSONValue) -> Bool) -> Set<String> {
      Set(
        results.filter(isIncluded).map { result in
          let (id, file) = (result["id"]?.stringValue ?? "", result["file"]?.stringValue ?? "")
          return documents.count > 1 ? "\(URL(filePath: file).deletingPathExtension().lastPathComponent)#\(id)" : id
        })
    }
    return (
      names { $0["outcome"] == "passed" || $0["failureAllowed"] == true },
      names { $0["outcome"] == "failed" && $0["failureAllowed"] == nil }
    )
  }

  /// Exports documents to Locust, and compares the outcomes of its requests with those of the steps in Garland.
  static func compareWithLocust(_ documents: [String] = ["shop.yaml"], in folder: TemporaryFolder) async throws {
    try await export("locust", "locustfile.py", documents, in: folder)
    let sandbox = try await Sandbox.start()
    let wanted = try await outcomes(documents, in: folder, sandbox.url)
    let count = wanted.passed.union(wanted.failed).count
    let result = try await ChildProcess.run(
      "/bin/bash", [Repository.path("Tests/Providers/locust_run"), "\(folder.path)/locustfile.py", "\(count)"],
      environment: ["GARLAND_SANDBOX": sandbox.url, "SHOP_PASSWORD": "wonderland"])
    await sandbox.stop()
    let stats = try JSONValue(parsing: result.outputBytes).arrayValue ?? []
    try #require(!stats.isEmpty, "\(result.error)")
    let failed = Set(stats.filter { $0["num_failures"]?.intValue ?? 0 > 0 }.compactMap { $0["name"]?.stringValue })
    let sent = Set(stats.compactMap { $0["name"]?.stringValue })
    #expect(failed == wanted.failed, "\(result.error)")
    #expect(sent.subtracting(failed) == wanted.passed)
    #expect(!result.output.contains("wonderland") && !result.error.contains("wonderland"))
    // Locust has its own exit status for a run with failures.
    #expect(result.status == (wanted.failed.isEmpty ? 0 : 1))
  }
}
