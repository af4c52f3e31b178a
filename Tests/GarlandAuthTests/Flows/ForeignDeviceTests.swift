import GarlandAuth
import GarlandJSON
import GarlandNetworking
import TestSupport
import Testing

/// Tests the device flow with a third-party provider, which tells every client once to slow down.
@Suite(.timeLimit(.minutes(15))) struct ForeignDeviceTests {
  private func configuration(
    _ provider: OAuthProvider, _ session: Session, decision: String, shown: Collected<DeviceAuthorization>
  ) -> OAuthConfiguration {
    var configuration = OAuthConfiguration(
      grant: .deviceCode { device in
        shown.add(device)
        var request = session.transferRequest("\(provider.url)/device", method: .post)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        request.body = .bytes(Array("user_code=\(device.userCode)&user=alice&decision=\(decision)".utf8))
        _ = try? await session.engine.response(for: request)
      }, clientID: "public")
    configuration.issuer = provider.url
    configuration.scope = ["read"]
    return configuration
  }

  @Test(arguments: ["allow", "deny"]) func `the device flow with an Authlib server ends when the user allows or denies access`(
    decision: String
  ) async throws {
    let provider = try OAuthProvider.sharedAuthlib()
    let session = Session(.ephemeral)
    defer { session.cancelAndInvalidate() }
    let waits = Collected<Duration>()
    let shown = Collected<DeviceAuthorization>()
    let manager = TokenManager(
      configuration(provider, session, decision: decision, shown: shown), transport: SessionTransport(session),
      environment: AuthEnvironment(sleep: { waits.add($0) }))
    if decision == "deny" {
      await #expect { try await manager.token() } throws: { "\($0)".contains("refused the request with `access_denied`") }
      return
    }
    let tokens = try await manager.token()
    #expect(tokens.scope == ["read"])
    #expect(shown.all.first?.verificationURI == "\(provider.url)/device")
    #expect(shown.all.first?.completeURI?.hasPrefix("\(provider.url)/device?user_code=") == true)
    let response = await session.request("\(provider.url)/me", interceptor: manager).response()
    #expect(response.status == 200)
  }

  @Test func `a slow_down error from an Authlib server lengthens the polling interval`() async throws {
    let provider = try OAuthProvider.sharedAuthlib()
    let session = Session(.ephemeral)
    defer { session.cancelAndInvalidate() }
    let waits = Collected<Duration>()
    let shown = Collected<DeviceAuthorization>()
    var configuration = OAuthConfiguration(grant: .deviceCode { shown.add($0) }, clientID: "public")
    configuration.issuer = provider.url
    let manager = TokenManager(
      configuration, transport: SessionTransport(session),
      environment: AuthEnvironment(sleep: { duration in
        waits.add(duration)
        // The first poll is too early, the second is pending, and then the user allows the device.
        guard waits.all.count == 3, let device = shown.all.first else { return }
        var request = session.transferRequest("\(provider.url)/device", method: .post)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        request.body = .bytes(Array("user_code=\(device.userCode)&user=bob".utf8))
        _ = try await session.engine.response(for: request)
      }))
    _ = try await manager.token()
    #expect(waits.all == [.seconds(1), .seconds(6), .seconds(6)])
  }
}
