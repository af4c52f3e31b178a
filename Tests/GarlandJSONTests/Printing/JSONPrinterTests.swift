import GarlandJSON
import Testing

@Suite("Printing")
struct JSONPrinterTests {
  private let value: JSONValue = ["b": [1, .number(JSONNumber("2.50") ?? 0), []], "a": ["é😀": "\"\\/\n\u{1}\u{7F}"], "e": [:]]

  @Test("Compact, in the order of the members")
  func compact() {
    #expect(value.description == #"{"b":[1,2.50,[]],"a":{"é😀":"\"\\/\n\u0001\#u{7F}"},"e":{}}"#)
  }

  @Test("Indented text with sorted keys")
  func pretty() {
    let expected = """
      {
        "a": {
          "é😀": "\\"\\\\/\\n\\u0001\u{7F}"
        },
        "b": [
          1,
          2.50,
          []
        ],
        "e": {}
      }
      """
    #expect(value.jsonText(options: JSONPrintingOptions(layout: .indented(2), sortsKeys: true)) == expected)
  }

  @Test("Only ASCII")
  func ascii() {
    #expect(JSONValue.string("aé😀\u{7F}").jsonText(options: JSONPrintingOptions(escapesNonASCII: true)) == #""a\u00e9\ud83d\ude00\u007f""#)
  }

  @Test(
    "Numbers keep their text",
    arguments: ["-0", "1.0", "1E+2", "0.000", "12345678901234567890", "-9223372036854775808", "9223372036854775807"])
  func numbers(text: String) throws {
    #expect(try JSONValue(parsing: text).description == text)
  }

  @Test("Text is appended to what is there")
  func appending() {
    var bytes = Array("x=".utf8)
    JSONPrinter().print([1, .null, false], into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "x=[1,null,false]")
  }
}
