import GarlandJSON
import TestSupport
import Testing

/// The parts that runs with tokens share.
enum TokenRuns {
  /// The start of a document whose steps say `auth: shop`.
  static let head = """
    garland: 1
    defaults: { base_url: "${env.SANDBOX}", timeout: 60s }
    auth:
      shop: \(SandboxLogin.password())
    steps:

    """

  /// Returns the provider's counts, as the step `count` has read them.
  static func counts(_ run: TestRun) throws -> JSONValue {
    let body = try #require(try run.result("count").exchanges.last?.responseBody?.bytes)
    return try #require(try JSONValue(parsing: body)["counts"])
  }
}
