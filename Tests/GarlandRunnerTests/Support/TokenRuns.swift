import GarlandJSON
import TestSupport
import Testing

/// Values and functions that tests of runs with tokens share.
enum TokenRuns {
  /// The beginning of a document whose steps contain `auth: shop`.
  static let head = """
    garland: 1
    defaults: { base_url: "${env.SANDBOX}", timeout: 60s }
    auth:
      shop: \(SandboxLogin.password())
    steps:

    """

  /// Returns the provider's counts, which the step `count` has read.
  static func counts(_ run: TestRun) throws -> JSONValue {
    let body = try #require(try run.result("count").exchanges.last?.responseBody?.bytes)
    return try #require(try JSONValue(parsing: body)["counts"])
  }
}
