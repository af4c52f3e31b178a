import Testing

@testable import GarlandJSON

@Suite struct HostNameFormatTests {
  @Test(arguments: [
    "example.com", "EXAMPLE.com", "a", "1host", "xn--bcher-kva.example", "XN--Bcher-KVA", "xn--4gbwdl.xn--wgbh1c", "a--b", "ab-c",
  ]) func `a valid ASCII host name matches the JSON Schema formats hostname and idn-hostname`(_ text: String) {
    #expect(HostNameFormat.isHostname(text))
    #expect(HostNameFormat.isInternational(text))
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", "ab--c", "xn--", "xn--X", "xn--a", "xn--abc-", "XN--aa---o47jg78q",
    "xn--99999999", "xn--bcher-kvb9999", String(repeating: "a", count: 64), (0..<70).map { _ in "abc" }.joined(separator: "."),
  ]) func `a text that is not a host name matches neither of the JSON Schema formats hostname and idn-hostname`(_ text: String) {
    #expect(!HostNameFormat.isHostname(text))
    #expect(!HostNameFormat.isInternational(text))
  }

  @Test(arguments: ["bücher.example", "bücher。example", "中文", "실례.테스트", "אבג.com", "ل‌ا".replacing("ا", with: "ب"), "straße", "مثال.إختبار"])
  func `an international host name matches the JSON Schema format idn-hostname, but not hostname`(_ text: String) {
    #expect(HostNameFormat.isInternational(text))
    #expect(!HostNameFormat.isHostname(text))
  }

  @Test(arguments: [
    "Bücher", "-ü", "ü-", "ab--ü", "a\u{308}\u{323}b".replacing("\u{308}\u{323}", with: "\u{303}\u{323}"), "\u{200D}ü", "☃", "ﬁü",
    "אa", "אב.1host", "א٠۰", "א0٠", "\u{E000}", "ü\u{AD}", String(repeating: "ü", count: 63),
  ]) func `an international host name that violates a rule of IDNA does not match the JSON Schema format idn-hostname`(_ text: String) {
    #expect(!HostNameFormat.isInternational(text))
  }
}
