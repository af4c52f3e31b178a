import GarlandJSON
import Testing

@Suite("JSON Pointer")
struct JSONPointerTests {
  private static let document = #"""
    {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}
    """#

  @Test(
    "the example pointers of RFC 6901 §5 and §6 select the expected values",
    arguments: [
      ("/foo", "/foo", #"["bar","baz"]"#), ("/foo/0", "/foo/0", #""bar""#), ("/", "/", "0"), ("/a~1b", "/a~1b", "1"),
      ("/c%d", "/c%25d", "2"), ("/e^f", "/e%5Ef", "3"),
      ("/g|h", "/g%7Ch", "4"), ("/i\\j", "/i%5Cj", "5"), ("/k\"l", "/k%22l", "6"), ("/ ", "/%20", "7"), ("/m~0n", "/m~0n", "8"),
    ])
  func examples(text: String, fragment: String, value: String) throws {
    let document = try json(JSONPointerTests.document)
    let pointer = try JSONPointer(text)
    #expect(try pointer.value(in: document) == json(value))
    #expect(pointer.description == text)
    #expect(pointer.uriFragment == fragment)
    #expect(try JSONPointer(uriFragment: fragment) == pointer)
    #expect(try JSONPointer("").value(in: document) == document)
  }

  @Test(
    "a text that is not a JSON Pointer is refused with the offset of the error",
    arguments: [("foo", 0), ("$.a", 0), ("/a~", 2), ("/a~2b", 2), ("/~01/~", 5)])
  func mistakes(text: String, offset: Int) {
    let error = #expect(throws: JSONPointerError.self) { try JSONPointer(text) }
    #expect(error?.offset == offset)
  }

  @Test(
    "the error of a pointer that finds no value names the missing member or element",
    arguments: [
      ("/bar", "the document has no member 'bar'"), ("/foo/2", "'/foo' has no element at index 2: its last index is 1"),
      ("/foo/-", "'/foo' is an array, but '-' is not an index"),
      ("/foo/01", "'/foo' is an array, but '01' is not an index"), ("/foo/0/x", "'/foo/0' is a string, which has no 'x'"),
      ("/foo/99999999999999999999", "'/foo' has no element at index 9223372036854775807: its last index is 1"),
    ])
  func unresolved(text: String, message: String) throws {
    let document = try json(JSONPointerTests.document)
    let pointer = try JSONPointer(text)
    let error = #expect(throws: JSONPointerResolutionError.self) { try pointer.value(in: document) }
    #expect(error?.description == message)
  }

  @Test("a URI fragment with invalid percent-encoding is refused", arguments: ["/%", "/%4", "/%zz", "/%ff"])
  func fragments(text: String) {
    #expect(throws: JSONPointerError.self) { try JSONPointer(uriFragment: text) }
  }
}
