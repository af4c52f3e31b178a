import GarlandJSON
import Testing

@Suite("Objects and values")
struct JSONObjectTests {
  @Test("members keep their order, and a changed member keeps its position")
  func order() {
    var object: JSONObject = ["b": 1, "a": 2, "b": 3]
    #expect(object.keys == ["b", "a"])
    #expect(object.values == [3, 2])
    object["c"] = true
    object["b"] = nil
    #expect(object.map(\.key) == ["a", "c"])
    #expect(object.removeValue(forKey: "a") == 2)
    #expect(object.removeValue(forKey: "a") == nil)
    #expect(object.count == 1)
  }

  @Test("objects with few and with many members behave the same", arguments: [3, 16, 17, 18, 100])
  func sizes(count: Int) {
    var object = JSONObject((0..<count).map { ("key \($0)", JSONValue($0)) })
    #expect(object.count == count)
    for index in 0..<count { #expect(object["key \(index)"] == JSONValue(index)) }
    object["key 1"] = nil
    #expect(object["key 2"] == 2)
    #expect(object["key 1"] == nil)
    object["key 1"] = "again"
    #expect(object.keys.last == "key 1")
    #expect(object == JSONObject(object.reversed().map { ($0.key, $0.value) }))
    #expect(object.hashValue == JSONObject(object.reversed().map { ($0.key, $0.value) }).hashValue)
    #expect(object.sortedByKey().keys == object.keys.sorted())
  }

  @Test(
    "two JSON values are equal if they differ only in the order of members",
    arguments: [
      (["a": 1, "b": [2.0]], ["b": [2], "a": 1.0], true), ([1, 2], [2, 1], false), (["a": .null], [:], false), ("1", 1, false),
      (0, false, false), (.null, false, false), ([], [:], false),
      (["a": 1], ["a": 1, "b": 2], false), (["a": 1], ["b": 1], false),
    ] as [(JSONValue, JSONValue, Bool)])
  func equality(left: JSONValue, right: JSONValue, areEqual: Bool) {
    #expect((left == right) == areEqual)
    #expect((right == left) == areEqual)
  }

  @Test("nested values can be read by member name and by index")
  func access() {
    let value: JSONValue = ["a": [1, "x", .null, true, 2.5]]
    #expect(value["a"]?[0]?.intValue == 1)
    #expect(value["a"]?[1]?.stringValue == "x")
    #expect(value["a"]?[2]?.isNull == true)
    #expect(value["a"]?[-2]?.boolValue == true)
    #expect(value["a"]?[-1]?.doubleValue == 2.5)
    #expect(value["a"]?[5] == nil)
    #expect(value["a"]?["x"] == nil)
    #expect(value[0] == nil)
    #expect(value.kind == .object)
  }
}
