extension SessionConfiguration {
  /// Returns an ephemeral configuration whose responses come from a transport instead of the network.
  public static func stubbed(by transport: some RequestTransport) -> SessionConfiguration {
    var configuration = SessionConfiguration.ephemeral
    configuration.transport = transport
    return configuration
  }

  /// Returns an ephemeral configuration whose responses come from a table instead of the network; see ``StubTransport``.
  public static func stubbed(by table: [String: StubbedResponse]) -> SessionConfiguration { stubbed(by: StubTransport(table)) }

  /// Returns an ephemeral configuration whose responses come from a closure instead of the network.
  public static func stubbed(
    _ answer: @escaping @Sendable (_ request: TransferRequest) async throws -> StubbedResponse
  ) -> SessionConfiguration {
    stubbed(by: StubTransport(answer))
  }
}
