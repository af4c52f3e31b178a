import Foundation
import GarlandJSON
import Synchronization
import TestSupport
import Testing

/// Tests of `garland reach`, and of checking hosts before a run.
@Suite(.timeLimit(.minutes(15))) struct ReachTests {
  private static let hello: @Sendable (RawConnection) -> Void = { connection in
    while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
  }

  /// Returns the text without times and ports, which differ each time.
  private func plain(_ text: String, _ ports: [UInt16]) -> String {
    var text = text
    for (index, port) in ports.enumerated() { text = text.replacing("\(port)", with: "PORT\(index)") }
    return text.replacing(#/ *\d[\d.]* ms */#, with: " TIME ").replacing(#/  +/#, with: "  ")
  }

  @Test func `garland reach shows the phases of each connection attempt with their times`() async throws {
    let nginx = try NginxServer.shared()
    let server = try RawServer(Self.hello)
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let dead = reserved.number
    let port = try #require(nginx.secureURL.split(separator: ":").last.flatMap { UInt16($0) })
    let result = try await Garland.run([
      "reach", server.url + "/health", "127.0.0.1:\(dead)", nginx.secureURL + "/json", "--ca", nginx.certificates.authority,
    ])
    #expect(result.status == 3, "\(result.error)")
    let lines = plain(result.output, [server.port, dead, port]).split(separator: "\n").map(String.init)
    #expect(lines.first?.split(separator: " ").map(String.init) == ["target", "way", "DNS", "TCP", "TLS", "HTTP"])
    #expect(lines.contains { $0.hasPrefix("up  http://127.0.0.1:PORT0/health  IPv4 127.0.0.1") && $0.contains("200 in") }, "\(lines)")
    #expect(lines.contains { $0 == "down  127.0.0.1:PORT1  IPv4 127.0.0.1  connection refused" }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("up  https://localhost:PORT2/json  IPv") && $0.contains("200 in") }, "\(lines)")
    #expect(result.error.isEmpty)
  }

  @Test func `garland reach --json writes one JSON object for each target`() async throws {
    let server = try RawServer(Self.hello)
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let dead = reserved.number
    let result = try await Garland.run(["reach", server.url, "127.0.0.1:\(dead)", "--json"])
    #expect(result.status == 3)
    let json = try JSONValue(parsing: result.output)
    #expect(json[0]?["reachable"] == .bool(true))
    #expect(json[0]?["ways"]?[0]?["status"]?.intValue == 200)
    #expect(json[0]?["dns"]?["addresses"]?[0]?.stringValue == "127.0.0.1")
    #expect(json[1]?["error"]?["kind"]?.stringValue == "refused")
    #expect(json[1]?["ways"]?[0]?["tcp_seconds"]?.isNull == true)
  }

  @Test(arguments: [
    (["reach"], "Missing expected argument"), (["reach", "db"], "there is no port: write db:443"),
    (["reach", "h:1", "--watch", "--wait", "5s"], "can't be combined"),
    (["reach", "h:1", "--interval", "5s"], "--interval needs --watch"),
    (["reach", "h:1", "--wait", "5"], "--wait"),
  ])
  func `an invalid command line of garland reach is refused`(_ arguments: [String], _ words: String) async throws {
    let result = try await Garland.run(arguments)
    #expect(result.status == 2)
    #expect(result.error.contains(words), "\(result.error)")
  }

  @Test func `garland reach reports a missing CA file as an error and not as an unreachable host`() async throws {
    let result = try await Garland.run(["reach", "https://localhost:1", "--ca", "/no/such.pem"])
    #expect(result.status == 4 && result.error.contains("/no/such.pem: No such file"))
  }

  @Test func `garland reach --wait passes if the server starts before the time limit`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let child = try Garland.start(["reach", "http://127.0.0.1:\(port)/", "--wait", "250s"])
    #expect(await child.sees("waiting for http://127.0.0.1:\(port)/: connection refused (IPv4 127.0.0.1)\n"))
    let server = try RawServer(port: port, Self.hello)
    let result = await child.result
    #expect(result.status == 0, "\(result.error)")
    // The line appears only once, even if the host is probed several times.
    #expect(result.error.split(separator: "\n").count == 1)
    withExtendedLifetime(server) {}
  }

  @Test func `garland reach --watch prints a line whenever a host becomes reachable or unreachable`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let child = try Garland.start(["reach", "127.0.0.1:\(port)", "--watch", "--interval", "20ms"])
    #expect(await child.sees("down  127.0.0.1:\(port)  connection refused (IPv4 127.0.0.1)\n"))
    var server: RawServer? = try RawServer(port: port) { $0.readToEnd() }
    #expect(await child.sees("up    127.0.0.1:\(port)  reached by IPv4 127.0.0.1\n"))
    withExtendedLifetime(server) {}
    server = nil
    child.signal(2)
    let result = await child.result
    #expect(result.status == 130)
  }

  // MARK: Before a run

  private func document(_ steps: String, _ more: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\n\(more)steps:\n\(steps)")
    return folder
  }

  @Test func `if a host is down, a run with --preflight or the key 'preflight' sends no request`() async throws {
    let seen = Mutex(0)
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        seen.withLock { $0 += 1 }
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let dead = reserved.number
    let steps = "  a: { get: '\(server.url)/' }\n  b: { get: 'http://127.0.0.1:\(dead)/' }\n"
    for (arguments, more) in [(["--preflight"], ""), ([], "reachability: { preflight: true }\n"), (["--wait", "200ms"], "")] {
      let folder = try document(steps, more)
      let result = try await Garland.run(["run", "w.yaml"] + arguments, in: folder.path)
      #expect(result.status == 3)
      #expect(result.error.contains("down  http://127.0.0.1:\(dead)"), "\(result.error)")
      #expect(result.error.contains("error: http://127.0.0.1:\(dead) can't be reached; nothing was sent"), "\(result.error)")
    }
    #expect(seen.withLock { $0 } == 0)
  }

  @Test func `a run with the keys 'preflight' and 'wait' starts when all hosts are up`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let folder = try document("  a: { get: 'http://127.0.0.1:\(port)/' }\n", "reachability: { preflight: true, wait: 50s }\n")
    let child = try ChildProcess(Garland.path, ["run", "w.yaml"], environment: ["CI": nil, "http_proxy": nil], in: folder.path)
    #expect(await child.sees("waiting for http://127.0.0.1:\(port): connection refused (IPv4 127.0.0.1)\n"))
    let server = try RawServer(port: port, Self.hello)
    let result = await child.result
    #expect(result.status == 0, "\(result.error)\(result.output)")
    #expect(result.error.contains("up  http://127.0.0.1:\(port)"), "\(result.error)")
    withExtendedLifetime(server) {}
  }

  /// This is the use case in CI after `docker compose up`.
  @Test func `if a server is down, a run with --wait starts as soon as the server is up`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let folder = try document(
      "  a: { get: 'http://127.0.0.1:\(reserved.number)/' }\n  b: { get: 'http://127.0.0.1:\(reserved.number)/b' }\n")
    let child = try Garland.start(["run", "w.yaml", "--wait", "250s"], in: folder.path)
    #expect(await child.sees("waiting for http://127.0.0.1:\(reserved.number): connection refused (IPv4 127.0.0.1)\n"))
    let server = try RawServer(port: reserved.number, Self.hello)
    let result = await child.result
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("2 passed"), "\(result.output)")
    withExtendedLifetime(server) {}
  }

  @Test func `while 'garland run --wait' waits for an unreachable host, Ctrl-C ends the run`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let folder = try document("  a: { get: 'http://127.0.0.1:\(port)/' }\n")
    let child = try Garland.start(["run", "w.yaml", "--wait", "1h"], in: folder.path)
    #expect(await child.sees("waiting for"))
    child.signal(2)
    #expect(await child.result.status == 130)
  }

  // MARK: In a network of its own

  private func runAlone(_ script: String, _ files: [String: String]) async throws -> (result: ChildProcess.Result, folder: TemporaryFolder)
  {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    try folder.write("script.sh", "cd \(folder.path)\nPATH=$PATH:/usr/sbin:/sbin\nGARLAND=\(Garland.path)\nip link set lo up\n" + script)
    let result = try await NetworkNamespace.run("/bin/sh", [folder.path + "/script.sh"], environment: ["CI": nil, "NO_COLOR": nil])
    return (result, folder)
  }

  private static let wire = """
    ip link add v0 type veth peer name v1; ip addr add 10.9.0.1/24 dev v0; ip link set v0 up; ip link set v1 up

    """

  @Test func `if an address drops all packets, a run waits for the connection timeout only once`() async throws {
    var steps = ""
    for index in 0..<40 { steps += "  s\(index): { get: 'http://10.9.0.7/\(index)' }\n" }
    let (result, _) = try await runAlone(
      Self.wire + "ip neigh add 10.9.0.7 lladdr 02:00:00:00:00:07 nud permanent dev v0\n$GARLAND run w.yaml --serial --report json=r.json\n"
        + "status=$?; cat r.json; exit $status\n", ["w.yaml": "garland: 1\ndefaults: { timeout: 300ms }\nsteps:\n\(steps)"])
    #expect(result.status == 3, "\(result.error)")
    #expect(result.output.contains("no connection within 300 ms, while connecting"))
    #expect(result.output.components(separatedBy: "not sent, because http://10.9.0.7 can't be reached: timed out").count > 39)
  }

  @Test func `if a host is found unreachable, all running requests to the host are cancelled`() async throws {
    var steps = "  s0: { get: 'http://10.9.0.7/', timeout: 300ms }\n"
    for index in 1..<6 { steps += "  s\(index): { get: 'http://10.9.0.7/\(index)', timeout: 1h }\n" }
    let (result, _) = try await runAlone(
      Self.wire + "ip neigh add 10.9.0.7 lladdr 02:00:00:00:00:07 nud permanent dev v0\n$GARLAND run w.yaml\n",
      ["w.yaml": "garland: 1\nsteps:\n\(steps)"])
    #expect(result.status == 3, "\(result.error)")
    #expect(result.output.contains("6 unreachable"), "\(result.output)")
  }

  @Test func `'garland curl' refuses a step with the key 'reach', because this step sends no request`() async throws {
    let folder = try document("  a: { reach: 'db:5432' }\n")
    let result = try await Garland.run(["curl", "w.yaml", "a"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("the step `a` sends no request"), "\(result.error)")
  }

  @Test func `the error of a failed name lookup names the unreachable nameserver`() async throws {
    let (result, _) = try await runAlone(
      "mount --bind resolv.conf /etc/resolv.conf\n$GARLAND run w.yaml --serial\n",
      [
        "resolv.conf": "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
        "w.yaml": "garland: 1\nsteps:\n  a: { get: 'http://shop.test/' }\n  b: { get: 'http://shop.test/' }\n",
      ])
    #expect(result.status == 3)
    let words = "could not resolve the host name shop.test: the nameserver 127.0.0.1 can't be reached: Connection refused"
    #expect(result.output.contains(words), "\(result.output)")
    #expect(result.output.contains("not sent, because http://shop.test can't be reached: \(words) (detected by `a`)"), "\(result.output)")
  }

  @Test func `if a step is not sent because its server is unreachable, the result of the step contains the reason`() async throws {
    let (result, _) = try await runAlone(
      """
      mount --bind hosts /etc/hosts
      python3 refusing.py & proxy=$!
      $GARLAND reach 127.0.0.1:83 --wait 50s >/dev/null 2>&1
      $GARLAND run w.yaml --serial; status=$?; kill $proxy; exit $status

      """,
      [
        "hosts": "127.0.0.1 both.test\n::1 both.test\n",
        // A proxy that connects to no server.
        "refusing.py": """
        import socket
        server = socket.socket()
        server.bind(('127.0.0.1', 83))
        server.listen()
        while True:
            connection = server.accept()[0]
            connection.recv(4096)
            connection.send(b'HTTP/1.1 502 Bad Gateway\\r\\nContent-Length: 0\\r\\n\\r\\n')
            connection.close()

        """,
        "w.yaml": """
        garland: 1
        steps:
          a: { get: 'http://10.9.0.7/a' }
          b: { get: 'http://10.9.0.7/b' }
          c: { get: 'http://both.test:81/c' }
          d: { get: 'http://both.test:81/d' }
          e: { get: 'http://x.test/e', proxy: 'http://127.0.0.1:82' }
          f: { get: 'http://x.test/f', proxy: 'http://127.0.0.1:82' }
          g: { get: 'https://x.test/g', proxy: 'http://127.0.0.1:83' }
          h: { get: 'https://x.test/h', proxy: 'http://127.0.0.1:83' }

        """,
      ])
    #expect(result.status == 3, "\(result.error)")
    // The first step of each pair is sent, and the second step shows the result of the diagnosis: no route, both IP versions, and the
    // proxies themselves.
    for words in [
      "not sent, because http://10.9.0.7 can't be reached: no route: Network is unreachable (IPv4 10.9.0.7) (detected by `a`)",
      "not sent, because http://both.test:81 can't be reached: connection refused (IPv6 ::1, IPv4 127.0.0.1) (detected by `c`)",
      "not sent, because http://x.test can't be reached: the connection through the proxy failed: ",
      "(proxy http://127.0.0.1:82) (detected by `e`)",
      "not sent, because https://x.test can't be reached: the connection through the proxy failed: CONNECT tunnel failed, response 502 (proxy http://127.0.0.1:83) (detected by `g`)",
    ] {
      #expect(result.output.contains(words), "\(words)\n\(result.output)")
    }
  }

  @Test func `a step with wait_for_connectivity waits until the network is up and then sends its request`() async throws {
    let (result, _) = try await runAlone(
      "python3 -m http.server 8080 --bind 0.0.0.0 >/dev/null 2>&1 & server=$!\n$GARLAND reach 127.0.0.1:8080 --wait 50s >/dev/null\n"
        // The run reports that it waits; then the network link is enabled.
        + "$GARLAND run w.yaml >out 2>err & run=$!\nuntil grep -q 'waits for the network' err; do :; done\n" + Self.wire
        + "wait $run; status=$?; cat out err; kill $server; exit $status\n",
      [
        "w.yaml":
          "garland: 1\nsteps:\n  here: { get: 'http://127.0.0.1:8080/' }\n  away: { get: 'http://10.9.0.1:8080/', wait_for_connectivity: true }\n"
      ])
    #expect(result.output.contains("the step `away` waits for the network: no route to 10.9.0.1"), "\(result.output)\(result.error)")
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test func `if the host of a step with allow_failure is down before the run, the exit status in the reports is 3, too`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml", "garland: 1\nsteps:\n  down: { get: 'http://127.0.0.1:\(reserved.number)/', allow_failure: true }\n")
    let result = try await Garland.run(["run", "w.yaml", "--preflight", "--report", "json=r.json"], in: folder.path)
    #expect(result.status == 3)
    let run = try JSONValue(parsing: try folder.read("r.json"))["run"]
    #expect(run?["exitStatus"] == 3 && run?["counts"]?["unreachable"] == 1)
  }

  @Test func `a run that ends before its first step because a host is down still writes its reports`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let server = try RawServer(Self.hello)
    let folder = try TemporaryFolder()
    let down = "http://127.0.0.1:\(reserved.number)"
    try folder.write(
      "w.yaml",
      """
      garland: 1
      steps:
        up: { get: "\(server.url)/" }
        down: { get: "\(down)/" }
        called: { call: other.yaml, with: { base: "\(down)" } }
        after: { get: "\(server.url)/${down.status}" }

      """)
    try folder.write(
      "other.yaml", "garland: 1\ninputs: { base: { type: string } }\nsteps: { a: { get: \"${inputs.base}/\" } }\n")
    // Reports of an earlier run.
    try folder.write("r.json", "{}")
    try folder.write("r.xml", "<old/>")
    let reports = ["--report", "json=r.json", "--report", "junit=r.xml"]
    let result = try await Garland.run(["run", "w.yaml", "--preflight"] + reports, in: folder.path)
    #expect(result.status == 3)
    // The console shows the reason only once.
    #expect(result.output.isEmpty, "\(result.output)")
    #expect(result.error.contains("error: \(down) can't be reached; nothing was sent"), "\(result.error)")
    let report = try JSONValue(parsing: try folder.read("r.json"))
    let results = report["results"]?.arrayValue ?? []
    #expect(results.compactMap { $0["outcome"]?.stringValue } == ["not run", "unreachable", "unreachable", "not run"])
    #expect(results.allSatisfy { $0["reason"]?.stringValue?.contains("\(down) can't be reached") == true }, "\(results)")
    #expect(report["run"]?["exitStatus"]?.intValue == 3)
    let junit = String(decoding: try folder.read("r.xml"), as: UTF8.self)
    #expect(junit.contains("errors=\"2\"") && junit.contains("skipped=\"2\"") && !junit.contains("<old/>"), "\(junit)")

    let child = try Garland.start(["run", "w.yaml", "--wait", "1h"] + reports, in: folder.path)
    #expect(await child.sees("waiting for"))
    child.signal(SIGTERM)
    #expect(await child.result.status == 143)
    let second = try JSONValue(parsing: try folder.read("r.json"))
    #expect(second["run"]?["interruptedBy"]?.stringValue == "SIGTERM")
    #expect((second["results"]?.arrayValue ?? []).allSatisfy { $0["outcome"]?.stringValue == "not run" })

    let unwritable = try await Garland.run(["run", "w.yaml", "--preflight", "--report", "json=/dev/full"], in: folder.path)
    #expect(unwritable.status == 4, "\(unwritable.error)")
  }
}
