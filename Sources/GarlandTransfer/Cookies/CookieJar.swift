import Glibc
import HTTPTypes
import Synchronization

/// Cookies that transfers share, for example those of a session, a document or a user.
///
/// ```swift
/// request.settings.cookies = jar
/// ```
/// A jar is safe to use from several threads. Two jars are equal only if they are the same object.
public final class CookieJar: Sendable, Hashable {
  private let state: Mutex<CookieStore>
  private let isNeverFilled = Atomic<Bool>(true)
  private let now: @Sendable () -> Int64

  /// Creates a cookie jar. By default it is empty and uses the system's clock. `now` returns seconds since
  /// 1970.
  public init(_ store: CookieStore = CookieStore(), now: @escaping @Sendable () -> Int64 = CookieJar.systemTime) {
    state = Mutex(store)
    self.now = now
    if !store.cookies.isEmpty { isNeverFilled.store(false, ordering: .relaxed) }
  }

  /// The cookie jar that the whole process shares.
  public static let shared = CookieJar()

  /// Returns the seconds since 1970 by the system's clock.
  public static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

  /// The cookies that have not expired.
  public var cookies: [Cookie] {
    let now = now()
    return state.withLock { $0.cookies.filter { !$0.hasExpired(at: now) } }
  }

  /// Returns the cookies that would be sent with a request for `url`, in the order of sending.
  public func cookies(for url: URLReference) -> [Cookie] {
    let now = now()
    return state.withLock { $0.cookies(for: url, at: now) }
  }

  /// Inserts a cookie. It replaces a cookie with the same name, domain and path.
  public func insert(_ cookie: Cookie) {
    let now = now()
    isNeverFilled.store(false, ordering: .relaxed)
    state.withLock { $0.insert(cookie, at: now) }
  }

  /// Removes the cookies for which `predicate` is true, by default all.
  public func removeAll(where predicate: @Sendable (Cookie) -> Bool = { _ in true }) {
    state.withLock { $0.removeAll(where: predicate) }
  }

  /// Removes all cookies. Returns at once, without the lock, if the jar never contained a cookie.
  package func empty() {
    if isNeverFilled.load(ordering: .relaxed) { return }
    removeAll()
    isNeverFilled.store(true, ordering: .relaxed)
  }

  /// Returns the value of the `Cookie` field for a request for `url`; nil if no cookie applies.
  func header(for url: @autoclosure () -> URLReference) -> String? {
    // Most jars never contain a cookie, so requests with such a jar skip the rest.
    if isNeverFilled.load(ordering: .relaxed) { return nil }
    let now = now()
    let url = url()
    return state.withLock { $0.header(for: url, at: now) }
  }

  /// Stores the `Set-Cookie` fields of a response from `url`.
  func store(_ fields: HTTPFields, from url: URLReference) {
    let values = fields[values: .setCookie]
    if values.isEmpty { return }
    let now = now()
    isNeverFilled.store(false, ordering: .relaxed)
    state.withLock { state in
      for value in values { state.store(setCookie: value, from: url, at: now) }
    }
  }

  /// Whether both operands are the same jar object.
  public static func == (left: CookieJar, right: CookieJar) -> Bool { left === right }

  /// Hashes the identity of the jar.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
