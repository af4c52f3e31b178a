import GarlandText

/// A graph of a known form, as a document would have it: for each step the steps that it references, all of which come before it.
enum Shape: String, CaseIterable {
  case chain, star, lattice, random

  /// The references of each step.
  func references(steps count: Int) -> [[Int32]] {
    var generator = SeededGenerator(seed: 6)
    let side = Int(Double(count).squareRoot())
    return (0..<count).map { step in
      var references: [Int] = []
      switch self {
      case .chain: references = [step - 1, step - 2, step - 3]
      // A hub in the middle of everything: what each step uses is one of three.
      case .star: references = step < 3 ? [] : [0, 1, 2]
      // Above, to the left, and both.
      case .lattice:
        let isFirst = step % side == 0
        references = [step - side, isFirst ? -1 : step - 1, isFirst ? -1 : step - side - 1]
      case .random: references = step == 0 ? [] : (0..<3).map { _ in Int.random(in: 0..<step, using: &generator) }
      }
      return references.filter { $0 >= 0 }.map { Int32($0) }
    }
  }

  /// A document whose steps reference each other so.
  static func document(_ references: [[Int32]]) -> [UInt8] {
    var text = Array("garland: 1\nname: Benchmark\ndefaults: { base_url: 'http://127.0.0.1:1' }\nsteps:\n".utf8)
    let names = ["a", "b", "c"]
    for (step, used) in references.enumerated() {
      text += Array("  s\(step):\n    get: /items/\(step)\n".utf8)
      if !used.isEmpty {
        let members = zip(names, used).map { "\($0): '${s\($1).id}'" }
        text += Array("    query: { \(members.joined(separator: ", ")) }\n".utf8)
      }
      text += Array("    expect: { status: 200, json: { $.id: \(step) } }\n    extract: { id: $.id }\n".utf8)
    }
    return text
  }

  /// The yardstick: Kahn's algorithm on the same graph, in arrays of 32-bit numbers, which no planner can do without. Gives how many steps it has ordered.
  static func plainSort(_ references: [[Int32]]) -> Int {
    let count = references.count
    var starts = [Int32](repeating: 0, count: count + 1)
    var waiting = [Int32](repeating: 0, count: count)
    for (step, used) in references.enumerated() {
      waiting[step] = Int32(used.count)
      for source in used { starts[Int(source) + 1] += 1 }
    }
    for step in 0..<count { starts[step + 1] += starts[step] }
    var next = starts
    var dependents = [Int32](repeating: 0, count: Int(starts[count]))
    for (step, used) in references.enumerated() {
      for source in used {
        dependents[Int(next[Int(source)])] = Int32(step)
        next[Int(source)] += 1
      }
    }
    var order = (0..<Int32(count)).filter { waiting[Int($0)] == 0 }
    var position = 0
    while position < order.count {
      let step = Int(order[position])
      position += 1
      for edge in starts[step]..<starts[step + 1] {
        let dependent = dependents[Int(edge)]
        waiting[Int(dependent)] -= 1
        if waiting[Int(dependent)] == 0 { order.append(dependent) }
      }
    }
    return order.count
  }
}
