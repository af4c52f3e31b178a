import Dispatch
import Glibc
import Synchronization

/// A nameserver on 127.0.0.1 whose answer is in the question: `nx.…`, `fail.…`, `refuse.…`, `empty.…`, `silent.…`, `held…`, which is answered when ``release()`` says so, and
/// an address for anything else.
enum Nameserver {
  private struct Held {
    /// The names that have been asked for.
    var names: Set<String> = []
    var answers: [@Sendable () -> Void] = []
    var isReleased = false
    var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private static let held = Mutex(Held())

  /// Waits until so many different names have been asked for whose answer is held back.
  static func waitForHeld(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = held.withLock { held in
        if held.names.count < count { held.waiting = (count, continuation) }
        return held.names.count >= count
      }
      if isReached { continuation.resume() }
    }
  }

  /// How many names wait for their answer.
  static var heldNames: Int { held.withLock { $0.isReleased ? 0 : $0.names.count } }

  /// Gives the answers that were held back.
  static func release() {
    let answers = held.withLock { held in
      held.isReleased = true
      defer { held.answers = [] }
      return held.answers
    }
    for answer in answers { answer() }
  }

  static func start() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard status == 0 else { throw Namespace.Failure(description: "no nameserver: \(errno)") }
    DispatchQueue(label: "nameserver").async { serve(descriptor) }
  }

  private static func serve(_ descriptor: Int32) {
    while true {
      var sender = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = withUnsafeMutablePointer(to: &sender) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { recvfrom(descriptor, &buffer, 512, 0, $0, &size) }
      }
      guard count > 0 else { return }
      let question = Array(buffer[..<count])
      guard let answer = answer(to: question) else { continue }
      let send: @Sendable () -> Void = { [sender, size] in
        _ = withUnsafePointer(to: sender) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(descriptor, answer, answer.count, 0, $0, size) }
        }
      }
      if !hold(question, send) { send() }
    }
  }

  /// Keeps the answer to a question, if its name is one of those whose answers are held back.
  private static func hold(_ question: [UInt8], _ send: @escaping @Sendable () -> Void) -> Bool {
    let name = String(decoding: question[13...].prefix { $0 != 0 }, as: UTF8.self)
    guard name.hasPrefix("held") else { return false }
    let (isHeld, waiting) = held.withLock { held -> (Bool, CheckedContinuation<Void, Never>?) in
      if held.isReleased { return (false, nil) }
      held.names.insert(name)
      held.answers.append(send)
      guard let waiting = held.waiting, held.names.count >= waiting.count else { return (true, nil) }
      held.waiting = nil
      return (true, waiting.continuation)
    }
    waiting?.resume()
    return isHeld
  }

  private static func answer(to question: [UInt8]) -> [UInt8]? {
    guard question.count > 13, Int(question[12]) < question.count - 13 else { return nil }
    let label = String(decoding: question[13..<(13 + Int(question[12]))], as: UTF8.self)
    guard let end = question[12...].firstIndex(of: 0), end + 5 <= question.count else { return nil }
    let isForIPv4 = question[end + 2] == 1
    var code: UInt8 = 0
    switch label {
    case "silent": return nil
    case "nx": code = 3
    case "fail": code = 2
    case "refuse": code = 5
    default: break
    }
    let hasAddress = code == 0 && isForIPv4 && label != "empty"
    var answer = Array(question[0..<2]) + [0x81, 0x80 | code, 0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0] + question[12...(end + 4)]
    if hasAddress { answer += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1] }
    return answer
  }
}
