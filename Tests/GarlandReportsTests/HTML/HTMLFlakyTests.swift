import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests, in Chromium, of a flaky and a quarantined step on the page.
@Suite(.timeLimit(.minutes(15))) struct HTMLFlakyTests {
  /// A run in which `create` passed the second time, and the quarantined step `flaky` failed.
  private static var events: [RunEvent] {
    let failed = Fixture.createFailed
    var create = Fixture.result(1, .passed, from: 80, milliseconds: 9) {
      $0.exchanges = [Fixture.exchange("POST", Fixture.base + "/books", status: 201, body: #"{"id":7}"#)]
    }
    create.earlier = [failed]
    return QuarantineReportTests.events.flatMap { event -> [RunEvent] in
      guard case .runEnded(var summary) = event else { return [event] }
      summary.count(create)
      return [.stepEnded(create), .runEnded(summary)]
    }
  }

  private static let looking = Task { try await HTMLPage(events).look("outcomes,flaky") }

  @Test func `the header of the HTML page counts flaky and quarantined steps separately`() async throws {
    let chips = try await Self.looking.value["outcomes"]?["chips"]
    #expect(chips == ["✗ 1 quarantined", "↻ 1 flaky", "· 6 not run", "✓ 1 passed"])
  }

  @Test func `on the HTML page, the details of a flaky step show each earlier run with its request and its failure`() async throws {
    let text = try #require(try await Self.looking.value["outcomes"]?["steps"]?["create"]?.stringValue)
    for words in [
      "↻ flaky", "1 EARLIER RUN OF THIS STEP, WHICH DID NOT PASS", "earlier run 1", "status is 500, expected 201", "out of stock",
      "POST /books → 201",
    ] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
  }

  @Test func `on the HTML page, the details of a quarantined step show the reason and last day of the quarantine`() async throws {
    let text = try #require(try await Self.looking.value["outcomes"]?["steps"]?["flaky"]?.stringValue)
    for words in ["✗ failed (quarantined)", "quarantined until 2026-12-01 (The stock service answers late, SHOP-123)"] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
  }

  @Test func `on the HTML page, the attempts of a retried step are numbered from 1`() async throws {
    let retried = Fixture.result(1, .passed) {
      $0.exchanges = [
        Fixture.exchange("POST", Fixture.base + "/books", status: 500), Fixture.exchange("POST", Fixture.base + "/books", status: 201),
      ]
      $0.exchanges[1].label = "attempt 2"
    }
    let page = try await HTMLPage(ReportText.run([retried]))
    let text = try #require(try await page.look("outcomes")["outcomes"]?["steps"]?["create"]?.stringValue)
    #expect(text.contains("attempt 1") && text.contains("attempt 2"), "\(text)")
  }

  @Test func `the timeline of the HTML page shows the earlier runs of a flaky step`() async throws {
    let views = try await HTMLPage(Self.events).look("views")["views"]
    let lanes = views?["lanes"]?.arrayValue?.compactMap(\.stringValue) ?? []
    #expect(lanes.contains { $0.hasPrefix("create, flaky") && $0.contains(", after 1 earlier run") })
    #expect(views?["phases"]?.arrayValue?.contains("p-before") == true)
  }

  @Test func `the filter of the HTML page for flaky steps shows only flaky steps`() async throws {
    #expect(try await Self.looking.value["flaky"]?["shown"] == ["create"])
  }
}
