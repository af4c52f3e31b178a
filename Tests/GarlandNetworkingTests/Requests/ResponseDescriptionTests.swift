import GarlandNetworking
import Testing

/// Tests the text that `debugPrint` writes for a response.
@Suite(.timeLimit(.minutes(15))) struct ResponseDescriptionTests {
  @Test func `debugPrint of a response shows request, response, durations and result, with masked credentials`() async throws {
    let session = Session(.stubbed { _ in StubbedResponse.json(["name": "Ada"]).with(.setCookie, "id=cookie-1") })
    let request = session.request(
      "https://h/users", method: .post, parameters: ["age": 36], encoding: .json, headers: [.authorization(bearerToken: "token-1")])
    let text = String(reflecting: await request.response(.string))
    #expect(text.hasPrefix("[Request]: POST https://h/users\n    [Headers]:\n"))
    #expect(text.contains("        Authorization: ***\n"))
    #expect(text.contains("    [Body]:\n        {\"age\":36}\n[Response]:\n    [Status Code]: 200\n    [Headers]:\n"))
    #expect(text.contains("        Set-Cookie: ***\n"))
    #expect(text.contains("    [Body]:\n        {\"name\":\"Ada\"}\n[Network Duration]: "))
    #expect(text.hasSuffix("\n[Result]: success({\"name\":\"Ada\"})"))
    #expect(!text.contains("token-1") && !text.contains("cookie-1"))
  }

  @Test func `debugPrint of a failed request shows the error and no response`() async throws {
    let session = Session(.stubbed { _ in .failure(.refused(host: "h", port: 443)) })
    let text = String(reflecting: await session.request("https://user:password-1@h/").response())
    #expect(text.hasPrefix("[Request]: GET https://h/\n"))
    #expect(text.contains("\n    [Body]: None\n[Response]: None\n[Network Duration]: "))
    #expect(text.hasSuffix("\n[Result]: failure(connection refused by h:443)"))
    #expect(!text.contains("password-1"))
  }

  @Test func `debugPrint of a response shows only the size of a body that is not text`() async throws {
    let session = Session(.stubbed { _ in .bytes([0, 1, 2], contentType: "image/png") })
    let text = String(reflecting: await session.request("https://h/").response())
    #expect(text.contains("\n    [Body]: 3 bytes\n"))
    #expect(text.hasSuffix("\n[Result]: success(3 bytes)"))
  }

  @Test func `debugPrint of a download shows the path of the file`() async throws {
    let session = Session(.stubbed { _ in .text("hello") })
    let response = await session.download("https://h/").response()
    let path = try response.value
    let text = String(reflecting: response)
    #expect(text.contains("\n    [Body]: in a file\n[File]: \(path)\n[Resume Data]: None\n"))
    #expect(text.hasSuffix("\n[Result]: success(\(path))"))
  }
}
