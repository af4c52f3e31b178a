import GarlandNetworking
import Testing

/// Tests the defaults of a session.
@Suite struct DefaultsTests {
  @Test(arguments: [SessionConfiguration.default, .ephemeral, .background("x")])
  func `every kind of session has the same default timeouts and limits`(
    _ configuration: SessionConfiguration
  ) {
    #expect(configuration.settings.idleTimeout == .seconds(60))
    #expect(configuration.settings.deadline == .seconds(7 * 24 * 3600))
    #expect(configuration.connectionsPerOrigin == 6)
    #expect(configuration.idleConnections == 128)
    #expect(configuration.settings.redirects == .follow(maximum: 20))
    #expect(configuration.settings.priority == .normal)
    #expect(configuration.settings.tls.verifies)
    #expect(configuration.settings.tls.minimumVersion == .tls1_2)
    #expect(configuration.settings.maximumBodyBytes == 1 << 30)
    #expect(configuration.interceptor == nil)
    #expect(configuration.cookies == .isolated)
  }

  @Test func `the session configurations 'default', 'ephemeral' and 'background' have the kind that their names state`() {
    #expect(SessionConfiguration.default.kind == .default)
    #expect(SessionConfiguration.ephemeral.kind == .ephemeral)
    #expect(SessionConfiguration.background("a").kind == .background(identifier: "a"))
  }

  @Test func `by default, both EngineConfiguration and Session allow six connections to each origin`() {
    #expect(EngineConfiguration().connectionsPerOrigin == 6)
    #expect(Session().engine.configuration.connectionsPerOrigin == 6)
  }
}
