import Dispatch
import Glibc
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandTransfer

@Suite(.timeLimit(.minutes(15))) struct ResolverTests {
  @Test func `resolv.conf yields at most three nameservers`() {
    #expect(
      ResolverFiles.nameservers(in: "# comment\nnameserver 10.0.0.1\n nameserver\tfe80::1%eth0 ; why\nnameserver\noptions ndots:2\n") == [
        "10.0.0.1", "fe80::1%eth0",
      ])
    #expect(ResolverFiles.nameservers(in: "nameserver 1\nnameserver 2\nnameserver 3\nnameserver 4\n") == ["1", "2", "3"])
    #expect(ResolverFiles.nameservers(in: "") == ["127.0.0.1"])
  }

  @Test func `names in the hosts file are found in any letter case, and comments are ignored`() {
    let hosts = "127.0.0.1 localhost\n10.0.0.5\tShop.Test  shop # the shop\n#10.0.0.6 other.test\n"
    #expect(ResolverFiles.hosts(hosts, contain: "shop.test"))
    #expect(ResolverFiles.hosts(hosts, contain: "SHOP"))
    #expect(!ResolverFiles.hosts(hosts, contain: "other.test"))
    #expect(!ResolverFiles.hosts(hosts, contain: "10.0.0.5"))
  }

  @Test(arguments: [
    ("shop", "search corp.test test\n", "shop.corp.test"), ("shop.eu", "search corp.test\n", "shop.eu"),
    ("shop.eu", "search corp.test\noptions rotate ndots:2\n", "shop.eu.corp.test"), ("shop.", "search corp.test\n", "shop."),
    ("shop", "", "shop"),
  ])
  func `a short host name is completed by the search domain`(_ name: String, _ configuration: String, _ expected: String) {
    #expect(ResolverFiles.qualified(name, by: configuration) == expected)
  }

  // MARK: Messages

  /// The question for `a.example` has the format of RFC 1035, section 4.1.2.
  @Test func `a DNS question is written as defined in RFC 1035`() {
    let question = DNSMessage.question("a.example", id: 0x1234)
    #expect(question == [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 7] + Array("example".utf8) + [0, 0, 1, 0, 1])
    #expect(DNSMessage.question("a.example.", id: 0x1234) == question)
    for name in ["", "a..b", ".", String(repeating: "a", count: 64), String(repeating: "abc.", count: 64) + "d"] {
      #expect(DNSMessage.question(name, id: 1) == nil, "\(name)")
    }
  }

  private func answer(code: UInt8 = 0, records: [[UInt8]] = [], flags: UInt8 = 0x81) throws -> [UInt8] {
    let question = try #require(DNSMessage.question("a.example", id: 7))
    return [0, 7, flags, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0] + question[12...] + records.flatMap { $0 }
  }

  private let address: [UInt8] = [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1]
  private let alias: [UInt8] = [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 4, 1, 0x62, 0xC0, 14]

  @Test func `a DNS response is classified as an address, as no address, as an unknown name, as an error or as malformed`() throws {
    #expect(DNSMessage.verdict(of: try answer(records: [alias, address]), id: 7) == .hasAddress)
    #expect(DNSMessage.verdict(of: try answer(records: [alias]), id: 7) == .noAddress)
    #expect(DNSMessage.verdict(of: try answer(), id: 7) == .noAddress)
    #expect(DNSMessage.verdict(of: try answer(code: 3), id: 7) == .noSuchName)
    #expect(DNSMessage.verdict(of: try answer(code: 2), id: 7) == .failed("SERVFAIL"))
    #expect(DNSMessage.verdict(of: try answer(code: 11), id: 7) == .failed("error 11"))
    // The cases are the response to another question, an echo, a truncated response, and a response with the
    // truncation flag.
    #expect(DNSMessage.verdict(of: try answer(), id: 8) == nil)
    #expect(DNSMessage.verdict(of: try answer(flags: 0x01), id: 7) == .malformed)
    #expect(DNSMessage.verdict(of: try answer(records: [alias.dropLast(3) + []]), id: 7) == .malformed)
    #expect(DNSMessage.verdict(of: try answer(records: [alias.dropLast(3) + []], flags: 0x83), id: 7) == .hasAddress)
  }

  @Test func `random DNS responses never crash the parser`() throws {
    var generator = SeededRandom(seed: 12)
    let seed = try answer(records: [alias, address])
    for _ in 0..<WireFuzzTests.rounds {
      var bytes = seed
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        bytes[Int.random(in: 2..<bytes.count, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / Int.random(in: 1...8, using: &generator))
      _ = DNSMessage.verdict(of: bytes, id: 7)
    }
  }

  // MARK: Lookups

  /// Returns a resolver that neither reads the system's files nor asks nameservers.
  private func resolver(_ system: @escaping @Sendable (String, AddressFamily) -> NameResolver.SystemAnswer) throws -> NameResolver {
    let files = ResolverFiles(hostsPath: "/dev/null", configurationPath: "/dev/null")
    let question = NameserverQuestion(patience: .milliseconds(10), port: LoopbackPort.free())
    return NameResolver(files: files, question: question, system: system)
  }

  @Test func `the error of a failed name lookup distinguishes an unknown name from a nameserver that does not respond`() async throws {
    for (code, kind) in [(EAI_NONAME, NameFailure.Kind.notFound), (EAI_AGAIN, .unanswered), (-5, .noAddress)] {
      let lookup = try await resolver { _, _ in .failure(code: code, number: 0) }.lookUp("x.test")
      guard case .failure(let failure) = lookup.outcome else {
        Issue.record("\(lookup)")
        continue
      }
      #expect(failure.kind == kind)
      #expect(failure.testimonies.map(\.server) == ["127.0.0.1"])
      #expect(failure.description.hasPrefix("could not resolve the host name x.test: "))
    }
  }

  @Test func `a host name is looked up in its ASCII form, and an address is not looked up`() async throws {
    let asked = Captured()
    let resolver = try resolver { name, _ in
      asked.add(name)
      return .addresses([])
    }
    #expect(await resolver.lookUp("bücher.example").addresses == [])
    #expect(await resolver.lookUp("[::1]").addresses.map(\.description) == ["::1"])
    #expect(asked.all == ["xn--bcher-kva.example"])
    guard case .failure(let failure) = await resolver.lookUp("a b").outcome else {
      Issue.record("an invalid name was looked up")
      return
    }
    #expect(failure.kind == .invalid)
  }

  /// Lookups that never end must not block lookups with a limit, or tasks, in any number.
  @Test func `hanging name lookups do not block other lookups or tasks`() async throws {
    let hanging = DispatchSemaphore(value: 0)
    let resolver = try resolver { _, _ in
      hanging.wait()
      return .addresses([])
    }
    await withTaskGroup(of: NameLookup.self) { group in
      for number in 0..<100 { group.addTask { await resolver.lookUp("host\(number).test", limit: .milliseconds(20)) } }
      for await lookup in group {
        guard case .failure(let failure) = lookup.outcome else {
          Issue.record("\(lookup)")
          continue
        }
        #expect(failure.kind == .timedOut(.milliseconds(20)))
      }
    }
    let cancelled = Task { await resolver.lookUp("host.test") }
    cancelled.cancel()
    guard case .failure(let failure) = await cancelled.value.outcome else {
      Issue.record("it resolved")
      return
    }
    #expect(failure.kind == .cancelled)
    for _ in 0..<101 { hanging.signal() }
  }
}
