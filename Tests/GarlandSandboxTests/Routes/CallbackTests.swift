import Testing

@testable import GarlandSandbox

struct CallbackTests {
  @Test(arguments: [
    ("http://127.0.0.1:80/hook?a=1#f", "127.0.0.1:80", 80, "/hook?a=1"), ("HTTP://LOCALHOST:9", "LOCALHOST:9", 9, "/"),
    ("http://localhost:65535?x", "localhost:65535", 65535, "/?x"),
  ]) func `the sandbox accepts a callback URL on the loopback host`(url: String, authority: String, port: Int, path: String) throws {
    let target = try #require(CallbackTarget(url))
    #expect(target.authority == authority && target.port == port && target.path == path)
  }

  @Test(arguments: [
    "http://example.com:80/", "http://127.0.0.1/", "https://127.0.0.1:1/", "http://127.0.0.1:0/", "http://127.0.0.1:70000/",
    "http://127.0.0.1@example.com:80/", "http://127.0.0.1:80/a b", "http://127.0.0.1:80/\r\nX: y", "/hook", "",
  ]) func `the sandbox refuses a callback URL that is malformed or whose host is not the loopback host`(url: String) {
    #expect(CallbackTarget(url) == nil)
  }

  @Test func `a callback request of the sandbox contains the headers that a client asked for, unless a header has a line break`() throws {
    var callback = Callback(target: try #require(CallbackTarget("http://127.0.0.1:80/x")))
    callback.headers = [HeaderField("A", "b")]
    callback.body = Array("hi".utf8)
    #expect(
      String(decoding: callback.bytes, as: UTF8.self)
        == "POST /x HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUser-Agent: garland-sandbox\r\nConnection: close\r\nA: b\r\nContent-Length: 2\r\n\r\nhi"
    )
    #expect(callback.isSound)
    callback.headers = [HeaderField("A", "b\r\nC: d")]
    #expect(!callback.isSound)
  }
}
