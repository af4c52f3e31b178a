import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandTransfer

@Suite(.timeLimit(.minutes(15))) struct ProbeTests {
  private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

  private func probe(_ configure: (inout TransferSettings) -> Void = { _ in }, limit: Duration = .seconds(20)) -> ReachabilityProbe {
    var settings = TransferSettings()
    configure(&settings)
    return ReachabilityProbe(settings: settings, limit: limit)
  }

  // MARK: Targets

  @Test(arguments: [
    ("https://Example.com", "example.com", 443, true), ("http://u:p@h:8080/a/../b?q#f", "h", 8080, false), ("db:5432", "db", 5432, false),
    ("[::1]:80", "::1", 80, false), ("https://[2001:DB8::1]/", "2001:db8::1", 443, true),
    ("BÜCHER.example:1", "xn--bcher-kva.example", 1, false),
  ])
  func `the target of a reachability check is parsed from a URL or from host and port`(
    _ text: String, _ host: String, _ port: Int, _ isSecure: Bool
  ) throws {
    let target = try ProbeTarget(text)
    #expect(target.host == host && target.port == port && target.isSecure == isSecure)
    #expect(!target.description.contains("u:p"))
  }

  @Test(arguments: [
    ("example.com", "there is no port: write example.com:443"), ("::1", "in brackets"), ("::1:80", "in brackets"),
    ("h:0", "is not a valid port"),
    ("h:+1", "is not a valid port"),
    ("h:65536", "is not a valid port"), ("h:", "is not a valid port"), ("ftp://h/", "the scheme ftp: is not supported"),
    ("//h/", "no scheme"),
    ("a b:1", "is not a host name"),
    ("[zz]:1", "is not an IPv6 address"), ("", "there is no port"),
  ])
  func `an invalid target of a reachability check is refused with an error that contains the reason`(_ text: String, _ words: String) {
    let error = #expect(throws: ProbeTargetError.self) { try ProbeTarget(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  // MARK: Against servers

  @Test func `a reachability check reports each phase of the connection and the response status`() async throws {
    let nginx = try NginxServer.shared()
    let report = await probe { $0.tls.authorities = nginx.certificates.authority }.run(try ProbeTarget(nginx.secureURL + "/status/404"))
    #expect(report.isReachable, "\(report.summary)")
    #expect(report.lookup?.source == .hosts("/etc/hosts"))
    let path = try #require(report.paths.first { $0.failure == nil })
    // Any status counts as a response.
    #expect(path.status == 404)
    #expect(path.connect != nil && path.secure != nil && path.answer != nil)
  }

  @Test func `a reachability check that only opens a connection sends no request`() async throws {
    let nginx = try NginxServer.shared()
    let report = await probe { $0.tls.authorities = nginx.certificates.authority }
      .run(try ProbeTarget(nginx.secureURL + "/"), depth: .connection)
    let path = try #require(report.paths.first { $0.failure == nil })
    #expect(path.secure != nil && path.answer == nil && path.status == nil)
    let seen = Captured()
    let silent = try RawServer { seen.add($0.readHead()) }
    #expect(await probe().run(try ProbeTarget("127.0.0.1:\(silent.port)")).isReachable)
    #expect(
      await probe().run(ProbeTarget(Origin(scheme: "http", host: "127.0.0.1", port: Int(silent.port))), depth: .connection).isReachable)
    #expect(seen.all.joined().isEmpty)
  }

  @Test func `a reachability check does not read the body of the response`() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while connection.send("5\r\nhello\r\n") {}
    }
    let report = await probe().run(try ProbeTarget(server.url + "/endless"))
    #expect(report.paths.first?.status == 200)
  }

  @Test func `a reachability check reports a refused connection`() async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let report = await probe().run(try ProbeTarget("127.0.0.1:\(nobody.number)"))
    #expect(report.failure == .refused)
    #expect(report.summary == "connection refused (IPv4 127.0.0.1)")
    #expect(report.paths.first?.connect == nil)
  }

  @Test func `a reachability check reports a server that does not speak HTTP`() async throws {
    let silent = try RawServer { $0.readToEnd() }
    let resetting = try RawServer { connection in
      _ = connection.readHead()
      connection.reset()
    }
    let other = try RawServer { connection in
      connection.send("220 mail.example ESMTP\r\n")
      connection.readToEnd()
    }
    for (server, limit) in [(silent, Duration.seconds(3)), (resetting, .seconds(20)), (other, .seconds(20))] {
      let report = await probe(limit: limit).run(try ProbeTarget(server.url + "/"))
      #expect(report.failure?.kind == .noHTTP, "\(report.summary)")
      #expect(report.paths.first?.connect != nil)
      #expect(report.summary.hasPrefix("connected, but received no HTTP response"))
    }
  }

  @Test func `a reachability check reports the reason for a TLS failure`() async throws {
    let nginx = try NginxServer.shared()
    let plain = try RawServer { connection in
      connection.send(Self.hello)
      connection.readToEnd()
    }
    for (url, failure) in [
      (nginx.expiredURL, NetworkingError.TLS.untrusted), (nginx.selfSignedURL, .untrusted), (nginx.wrongHostURL, .wrongHost),
      ("https://127.0.0.1:\(plain.port)", .handshake),
    ] {
      let report = await probe { $0.tls.authorities = nginx.certificates.authority }.run(try ProbeTarget(url + "/"), depth: .connection)
      guard case .tls(let found, let detail)? = report.failure else {
        Issue.record("\(url): \(report.summary)")
        continue
      }
      #expect(found == failure, "\(url): \(detail)")
      #expect(detail.hasPrefix("the certificate names `example.com`, but not `") == (failure == .wrongHost), "\(detail)")
      #expect(report.paths.contains { $0.connect != nil && $0.secure == nil })
    }
  }

  @Test func `if a reachability check times out, the report names the phase that did not end, such as the TLS handshake`() async throws {
    let silent = try RawServer { $0.readToEnd() }
    let report = await probe(limit: .seconds(3)).run(try ProbeTarget("https://127.0.0.1:\(silent.port)/"))
    #expect(report.failure == .timedOut(.securing, after: .seconds(3)))
    #expect(report.paths.first?.connect != nil)
  }

  @Test func `a reachability check connects through the configured proxy and reports the errors of this proxy`() async throws {
    let nginx = try NginxServer.shared()
    let port = try #require(URLReference(nginx.secureURL).port)
    let tunnel = try TunnelProxy(to: UInt16(port))
    let report = await probe {
      $0.proxy = .url("http://canary:secret@127.0.0.1:\(tunnel.url.split(separator: ":").last ?? "")")
      $0.tls.authorities = nginx.certificates.authority
    }.run(try ProbeTarget("https://localhost:\(port)/"))
    #expect(report.isReachable && report.lookup == nil, "\(report.summary)")
    #expect(!report.summary.contains("secret"))
    let refusing = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    }
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    for proxy in [refusing.url, "http://127.0.0.1:\(nobody.number)", "http://no.such.host.invalid:1"] {
      let report = await probe { $0.proxy = .url(proxy) }.run(try ProbeTarget("https://shop.invalid/"))
      #expect(report.failure?.kind == .proxy, "\(proxy): \(report.summary)")
    }
  }

  @Test func `a reachability check uses the same overrides of addresses and sockets as a request`() async throws {
    let nginx = try NginxServer.shared()
    let port = try #require(URLReference(nginx.url).port)
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let free = Int(nobody.number)
    let resolved = await probe {
      $0.resolve = [ResolveOverride(host: "shop.invalid", port: port, addresses: ["127.0.0.1"])]
    }.run(try ProbeTarget("http://shop.invalid:\(port)/json"))
    #expect(resolved.paths.first?.status == 200 && resolved.lookup?.source == .given, "\(resolved.summary)")
    let connected = await probe {
      $0.connectTo = [ConnectOverride(host: "shop.invalid", port: free, toHost: "127.0.0.1", toPort: port)]
    }.run(try ProbeTarget("http://shop.invalid:\(free)/json"))
    #expect(connected.paths.first?.status == 200, "\(connected.summary)")
    let socket = await probe { $0.unixSocket = nginx.unixSocket }.run(try ProbeTarget("http://shop.invalid/json"))
    #expect(socket.paths.first?.status == 200 && socket.paths.first?.kind == .unixSocket, "\(socket.summary)")
    let missing = await probe { $0.unixSocket = "/no/such.sock" }.run(try ProbeTarget("http://shop.invalid/json"))
    #expect(missing.failure != nil)
  }

  @Test func `a reachability check reports a host name that can't be resolved`() async throws {
    let resolver = NameResolver(
      files: ResolverFiles(hostsPath: "/dev/null", configurationPath: "/dev/null"),
      question: NameserverQuestion(patience: .milliseconds(10), port: LoopbackPort.free()),
      system: { _, _ in .failure(code: -2, number: 0) })
    let probe = ReachabilityProbe(settings: TransferSettings(), limit: .seconds(20), engine: Engine(), resolver: resolver)
    let report = await probe.run(try ProbeTarget("https://shop.invalid/"))
    #expect(report.failure?.kind == .name)
    #expect(report.paths.isEmpty)
    #expect(report.summary.hasPrefix("could not resolve the host name shop.invalid: "))
  }

  @Test func `a reachability check ends when it is cancelled`() async throws {
    let silent = try RawServer { $0.readToEnd() }
    let probe = probe(limit: .seconds(3600))
    let target = try ProbeTarget(silent.url + "/")
    let task = Task { await probe.run(target) }
    task.cancel()
    #expect(await !task.value.isReachable)
  }

  // MARK: Waiting

  @Test func `the pauses between repeated reachability checks grow until the time limit is reached`() async throws {
    let reserved = ReservedPort()
    let clock = TestClock()
    let told = Captured()
    let wait = ReachabilityWait(probe: probe(), limit: .seconds(10), clock: clock.session)
    let reports = await wait.run([try ProbeTarget("127.0.0.1:\(reserved.number)")]) { told.add($0.summary) }
    #expect(reports.map(\.isReachable) == [false])
    #expect(clock.waits.prefix(4) == [.milliseconds(100), .milliseconds(150), .milliseconds(225), .microseconds(337_500)])
    #expect(clock.waits.max() == .seconds(2))
    #expect(clock.waits.reduce(.zero, +) == .seconds(10))
    #expect(told.all.count == clock.waits.count && Set(told.all) == ["connection refused (IPv4 127.0.0.1)"])
    withExtendedLifetime(reserved) {}
  }

  @Test func `with a time limit of zero, the reachability of a host is checked once`() async throws {
    let clock = TestClock()
    let reports = await ReachabilityWait(probe: probe(), limit: .zero, clock: clock.session).run([try ProbeTarget("127.0.0.1:1")])
    #expect(reports.map(\.isReachable) == [false] && clock.waits.isEmpty)
  }

  // MARK: Words

  @Test func `if a reachability check fails at every address, it reports the failure of the attempt that got furthest`() throws {
    var six = ProbePath(.ipv6, address: "::1")
    six.failure = .noRoute(detail: "Network is unreachable")
    var four = ProbePath(.ipv4, address: "127.0.0.1")
    four.failure = .tls(.untrusted, detail: "certificate has expired")
    let target = try ProbeTarget("https://localhost/")
    let report = ProbeReport(target: target, lookup: nil, paths: [six, four], duration: .zero)
    #expect(report.failure?.kind == .tls)
    #expect(
      report.summary
        == "IPv6 ::1: no route: Network is unreachable; IPv4 127.0.0.1: the server's certificate is not trusted: certificate has expired")
    six.failure = nil
    #expect(ProbeReport(target: target, lookup: nil, paths: [six, four], duration: .zero).isReachable)
  }
}
