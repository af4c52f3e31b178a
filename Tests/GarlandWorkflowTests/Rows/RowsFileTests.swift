import GarlandJSON
import TestSupport
import Testing

@testable import GarlandWorkflow

@Suite struct RowsFileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var format = RowsFormat.csv
    var rows: [String] = []
    var error: String?
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    // The rules of RFC 4180, section 2, by number.
    Case(name: "1: lines end in CRLF", text: "a,b\r\n1,2\r\n3,4\r\n", rows: [#"{"a":"1","b":"2"}"#, #"{"a":"3","b":"4"}"#]),
    Case(name: "2: the last may have no end", text: "a,b\r\n1,2", rows: [#"{"a":"1","b":"2"}"#]),
    Case(name: "4: spaces belong to the cell", text: "a,b\n 1 ,2\n", rows: [#"{"a":" 1 ","b":"2"}"#]),
    Case(name: "5: cells may be quoted", text: "a,b\n\"1\",\"2\"\n", rows: [#"{"a":"1","b":"2"}"#]),
    Case(name: "6: quoted cells hold anything", text: "a,b\n\"1\r\n2\",\"x,y\"\n", rows: [#"{"a":"1\r\n2","b":"x,y"}"#]),
    Case(name: "7: a quote is doubled", text: "a\n\"say \"\"hi\"\"\"\n", rows: [#"{"a":"say \"hi\""}"#]),
    Case(name: "numbers stay texts", text: "a\n007\ntrue\n", rows: [#"{"a":"007"}"#, #"{"a":"true"}"#]),
    Case(name: "a byte order mark", text: "\u{FEFF}a\n1\n", rows: [#"{"a":"1"}"#]),
    Case(name: "empty lines", text: "\na,b\n\n1,2\n\r\n\n", rows: [#"{"a":"1","b":"2"}"#]),
    Case(name: "empty cells", text: "a,b\n,\n", rows: [#"{"a":"","b":""}"#]),
    Case(name: "no rows", text: "a,b\n"),
    Case(name: "tabs", text: "a\tb\n1,5\t2\n", format: .tsv, rows: [#"{"a":"1,5","b":"2"}"#]),
    Case(name: "semicolons, where no comma is", text: "a;b\n1,5;\"x;y\"\n", rows: [#"{"a":"1,5","b":"x;y"}"#]),
    Case(name: "a comma wins", text: "a;b,c\n1;2,3\n", rows: [#"{"a;b":"1;2","c":"3"}"#]),
    Case(name: "semicolons in quotes are none", text: "\"a;b\"\n1;2\n", rows: [#"{"a;b":"1;2"}"#]),
    Case(name: "no names", text: "", error: "it is empty"),
    Case(name: "a name twice", text: "a,a\n", error: "two columns are named `a`"),
    Case(name: "no name", text: "a,,b\n", error: "column 2 has no name"),
    Case(name: "too few cells", text: "a,b\n1,2\n3\n", error: "line 3 has 1 cell, but the number of columns in the first line is 2"),
    Case(name: "too many cells", text: "a\n1,2\n", error: "line 2 has 2 cells, but the number of columns in the first line is 1"),
    Case(name: "an open quote", text: "a\n\"1\n2\n", error: "the quoted cell that begins in line 2 does not end"),
    Case(name: "a quote in a cell", text: "a\nx\"y\n", error: "line 2 has a `\"` inside a cell without quotes"),
    Case(name: "more after a quote", text: "a\n\"x\"y\n", error: "line 2 has text after the closing `\"` of a cell"),
    Case(name: "JSON lines", text: "{\"a\": 1.50}\n\n[2]\r\n3", format: .jsonl, rows: [#"{"a":1.50}"#, "[2]", "3"]),
    Case(name: "a broken line", text: "1\n{\n", format: .jsonl, error: "line 2 is not JSON"),
    Case(name: "a JSON list", text: "[{\"a\": 1}, 2]", format: .json, rows: [#"{"a":1}"#, "2"]),
    Case(name: "a JSON object", text: "{\"a\": 1}", format: .json, error: "it contains a mapping, but rows must be a list"),
    Case(name: "no JSON", text: "[1,", format: .json, error: "it is not JSON"),
  ]

  @Test(arguments: cases) func `each sample CSV or JSON file of rows gives the expected rows, or is refused with the expected message`(
    _ test: Case
  )
    throws
  {
    if let error = test.error {
      let thrown = #expect(throws: RowsError.self) { try RowsFile(Array(test.text.utf8), test.format) }
      #expect(thrown?.message.hasPrefix(error) == true, Comment(rawValue: thrown?.message ?? ""))
    } else {
      let file = try RowsFile(Array(test.text.utf8), test.format)
      #expect((0..<file.count).map { file[$0].jsonText() } == test.rows)
    }
  }

  @Test func `random rows that are written as CSV are read back unchanged`() throws {
    var generator = SeededRandom(seed: 4180)
    let alphabet = ["a", "\"", ",", "\n", "\r\n", " ", "é", "\t", ""]
    for _ in 0..<500 {
      let columns = Int.random(in: 1...4, using: &generator)
      let rows = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        (0..<columns).map { _ in
          (0..<Int.random(in: 1...4, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
        }
      }
      let header = (0..<columns).map { "c\($0)" }
      let text = ([header] + rows).map { row in
        row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
      }.joined(separator: "\r\n")
      let file = try RowsFile(Array(text.utf8), .csv)
      let read = (0..<file.count).map { index in header.map { file[index].objectValue?[$0]?.stringValue ?? "?" } }
      #expect(read == rows)
    }
  }

  @Test func `random bytes in a file of rows for a loop never crash the reader`() {
    var generator = SeededRandom(seed: 7)
    let bytes = Array("a,\"\r\n\t{}[]1\u{E9}".utf8)
    for _ in 0..<5_000 {
      let input = (0..<Int.random(in: 0...24, using: &generator)).map { _ in bytes.randomElement(using: &generator) ?? 0 }
      for format in RowsFormat.allCases {
        guard let file = try? RowsFile(input, format) else { continue }
        for index in 0..<file.count { _ = file[index] }
      }
    }
  }

  @Test(arguments: [RowsFormat.csv, .tsv, .jsonl])
  func `the parser of a CSV, TSV or JSON Lines file with very many rows stops when its time limit is reached`(
    _ format: RowsFormat
  )
    throws
  {
    let bytes = Array(("a\n" + String(repeating: format == .jsonl ? "1\n" : "x\n", count: 20_000)).utf8.dropFirst(format == .jsonl ? 2 : 0))
    #expect(throws: RowsError.self) { try Computation(limit: .zero).run { try RowsFile(bytes, format) } }
    #expect(try RowsFile(bytes, format).count == 20_000)
  }
}
