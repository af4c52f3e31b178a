import GarlandJSON
import Testing

@Suite struct MemoryTests {
  @Test func `the job route of the sandbox reports a job as done after the requested number of polls`() async throws {
    try await withSandbox { sandbox in
      let created = try sandbox.request("POST", "/jobs?polls=2&retry_after=1")
      #expect(created.status == 202)
      #expect(created.first("Location") == "/jobs/1")
      #expect(created.first("Retry-After") == "1")
      #expect(created.json["state"] == "pending")
      #expect(try sandbox.get("/jobs/1").json["state"] == "running")
      let done = try sandbox.get("/jobs/1").json
      #expect(done["state"] == "done")
      #expect(done["polls"] == 2)
      #expect(done["result"] == ["answer": 42])
      _ = try sandbox.request("POST", "/jobs?polls=1&result=failed")
      #expect(try sandbox.get("/jobs/2").json["state"] == "failed")
      #expect(try sandbox.request("DELETE", "/jobs/2").status == 204)
      #expect(try sandbox.get("/jobs/2").status == 404)
      #expect(try sandbox.get("/jobs/1", ["X-Sandbox-Tenant: other"]).status == 404)
    }
  }

  @Test func `a client that follows every 'next' link of the sandbox's paginated list receives all items`() async throws {
    try await withSandbox { sandbox in
      var target = "/pages?total=7&size=3"
      var items: [Int] = []
      var count = 0
      while count < 10 {
        let response = try sandbox.get(target)
        items += response.json["items"]?.arrayValue?.compactMap(\.intValue) ?? []
        count += 1
        guard let next = response.json["next"]?.stringValue else {
          #expect(response.first("Link")?.contains("rel=\"next\"") == false)
          break
        }
        #expect(response.first("Link")?.contains("<\(next)>; rel=\"next\"") == true)
        target = String(next.dropFirst(sandbox.url.count))
      }
      #expect(items == Array(1...7))
      #expect(count == 3)
      #expect(try sandbox.get("/pages?total=0").json["items"] == [])
      #expect(try sandbox.get("/pages?size=0").status == 400)
    }
  }

  @Test func `the sandbox routes /flaky, /counter and /once respond according to the number of earlier requests`() async throws {
    try await withSandbox { sandbox in
      let flaky = try (0..<4).map { _ in try sandbox.get("/flaky/a?fails=2&status=502").status }
      #expect(flaky == [502, 502, 200, 200])
      #expect(try sandbox.get("/flaky/b?fails=1&retry_after=3").first("Retry-After") == "3")
      #expect(try sandbox.get("/flaky/b?fails=1").json["attempt"] == 2)
      #expect(try sandbox.connection("/flaky/c?fails=1&fault=reset").rest().end == .reset)
      #expect(try sandbox.get("/flaky/c?fails=1&fault=reset").status == 200)
      #expect(try sandbox.get("/flaky/d?fault=fire").status == 400)
      let counts = try (0..<3).map { _ in try sandbox.get("/counter/x").json["count"] }
      #expect(counts == [1, 2, 3])
      #expect(try sandbox.request("DELETE", "/counter/x").status == 204)
      #expect(try sandbox.get("/counter/x").json["count"] == 1)
      #expect(try sandbox.get("/once/x").status == 200)
      #expect(try sandbox.get("/once/x").status == 410)
      #expect(try sandbox.get("/once/x?status=409").status == 409)
    }
  }
}
