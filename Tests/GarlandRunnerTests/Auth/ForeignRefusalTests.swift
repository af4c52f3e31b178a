import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of a redirect to another origin. No token is sent there, so a 401 from that origin does not concern the token.
@Suite(.timeLimit(.minutes(15))) struct ForeignRefusalTests {
  @Test func `if a redirect leads to another origin, a 401 from this origin causes no refresh of the token`() async throws {
    try await withSandbox { sandbox in
      try await withSandbox { other in
        let document =
          TokenRuns.head + "  a: { get: \"/redirect-to?url=\(other.url)/status/401\", auth: shop }\n"
          + "  b: { get: /oauth/protected, auth: shop, after: { a: ended } }"
          + TokenTests.count(after: ["b"])
        let run = try await TestRun.carryOut(document, sandbox)
        #expect(run.outcomes == ["a failed", "b passed", "count passed"], "\(run.outcomes)")
        #expect(
          try run.result("a").failures.first?.help?.hasPrefix("a redirect led to 127.0.0.1, and no credentials were sent there") == true)
        let counts = try TokenRuns.counts(run)
        #expect(counts["token password"] == 1)
        #expect(counts["token refresh_token"] == nil)
        #expect(!run.results.flatMap(\.exchanges).contains { $0.label == "refused token" })
        #expect(!other.records.contains { $0.headers.contains { $0.name.lowercased() == "authorization" } })
      }
    }
  }
}
