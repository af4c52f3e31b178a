import Testing

@testable import GarlandReports

@Suite struct PlanOrderTests {
  @Test func `step results are reported in plan order, even if the steps end in another order`() {
    var order = PlanOrder()
    #expect(order.add("2", step: 2, iteration: nil, endsStep: true) == [])
    #expect(order.add("0", step: 0, iteration: nil, endsStep: true) == ["0"])
    #expect(order.add("1", step: 1, iteration: nil, endsStep: true) == ["1", "2"])
    #expect(order.add("3", step: 3, iteration: nil, endsStep: true) == ["3"])
    #expect(order.drain() == [])
  }

  @Test func `the results of a running loop's items are reported in the order of the items`() {
    var order = PlanOrder()
    #expect(order.add("0b", step: 0, iteration: 1, endsStep: false) == [])
    #expect(order.add("0a", step: 0, iteration: 0, endsStep: false) == ["0a", "0b"])
    #expect(order.add("1", step: 1, iteration: nil, endsStep: true) == [])
    #expect(order.add("0d", step: 0, iteration: 3, endsStep: false) == [])
    #expect(order.add("0c", step: 0, iteration: 2, endsStep: true) == ["0c", "0d", "1"])
  }

  @Test func `loop results without an item number are reported in the order of their arrival`() {
    var order = PlanOrder()
    #expect(order.add("a", step: 0, iteration: nil, endsStep: false) == ["a"])
    #expect(order.add("b", step: 0, iteration: nil, endsStep: false) == ["b"])
    #expect(order.add("c", step: 0, iteration: nil, endsStep: true) == ["c"])
  }

  @Test func `if a shard runs a loop from item 7 on, the loop's results are reported in the order of the items`() {
    var order = PlanOrder(firstIterations: [1: 7])
    #expect(order.add("1b", step: 1, iteration: 8, endsStep: false) == [])
    #expect(order.add("0", step: 0, iteration: nil, endsStep: true) == ["0"])
    #expect(order.add("1a", step: 1, iteration: 7, endsStep: false) == ["1a", "1b"])
    #expect(order.add("1c", step: 1, iteration: 9, endsStep: true) == ["1c"])
  }

  @Test func `if a shard runs only one item of a loop, the item's result is reported after the results of earlier steps`() {
    var order = PlanOrder(firstIterations: [1: 7])
    #expect(order.add("1", step: 1, iteration: nil, endsStep: true) == [])
    #expect(order.add("0", step: 0, iteration: nil, endsStep: true) == ["0", "1"])
  }

  @Test func `if the results that wait for an earlier step exceed the memory limit, these results are reported before that step`() {
    var order = PlanOrder(limit: 10)
    #expect(order.add("12345", step: 2, iteration: nil, endsStep: true) == [])
    #expect(order.add("123456", step: 1, iteration: nil, endsStep: true) == ["123456", "12345"])
    #expect(order.add("0", step: 0, iteration: nil, endsStep: true) == ["0"])
    #expect(order.add("3", step: 3, iteration: nil, endsStep: true) == ["3"])
  }

  @Test(arguments: 0..<50) func `results of steps and loop items that arrive in random order are reported in plan order`(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var items: [(step: Int, iteration: Int?)] = []
    for step in 0..<20 {
      let iterations = random(below: 4)
      if iterations == 0 { items.append((step, nil)) } else { for index in 0..<iterations { items.append((step, index)) } }
    }
    let expected = items.map { "\($0.step).\($0.iteration ?? 0)" }
    for index in items.indices.reversed() { items.swapAt(index, random(below: index + 1)) }
    var left = Dictionary(items.map { ($0.step, 1) }, uniquingKeysWith: +)
    var order = PlanOrder()
    var seen: [String] = []
    for item in items {
      left[item.step, default: 0] -= 1
      seen += order.add("\(item.step).\(item.iteration ?? 0)", step: item.step, iteration: item.iteration, endsStep: left[item.step] == 0)
    }
    #expect(seen == expected)
    #expect(order.drain() == [])
  }
}

extension PlanOrder {
  /// Adds a text, and returns the texts that the caller must write now.
  fileprivate mutating func add(_ text: String, step: Int, iteration: Int?, endsStep: Bool) -> [String] {
    var ready: [String] = []
    add(Array(text.utf8), step: step, iteration: iteration, endsStep: endsStep) { ready.append(String(decoding: $0, as: UTF8.self)) }
    return ready
  }

  /// Returns the texts that are still held back.
  fileprivate mutating func drain() -> [String] {
    var ready: [String] = []
    drain { ready.append(String(decoding: $0, as: UTF8.self)) }
    return ready
  }
}
