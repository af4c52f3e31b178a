import HTTPTypes
import Testing

@testable import GarlandTransfer

@Suite struct ResponseIntakeTests {
  private static func hop() throws -> RedirectState {
    RedirectState(
      method: .post, url: try URLReference("http://h/a"), headerFields: [:], sendsBody: true, credentialFields: [],
      policy: .follow(maximum: 1))
  }

  private static func intake(_ status: Int, _ fields: HTTPFields = [:]) -> ResponseIntake {
    var intake = ResponseIntake()
    intake.head = ResponseHead(status: status, reason: "", fields: fields, version: .http1_1)
    return intake
  }

  @Test func `a redirect within the redirect limit is followed`() throws {
    var intake = Self.intake(303, [.location: "/b"])
    intake.decide(for: try Self.hop(), isBodyRepeatable: true)
    #expect(intake.decision == .follow)
    #expect(intake.next?.url.description == "http://h/b")
    #expect(intake.next?.method == .get)
  }

  @Test func `if a redirect must send the body again and the body can't be read again, the request fails`() throws {
    var intake = Self.intake(307, [.location: "/b"])
    intake.decide(for: try Self.hop(), isBodyRepeatable: false)
    #expect(intake.decision == .fail(.bodyNotRepeatable))
    #expect(intake.next == nil)
  }

  @Test func `after a redirect, the response of the redirect's target is delivered`() throws {
    var intake = Self.intake(303, [.location: "/b"])
    intake.decide(for: try Self.hop(), isBodyRepeatable: true)
    intake.head = ResponseHead(status: 200, reason: "OK", fields: [.location: "/b"], version: .http1_1)
    intake.decide(for: try Self.hop(), isBodyRepeatable: true)
    #expect(intake.decision == .deliver)
    #expect(intake.next == nil)
  }

  @Test func `when a transfer sends another request, it discards the header, byte count and error of the previous response`() {
    var intake = Self.intake(401)
    intake.isAnswering = true
    intake.received = 7
    intake.failure = .cancelled
    intake.sink = .memory([1])
    intake.begin()
    #expect(intake.head.isEmpty)
    #expect(!intake.isAnswering)
    #expect(intake.received == 0)
    #expect(intake.failure == nil)
    guard case .memory([1]) = intake.sink else {
      Issue.record("the sink is gone")
      return
    }
  }

  @Test func `a response body up to the size limit is accepted, and a longer one is refused`() {
    var intake = ResponseIntake()
    intake.received = 10
    #expect(intake.excess(over: nil) == nil)
    #expect(intake.excess(over: 10) == nil)
    #expect(intake.excess(over: 9) == .bodyTooLarge(limit: 9))
    #expect(intake.excess(over: 10, announced: 11) == .bodyTooLarge(limit: 10))
  }
}
