import CCurl

/// How this process gets its memory.
package enum ProcessHeap {
  /// Has all threads share one heap. To be called before there are several; a program decides that, a library does not.
  package static func shareAmongThreads() { garland_use_one_heap() }

  /// Has the process take memory in large pieces and give none back: for one that builds what it needs and ends.
  package static func useOnce() { garland_use_heap_once() }
}
