import Glibc
import HTTPTypes
import Synchronization

/// Cookies that transfers share: those of a session, of a document, of a user.
///
/// ```swift
/// request.settings.cookies = jar
/// ```
/// Safe to use from several threads at once. Two jars are equal only if they are the same.
public final class CookieJar: Sendable, Hashable {
  private let state: Mutex<CookieStore>
  private let isNeverFilled = Atomic<Bool>(true)
  private let now: @Sendable () -> Int64

  /// A jar; by default empty, with the system's clock. `now` gives seconds since 1970.
  public init(_ store: CookieStore = CookieStore(), now: @escaping @Sendable () -> Int64 = CookieJar.systemTime) {
    state = Mutex(store)
    self.now = now
    if !store.cookies.isEmpty { isNeverFilled.store(false, ordering: .relaxed) }
  }

  /// One for all of the process.
  public static let shared = CookieJar()

  /// The seconds since 1970 as the system's clock tells them.
  public static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

  /// The cookies that have not expired.
  public var cookies: [Cookie] {
    let now = now()
    return state.withLock { $0.cookies.filter { !$0.hasExpired(at: now) } }
  }

  /// Those that a request for `url` would get, in the order they would be sent.
  public func cookies(for url: URLReference) -> [Cookie] {
    let now = now()
    return state.withLock { $0.cookies(for: url, at: now) }
  }

  /// Puts a cookie in, in place of one with the same name, domain and path.
  public func insert(_ cookie: Cookie) {
    let now = now()
    isNeverFilled.store(false, ordering: .relaxed)
    state.withLock { $0.insert(cookie, at: now) }
  }

  /// Removes those for which `predicate` holds, by default all.
  public func removeAll(where predicate: @Sendable (Cookie) -> Bool = { _ in true }) {
    state.withLock { $0.removeAll(where: predicate) }
  }

  /// The value of the `Cookie` field for `url`.
  func header(for url: @autoclosure () -> URLReference) -> String? {
    // Most jars never see a cookie, and a request should not pay for them.
    if isNeverFilled.load(ordering: .relaxed) { return nil }
    let now = now()
    let url = url()
    return state.withLock { $0.header(for: url, at: now) }
  }

  /// Takes the `Set-Cookie` fields of a response from `url`.
  func store(_ fields: HTTPFields, from url: URLReference) {
    let values = fields[values: .setCookie]
    if values.isEmpty { return }
    let now = now()
    isNeverFilled.store(false, ordering: .relaxed)
    state.withLock { state in
      for value in values { state.store(setCookie: value, from: url, at: now) }
    }
  }

  /// Whether they are the same jar.
  public static func == (left: CookieJar, right: CookieJar) -> Bool { left === right }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
