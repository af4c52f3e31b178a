import GarlandText
import Testing

@Suite struct CopyOnWriteTests {
  @Test func `if a copy of a CopyOnWrite value is changed, the original value is unchanged`() {
    let original = CopyOnWrite(["a", "b"])
    var copy = original
    #expect(copy.isIdentical(to: original))
    copy.value[1] = "c"
    #expect(!copy.isIdentical(to: original))
    #expect(original.value == ["a", "b"])
    #expect(copy.value == ["a", "c"])
  }

  @Test func `a copy-on-write box that shares its value with no other box is changed in place`() {
    var box = CopyOnWrite([1, 2, 3])
    let address = box.value.withUnsafeBufferPointer { $0.baseAddress }
    box.value[0] = 4
    #expect(box.value.withUnsafeBufferPointer { $0.baseAddress } == address)
    #expect(box.value == [4, 2, 3])
  }
}
