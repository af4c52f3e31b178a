/// Finds the steps that must end before a cleanup runs.
///
/// A cleanup of a step `x` waits for all steps that depend on `x`, directly or through other steps. It does not wait for:
/// - other cleanups of `x`. Two cleanups of one step do not wait for each other.
/// - steps that depend on a cleanup of `x`, such as a step that checks that the object of `x` was deleted.
/// - a cleanup of a value that a cleanup of `x` uses. For example, `x` creates a user, and the cleanup of `x` deletes this user with the
///   token of a login. The cleanup of the token (the logout) must run after the user was deleted.
///
/// The plan needs edges only from the last of the steps that the cleanup waits for. A step is a last step if no other of these steps
/// depends on it. When the last steps have ended, all others have ended too.
///
/// If there are too many last steps, several cleanups share joins: nodes that only wait for other nodes. The join of a step `v` ends when
/// `v` and all steps that depend on `v` have ended. A cleanup can use this join only if it waits for all these steps. The plan has at most
/// one join for each step with several dependents, and all joins together have as many edges as the graph.
///
/// The steps in the list above are the exceptions of a cleanup. Usually a cleanup has few exceptions, so the search begins at the
/// exceptions. If a cleanup has many exceptions, ``CleanupSweep`` searches for the dependents of 64 steps together.
struct CleanupWaits {
  /// Limits of the search for the steps that one cleanup waits for.
  struct Limits {
    /// The limit for the number of nodes that depend on a step. The limit decides what the step's cleanups wait for:
    ///
    /// - Up to the limit, the cleanups wait only for those of these nodes on which no other of these nodes depends.
    /// - Above the limit, the cleanups may wait for joins (nodes that only wait for other nodes). The cleanups of several steps can share a
    ///   join.
    var users = 64
    /// The maximum number of left-out steps in a search: steps for which a cleanup does not wait, such as the cleanup itself. The same
    /// maximum applies to the steps on which the left-out steps depend. If one of these numbers is larger, a ``CleanupSweep`` searches for
    /// many cleanups together.
    var leftOut = 256
  }

  let steps: [PlannedStep]
  /// The graph of the dependencies between the steps.
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
    /// The maximum number of steps for which a cleanup waits directly. If there are more steps, the cleanup waits for a join instead: a node
    /// that waits for these steps. Cleanups that wait for the same steps can share a join.
    static let directLimit = 16

    let users: [Int]
    let join: Int

    /// Returns the steps in `users` for which this join does not wait; an empty list if the join waits for all of `users`. Returns nil if
    /// the join also waits for a step that is not in `users`.
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
  /// of the previous call, which is reused if possible:
  /// - If `last` contains exactly the steps of `shared`, the cleanups wait for `shared`.
  /// - If `last` contains all steps of `shared` and other steps, a new join waits for `shared` and for the other steps.
  /// - In all other cases, a new join waits for all steps in `last`.
  private func connect(_ last: [Int], _ cleanups: [Int], sharing shared: inout SharedJoin?, _ edges: inout RawEdges) {
    guard last.count > SharedJoin.directLimit else {
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
