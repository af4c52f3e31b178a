import GarlandJSON
import Testing

@testable import GarlandWorkflow

@Suite struct ValueTests {
  @Test func `a list or object in a workflow is not treated as a secret if none of its members is a secret`() {
    #expect(Value.list(of: [.plain(1), .plain("a")]) == .plain([1, "a"]))
    #expect(Value.object(of: [("a", .plain(1)), ("b", .plain(2))]) == .plain(["a": 1, "b": 2]))
  }

  @Test func `only the secret parts of a list or object are masked`() {
    let value = Value.object(of: [
      ("user", .plain("alice")), ("token", .secret("s3cr3t")), ("pins", .list(of: [.secret(1234), .plain(1)])),
    ])
    #expect(value.isTainted)
    #expect(value.json == ["user": "alice", "token": "s3cr3t", "pins": [1234, 1]])
    #expect(value.masked == ["user": "alice", "token": "***", "pins": ["***", 1]])
    var secrets: [String] = []
    value.forEachSecret { secrets.append($0) }
    #expect(secrets == ["s3cr3t", "1234"])
  }

  @Test func `if an object value is built from members with the same name, the object contains the last of them`() {
    #expect(Value.object(of: [("a", .secret("x")), ("a", .plain(2)), ("b", .secret("y"))]).json == ["a": 2, "b": "y"])
  }

  @Test(arguments: [
    ("250ms", Duration.milliseconds(250)), ("10s", .seconds(10)), ("5m", .seconds(300)), ("1h", .seconds(3600)),
    ("1.5s", .milliseconds(1500)),
    ("0s", .zero), ("2d", .seconds(172_800)), ("500us", .microseconds(500)),
  ])
  func `a text with a valid number and unit is read as a duration`(_ text: String, _ expected: Duration) {
    #expect(Duration(workflowText: text) == expected)
  }

  @Test(arguments: ["", "30", "s", "-1s", "1 s", "1.s", ".5s", "1.2.3s", "1S", "1s1s", "99999999999999999999s", "9999999999999d"])
  func `a text without a valid number and unit is refused as a duration`(_ text: String) {
    #expect(Duration(workflowText: text) == nil)
  }

  @Test(arguments: [("0B", 0), ("10KB", 10_000), ("5MiB", 5 << 20), ("1.5KiB", 1536), ("2GB", 2_000_000_000)])
  func `a text with a valid number and unit is read as a size`(_ text: String, _ expected: Int) {
    #expect(ByteSize(text)?.bytes == expected)
  }

  @Test(arguments: ["", "10", "10 KB", "KB", "-1B", "10kb", "999999999999999TB"])
  func `a size with a missing or invalid number or unit is refused`(_ text: String) {
    #expect(ByteSize(text) == nil)
  }
}
