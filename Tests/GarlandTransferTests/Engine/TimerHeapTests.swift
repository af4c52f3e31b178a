import Testing

@testable import GarlandTransfer

/// Compares the timers with a simple model: a list that is sorted again after each change.
@Suite("Timers of an engine")
struct TimerHeapTests {
  @Test(arguments: UInt64(1)...20)
  func `the timer heap returns timers in the order of their times`(seed: UInt64) {
    var random = seed &* 0x9E37_79B9_7F4A_7C15
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(bound))
    }
    var heap = TimerHeap()
    var model: [LoopTimer] = []
    for _ in 0..<2_000 {
      switch next(4) {
      case 0, 1:
        let timer = LoopTimer(.action({}))
        timer.due = UInt64(next(500))
        heap.insert(timer)
        model.append(timer)
      case 2:
        guard !model.isEmpty else { continue }
        let timer = model.remove(at: next(model.count))
        heap.remove(timer)
        #expect(timer.index == -1)
        // Removing the timer again does nothing.
        heap.remove(timer)
      default:
        let now = UInt64(next(500))
        let due = model.map(\.due).min().flatMap { $0 <= now ? $0 : nil }
        let popped = heap.popDue(at: now)
        #expect(popped?.due == due)
        model.removeAll { $0 === popped }
      }
      #expect(heap.nextDue == model.map(\.due).min())
      #expect((heap.nextDue == nil) == model.isEmpty)
    }
    var last: UInt64 = 0
    while let timer = heap.popDue(at: .max) {
      #expect(timer.due >= last)
      last = timer.due
    }
  }
}
