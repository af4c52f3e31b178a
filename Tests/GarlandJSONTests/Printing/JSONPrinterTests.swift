import GarlandJSON
import Testing

@Suite("Printing")
struct JSONPrinterTests {
  private let value: JSONValue = ["b": [1, .number(JSONNumber("2.50") ?? 0), []], "a": ["é😀": "\"\\/\n\u{1}\u{7F}"], "e": [:]]

  @Test("the compact form has no spaces and keeps the order of the members")
  func compact() {
    #expect(value.description == #"{"b":[1,2.50,[]],"a":{"é😀":"\"\\/\n\u0001\#u{7F}"},"e":{}}"#)
  }

  @Test("the indented form has one member per line and can sort the keys")
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

  @Test("with escapesNonASCII, the printed text contains only ASCII characters")
  func ascii() {
    #expect(JSONValue.string("aé😀\u{7F}").jsonText(options: JSONPrintingOptions(escapesNonASCII: true)) == #""a\u00e9\ud83d\ude00\u007f""#)
  }

  @Test(
    "a parsed number is printed with the same text",
    arguments: ["-0", "1.0", "1E+2", "0.000", "12345678901234567890", "-9223372036854775808", "9223372036854775807"])
  func numbers(text: String) throws {
    #expect(try JSONValue(parsing: text).description == text)
  }

  @Test("printing into a buffer appends to the bytes that are already in it")
  func appending() {
    var bytes = Array("x=".utf8)
    JSONPrinter().print([1, .null, false], into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "x=[1,null,false]")
  }
}
