import Testing

@testable import GarlandJSON

/// Tests the samples of RFC 3492, section 7.1.
@Suite("Punycode")
struct PunycodeTests {
  @Test(arguments: [
    ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
    ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"), ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
    ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
    ("PorquénopuedensimplementehablarenEspañol", "PorqunopuedensimplementehablarenEspaol-fmd56a"),
    ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"), ("-> $1.00 <-", "-> $1.00 <--"),
  ])
  func `the Punycode examples of RFC 3492 are encoded and decoded`(_ label: String, _ expected: String) {
    #expect(Punycode.encode(label.unicodeScalars) == expected)
    #expect(Punycode.decode(expected[...]).map { String(String.UnicodeScalarView($0)) } == label)
  }

  @Test(arguments: ["X", "99999999", "-", "a-é", "zzzzzzzzzzzzzzzzzzzz", "a-99999999999999999999999", "é", "abc-!"])
  func `decoding a text that is not valid Punycode returns nil or only ASCII characters`(_ text: String) {
    #expect(Punycode.decode(text[...])?.allSatisfy(\.isASCII) ?? true)
  }
}
