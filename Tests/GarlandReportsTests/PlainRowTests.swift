import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests that lines written as bytes equal those written as text.
@Suite struct PlainRowTests {
  private static func table(_ redactor: Redactor = Redactor(), width: Int? = nil, isPlain: Bool = true) -> StepTable {
    StepTable(
      steps: Fixture.steps, label: StepLabel(mask: Mask(redactor), namesFile: false), glyphs: .unicode, width: width, isPlain: isPlain)
  }

  private static func passed(_ index: Int, _ url: String, status: Int? = 200, microseconds: Int = 3_000) -> StepResult {
    var result = StepResult(step: Fixture.steps[index], outcome: .passed, startedAt: .zero, endedAt: .microseconds(microseconds))
    result.exchanges = [Fixture.exchange("GET", url, status: status)]
    return result
  }

  @Test(arguments: [0, 40, 949, 9_949, 9_950, 99_499, 99_500, 999_500, 12_000_000, 7_384_000_000])
  func `the fast code path for uncoloured step rows of the console writes the same bytes as the general code path`(microseconds: Int) {
    let table = Self.table()
    for (index, step) in Fixture.steps.enumerated() {
      for path in ["", "/", "/books?page=1", "/" + String(repeating: "long", count: 40)] {
        let result = Self.passed(index, Fixture.base + path, status: 200 + index, microseconds: microseconds)
        var bytes = Array("before ".utf8)
        #expect(table.append(result, to: &bytes), "\(step.id)")
        #expect(String(decoding: bytes, as: UTF8.self) == "before " + table.line(result).plain)
      }
    }
  }

  @Test func `the fast path for uncoloured console rows of loop items writes the same bytes as the general path`() {
    for iteration in ["1", "tenant=acme", "name=A name that is longer than the column of all the names"] {
      var result = Self.passed(0, Fixture.base + "/health")
      result.iteration = iteration
      result.iterationIndex = 3
      result.endsStep = false
      var bytes: [UInt8] = []
      #expect(Self.table().append(result, to: &bytes))
      #expect(String(decoding: bytes, as: UTF8.self) == Self.table().line(result).plain)
      result.iteration = iteration + "…"
      bytes = []
      #expect(!Self.table().append(result, to: &bytes) && bytes.isEmpty)
    }
  }

  /// The URL may contain any characters, and any secret in any encoding.
  @Test func `the fast path and the general path for plain console rows show the same text for a URL with secrets`() {
    for secrets in [[], ["sw=rdf/sh"], ["sw=rdf/sh", "books", "GET /b"]] {
      let redactor = Redactor()
      for secret in secrets { redactor.register(secret) }
      let label = StepLabel(mask: Mask(redactor), namesFile: false)
      for target in ["/books", "https://${vars.host}/books"] {
        let step = StepIdentity(
          index: 0, id: "a", file: "a.yaml", workflow: "A", summary: nil, tags: [], range: SourceRange(Fixture.shop, 0..<0), verb: "GET",
          target: target, isCleanup: false, isRequest: true, iterationColumns: 0)
        for url in [
          "https://h/books", "https://h/books?k=sw%3Drdf%2Fsh", "https://h/sw=rdf/sh?a", "https://h/b%6Foks", "https://h", "https://h/",
          "https:/x",
          "mailto:a/b", "no url", "", "https://[::1]:80/books", "https://h:1//books",
        ] {
          var result = StepResult(step: step, outcome: .passed, startedAt: .zero, endedAt: .zero)
          result.exchanges = [Fixture.exchange("GET", url, status: 200)]
          var bytes = Array("before ".utf8)
          label.append(actionOf: result, to: &bytes)
          #expect(String(decoding: bytes, as: UTF8.self) == "before " + label.action(result))
        }
      }
    }
  }

  @Test func `the fast path for uncoloured console rows handles only passed steps without warnings, retries or notes`() {
    let usual = Self.passed(0, Fixture.base + "/health")
    var others: [StepResult] = []
    var other = usual
    other.outcome = .failed
    others.append(other)
    other = usual
    other.exchanges = []
    others.append(other)
    other = usual
    other.exchanges += usual.exchanges
    others.append(other)
    other = usual
    other.exchanges[0].label = "token"
    others.append(other)
    others.append(Self.passed(0, Fixture.base + "/h\u{E9}alth"))
    others.append(Self.passed(0, Fixture.base + "/health", status: nil))
    for result in others {
      var bytes: [UInt8] = []
      #expect(!Self.table().append(result, to: &bytes))
      #expect(bytes.isEmpty)
    }
    for table in [Self.table(width: 80), Self.table(isPlain: false)] {
      var bytes: [UInt8] = []
      #expect(!table.append(usual, to: &bytes) && bytes.isEmpty)
    }
  }

  @Test func `in console output without colours, a secret in the URL of a passed step is masked`() {
    let redactor = Redactor()
    redactor.register("s3cr3t-token")
    let result = Self.passed(0, Fixture.base + "/health?token=s3cr3t-token")
    var bytes: [UInt8] = []
    #expect(Self.table(redactor).append(result, to: &bytes))
    let line = String(decoding: bytes, as: UTF8.self)
    #expect(line.contains("token=\(Redactor.mask)") && !line.contains("s3cr3t"))
  }
}
