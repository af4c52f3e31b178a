import Testing

@testable import GarlandTransfer

@Suite struct RefreshStateTests {
  private let start = ContinuousClock.now

  /// Returns a description of an action.
  private func words(_ action: RefreshState<Int>.Action) -> String {
    switch action {
    case .use(let credential): "use \(credential)"
    case .refresh(let credential): "refresh \(credential)"
    case .wait: "wait"
    case .fail(let reason): "fail: \(reason)"
    }
  }

  @Test func `one refresh of the credential serves every waiting request`() {
    var state = RefreshState(credential: 1)
    #expect(words(state.adapt(1, at: start) { $0 < 2 }) == "refresh 1")
    #expect(words(state.adapt(2, at: start) { $0 < 2 }) == "wait")
    #expect(words(state.refused(3, at: start) { $0 == 1 }) == "wait")
    #expect(words(state.refused(4, at: start) { _ in false }) == "wait")
    #expect(state.finish(2).waiting == [1, 2, 3, 4])
    #expect(state.credential == 2)
    #expect(words(state.adapt(5, at: start) { $0 < 2 }) == "use 2")
  }

  @Test func `a request that was refused with an older credential gets the current credential without a refresh`() {
    var state = RefreshState(credential: 2)
    #expect(words(state.refused(1, at: start) { $0 == 1 }) == "use 2")
    #expect(words(state.refused(2, at: start) { $0 == 2 }) == "refresh 2")
  }

  @Test func `if the refresh of a credential fails, the old credential is kept`() {
    var state = RefreshState(credential: 1)
    _ = state.refused(1, at: start) { _ in true }
    #expect(state.finish(nil).waiting == [1])
    #expect(state.credential == 1)
    #expect(words(state.refused(2, at: start) { _ in true }) == "refresh 1")
  }

  @Test func `a sixth refresh of the same credential within 30 seconds fails`() {
    var state = RefreshState(credential: 0)
    for number in 0..<5 {
      #expect(words(state.refused(number, at: start + .seconds(number)) { _ in true }) == "refresh \(number)")
      _ = state.finish(number + 1)
    }
    #expect(
      words(state.refused(9, at: start + .seconds(29)) { _ in true }).hasPrefix("fail: the credential was refreshed 5 times within 30 s"))
    // The first refresh no longer counts.
    #expect(words(state.refused(10, at: start + .seconds(30)) { _ in true }) == "refresh 5")
  }

  @Test func `a request that begins during a refresh of the credential waits for the refresh`() {
    var state = RefreshState(credential: 1)
    _ = state.refused(1, at: start) { _ in true }
    #expect(words(state.adapt(2, at: start) { _ in false }) == "wait")
    #expect(state.finish(2).waiting == [1, 2])
  }

  @Test func `if a refreshed credential is refused and no further refresh is allowed, every request that uses the credential fails`() {
    var state = RefreshState(credential: 1, window: .init(limit: 1))
    #expect(words(state.refused(1, at: start) { $0 == 1 }) == "refresh 1")
    for number in 2...3 { #expect(words(state.refused(number, at: start) { $0 == 1 }) == "wait") }
    #expect(state.finish(2).waiting == [1, 2, 3])
    // A later request can use the credential, and its refusal causes no refresh either.
    #expect(words(state.adapt(4, at: start) { _ in false }) == "use 2")
    for number in 1...4 {
      #expect(words(state.refused(number, at: start) { $0 == 2 }).hasPrefix("fail: the credential was refreshed 1 times within 30 s"))
    }
  }

  @Test func `if each new credential has already expired, each request refreshes the credential until the limit of refreshes is reached`() {
    var state = RefreshState(credential: 1, window: .init(limit: 2))
    for number in 1...2 {
      #expect(words(state.adapt(number, at: start) { _ in true }) == "refresh \(number)")
      #expect(state.finish(number + 1).waiting == [number])
    }
    #expect(words(state.adapt(3, at: start) { _ in true }).hasPrefix("fail: the credential was refreshed 2 times"))
  }

  @Test func `with a limit of zero refreshes, a credential is never refreshed`() {
    var state = RefreshState(credential: 1, window: .init(limit: 0))
    #expect(words(state.refused(1, at: start) { _ in true }).hasPrefix("fail: the credential was refreshed 0 times"))
    #expect(words(state.adapt(2, at: start) { _ in true }).hasPrefix("fail: the credential was refreshed 0 times"))
  }

  @Test func `if the program sets a new credential after a failed refresh, requests use and refresh the new credential`() {
    var state = RefreshState(credential: 1)
    _ = state.adapt(1, at: start) { _ in true }
    #expect(state.finish(nil).waiting == [1])
    // Another request tries again.
    #expect(words(state.adapt(2, at: start) { _ in true }) == "refresh 1")
    _ = state.finish(nil)
    state.replace(5)
    #expect(words(state.adapt(3, at: start) { $0 < 5 }) == "use 5")
    #expect(words(state.refused(3, at: start) { $0 == 5 }) == "refresh 5")
    _ = state.finish(nil)
    state.replace(nil)
    #expect(words(state.adapt(4, at: start) { _ in false }) == "fail: there is no credential")
  }

  @Test func `a request that needs a credential fails until the program has set a credential`() {
    var state = RefreshState<Int>(credential: nil)
    #expect(words(state.adapt(1, at: start) { _ in false }) == "fail: there is no credential")
    state.replace(7)
    #expect(words(state.adapt(1, at: start) { _ in false }) == "use 7")
  }

  @Test func `a request that has stopped waiting for the refresh of a credential is not resumed after the refresh`() {
    var state = RefreshState(credential: 1)
    _ = state.adapt(1, at: start) { _ in true }
    _ = state.adapt(2, at: start) { _ in true }
    state.leave(1)
    #expect(state.finish(2).waiting == [2])
  }

  @Test func `if the program sets a credential during a refresh, this credential is used instead of the refreshed one`() {
    var state = RefreshState(credential: 1)
    _ = state.adapt(1, at: start) { _ in true }
    // The user logs out, and the refresh still succeeds.
    state.replace(nil)
    #expect(words(state.adapt(2, at: start) { _ in false }) == "fail: there is no credential")
    guard case ([1], .replaced(nil)) = state.finish(2) else {
      Issue.record("it was refreshed")
      return
    }
    #expect(state.credential == nil)
    // Another user logs in.
    state.replace(1)
    _ = state.adapt(3, at: start) { _ in true }
    state.replace(10)
    #expect(words(state.adapt(4, at: start) { $0 < 10 }) == "use 10")
    guard case ([3], .replaced(10)) = state.finish(2) else {
      Issue.record("it was refreshed")
      return
    }
    #expect(state.credential == 10)
    // The next refresh is counted again.
    _ = state.adapt(5, at: start) { _ in true }
    guard case ([5], .refreshed) = state.finish(11) else {
      Issue.record("it was not refreshed")
      return
    }
    #expect(state.credential == 11)
  }
}
