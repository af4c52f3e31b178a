/// The exit status of a command for which several statuses may apply. The order of precedence is: the status of a signal, 2, 1, 4, 3. The
/// page `exit-statuses` of the documentation defines this order.
struct ExitStatus: Equatable {
  private(set) var code: Int32

  init(_ code: Int32 = 0) { self.code = code }

  /// Adds another exit status. The status with the higher precedence is kept.
  mutating func add(_ other: Int32) {
    if Self.rank(other) < Self.rank(code) { code = other }
  }

  private static func rank(_ code: Int32) -> Int {
    switch code {
    case 128...: 0
    case 2: 1
    case 1: 2
    case 4: 3
    case 3: 4
    case 0: 6
    default: 5
    }
  }
}
