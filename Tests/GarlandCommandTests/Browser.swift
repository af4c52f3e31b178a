import TestSupport

/// A user with a browser, as a program that receives a URL. It logs in at the sandbox as alice, allows access, and follows the redirects.
enum TestBrowser {
  /// Writes the browser into a folder, and returns the value of `BROWSER` for it. The browser writes its last page to `browser.log` in that
  /// folder.
  static func install(in folder: TemporaryFolder, password: String = "wonderland", decision: String = "allow") throws -> String {
    let script = try folder.write("browser.py", source)
    return "/usr/bin/python3 \(script) \(password) \(decision)"
  }

  private static let source = """
    import re, sys, urllib.error, urllib.parse, urllib.request

    password, decision, url = sys.argv[1:]
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(), urllib.request.ProxyHandler({}))


    def visit(url, fields=None):
        data = urllib.parse.urlencode(fields).encode() if fields else None
        try:
            return opener.open(url, data)
        except urllib.error.HTTPError as error:
            return error


    response = visit(url)
    for _ in range(4):
        page = response.read().decode()
        form = re.search(r'<form id="(login|consent)".*?action="([^"]*)"', page, re.S)
        if not form:
            break
        fields = re.findall(r'name="(request|csrf|scope)" value="([^"]*)"', page)
        if form[1] == "login":
            fields += [("username", "alice"), ("password", password)]
        else:
            fields += [("decision", decision)]
        response = visit(urllib.parse.urljoin(response.url, form[2]), fields)
    with open(__file__.replace("browser.py", "browser.log"), "w") as log:
        log.write(f"{response.status} {page}")

    """
}
