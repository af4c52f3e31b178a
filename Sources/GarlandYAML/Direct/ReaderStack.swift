/// A stack for the children of collections that are still open. Removing elements only lowers a count.
struct ReaderStack<Element> {
  private var storage: [Element] = []
  private(set) var count = 0

  subscript(index: Int) -> Element { storage[index] }

  mutating func push(_ element: Element) {
    if count < storage.count { storage[count] = element } else { storage.append(element) }
    count += 1
  }

  /// Removes all elements but the first `count`.
  mutating func drop(to count: Int) { self.count = count }

  /// Returns the elements from a position on.
  func elements(from start: Int) -> ArraySlice<Element> { storage[start..<count] }
}
