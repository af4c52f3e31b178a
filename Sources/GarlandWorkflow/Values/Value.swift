public import GarlandJSON

/// The value of an expression or a template: a JSON value in which each leaf (a text, a number, a boolean or null) is marked as secret or
/// not.
///
/// ```swift
/// let token = Value.secret("s3cr3t")
/// let body = Value.object([("user", .plain("alice")), ("token", token)])
/// body.json        // {"user": "alice", "token": "s3cr3t"}
/// body.isTainted   // true
/// ```
///
/// A value is always normalised: if it contains no secret, it is `.plain`, whatever its shape. Use ``list(of:)`` and ``object(of:)`` to
/// build lists and objects, since they keep values normalised.
public enum Value: Sendable {
  /// A value without any secret.
  case plain(JSONValue)
  /// A value that is secret as a whole.
  case secret(JSONValue)
  /// A list in which at least one item is secret, completely or in part.
  case list([Value])
  /// An object in which at least one member's value is secret, completely or in part. The members keep their order.
  case object([(key: String, value: Value)])
  /// The results of a loop, in the order of its items. At least one result is nil, because its item did not pass or extracted nothing. An
  /// expression that uses the list as a whole is undefined. ``json`` contains only the results that are not nil.
  case sparse([Value?])

  /// Returns a list value with the results of a loop's items. If an item has no result (nil), the returned value is ``sparse(_:)``.
  public static func loop(of items: [Value?]) -> Value {
    var present: [Value] = []
    present.reserveCapacity(items.count)
    for item in items {
      guard let item else { return .sparse(items) }
      present.append(item)
    }
    return .list(of: present)
  }

  /// Returns the list of the given items. If no item contains a secret (all items are `.plain`), the list is `.plain` too.
  public static func list(of items: [Value]) -> Value {
    var plain: [JSONValue] = []
    plain.reserveCapacity(items.count)
    for item in items {
      guard case .plain(let value) = item else { return .list(items) }
      plain.append(value)
    }
    return .plain(.array(plain))
  }

  /// The items of a list, each marked as secret or not; empty for other values. If the list contains the results of a loop, items without a
  /// result are omitted.
  package var elements: [Value] {
    switch self {
    case .plain(.array(let items)): items.map { .plain($0) }
    case .secret(.array(let items)): items.map { .secret($0) }
    case .list(let items): items
    case .sparse(let items): items.compactMap { $0 }
    default: []
    }
  }

  /// Returns the object of the given members, in the given order. If all values are `.plain` (they contain no secret), the object is
  /// `.plain` too. If a name is repeated, the last value is used.
  public static func object(of members: [(key: String, value: Value)]) -> Value {
    var plain = JSONObject()
    plain.reserveCapacity(members.count)
    for member in members {
      guard case .plain(let value) = member.value else { return .object(unique(members)) }
      plain[member.key] = value
    }
    return .plain(.object(plain))
  }

  private static func unique(_ members: [(key: String, value: Value)]) -> [(key: String, value: Value)] {
    var positions: [String: Int] = [:]
    var result: [(key: String, value: Value)] = []
    for member in members {
      if let position = positions[member.key] {
        result[position].value = member.value
      } else {
        positions[member.key] = result.count
        result.append(member)
      }
    }
    return result
  }

  /// Creates a value that is secret as a whole if `isSecret` is true, and `.plain` otherwise.
  public init(_ value: JSONValue, isSecret: Bool) {
    self = isSecret ? .secret(value) : .plain(value)
  }

  /// The JSON value, in which secrets are not masked. Use it for sending and comparing, never for output.
  public var json: JSONValue {
    switch self {
    case .plain(let value), .secret(let value): value
    case .list(let items): .array(items.map(\.json))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.json) }))
    case .sparse(let items): .array(items.compactMap { $0?.json })
    }
  }

  /// Whether at least a part of the value is secret.
  public var isTainted: Bool {
    switch self {
    case .plain: false
    case .secret, .list, .object: true
    case .sparse(let items): items.contains { $0?.isTainted ?? false }
    }
  }

  /// The kind of the value, such as text or list. A secret has the same kind as an equal value that is not secret.
  public var kind: JSONValue.Kind {
    switch self {
    case .plain(let value), .secret(let value): value.kind
    case .list, .sparse: .array
    case .object: .object
    }
  }

  /// The JSON value for output, in which every secret is replaced with `***`.
  public var masked: JSONValue {
    switch self {
    case .plain(let value): value
    case .secret: .string("***")
    case .list(let items): .array(items.map(\.masked))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.masked) }))
    case .sparse(let items): .array(items.compactMap { $0?.masked })
    }
  }

  /// Calls `body` with every secret text in the value, and with every secret number as text. Secret booleans and null are too common to be
  /// masked.
  public func forEachSecret(_ body: (String) -> Void) {
    switch self {
    case .plain: break
    case .secret(let value): Value.forEachLeaf(of: value, body)
    case .list(let items): for item in items { item.forEachSecret(body) }
    case .object(let members): for member in members { member.value.forEachSecret(body) }
    case .sparse(let items): for item in items { item?.forEachSecret(body) }
    }
  }

  private static func forEachLeaf(of value: JSONValue, _ body: (String) -> Void) {
    switch value {
    case .null, .bool: break
    case .number(let number): body(number.text)
    case .string(let text): body(text)
    case .array(let items): for item in items { forEachLeaf(of: item, body) }
    case .object(let members): for member in members { forEachLeaf(of: member.value, body) }
    }
  }
}

extension Value: Equatable {
  /// Whether both values contain equal JSON, and the same parts of both are secret.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.plain(let left), .plain(let right)), (.secret(let left), .secret(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.sparse(let left), .sparse(let right)): left == right
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }
}
