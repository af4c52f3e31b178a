/// Finds the steps that a cleanup waits for, apart from its own dependencies: all steps that depend, directly or not, on the step that is
/// cleaned up.
///
/// For `cleanup: x` these are all steps that can be reached from `x` over dependencies, except
/// - the cleanups of `x`, since two cleanups don't wait for each other,
/// - steps that depend on a cleanup of `x`, such as a step that checks that the object which `x` created no longer exists,
/// - if a cleanup of `x` uses a value that was itself made from `x`, the cleanup of that value: for example, a cleanup that deletes a user
///   with the token of that user's own login runs before the logout.
///
/// The cleanup needs edges only from the last steps, for which no other of these steps waits, since a step ends after all steps that it
/// waits for. Many cleanups can each have many last steps. If the search finds too many, the cleanups share joins: `done(v)` is a node that
/// ends when `v` and all steps that depend on `v` have ended. There is one join for each step with several dependents, and all these joins
/// together have as many edges as the graph. A cleanup can wait for `done(v)` if no step that depends on `v` must be left out.
///
/// The steps to leave out are the exceptions in the list above. There are usually few: the cleanup, and a step or two that check whether
/// the cleanup worked. Therefore the search begins at these exceptions. If there are many, as among cleanups that depend on each other at
/// random, ``CleanupSweep`` searches for the dependents of 64 steps together.
struct CleanupWaits {
  /// Limits of the search for the steps that one cleanup waits for.
  struct Limits {
    /// If at most this number of nodes depend on a step, the step's cleanup waits only for the last ones of these nodes: those that no
    /// other of them waits for. If more nodes depend on the step, the cleanup waits for joins (nodes that only wait for other nodes), which
    /// several cleanups can share.
    var users = 64
    /// The maximum number of nodes that the search for one cleanup may leave out. The same maximum applies to the nodes that a left-out
    /// node waits for. If there are more nodes, a ``CleanupSweep`` searches for many cleanups together.
    var leftOut = 256
  }

  let steps: [PlannedStep]
  /// The graph of the dependencies.
  let graph: Graph
  let order: [Int32]
  let limits: Limits

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
    var others: [Int] = []
    var shared: SharedJoin?
    for made in cleanedUp {
      if let last = search.lastUsers(of: made, limit: limits.users) {
        connect(last, cleanups[made] ?? [], &edges)
      } else if let ends = search.ends(of: made, limit: limits.leftOut, &edges) {
        connect(ends, cleanups[made] ?? [], sharing: &shared, &edges)
      } else {
        others.append(made)
      }
    }
    guard !others.isEmpty else { return }
    others.sort { search.positions[$0] < search.positions[$1] }
    var sweep = CleanupSweep(graph: graph, order: order, positions: search.positions, cleanups: cleanups)
    for start in stride(from: 0, to: others.count, by: CleanupSweep.width) {
      let made = Array(others[start..<min(start + CleanupSweep.width, others.count)])
      for (made, last) in zip(made, sweep.lastUsers(of: made)) { connect(last, cleanups[made] ?? [], sharing: &shared, &edges) }
    }
  }

  /// A join (a node of the graph that only waits for other nodes), and the steps that it waits for, in order.
  private struct SharedJoin {
    /// If cleanups wait for more than this number of steps, they wait for a join of these steps. The join is remembered, so that the next
    /// join can wait for it and not for the same steps again.
    static let leastCount = 16

    let users: [Int]
    let join: Int

    /// Returns the steps in `users` for which the join does not wait; nil if the join waits for a step that is not in `users`.
    func rest(of users: [Int]) -> [Int]? {
      var rest: [Int] = []
      var position = 0
      for user in users {
        if position < self.users.count, self.users[position] == user { position += 1 } else { rest.append(user) }
      }
      return position == self.users.count ? rest : nil
    }
  }

  /// Adds edges so that the given cleanups wait for the steps in `last`.
  ///
  /// If `last` contains many steps, the cleanups wait for a join: a node of the graph that only waits for other nodes. `shared` is the join
  /// of a previous call. If `shared` waits only for steps that `last` contains too, the new join waits for `shared` and for the remaining
  /// steps of `last`.
  private func connect(_ last: [Int], _ cleanups: [Int], sharing shared: inout SharedJoin?, _ edges: inout RawEdges) {
    guard last.count > SharedJoin.leastCount else {
      connect(last, cleanups, &edges)
      return
    }
    var waits = last
    if let known = shared, let rest = known.rest(of: last) { waits = [known.join] + rest }
    let join: Int
    if waits.count == 1 {
      join = waits[0]
    } else {
      join = edges.appendJoin()
      for user in waits { edges.append(from: user, to: join, .cleanupWait) }
    }
    for cleanup in cleanups { edges.append(from: join, to: cleanup, .cleanupWait) }
    shared = SharedJoin(users: last, join: join)
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
