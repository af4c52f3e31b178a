import HTTPTypes
import Testing

@testable import GarlandTransfer

/// Tests the smaller parts of a request's state, each without a socket.
@Suite struct HopTests {
  // MARK: The route

  @Test func `after a failed connection, the next address of the host is tried until no address is left`() {
    var route = HopRoute()
    route.addressCount = 2
    let first = route.tryNextAddress()
    #expect(first)
    #expect(route.addressIndex == 1)
    let second = route.tryNextAddress()
    #expect(!second)
  }

  @Test func `a redirected request goes to the host's first address, even if the original request went to the second address`() {
    var route = HopRoute()
    route.addressCount = 2
    _ = route.tryNextAddress()
    route.followRedirect()
    #expect(route.addressIndex == 0)
    let first = route.tryNextAddress()
    #expect(!first)
  }

  @Test func `the target of a redirect can be sent again after a lost connection, even if the original request was sent again`() {
    var route = HopRoute()
    route.isRepeated = true
    route.followRedirect()
    #expect(!route.isRepeated)
  }

  @Test func `if a request is sent again, the time of its first attempt does not count as waiting for a connection`() {
    let transfer = Transfer(request: TransferRequest(url: "http://h.invalid/"), progress: nil) { _ in }
    transfer.startedAt = 1_000
    transfer.beginHop(at: 3_000)
    transfer.beginHop(at: 9_000)
    #expect(transfer.metrics.queued == .nanoseconds(2_000))
  }

  @Test func `only the repetition of a request after a lost connection is marked in the metrics`() {
    let transfer = Transfer(request: TransferRequest(url: "http://h.invalid/"), progress: nil) { _ in }
    transfer.beginHop(at: 0)
    transfer.route.isRepeated = true
    transfer.beginHop(at: 0)
    transfer.route.followRedirect()
    transfer.beginHop(at: 0)
    #expect(transfer.metrics.transactions.map(\.isSentAgain) == [false, true, false])
  }

  @Test(arguments: [(nil, false, false), ("http://p:1", true, true), ("SOCKS5h://p:1", true, false)] as [(String?, Bool, Bool)])
  func `a tunnel is requested only from an HTTP proxy`(url: String?, usesProxy: Bool, usesHTTPProxy: Bool) {
    var route = HopRoute()
    route.negotiatesWithProxy = true
    route.use(proxy: url)
    #expect(route.usesProxy == usesProxy)
    #expect(route.usesHTTPProxy == usesHTTPProxy)
    #expect(!route.negotiatesWithProxy)
  }

  // MARK: The proof

  private func problem(_ line: String) -> String? {
    var proof = HopProof()
    Array(line.utf8).withUnsafeBytes { proof.takeDebugText($0) }
    return proof.ticketProblem
  }

  @Test func `a log line of libcurl is reported as an authentication problem only if it is about a missing Kerberos ticket`() {
    #expect(problem("gss_init_sec_context() failed: No credentials  available. \n") == "No credentials available")
    #expect(problem("Connected to h\n") == nil)
  }

  @Test func `if a request is sent again, the authentication fields of the earlier attempt are discarded`() {
    var proof = HopProof()
    proof.fields = [HTTPField(name: .authorization, value: "Digest x")]
    proof.usesLibrary = true
    proof.pendingNonce = "n"
    proof.begin()
    #expect(proof.fields.isEmpty)
    #expect(!proof.usesLibrary)
    #expect(proof.pendingNonce == "n", "the challenge that it answers")
    proof.followRedirect()
    #expect(proof.pendingNonce == nil)
  }

  // MARK: The sent head

  private func transfer(_ url: String) throws -> Transfer {
    let transfer = Transfer(request: TransferRequest(url: url), progress: nil) { _ in }
    transfer.hop = RedirectState(
      method: .get, url: try URLReference(url), headerFields: [:], sendsBody: false, credentialFields: [], policy: .deliver)
    return transfer
  }

  @Test func `the request after a redirect is reported with the URL of the redirect`() throws {
    let transfer = try transfer("http://h.invalid/new")
    transfer.sentHead.url = "http://h.invalid/old"
    #expect(transfer.sentRequest.url == "http://h.invalid/old")
    transfer.sentHead.followRedirect()
    #expect(transfer.sentRequest.url == "http://h.invalid/new")
  }

  @Test func `a request that was not sent yet is reported without the password and the fragment of its URL`() throws {
    let transfer = try transfer("http://u:p@h.invalid/a?b#c")
    #expect(transfer.sentRequest.url == "http://h.invalid/a?b")
  }

  @Test func `the target of a redirect is not sent with the authority of the first URL`() throws {
    var head = SentHead()
    head.knownAuthority = LastAuthority(try URLReference("http://h.invalid/"))
    head.followRedirect()
    #expect(head.knownAuthority == nil)
  }

  // MARK: The connection of a stream

  @Test func `the connection of a stream is taken from its transfer once, and the transfer uses it no more`() throws {
    let transfer = try transfer("http://h.invalid/")
    let easy = try #require(EasyHandle())
    defer { easy.close() }
    transfer.easy = easy
    transfer.keepHandle()
    #expect(transfer.easy == nil)
    let first = transfer.takeHandle()
    #expect(first === easy)
    let second = transfer.takeHandle()
    #expect(second == nil)
  }

  // MARK: Local content

  @Test(
    arguments: [(Transfer.State.waiting, NetworkingError.Phase.waiting), (.running, .receiving)]
      as [(Transfer.State, NetworkingError.Phase)])
  func `a transfer of a local resource is never in a phase of connecting`(state: Transfer.State, phase: NetworkingError.Phase) throws {
    let transfer = try transfer("data:,a")
    transfer.local.resource = try LocalResource("data:,a")
    transfer.state = state
    #expect(transfer.phase == phase)
  }

  @Test(arguments: [("data:,a", HTTPVersion.data), ("file:///a", .file), ("ftp://h.invalid/a", .ftp)] as [(String, HTTPVersion)])
  func `the response to a URL of another scheme than HTTP has the scheme as its version`(url: String, version: HTTPVersion) throws {
    let transfer = Transfer(request: TransferRequest(url: url), progress: nil) { _ in }
    transfer.local.resource = try LocalResource(url)
    let isExpected = transfer.beginResponse(type: "text/plain", length: 1)
    #expect(isExpected)
    #expect(transfer.intake.head.version == version)
  }

  // MARK: Timers

  /// Returns a closure that returns a completed transfer with timers, or nil after the transfer was released.
  private func completed() -> () -> Transfer? {
    let transfer = Transfer(request: TransferRequest(url: "http://h.invalid/"), progress: nil) { _ in }
    transfer.place.idleTimer = LoopTimer(.idle(transfer))
    transfer.place.progressTimer = LoopTimer(.progress(transfer))
    transfer.place.deadlineTimer = LoopTimer(.deadline(transfer))
    transfer.complete(.failure(NetworkingError(.cancelled)))
    return { [weak transfer] in transfer }
  }

  @Test func `a completed transfer is released although its timers refer to it`() {
    let found = completed()
    #expect(found() == nil)
  }

  // MARK: Limits

  private func head(_ lines: [String]) throws -> ResponseHead {
    var head = ResponseHead()
    for line in lines {
      let bytes = Array("\(line)\r\n".utf8)
      _ = try bytes.withUnsafeBytes { buffer -> Result<ResponseHead.Line, InvalidHead> in
        do throws(InvalidHead) { return .success(try head.take(buffer)) } catch { return .failure(error) }
      }.get()
    }
    return head
  }

  @Test func `a response header with too many bytes or too many fields is refused`() throws {
    var settings = TransferSettings()
    settings.maximumHeaderBytes = 40
    settings.maximumHeaderFields = 1
    let limits = TransferLimits(settings)
    #expect(limits.excess(of: try head(["HTTP/1.1 200 OK", "A: b"])) == nil)
    #expect(limits.excess(of: try head(["HTTP/1.1 200 OK", "A: b", "C: d"])) == .tooManyFields(limit: 1))
    #expect(
      limits.excess(of: try head(["HTTP/1.1 200 OK", "A: 1234567890123456789012345"])) == .headerTooLarge(limit: 40))
  }

  // MARK: Progress

  @Test func `the progress of a transfer is reported at most every 50 ms`() {
    var teller = ProgressTeller { _ in }
    let first = teller.noteBytes()
    #expect(first)
    let second = teller.noteBytes()
    #expect(!second, "the core knows already")
    let third = teller.next(at: 100, isRunning: true)
    #expect(third == .tell)
    let fourth = teller.noteBytes()
    #expect(fourth)
    let fifth = teller.next(at: 200, isRunning: true)
    #expect(fifth == .wait(until: 50_000_100))
    let sixth = teller.next(at: 50_000_100, isRunning: true)
    #expect(sixth == .tell)
    let seventh = teller.next(at: 50_000_200, isRunning: false)
    #expect(seventh == .rest)
  }

  @Test func `if the caller does not observe progress, the progress of a transfer is not reported`() {
    var teller = ProgressTeller(nil)
    #expect(!teller.isHeard)
    let first = teller.noteBytes()
    #expect(!first)
  }

  // MARK: The cache

  @Test func `after a redirect, the cache can be used even if the stored response for the first URL was unusable`() {
    var cache = CacheUse()
    cache.distrust()
    #expect(cache.isDistrusted)
    cache.followRedirect()
    #expect(!cache.isDistrusted)
  }

  // MARK: A download that is continued

  private static let data = ResumeData(url: "http://h/f", path: "p", validator: .entityTag("\"a\""), length: 10)

  private func answer(_ status: Int, _ fields: HTTPFields, to continuation: inout DownloadContinuation) -> (goesOn: Bool, ResponseIntake) {
    var intake = ResponseIntake()
    intake.head = ResponseHead(status: status, reason: "", fields: fields, version: .http1_1)
    let goesOn = continuation.resumes(with: &intake)
    return (goesOn, intake)
  }

  @Test func `if a download is resumed, its received bytes include the bytes of the partial file`() {
    var continuation = DownloadContinuation()
    continuation.take(Resumption(Self.data, offset: 4))
    var (goesOn, intake) = answer(206, [.eTag: "\"a\"", .contentRange: "bytes 4-9/10"], to: &continuation)
    #expect(goesOn)
    #expect(continuation.use == .continued)
    #expect(intake.head.status == 200)
    #expect(intake.received == 4)
    #expect(continuation.missingRest(in: intake) == .truncated(received: 4, expected: 10))
    intake.received = 10
    #expect(continuation.missingRest(in: intake) == nil)
    #expect(continuation.excess(in: intake) == nil)
    intake.received = 11
    #expect(continuation.excess(in: intake)?.kind == .invalidResponse)
  }

  @Test func `a partial response to a request without a range is refused`() {
    var continuation = DownloadContinuation()
    let (goesOn, intake) = answer(206, [.contentRange: "bytes 4-9/10"], to: &continuation)
    #expect(goesOn)
    #expect(continuation.use == .none)
    #expect(intake.failure?.kind == .invalidResponse)
  }

  @Test func `if a file has changed on the server, a resumed download replaces the partial file by the new file`() {
    var continuation = DownloadContinuation()
    continuation.take(Resumption(Self.data, offset: 4))
    let (goesOn, intake) = answer(200, [.eTag: "\"b\""], to: &continuation)
    #expect(goesOn)
    #expect(continuation.use == .replaced)
    #expect(intake.received == 0)
  }
}
