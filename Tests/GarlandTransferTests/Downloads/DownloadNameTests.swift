import HTTPTypes
import Testing

@testable import GarlandTransfer

/// The examples of RFC 6266, real responses of servers, and dangerous names.
@Suite("Suggested file names")
struct DownloadNameTests {
  @Test(arguments: [
    // RFC 6266, section 5.
    ("Attachment; filename=example.html", "example.html"),
    ("INLINE; FILENAME= \"an example.html\"", "an example.html"),
    ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "€ rates"),
    ("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "€ rates"),
    // The extended form wins at any position, but only if it is valid.
    ("attachment; filename*=UTF-8'en'a.txt; filename=b.txt", "a.txt"),
    ("attachment; filename*=KOI8-R''a.txt; filename=b.txt", "b.txt"),
    ("attachment; filename*=UTF-8''%ff%fe; filename=b.txt", "b.txt"),
    ("attachment; filename*=iso-8859-1''%e9t%e9.txt", "été.txt"),
    ("attachment; filename*=nonsense; filename=b.txt", "b.txt"),
    ("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"), ("attachment;filename=a.txt;size=3", "a.txt"),
    ("attachment; filename=a;b.txt", "a"), ("attachment; filename=\"a;b.txt\"", "a;b.txt"),
    // No name leaves its folder.
    ("attachment; filename=\"../../etc/passwd\"", "passwd"), ("attachment; filename=\"/etc/passwd\"", "passwd"),
    ("attachment; filename=\"C:\\\\Windows\\\\x.dll\"", "x.dll"), ("attachment; filename*=UTF-8''..%2f..%2fx", "x"),
    ("attachment; filename=\"..\"", "last"), ("attachment; filename=\".\"", "last"), ("attachment; filename=\"\"", "last"),
    ("attachment; filename=\".bashrc\"", "bashrc"), ("attachment; filename=\"-rf\"", "rf"), ("attachment; filename=\"a.txt. \"", "a.txt"),
    ("attachment; filename=\"a/\"", "a"), ("attachment; filename*=UTF-8''a%00b%0ac.txt", "abc.txt"),
    // A right-to-left override makes an exe look like a picture.
    ("attachment; filename*=UTF-8''photo%e2%80%aegnp.exe", "photognp.exe"), ("attachment", "last"), ("", "last"),
  ])
  func `a download's file name from Content-Disposition has no path, leading dot or control character`(_ value: String, _ expected: String)
  {
    var fields = HTTPFields()
    fields[.contentDisposition] = value
    #expect(DownloadName.suggested(by: fields, url: "/files/last") == expected)
  }

  @Test(arguments: [
    ("/files/a.txt", "a.txt"), ("/files/a%20b.txt", "a b.txt"), ("/files/", "files"), ("/", "download"), ("", "download"),
    ("/files/..%2f..%2fx", "x"), ("/%2e%2e", "download"), ("/a/.hidden", "hidden"),
  ])
  func `the file name that a URL suggests for a download has no path separator and no leading dot`(_ path: String, _ expected: String) {
    #expect(DownloadName.suggested(by: HTTPFields(), url: path) == expected)
  }

  @Test func `a suggested file name has at most 200 bytes`() {
    var fields = HTTPFields()
    fields[.contentDisposition] = "attachment; filename*=UTF-8''" + String(repeating: "%e2%82%ac", count: 500)
    let name = DownloadName.suggested(by: fields, url: "")
    #expect(name.utf8.count <= 200 && name.allSatisfy { $0 == "€" } && !name.isEmpty)
  }
}
