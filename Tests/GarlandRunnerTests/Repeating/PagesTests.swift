import GarlandJSON
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import Testing

@testable import GarlandRunner

/// Tests that the cost of a page does not depend on the number of previous pages.
@Suite(.timeLimit(.minutes(15))) struct PagesTests {
  private static func list(_ items: Range<Int>) -> Value { .plain(.array(items.map { JSONValue($0) })) }

  @Test func `the lists that a step extracts from 5,000 pages are concatenated once, after the last page`() throws {
    var pages = Repeating.Pages(limit: 5_000, isLimitGiven: true)
    var kept = 0
    for page in 0..<4_999 {
      let isTurned = pages.turn(extracted: [Self.list(page * 3..<page * 3 + 3), .plain(JSONValue(page))])
      #expect(isTurned)
      // The values of each page are stored once. A list that grows with each page would be copied for each page.
      kept += pages.extracted.last?.reduce(0) { $0 + ($1?.elements.count ?? 0) } ?? 0
      #expect(pages.extracted.count == page + 1)
    }
    #expect(kept == 3 * 4_999)
    let isTurned = pages.turn(extracted: [nil, nil])
    #expect(!isTurned)
    let joined = Repeating.join(pages.extracted)
    #expect(joined.count == 2)
    #expect(joined[0]?.json == Self.list(0..<3 * 4_999).json)
    #expect(joined[1]?.json == JSONValue(4_998))
  }

  @Test func `if an extract finds a list on each of several pages, the lists are joined into one list`() {
    func joined(_ pages: [Value?]...) -> [JSONValue?] { Repeating.join(pages).map { $0?.json } }
    #expect(joined([Self.list(0..<2)]) == [[0, 1]])
    #expect(joined([Self.list(0..<2)], [nil], [Self.list(2..<3)]) == [[0, 1, 2]])
    #expect(joined([nil], [nil]) == [nil])
    #expect(joined([.plain("a")], [.plain("b")], [nil]) == ["b"])
    #expect(joined([Self.list(0..<2)], [.plain("a")]) == ["a"])
    #expect(joined([.plain("a")], [Self.list(0..<2)], [Self.list(2..<3)]) == [[0, 1, 2]])
    #expect(joined([]) == [])
    let secrets = Repeating.join([[.secret([1])], [.plain([2])]])[0]
    #expect(secrets?.json == [1, 2] && secrets?.isTainted == true)
  }

  @Test func `if a step sends many requests, only its first and its most recent requests are recorded in detail`() {
    func exchange(_ number: Int, bytes: Int = 0) -> Exchange {
      var exchange = Exchange(hops: [
        Exchange.Hop(
          method: "GET", url: "http://h/\(number)", requestFields: [], status: 200, responseFields: [], timing: .init(total: .zero))
      ])
      if bytes > 0 { exchange.responseBody = Exchange.Body(bytes: Array(repeating: 120, count: bytes), size: bytes, type: nil) }
      return exchange
    }
    var sent = SentExchanges()
    #expect(sent.isEmpty && sent.kept(and: exchange(0)).count == 1)
    for number in 0..<20_000 { sent.append(exchange(number)) }
    let urls = sent.kept.compactMap(\.hops.first?.url)
    #expect(urls.count == SentExchanges.limit && sent.omittedRequests == 20_000 - SentExchanges.limit)
    let numbers = Array(0..<10) + [20_000 - SentExchanges.limit + 10]
    let expected = numbers.map { number in "http://h/\(number)" }
    #expect(Array(urls.prefix(11)) == expected)
    #expect(urls.last == "http://h/19999" && sent.kept(and: exchange(7)).last?.hops.first?.url == "http://h/7")

    var heavy = SentExchanges()
    for number in 0..<1_000 { heavy.append(exchange(number, bytes: 100_000)) }
    let bytes = heavy.kept.map { $0.responseBody?.bytes.count ?? 0 }.reduce(0, +)
    #expect(bytes <= SentExchanges.weightLimit + 1_000_000)
    #expect(heavy.kept.count + heavy.omittedRequests == 1_000)
  }

  @Test func `if a step sends many requests, its result states the number of requests without recorded details`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/pages?total=1100&size=1', paginate: { link: true, limit: 2000 }, extract: { all: $.items } }\n", sandbox,
        detail: [])
      let result = try run.result("a")
      #expect(result.outcome == .passed)
      #expect(run.summary.requestCount == 1_100)
      #expect(result.exchanges.count == SentExchanges.limit + 1 && result.omittedRequests == 1_100 - SentExchanges.limit - 1)
      #expect(result.exchanges.last?.label == "page 1100")
    }
  }
}
