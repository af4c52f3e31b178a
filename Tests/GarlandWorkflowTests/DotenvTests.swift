import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Lines of dotenv files as the common tools read them: docker compose, dotenv of Node and Ruby, python-dotenv. Where these differ, nothing is changed in a value.
@Suite struct DotenvTests {
  @Test(arguments: [
    ("A=b", "b"), ("A=", ""), ("export A=b", "b"), ("export\tA=b", "b"), ("  A=b", "b"), ("A = b", "b"), ("A=\tb\t", "b"), ("A=b c", "b c"),
    ("A=b c # comment", "b c"), ("A=b#c", "b#c"), ("A=#b", ""), ("A=\"b\"", "b"), ("A=\"b # c\"", "b # c"), ("A=\"b\" # c", "b"),
    ("A='b'", "b"), ("A='b # c'", "b # c"), ("A=\"\"", ""), ("A=''", ""), ("A=\" b \"", " b "), ("A=\"b\\nc\"", "b\nc"),
    ("A=\"b\\tc\"", "b\tc"), ("A=\"b\\\"c\"", "b\"c"), ("A=\"b\\\\c\"", "b\\c"), ("A=\"\\$b\"", "$b"), ("A='b\\nc'", "b\\nc"),
    ("A=b\\nc", "b\\nc"), ("A=\"b\nc\"", "b\nc"), ("A='b\nc'", "b\nc"), ("A=$b", "$b"), ("A=${b}", "${b}"), ("A=\"${b}\"", "${b}"),
    ("A=b=c", "b=c"), ("A=b\"c", "b\"c"), ("A=it's", "it's"), ("A={\"k\": \"v\"}", "{\"k\": \"v\"}"), ("A=größe", "größe"),
    ("A=b\r", "b"), ("A=1\nA=2", "2"), ("# A=1\nA=2", "2"), ("\u{FEFF}A=b", "b"), ("\n\n\tA=b\n\n", "b"),
    ("A=https://h/?a=b#c", "https://h/?a=b#c"),
    ("A=`b`", "`b`"), ("A=-----BEGIN KEY-----", "-----BEGIN KEY-----"),
  ]) func `quotes, comments, escapes and line breaks in a dotenv file are read as by common dotenv tools`(text: String, value: String) {
    var diagnostics = DiagnosticList()
    let found = ValuesFile.secrets(name: ".env", bytes: Array(text.utf8), into: &diagnostics)
    #expect(diagnostics.all.map(\.message) == [])
    #expect(found.last { $0.name.value == "A" }?.value == value)
  }

  @Test(arguments: ["A", "A b=c", "=b", "1A=b", "A=\"b", "A='b", "A=\"b\"c", "A='it''s'", "A=\"b\" \"c\""])
  func `an invalid line of a dotenv file is refused`(text: String) {
    var diagnostics = DiagnosticList()
    _ = ValuesFile.secrets(name: ".env", bytes: Array(text.utf8), into: &diagnostics)
    #expect(!diagnostics.isEmpty)
  }

  @Test func `if a dotenv value has its closing quote on a later line, only the line with the opening quote is an error`() {
    var diagnostics = DiagnosticList()
    let found = ValuesFile.secrets(name: ".env", bytes: Array("A=\"b\nB=c\nC=\"d\"\n".utf8), into: &diagnostics)
    #expect(diagnostics.all.count == 1)
    #expect(found.map(\.value) == ["c", "d"])
  }

  @Test func `in a dotenv file, a value whose opening quote is never closed makes only its own line invalid`() {
    var diagnostics = DiagnosticList()
    let found = ValuesFile.secrets(name: ".env", bytes: Array("A=\"b\nB=it's\nC=c\n".utf8), into: &diagnostics)
    #expect(diagnostics.all.count == 1)
    #expect(found.map(\.value) == ["it's", "c"])
  }
}
