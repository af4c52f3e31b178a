import Testing

@testable import garland

@Suite struct ProcessorCountTests {
  @Test func `the processors in an affinity mask are counted`() {
    #expect(ProcessorCount.allowed("Name:\tgarland\nCpus_allowed:\tff,0000000f\nCpus_allowed_list:\t0-3,32-39\n") == 12)
  }

  @Test func `if the status text of a Linux process does not list the allowed processors, their number is unknown`() {
    #expect(ProcessorCount.allowed("Name:\tgarland\n") == nil)
  }

  @Test(arguments: [("200000 100000", 2), ("150000 100000", 2), ("10000 100000", 1)])
  func `a quota of processor time is rounded up to whole processors`(text: String, count: Int) {
    #expect(ProcessorCount.quota(text + "\n") == count)
  }

  @Test(arguments: ["max 100000", "", "1", "0 0"])
  func `a Linux control group (cgroup) without a valid CPU quota does not limit the number of processors`(text: String) {
    #expect(ProcessorCount.quota(text) == nil)
  }
}
