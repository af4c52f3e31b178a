import Testing

@testable import GarlandTransfer

/// Tests that a URL parsed with the help of an earlier URL equals the result of the full parser.
@Suite struct SiblingURLTests {
  @Test(arguments: [
    "http://127.0.0.1:8080/", "http://127.0.0.1:8080/a/b?c=d&e=1", "http://127.0.0.1:8080/a.b", "http://127.0.0.1:8080/a?b=c.d/..e",
    "http://127.0.0.1:8080/a?", "http://127.0.0.1:8080/a:b,c_d-e",
  ])
  func `if a URL has the host and port of the previous URL, the fast parser gives the same result as the full parser`(_ text: String) throws
  {
    let known = LastAuthority(try URLReference("http://127.0.0.1:8080/first?x#y"))
    let sibling = try #require(URLReference(text, beside: known.url, prefix: known.prefix))
    #expect(sibling == (try URLReference(text)))
    #expect(sibling.description == text)
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "http://127.0.0.1:80801/", "http://127.0.0.1:8080?a", "https://127.0.0.1:8080/", "http://127.0.0.1/",
    "http://127.0.0.1:8080/a/../b", "http://127.0.0.1:8080/./a", "http://127.0.0.1:8080/.a", "http://127.0.0.1:8080/a b",
    "http://127.0.0.1:8080/%41", "http://127.0.0.1:8080/a#b", "http://127.0.0.1:8080/é", "http://127.0.0.1:8080/a?b?c", "", "http",
    "http://127.0.0.1:8080/a\\b", "http://127.0.0.1:8080@other/",
  ])
  func `the fast URL parser refuses an unusual URL and leaves it to the full parser`(_ text: String) throws {
    let known = LastAuthority(try URLReference("http://127.0.0.1:8080/first"))
    #expect(URLReference(text, beside: known.url, prefix: known.prefix) == nil)
  }
}
