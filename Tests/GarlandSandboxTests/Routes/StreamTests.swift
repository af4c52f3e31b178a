import Testing

@testable import GarlandSandbox

@Suite struct StreamTests {
  @Test func `the last event of an event stream of the sandbox marks the end of the stream`() async throws {
    try await withSandbox { sandbox in
      let response = try sandbox.get("/events?count=2")
      #expect(response.first("Content-Type") == "text/event-stream")
      #expect(
        response.text
          == "retry: 10\n\nid: 1\ndata: {\"number\": 1, \"last\": 2}\n\nid: 2\ndata: {\"number\": 2, \"last\": 2}\n\ndata: [DONE]\n\n")
    }
  }

  @Test func `if the client sends Last-Event-ID, an event stream of the sandbox continues after that event`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.get("/events?count=3&cut=2").text.hasSuffix("data: {\"number\": 2, \"last\": 3}\n\n"))
      let rest = try sandbox.get("/events?count=3&cut=2", ["Last-Event-ID: 2"]).text
      #expect(rest == "retry: 10\n\nid: 3\ndata: {\"number\": 3, \"last\": 3}\n\ndata: [DONE]\n\n")
      #expect(try sandbox.get("/events?count=3", ["Last-Event-ID: 9223372036854775807"]).text == "retry: 10\n\ndata: [DONE]\n\n")
    }
  }

  @Test func `a line stream of the sandbox sends JSON lines that each end with a line feed`() async throws {
    try await withSandbox { sandbox in
      let lines = try sandbox.get("/lines?count=2").text
      #expect(lines == "{\"number\": 1, \"last\": 2}\n{\"number\": 2, \"last\": 2}\n")
      #expect(try sandbox.get("/lines?count=0").text == "")
    }
  }

  @Test func `a multipart stream of the sandbox sends parts with a picture or JSON and ends with a last boundary`() async throws {
    try await withSandbox { sandbox in
      let response = try sandbox.get("/frames?count=2&json=true&length=true")
      #expect(response.first("Content-Type") == "multipart/x-mixed-replace; boundary=frame")
      let head = "--frame\r\nContent-Type: application/json\r\nX-Frame: "
      #expect(
        response.text
          == "\(head)1\r\nContent-Length: 24\r\n\r\n{\"number\": 1, \"last\": 2}\r\n\(head)2\r\nContent-Length: 24\r\n\r\n{\"number\": 2, \"last\": 2}\r\n--frame--\r\n"
      )
      let picture = try sandbox.get("/frames?count=1").body
      #expect(picture.suffix(21) == [0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF, 0xD9] + Array("\r\n--frame--\r\n".utf8))
    }
  }

  @Test func `the sandbox's route for multipart streams refuses an unknown kind of fault`() async throws {
    try await withSandbox { sandbox in
      let status = try sandbox.get("/frames/odd").status
      #expect(status == 404)
    }
  }

  @Test func `the sandbox's route for event streams refuses an unknown kind of fault`() async throws {
    try await withSandbox { sandbox in
      let status = try sandbox.get("/events/odd").status
      #expect(status == 404)
    }
  }
}
