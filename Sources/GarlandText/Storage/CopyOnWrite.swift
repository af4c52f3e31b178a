/// A value in heap storage. Copies of the box share the storage until one of them changes the value.
///
/// A struct whose only stored property is such a box is cheap to copy, and still has the semantics of a value:
/// ```swift
/// public struct Request: Sendable {
///   private struct Values: Sendable { var url: String }
///   private var box: CopyOnWrite<Values>
///   public var url: String {
///     get { box.value.url }
///     _modify { yield &box.value.url }
///   }
/// }
/// ```
@frozen public struct CopyOnWrite<Value: Sendable>: Sendable {
  /// `@unchecked Sendable`: the value is changed only while exactly one `CopyOnWrite` (a box) refers to this storage, and the compiler
  /// guarantees exclusive access to that box. A box that shares the storage with other boxes copies the value before a change.
  @usableFromInline final class Storage: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var storage: Storage

  /// Creates a box with a new storage for `value`.
  @inlinable public init(_ value: Value) { storage = Storage(value) }

  /// The value of the box. If copies of the box share the value, the value is copied before a change.
  @inlinable public var value: Value {
    @inline(__always) _read { yield storage.value }
    @inline(__always) _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }

  /// Whether this box and `other` share their value, as a box and its unchanged copy do. This check is cheap. If the result is true, the
  /// values are equal. If it is false, they may be equal too.
  @inlinable public func isIdentical(to other: CopyOnWrite) -> Bool { storage === other.storage }
}
