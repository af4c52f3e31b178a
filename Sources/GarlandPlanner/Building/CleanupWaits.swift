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
/// step with several dependents, and all of them together have as many edges as the graph. `done` serves wherever nothing that must be left out depends
/// on `v`; that is known from what must be left out, which is mostly little: the cleanup and a step or two that look whether it worked. Where it is much
/// as well, as among cleanups that depend on each other at random, the users of 64 are looked for at once: see ``CleanupSweep``.
struct CleanupWaits {
  /// Limits of the search for one cleanup.
  struct Limits {
    /// The number of users up to which no joins are tried.
    var users = 64
    /// The number of nodes to leave out, and of nodes that lead to them, up to which the users of
    /// steps are searched one by one.
    var leftOut = 256
  }

  let steps: [PlannedStep]
  /// The dependencies.
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

  /// A join, and what it waits for, in order.
  private struct SharedJoin {
    /// Fewer steps are waited for one by one.
    static let leastCount = 16

    let users: [Int]
    let join: Int

    /// Returns the users that the join does not wait for; nil if the join waits for a step that is
    /// no user.
    func rest(of users: [Int]) -> [Int]? {
      var rest: [Int] = []
      var position = 0
      for user in users {
        if position < self.users.count, self.users[position] == user { position += 1 } else { rest.append(user) }
      }
      return position == self.users.count ? rest : nil
    }
  }

  /// Of things that are made one after another, each cleanup waits for the steps that the one
  /// before waits for, and a few more: the shared ones are a join.
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
