import TestSupport
import Testing

/// Tests networks that appear and disappear, in separate network namespaces.
@Suite(.timeLimit(.minutes(15))) struct NamespaceTests {
  private func lines(of scenario: String) async throws -> [String] {
    let result = try await NetworkNamespace.run(Repository.products + "/NetworkAgent", [scenario])
    #expect(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `the routing table decides whether the internet or an address is reported as reachable`() async throws {
    #expect(
      try await lines(of: "listeners") == [
        "world: unreachable: this machine has no default route",
        "neighbour: unreachable: no route to 10.9.0.7",
        "machine: reachable on this machine",
        "wired: reachable by v0 through 10.9.0.2",
        "neighbour: reachable by v0",
        "elsewhere: reachable by v0 through 10.9.0.2",
        "elsewhere by IPv6: unreachable: no route to 2001:db8::1",
        "ip route del default: unreachable: this machine has no default route",
        "ip link set v0 down: unreachable: no route to 10.9.0.7",
        "ip link set v0 up: reachable by v0",
        "ip route add default via 10.9.0.2: reachable by v0 through 10.9.0.2",
        "ip link set v1 down: unreachable: the network interface v0 is down",
        "ip link set v1 up: reachable by v0 through 10.9.0.2",
        "ip route add blackhole 10.9.0.7: unreachable: no route to 10.9.0.7",
      ])
  }

  @Test func `a host name is reachable only if the routing table has a route to its address`() async throws {
    #expect(
      try await lines(of: "name") == [
        "unwired: unreachable: no route to 10.9.0.7",
        "wired: reachable by v0",
        "ip link set v0 down: unreachable: no route to 10.9.0.7",
        "unknown: unreachable: could not resolve the host name other.test: the nameserver 10.9.0.53 can't be reached: Network is unreachable",
      ])
  }

  @Test func `a request to an address without a network route waits until the route exists`() async throws {
    #expect(
      try await lines(of: "waits") == [
        "waits: no route to 10.9.0.1", "finished: well", "answer: there",
        "finished: connection refused by 10.9.0.1:1", "refused: connection refused by 10.9.0.1:1",
      ])
  }

  @Test func `a request to a host name waits until the machine has a default route`() async throws {
    #expect(
      try await lines(of: "waits-name") == ["waits: this machine has no default route", "finished: well", "answer: there"])
  }

  @Test func `a request that waits for a network route ends at its deadline or when it is cancelled`() async throws {
    #expect(
      try await lines(of: "waits-deadline") == [
        "waits: no route to 10.9.0.1", "finished: timed out after 200 ms while connecting",
        "waits: no route to 10.9.0.1", "finished: cancelled",
      ])
  }

  @Test func `a reachability check tries IPv4 and IPv6`() async throws {
    #expect(
      try await lines(of: "probes") == [
        "http://both.test/: reached by IPv4 10.9.0.1; not by IPv6 ::1: connection refused",
        "both.test:1: connection refused (IPv6 ::1, IPv4 10.9.0.1)",
        "198.51.100.1:80: no route: No route to host (IPv4 198.51.100.1)",
        "[2001:db8::1]:80: no route: Network is unreachable (IPv6 2001:db8::1)",
        "hole.test: timed out after 250 ms while connecting (IPv4 10.9.0.7)",
      ])
  }

  @Test func `the error of a failed lookup names the nameserver and its response`() async throws {
    #expect(
      try await lines(of: "resolvers") == [
        "nx.test: could not resolve the host name nx.test: the nameserver 127.0.0.1 reports that this name does not exist",
        "fail.test: could not resolve the host name fail.test: the nameserver 127.0.0.1 answers SERVFAIL",
        "refuse.test: could not resolve the host name refuse.test: the nameserver 127.0.0.1 answers REFUSED",
        "empty.test: could not resolve the host name empty.test: the nameserver 127.0.0.1 has no IPv4 address for this name",
        "silent.test: could not resolve the host name silent.test within 400 ms: the nameserver 127.0.0.1 did not answer within 2 s",
        "bad_name..test: could not resolve the host name bad_name..test: this name does not exist",
        "known.test: [\"127.0.0.1\"] from 127.0.0.1, connection refused (IPv4 127.0.0.1)",
        "localhost: [\"127.0.0.1\"] from /etc/hosts, connection refused (IPv4 127.0.0.1)",
        "nobody to ask: could not resolve the host name known.test: the nameserver 198.51.100.1 can't be reached: Network is unreachable; "
          + "the nameserver 127.0.0.2 can't be reached: Connection refused",
      ])
  }

  /// The nameserver answers only after all other requests have ended.
  @Test func `a slow name lookup does not delay other requests`() async throws {
    #expect(
      try await lines(of: "slow-names") == [
        "others: [\"there\"]",
        "by address: there",
        "deadline: timed out after 50 ms while resolving the host's name",
        "connect timeout: no connection within 50 ms, while resolving the host's name",
        "cancelled: cancelled",
        "an engine was shut down",
        "names held: 5",
        "slow: there",
      ])
  }
}
