import GarlandResults
import GarlandSandbox
import Testing

@Suite("What is told of exchanges")
struct ExchangeTests {
  @Test func aPassedStepIsToldInFullOnlyToThoseWhoLook() async throws {
    try await withSandbox { sandbox in
      let text = prelude + "  a: { post: /redirect/1?status=307, json: { x: 1 }, extract: { m: $.method } }"
      let brief = try await TestRun.carryOut(text, sandbox, detail: []).result("a")
      let full = try await TestRun.carryOut(text, sandbox).result("a")
      for result in [brief, full] {
        let exchange = try #require(result.exchanges.first)
        #expect(exchange.hops.map(\.status) == [307, 200])
        #expect(exchange.hops.map(\.method) == ["POST", "POST"])
        #expect(exchange.hops.last?.url.hasPrefix(sandbox.url + "/anything") == true)
        #expect(exchange.curlCommand == nil)
      }
      #expect(brief.exchanges[0].hops.allSatisfy { $0.responseFields.isEmpty && $0.requestFields.isEmpty })
      #expect(brief.exchanges[0].responseBody == nil && brief.exchanges[0].requestBody == nil && brief.extracted.isEmpty)
      #expect(full.exchanges[0].hops[1].requestFields.contains { $0.name.lowercased() == "content-type" })
      #expect(full.exchanges[0].hops[0].responseFields.contains { $0.name.lowercased() == "location" })
      #expect(full.exchanges[0].requestBody.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"x":1}"#)
      #expect(full.extracted.map(\.value) == [#""POST""#])
    }
  }

  @Test func aBodyIsCutToSize() async throws {
    try await withSandbox { sandbox in
      let result = try await TestRun.carryOut(prelude + "  a: { get: \"/bytes/5000?seed=1\" }", sandbox) { $0.keptBodyBytes = 100 }.result(
        "a")
      let body = try #require(result.exchanges.first?.responseBody)
      #expect(body.bytes.count == 100)
      #expect(body.size == 5000)
      #expect(!body.isComplete)
    }
  }

  @Test func aFailedStepIsToldInFullToEverybody() async throws {
    try await withSandbox { sandbox in
      let result = try await TestRun.carryOut(prelude + "  a: { get: /status/500 }", sandbox, detail: []).result("a")
      let exchange = try #require(result.exchanges.first)
      #expect(exchange.hops.first?.responseFields.isEmpty == false)
      #expect(exchange.curlCommand?.hasPrefix("curl") == true)
    }
  }
}
