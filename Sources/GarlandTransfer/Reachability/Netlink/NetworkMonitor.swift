import CCurl
import CNetlink
import Glibc
import Synchronization

/// Reports changes of links, addresses and routes to observers. The monitor uses one thread per process. The thread runs only while there
/// are observers, and sleeps until the kernel sends a message.
final class NetworkMonitor: Sendable {
  static let shared = NetworkMonitor()

  private struct State {
    var observers: [Int: @Sendable () -> Void] = [:]
    var lastID = 0
    var thread: Listening?
  }

  /// The socket and the event descriptor that the monitor's thread waits for.
  private final class Listening: Sendable {
    let socket: NetlinkSocket
    /// The event descriptor; signalling it ends the monitor's thread.
    let event: Int32

    init() throws(ReachabilityError) {
      socket = try NetlinkSocket(groups: garland_rtmgrp_network)
      event = garland_eventfd()
      guard event >= 0 else { throw ReachabilityError("the kernel's routes can't be followed: \(systemMessage(errno))") }
    }

    deinit { if event >= 0 { close(event) } }
  }

  private let state = Mutex(State())

  /// Calls `onChange` on the monitor's thread after each change of the network interfaces or routes, until the observation is released.
  /// No change after this call is missed.
  func observe(_ onChange: @escaping @Sendable () -> Void) throws(ReachabilityError) -> NetworkObservation {
    let result = state.withLock { state -> Result<(Int, Listening?), ReachabilityError> in
      do throws(ReachabilityError) {
        var started: Listening?
        if state.thread == nil {
          started = try Listening()
          state.thread = started
        }
        state.lastID += 1
        state.observers[state.lastID] = onChange
        return .success((state.lastID, started))
      } catch {
        return .failure(error)
      }
    }
    let (id, started) = try result.get()
    if let started {
      let refusal = WorkerThread.start(name: "garland-netlink") { self.listen(started) }
      precondition(refusal == nil, "no thread could be started: \(refusal ?? "")")
    }
    return NetworkObservation { self.remove(id) }
  }

  private func remove(_ id: Int) {
    state.withLock { state in
      state.observers[id] = nil
      guard state.observers.isEmpty, let thread = state.thread else { return }
      state.thread = nil
      garland_eventfd_signal(thread.event)
    }
  }

  private func listen(_ listening: Listening) {
    var entries = [
      pollfd(fd: listening.socket.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: listening.event, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&entries, 2, -1) >= 0 || errno == EINTR else { return }
      if entries[1].revents != 0 { return }
      guard entries[0].revents != 0, listening.socket.drain() else { continue }
      let observers = state.withLock { $0.thread === listening ? Array($0.observers.values) : [] }
      for observer in observers { observer() }
    }
  }
}

/// An observation of the network, which ends when the last reference to this object is released.
final class NetworkObservation: Sendable {
  private let onEnd: @Sendable () -> Void

  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }
}
