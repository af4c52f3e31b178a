import Testing

@testable import GarlandNetworking
@testable import GarlandTransfer

@Suite struct RequestLifeTests {
  @Test func `a request begins only once and finishes only once`() {
    var life = RequestLife()
    #expect(life.begin() == .start)
    #expect(life.begin() == .nothing)
    #expect(life.phase == .running)
    #expect(life.finish() == true)
    #expect(life.finish() == false)
    #expect(life.resume() == .nothing)
    #expect(life.cancel() == .nothing)
    #expect(life.suspend() == .nothing)
  }

  @Test func `a suspended request begins when it is resumed`() {
    var life = RequestLife()
    #expect(life.suspend() == .nothing)
    #expect(life.begin() == .nothing)
    #expect(life.resume() == .start)
    #expect(life.suspend() == .suspendTransfer)
    #expect(life.suspend() == .nothing)
    #expect(life.resume() == .resumeTransfer)
    #expect(life.resume() == .nothing)
  }

  @Test func `a request can be cancelled before it begins and while it runs`() {
    var new = RequestLife()
    #expect(new.cancel() == .finishCancelled)
    #expect(new.begin() == .nothing)
    #expect(new.phase == .finished)
    var running = RequestLife()
    _ = running.begin()
    #expect(running.cancel() == .stop)
    #expect(running.cancel() == .nothing)
    #expect(running.finish() == true)
  }

  @Test func `a request is cancelled when the last task that waits for it stops waiting`() {
    var life = RequestLife()
    let first = life.newWaiter()
    let second = life.newWaiter()
    #expect(life.join(first) == true)
    _ = life.begin()
    #expect(life.join(second) == true)
    #expect(life.leave(first) == .nothing)
    #expect(life.leave(second) == .stop)
    #expect(life.leave(second) == .nothing)
  }

  @Test func `a task that is cancelled before it begins to wait for a request does not cancel the request`() {
    var life = RequestLife()
    let early = life.newWaiter()
    #expect(life.leave(early) == .nothing)
    #expect(life.join(early) == false)
    #expect(!life.isCancelled)
  }

  @Test func `an invalidated session ends when its last request ends`() {
    var state = SessionState<String>()
    #expect(state.add("a", id: state.nextID()) == true)
    #expect(state.add("b", id: state.nextID()) == true)
    #expect(state.invalidate() == false)
    #expect(state.add("c", id: state.nextID()) == false)
    #expect(state.remove(id: 1) == false)
    #expect(state.remove(id: 1) == false)
    #expect(state.running == ["b"])
    #expect(state.remove(id: 2) == true)
    var empty = SessionState<String>()
    #expect(empty.invalidate() == true)
    #expect(empty.invalidate() == false)
  }
}
