import Testing

@testable import GarlandWorkflow

@Suite struct MediaTypeTests {
  @Test(
    arguments: [
      ("text/html", "text/html", [:]), (" \tText/HTML ", "text/html", [:]), ("*/*", "*/*", [:]), ("text/*", "text/*", [:]),
      ("a/b; Charset=UTF-8", "a/b", ["charset": "UTF-8"]), ("a/b;x=1;y==", "a/b", ["x": "1", "y": "="]),
      ("a/b; x=\"1;\\\"2\"", "a/b", ["x": "1;\"2"]), ("a/b;x=", "a/b", ["x": ""]), ("a/b;", "a/b", [:]), ("a/b; ;x=1", "a/b", ["x": "1"]),
    ] as [(String, String, [String: String])])
  func `a media type is parsed into a lower-case name and parameters`(_ text: String, _ name: String, _ parameters: [String: String])
    throws
  {
    let found = try #require(MediaTypePattern(text))
    #expect("\(found.type)/\(found.subtype)" == name)
    #expect(found.parameters == parameters)
  }

  @Test(arguments: ["", "text", "text/", "/html", "a/b/c", "te xt/html", "*/html", "a/b; x", "a/b; =1", "a/b; x y=1", "é/b", "\"a;b\"/c"])
  func `a text without the form NAME/NAME is not parsed as a media type`(_ text: String) { #expect(MediaTypePattern(text) == nil) }
}
