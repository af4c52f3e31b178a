/// The members of a JSON object, in their original order.
///
/// ```swift
/// var object: JSONObject = ["b": 1, "a": 2]
/// object["c"] = true
/// object.keys   // ["b", "a", "c"]
/// for (key, value) in object { print(key, value) }
/// ```
///
/// Names are compared by their Unicode scalars. A new member is added at the end; an existing
/// member keeps its position when its value is set.
public struct JSONObject: Sendable {
  /// A member of the object: a name and a value.
  public typealias Element = (key: String, value: JSONValue)

  /// The maximum number of members for which comparing all names is faster than hashing one name.
  static let largestUnindexedCount = 16

  /// A stored member. It is a struct and not a tuple, since the runtime would have to look up how to copy and
  /// destroy a tuple.
  struct Member: Sendable {
    let key: String
    var value: JSONValue
  }

  private(set) var members: [Member]
  /// The indexes of the members by name. Nil for a small object, whose members are searched one by one.
  private var positions: [ScalarString: Int]?

  /// Creates an object without members.
  public init() {
    members = []
    positions = nil
  }

  /// Creates an object from names and values. A duplicate name keeps its first position and gets its last value.
  public init(_ elements: some Sequence<(String, JSONValue)>) {
    self.init()
    members.reserveCapacity(elements.underestimatedCount)
    for (key, value) in elements {
      self[key] = value
    }
  }

  /// Creates an object from members. The caller must ensure that no name is duplicate.
  init(uniqueMembers: [Member], positions: [ScalarString: Int]?) {
    members = uniqueMembers
    self.positions = positions
  }

  /// The names of the members, in the order of the members.
  public var keys: [String] {
    members.map(\.key)
  }

  /// The values in order.
  public var values: [JSONValue] {
    members.map(\.value)
  }

  /// Reserves memory for `count` members.
  public mutating func reserveCapacity(_ count: Int) {
    members.reserveCapacity(count)
  }

  /// Returns the index of the member with the name `key`; nil if there is no such member.
  public func position(of key: String) -> Int? {
    if let positions { return positions[ScalarString(key)] }
    for position in members.indices where members[position].key.isIdentical(to: key) {
      return position
    }
    return nil
  }

  /// The value of the member with the name `key`; nil if there is no such member. Setting nil removes the member.
  public subscript(key: String) -> JSONValue? {
    get {
      position(of: key).map { members[$0].value }
    }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(key: key, value: value)
      case (nil, nil): break
      }
    }
  }

  /// Removes the member with the name `key`. Returns its value; nil if there was no such member.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> JSONValue? {
    guard let position = position(of: key) else { return nil }
    let value = members[position].value
    remove(at: position)
    return value
  }

  /// Returns the object with its members sorted by their names, in the order of Unicode scalars.
  public func sortedByKey() -> JSONObject {
    let sorted = members.sorted { $0.key.precedesByScalars($1.key) }
    return JSONObject(uniqueMembers: sorted, positions: JSONObject.index(of: sorted))
  }

  static func index(of members: [Member]) -> [ScalarString: Int]? {
    guard members.count > largestUnindexedCount else { return nil }
    var positions: [ScalarString: Int] = [:]
    positions.reserveCapacity(members.count)
    for position in members.indices {
      positions[ScalarString(members[position].key)] = position
    }
    return positions
  }

  private mutating func append(key: String, value: JSONValue) {
    members.append(Member(key: key, value: value))
    if positions != nil {
      positions?[ScalarString(key)] = members.count - 1
    } else {
      positions = JSONObject.index(of: members)
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    positions = JSONObject.index(of: members)
  }
}

extension JSONObject: RandomAccessCollection {
  /// The position of the first member: 0.
  public var startIndex: Int { 0 }

  /// The position after the last member: the number of members.
  public var endIndex: Int { members.count }

  /// The member at a position.
  public subscript(position: Int) -> Element {
    (members[position].key, members[position].value)
  }
}

extension JSONObject: Hashable {
  /// Whether both objects have the same names with equal values. The order does not matter.
  public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
    guard lhs.count == rhs.count else { return false }
    for (position, member) in lhs.members.enumerated() {
      let counterpart = rhs.members[position]
      // Objects from the same source have the same order, so the same position is compared first.
      if counterpart.key.isIdentical(to: member.key) {
        guard counterpart.value == member.value else { return false }
      } else {
        guard let value = rhs[member.key], value == member.value else { return false }
      }
    }
    return true
  }

  /// Hashes the members, regardless of their order.
  public func hash(into hasher: inout Hasher) {
    var combined = 0
    for member in members {
      var memberHasher = Hasher()
      memberHasher.combine(member.key)
      memberHasher.combine(member.value)
      combined ^= memberHasher.finalize()
    }
    hasher.combine(members.count)
    hasher.combine(combined)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object whose members keep the order of the literal; a duplicate name gets its last value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}
