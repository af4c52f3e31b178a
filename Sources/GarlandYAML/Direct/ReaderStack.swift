/// What waits for the end of what it stands in. Taking things off only lowers a number.
struct ReaderStack<Element> {
  private var storage: [Element] = []
  private(set) var count = 0

  subscript(index: Int) -> Element { storage[index] }

  mutating func push(_ element: Element) {
    if count < storage.count { storage[count] = element } else { storage.append(element) }
    count += 1
  }

  /// Takes all off but the first.
  mutating func drop(to count: Int) { self.count = count }

  /// Those from there on.
  func elements(from start: Int) -> ArraySlice<Element> { storage[start..<count] }
}
