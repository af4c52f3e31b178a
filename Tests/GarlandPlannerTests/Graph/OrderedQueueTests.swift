import GarlandText
import Testing

@testable import GarlandPlanner

@Suite struct OrderedQueueTests {
  @Test(arguments: UInt64(1)...20) func `OrderedQueue returns the inserted numbers in ascending order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bound = Int.random(in: 1...20_000, using: &generator)
    var queue = OrderedQueue(bound: bound)
    for _ in 0..<3 {
      let start = Int.random(in: 0..<bound, using: &generator)
      queue.restart(after: start)
      var expected: Set<Int> = []
      var last = start
      for _ in 0..<300 {
        if last + 1 < bound, Bool.random(using: &generator) {
          let number = Int.random(in: last + 1..<bound, using: &generator)
          queue.insert(number)
          expected.insert(number)
        } else {
          let next = queue.popFirst()
          #expect(next == expected.min())
          if let next {
            expected.remove(next)
            last = next
          }
        }
      }
    }
    queue.restart(after: 0)
    #expect(queue.popFirst() == nil)
  }
}
