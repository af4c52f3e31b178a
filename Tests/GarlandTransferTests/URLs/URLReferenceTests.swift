import GarlandTransfer
import Testing

@Suite struct URLReferenceTests {
  /// The cases are those of RFC 3986, sections 5.4.1 and 5.4.2, with a base whose scheme this library supports.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
  ])
  func `a relative reference is resolved as defined in RFC 3986`(_ reference: String, _ expected: String) throws {
    let base = try URLReference("http://a/b/c/d;p?q")
    #expect(try URLReference(reference).resolved(against: base).description == expected)
  }

  @Test(arguments: [
    ("HTTP://EXAMPLE.com/Path", "http://example.com/Path"), ("http://h/a b?c d", "http://h/a%20b?c%20d"), ("http://h/ü", "http://h/%C3%BC"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"), ("http://[::1]:8080/", "http://[::1]:8080/"), ("http://h:/", "http://h/"),
  ])
  func `the letter case, the escapes and the host name of a URL are normalised`(_ text: String, _ expected: String) throws {
    #expect(try URLReference(text).description == expected)
  }

  @Test(arguments: ["http://h:70000/", "http://h:x/", "http:///p", "http://[::1/", "http://a\nb/", "http://a^b/", "http://evil\\@good/"])
  func `a URL with an invalid host, port or character can't be parsed`(_ text: String) {
    #expect(throws: URLReferenceError.self) { try URLReference(text) }
  }

  @Test func `two URLs have the same origin only if scheme, host and port are equal`() throws {
    #expect(try URLReference("https://H/a").origin == URLReference("https://h:443/b").origin)
    #expect(try URLReference("https://h/").origin != URLReference("http://h/").origin)
    #expect(try URLReference("http://h/").origin != URLReference("http://h:81/").origin)
  }

  @Test func `brackets outside of the host of a URL are escaped`() throws {
    let text = try URLReference("http://[::1]:80/a[1]?b[]=[2]#[3]").description
    #expect(text == "http://[::1]:80/a%5B1%5D?b%5B%5D=%5B2%5D#%5B3%5D")
  }
}
