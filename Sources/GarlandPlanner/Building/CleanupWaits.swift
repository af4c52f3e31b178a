/// Finds what a cleanup waits for beside its own dependencies: everything that depends on the step it cleans up, directly or not.
///
/// For `cleanup: x` that is every step that can be reached from `x` over dependencies, except
/// - the cleanups of `x` themselves: two of them don't wait for each other,
/// - what comes after one of them: a step that looks whether `x` is really gone,
/// - and, where a cleanup of `x` uses something that was itself made from `x`, the cleanup of that: who deletes a user with the token of the user's own
///   login does so before the logout.
///
/// Only the last of them matter, since a step ends after all it waits for. Their number can still be large for every one of many cleanups, so where the
/// search does not end soon the cleanups share joins: `done(v)`, a node that ends when `v` and all that depends on `v` have ended, is one join for each
/// step with several dependents, and all of them together have as many edges as the graph. That sharing is possible where nothing that must be left out
/// can be reached from `x` but the cleanups of `x`, from `x` itself; the rest is searched through one by one.
struct CleanupWaits {
  /// How many steps are looked at for one cleanup before joins are used.
  static let smallSearch = 64

  let steps: [PlannedStep]
  /// The dependencies.
  let graph: Graph
  let order: [Int32]
  let smallSearch: Int

  func add(to edges: inout RawEdges) {
    var cleanups: [Int: [Int]] = [:]
    var cleanedUp: [Int] = []
    for planned in steps {
      guard let cleanup = planned.step.flow.cleanup else { continue }
      let made = Int(edges.indexes[planned.number - planned.step.ordinal + cleanup.step])
      guard made >= 0 else { continue }
      if cleanups[made] == nil { cleanedUp.append(made) }
      cleanups[made, default: []].append(planned.index)
    }
    guard !cleanedUp.isEmpty else { return }
    var search = CleanupSearch(graph: graph, order: order, cleanups: cleanups)
    for made in cleanedUp {
      let own = cleanups[made] ?? []
      let limit = search.canShareJoins(for: made) ? smallSearch : Int.max
      if let last = search.lastUsers(of: made, limit: limit) {
        connect(last, own, &edges)
      } else {
        let next = graph.successors(of: made).map(Int.init).filter { !own.contains($0) }
        connect(Set(next.map { search.done($0, &edges) }).sorted(), own, &edges)
      }
    }
  }

  private func connect(_ last: [Int], _ cleanups: [Int], _ edges: inout RawEdges) {
    if cleanups.count > 1, last.count > 2 {
      let join = edges.appendJoin()
      for user in last { edges.append(from: user, to: join, .cleanupWait) }
      for cleanup in cleanups { edges.append(from: join, to: cleanup, .cleanupWait) }
    } else {
      for cleanup in cleanups {
        for user in last { edges.append(from: user, to: cleanup, .cleanupWait) }
      }
    }
  }
}
