import GarlandJSON
import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests a session with third-party servers.
@Suite(.timeLimit(.minutes(15))) struct ForeignServerTests {
  /// Tests with httpbin, a server written in Python.
  @Suite(.timeLimit(.minutes(15))) struct HTTPBin {
    let url: String
    let session = Session(.ephemeral)

    init() throws { url = try HTTPBinServer.shared().url }

    @Test func `httpbin receives query, form and JSON parameters as they were sent`() async throws {
      let get = try await session.request(url + "/get?x=1", parameters: ["foo": ["a", 1, true], "k y": "ü&="]).validate().json
      #expect(get["args"] == ["x": "1", "foo[]": ["a", "1", "1"], "k y": "ü&="])
      let form = try await session.request(url + "/post", method: .post, parameters: ["foo": ["bar": ["baz": 1]]]).validate().json
      #expect(form["form"] == ["foo[bar][baz]": "1"])
      #expect(form["headers"]?["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
      let json = try await session.request(url + "/put", method: .put, parameters: ["a": [1, .null]], encoding: .json).validate().json
      #expect(json["json"] == ["a": [1, .null]])
    }

    @Test func `httpbin receives the fields and the file of a form upload as they were sent`() async throws {
      let echo = try await session.upload(to: url + "/post") { form in
        form.append("text", name: "a \"b\"")
        form.append(Array("content".utf8), name: "file", fileName: "x.txt", contentType: "text/plain")
      }.validate().json
      #expect(echo["files"] == ["file": "content"])
      #expect(echo["form"]?.objectValue?.values == ["text"])
    }

    @Test func `httpbin accepts basic and bearer credentials`() async throws {
      let right = session.request(url + "/basic-auth/user/pass%20word").authenticate(user: "user", password: "pass word").validate()
      #expect(try await right.json["authenticated"] == true)
      let wrong = await session.request(url + "/basic-auth/user/word").authenticate(user: "user", password: "other").validate().response()
      #expect(wrong.error?.reason == .validation(.unacceptableStatus(401)))
      #expect(try await session.request(url + "/bearer").authenticate(.bearer("t")).validate().json["token"] == "t")
    }

    @Test func `httpbin's compressed, HTML, XML and image bodies are decoded`() async throws {
      for coding in ["gzip", "deflate", "brotli"] {
        #expect(try await session.request(url + "/\(coding)").validate().json["method"] == "GET")
      }
      #expect(try await session.request(url + "/html").validate().html.select("string(//h1)").text == "Herman Melville - Moby-Dick")
      #expect(try await session.request(url + "/xml").validate().xml.select("count(//slide)").text == "2")
      let image = session.request(url + "/image/png").validate(contentTypes: ["image/*"])
      #expect(try await image.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(await image.response(with: JSONResponseSerializer()).error?.reason.kind == .serialization)
    }

    @Test func `redirects of httpbin are followed, and a cookie that a redirect sets is sent`() async throws {
      let cookies = try await session.request(url + "/cookies/set?a=1").validate().json
      #expect(cookies == ["cookies": ["a": "1"]])
      let chain = await session.request(url + "/redirect/4").redirect(using: Redirector.follow).validate().response()
      #expect(chain.response?.redirects.count == 4)
      let delivered = await session.request(url + "/redirect/4").redirect(using: Redirector.doNotFollow).response()
      #expect(delivered.status == 302)
    }

    @Test func `a request fails at its 21st redirect`() async throws {
      for handler in [nil, Redirector.follow] {
        func get(_ count: Int) async -> DataResponse<[UInt8]> {
          let request = session.request(url + "/redirect/\(count)")
          if let handler { request.redirect(using: handler) }
          return await request.validate().response()
        }
        #expect(await get(20).response?.redirects.count == 20)
        #expect(await get(21).error?.reason == .redirect(.tooMany(limit: 20)))
      }
    }

    @Test func `validation of httpbin responses accepts only the requested statuses and content types`() async throws {
      #expect(await session.request(url + "/status/204").validate().response().error == nil)
      #expect(await session.request(url + "/status/418").validate().response().error?.reason == .validation(.unacceptableStatus(418)))
      #expect(await session.request(url + "/status/418").validate(statuses: 400..<500).response().error == nil)
      let image = await session.request(url + "/image/png", headers: [.accept: "image/*"]).validate().response()
      #expect(image.error == nil)
      let other = await session.request(url + "/image/png").validate(contentTypes: ["text/*", "application/json"]).response()
      guard case .validation(.unacceptableContentType)? = other.error?.reason else {
        Issue.record("\(String(describing: other.error))")
        return
      }
    }

    /// Counts logins.
    final class Login: Authenticator {
      struct Password: AuthenticationCredential {
        var text: String
        var requiresRefresh: Bool { false }
      }
      let logins = Collected<String>()
      let answer: String

      init(answer: String) { self.answer = answer }

      func apply(_ credential: Password, to request: inout TransferRequest) {
        request.credential = .basic(user: "user", password: credential.text)
      }

      func refresh(_ credential: Password) async throws -> Password {
        logins.add(credential.text)
        return Password(text: answer)
      }

      func isRequest(_ request: TransferRequest, authenticatedWith credential: Password) -> Bool {
        request.credential == .basic(user: "user", password: credential.text)
      }
    }

    @Test func `six concurrent requests to httpbin with expired credentials cause one login`() async throws {
      let login = Login(answer: "right")
      let interceptor = AuthenticationInterceptor(login, credential: .init(text: "wrong"))
      let requests = (0..<6).map { _ in session.request(url + "/basic-auth/user/right", interceptor: interceptor).validate().resume() }
      for request in requests { #expect(try await request.json["authenticated"] == true) }
      #expect(login.logins.all == ["wrong"])
      let never = AuthenticationInterceptor(Login(answer: "wrong"), credential: .init(text: "wrong"))
      let response = await session.request(url + "/basic-auth/user/right", interceptor: never).validate().response()
      #expect(response.error?.reason == .authentication(.excessiveRefresh(limit: 5, within: .seconds(30))))
    }

    @Test func `a stream of httpbin is read as JSON lines`() async throws {
      struct Line: Decodable, Sendable { var id: Int }
      var ids: [Int] = []
      for try await line in session.stream(url + "/stream/5").validate().values(of: Line.self) { ids.append(line.id) }
      #expect(ids == [0, 1, 2, 3, 4])
    }

    @Test func `if httpbin responds with status 503, the request is retried twice`() async throws {
      let clock = TestClock()
      var configuration = SessionConfiguration.ephemeral
      configuration.clock = clock.session
      configuration.interceptor = RetryPolicy(random: { 0 })
      let response = await Session(configuration).request(url + "/status/503").validate().response()
      #expect(response.retryCount == 2)
      #expect(response.metrics.count == 3)
      #expect(clock.waits == [.milliseconds(500), .seconds(1)])
    }
  }

  /// Tests with Apache's httpd, for the methods that nginx refuses.
  @Suite(.timeLimit(.minutes(15))) struct Apache {
    let session = Session(.ephemeral)

    @Test func `the response to a TRACE request contains the header of the request`() async throws {
      let name = try #require(HTTPField.Name("X-Trace"))
      let response = await session.request(try ApacheServer.shared().url + "/open.txt", method: .trace, headers: [name: "me"]).response()
      #expect(response.status == 200)
      let text = String(decoding: response.data, as: UTF8.self)
      #expect(text.hasPrefix("TRACE /open.txt HTTP/1.1\r\n"), "\(text)")
      #expect(text.contains("X-Trace: me\r\n"), "\(text)")
    }

    /// Uses HTTP/2 without TLS, negotiated by `Upgrade`.
    @Test func `without TLS, a request is upgraded to version 2 of HTTP`() async throws {
      let url = try ApacheServer.shared().url + "/open.txt"
      for _ in 0..<3 {
        let response = await session.request(url, modify: { $0.settings.version = .http2 }).validate().response()
        #expect(response.response?.version == .http2, "\(String(describing: response.error))")
        #expect(response.data == Array("open\n".utf8))
      }
      #expect(await session.request(url).response().response?.version == .http1_1)
    }

    /// Uses Apache as a proxy, which requires authentication.
    @Test func `a refused CONNECT request returns the response of the proxy`() async throws {
      let response = await session.request(try ApacheServer.shared().url, method: .connect).response()
      #expect(response.status == 407)
      let seen = Captured()
      let server = try RawServer { connection in
        seen.set(connection.readHead())
        connection.send("HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
      }
      #expect(await session.request(server.url + "/path", method: .connect).response().status == 405)
      #expect(seen.text.hasPrefix("CONNECT \(server.url.dropFirst("http://".count)) HTTP/1.1\r\n"), "\(seen.text)")
    }
  }

  /// Tests with nginx, over TLS and HTTP/2.
  @Suite(.timeLimit(.minutes(15))) struct Nginx {
    let server: NginxServer
    let session: Session

    init() throws {
      server = try NginxServer.shared()
      var configuration = SessionConfiguration.ephemeral
      configuration.settings.tls.authorities = server.certificates.authority
      session = Session(configuration)
    }

    @Test func `twenty requests share one HTTP/2 connection`() async throws {
      let url = server.secureURL + "/json"
      let first = await session.request(url).validate().response()
      #expect(first.response?.version == .http2)
      let requests = (0..<20).map { _ in session.request(url).validate().priority(.high).resume() }
      let port = first.metrics.last?.transactions.last?.localPort
      for request in requests {
        let response = await request.response()
        #expect(response.data.count == 200)
        #expect(response.metrics.last?.transactions.last?.localPort == port)
        #expect(response.metrics.last?.transactions.last?.isReused == true)
      }
    }

    @Test func `a request cannot switch off the certificate verification of its session`() async throws {
      let request = session.request(server.selfSignedURL + "/json", modify: { $0.settings.tls.verifies = false })
      let response = await request.response()
      #expect(response.error?.reason.kind == .tls)
      var lax = SessionConfiguration.ephemeral
      lax.settings.tls.verifies = false
      #expect(await Session(lax).request(server.selfSignedURL + "/json").response().status == 200)
    }

    @Test func `a suspended transfer does not block other transfers of the session`() async throws {
      let request = session.request(server.url + "/slow/big.bin")
      var progress = request.downloadProgress.makeAsyncIterator()
      request.resume()
      _ = await progress.next()
      request.suspend()
      // Other requests continue meanwhile.
      for _ in 0..<5 { #expect(await session.request(server.url + "/json").response().status == 200) }
      #expect(request.state == .suspended)
      request.resume()
      _ = await progress.next()
      request.cancel()
      #expect(await request.response().error?.reason == .cancelled)
    }

    @Test func `an event monitor receives the stages of requests to nginx`() async throws {
      let recorder = EventMonitorTests.Recorder()
      var configuration = SessionConfiguration.ephemeral
      configuration.eventMonitors = [recorder]
      let session = Session(configuration)
      _ = try await session.request(server.url + "/json").validate().json
      let stages = ["created", "started", "adapted GET", "transferred 200", "validated ok", "finished ok", "serialized ok"]
      #expect(recorder.words.all == stages)
      _ = await session.request(server.url + "/no-such-file").validate().response()
      #expect(recorder.words.all.dropFirst(stages.count + 3).first == "transferred 404")
      #expect(recorder.words.all.last == "finished validation")
    }

    @Test func `a download from nginx creates a file, and a download with status 404 creates none`() async throws {
      let folder = try TemporaryFolder()
      let download = session.download(server.secureURL + "/json", to: DownloadTarget(path: folder.path, name: .suggested)).validate()
      #expect(try await download.data.count == 200)
      #expect(folder.names == ["json"])
      let missing = await session.download(server.secureURL + "/no-such-file", to: DownloadTarget(path: folder.path + "/x")).validate()
        .response()
      #expect(missing.error?.reason == .validation(.unacceptableStatus(404)))
      #expect(folder.names == ["json"])
    }
  }
}
