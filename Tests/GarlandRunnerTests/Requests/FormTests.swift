import GarlandJSON
import GarlandTransfer
import TestSupport
import Testing

@testable import GarlandRunner
@testable import GarlandWorkflow

/// Tests of forms in pages that are filled in and submitted.
struct FormTests {
  static let page = """
    <!doctype html><html><body>
    <form name=search action=/find><input name=q value="old"><button>Go</button></form>
    <form id=order action="../orders?x=1#top" method=POST>
      <input type=hidden name=csrf value="c0&amp;ffee"><input name=title><input name=off value=1 disabled>
      <input type=checkbox name=gift value=yes checked><input type=checkbox name=wrap>
      <input type=checkbox name=tag value=a><input type=checkbox name=tag value=b checked>
      <input type=radio name=size value=s><input type=radio name=size value=m checked><input type=radio name=size value=l disabled>
      <select name=colour><option>Red<option value=g selected>Green<option value=b disabled>Blue</select>
      <select name=extra multiple><option value=1 selected>One<option value=2>Two<option value=3 selected>Three</select>
      <select name=first><option disabled>none<option value=x>X<option value=y>Y</select>
      <textarea name=note>
    By friday
    please</textarea>
      <input name=line><input name=line value=2>
      <fieldset disabled><legend><input name=legend value=in></legend><input name=fieldset value=out></fieldset>
      <datalist><option value=d><input name=data value=list></datalist>
      <input type=image name=map src=x><input type=button name=none value=b><input type=reset name=re value=r>
      <button name=action value=buy>Buy it</button><button name=action value=save formaction=/drafts formmethod=get>Save</button>
      <button name=action value=no disabled>No</button>
    </form>
    <input name=outside form=order value=too><input name=nobody value=x>
    <form id=up action=/upload method=post enctype=multipart/form-data>
      <input type=file name=cover><input type=file name=more multiple><input name=caption value='a "b"'></form>
    <form id=plain method=post enctype=text/plain action=""><input name=a value=1><input name=b value=2></form>
    <form id=modal method=dialog></form><form id=mail action="mailto:a@b.c"></form>
    </body></html>
    """

  static func submit(
    _ form: SubmitTemplate.Form, _ fields: [(String, JSONValue)] = [], button: String? = nil, url: String = "http://h/shop/page?p=1#f",
    page: String = page
  ) throws -> FormSubmission {
    let markup = try MarkupBody.parse(Array(page.utf8), contentType: "text/html").get()
    var form = try PageForm(form, in: markup)
    for (name, value) in fields { try form.fill(name, with: .value(value)) }
    return try FormSubmission(form, pressing: try form.button(button), page: url, base: nil, isSecret: false)
  }

  static func text(_ submission: FormSubmission) -> String {
    switch submission.body {
    case .none: ""
    case .bytes(let bytes, _): String(decoding: bytes, as: UTF8.self)
    case .parts(let parts): parts.map { "\($0.name ?? "-")|\($0.fileName ?? "-")|\($0.contentType ?? "-")" }.joined(separator: " ")
    }
  }

  static let untouched =
    "csrf=c0%26ffee&title=&gift=yes&tag=b&size=m&colour=g&extra=1&extra=3&first=x&note=By+friday%0D%0Aplease&line=&line=2&legend=in&"

  @Test func `if the search for an HTML form exceeds its time limit, the failure does not say that the form is missing`() throws {
    let page = String(repeating: "<form action=/x><input name=a></form>", count: 5_000)
    let markup = try MarkupBody.parse(Array(page.utf8), contentType: "text/html").get()
    let mistake = #expect(throws: FormMistake.self) {
      try Computation(limit: .zero).run { _ = try PageForm(.only, in: markup) }
    }
    #expect(mistake?.message == "the search for the form reached its time limit")
  }

  @Test func `a submitted form contains the same fields and values as the form in a browser`() throws {
    let order = try Self.submit(.named("order"))
    #expect(order.method == .post && order.url == "http://h/orders?x=1")
    // The image comes first, so it is the default button.
    #expect(Self.text(order) == Self.untouched + "map.x=0&map.y=0&outside=too")
    #expect(order.referer == "http://h/shop/page?p=1" && order.origin == "http://h")
    let bought = try Self.submit(.named("#order".dropFirst().description), button: "Buy it")
    #expect(Self.text(bought) == Self.untouched + "action=buy&outside=too")
    #expect(Self.text(try Self.submit(.named("order"), button: "")) == Self.untouched + "outside=too")
    let saved = try Self.submit(.named("order"), button: "save")
    #expect(saved.method == .get && saved.url == "http://h/drafts?" + Self.untouched + "action=save&outside=too" && saved.origin == nil)
    let search = try Self.submit(.named("search"), [("q", "a b&ü*")])
    #expect(search.url == "http://h/find?q=a+b%26%C3%BC*" && search.method == .get && Self.text(search) == "")
    let plain = try Self.submit(.named("plain"))
    #expect(Self.text(plain) == "a=1\r\nb=2\r\n" && plain.url == "http://h/shop/page?p=1")
    #expect(Self.text(try Self.submit(.named("up"))) == "cover||application/octet-stream more||application/octet-stream caption|-|-")
  }

  @Test(
    arguments: [
      ("title", "Dune", "title=Dune"), ("title", 12, "title=12"), ("gift", false, "csrf=c0%26ffee&title=&tag=b"),
      ("wrap", true, "gift=yes&wrap=on"),
      ("tag", ["a", "b"], "tag=a&tag=b"), ("tag", "a", "yes&tag=a&size"), ("tag", .null, "gift=yes&size"), ("size", "s", "size=s"),
      ("size", .null, "tag=b&colour"), ("colour", "Red", "colour=Red"),
      ("colour", "Green", "colour=g"), ("extra", ["2"], "x&extra=2&first"),
      ("extra", [], "colour=g&first"), ("first", "Y", "first=y"), ("note", "one\ntwo", "note=one%0D%0Atwo"),
      ("line", ["a", "b"], "line=a&line=b"),
      ("title", .null, "csrf=c0%26ffee&gift"),
    ] as [(String, JSONValue, String)]) func `for each kind of HTML form field, the submitted form contains the value that the step sets`(
      name: String, value: JSONValue, part: String
    ) throws
  {
    let part = part.replacing("x&extra=2", with: "colour=g&extra=2")
    #expect(Self.text(try Self.submit(.named("order"), [(name, value)])).contains(part))
  }

  @Test(
    arguments: [
      ("titel", "Dune", "the form `order` has no field `titel`"),
      ("off", 1, "the field `off` of the form `order` is disabled, so a browser would not send it"),
      ("fieldset", 1, "the field `fieldset` of the form `order` is disabled, so a browser would not send it"),
      ("nobody", 1, "the form `order` has no field `nobody`"), ("action", 1, "the form `order` has no field `action`"),
      ("size", "xl", "the form `order` has no radio button `size` with the value `xl`"),
      ("size", "l", "the radio button `size` with the value `l` is disabled"), ("tag", true, "the form `order` has 2 checkboxes `tag`"),
      ("tag", "c", "the form `order` has no checkbox `tag` with the value `c`"),
      ("colour", "Blue", "the option `Blue` of `colour` is disabled"),
      ("colour", "Greem", "the select field `colour` of the form `order` has no option `Greem`"),
      ("colour", ["g", "Red"], "only one option of the select field `colour` can be chosen"),
      ("line", "a", "the form `order` has 2 fields `line`, but 1 value is given"),
      ("title", ["a", "b"], "the form `order` has 1 field `title`, but 2 values are given"),
      ("title", [[1]], "the field `title` can't be set to a list of 1 item"),
    ] as [(String, JSONValue, String)]) func `an HTML form is not submitted if a user could not enter the given values in a browser`(
      name: String, value: JSONValue, message: String
    )
  {
    let mistake = #expect(throws: FormMistake.self) { try Self.submit(.named("order"), [(name, value)]) }
    #expect(mistake?.message == message)
  }

  @Test func `an HTML form can be selected by its XPath, by a field, or as the only form of the page`() throws {
    #expect(try Self.submit(.path(XPath("//form[1]"))).url == "http://h/find?q=old")
    #expect(try Self.submit(.path(XPath("//input[@name='q']"))).url == "http://h/find?q=old")
    #expect(try Self.submit(.only, page: "<form action=x></form>").url == "http://h/shop/x?")
    func message(_ form: SubmitTemplate.Form, button: String? = nil, page: String = Self.page) -> String? {
      #expect(throws: FormMistake.self) { try Self.submit(form, button: button, page: page) }.map { "\($0.message) / \($0.help ?? "")" }
    }
    #expect(
      message(.only)
        == "the page has 6 forms / choose a form: write `form:` with its name, its id or an XPath; its forms are `search`, `order`, `up`, `plain`, `modal` and `mail`"
    )
    #expect(message(.named("ordr")) == "the page has no form `ordr` / it has `order`")
    #expect(message(.only, page: "<p>none") == "the page has no form / ")
    #expect(
      message(.path(try XPath("//h9")))
        == "`//h9` selects nothing on the page / its forms are `search`, `order`, `up`, `plain`, `modal` and `mail`")
    #expect(message(.path(try XPath("//html")))?.hasPrefix("`//html` selects <html>, which is not a form") == true)
    #expect(message(.named("order"), button: "Sell") == "the form `order` has no button `Sell` / it has `map`, `Buy it`, `Save` and `No`")
    #expect(message(.named("order"), button: "No") == "the button `No` of the form `order` is disabled / ")
    #expect(message(.named("modal")) == "the form `modal` has the method `dialog`, so it sends no request / ")
    #expect(message(.named("mail"))?.hasPrefix("the action of the form is a `mailto` URL") == true)
  }

  @Test func `the request of a submitted form has the same Referer and Origin headers as in a browser`() throws {
    let away = "<form method=post action=https://other.example/x></form>"
    let far = try Self.submit(.only, url: "https://h:8443/a?b#c", page: away)
    #expect(far.referer == "https://h:8443/" && far.origin == "https://h:8443")
    let down = try Self.submit(.only, url: "https://u:p@h/a", page: "<form method=post action=http://h/x></form>")
    #expect(down.referer == nil && down.origin == "https://h")
    #expect(try Self.submit(.only, url: "https://u:p@h/a", page: "<form action=b></form>").referer == "https://h/a")
  }

  @Test(.timeLimit(.minutes(15))) func `a step with the key 'submit' sends an HTML form as a browser would send the form`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let run = try await TestRun.carryOut(
        prelude + """
            page: { get: /html }
            order:
              submit: { form: order, from: page, fields: { title: Dune, gift: false, size: small } }
              expect:
                status: 200
                json:
                  $.path: /post
                  $.form.pairs: { eq: [[csrf, c0ffee], [title, Dune], [size, small], [note, By friday], [action, buy]] }
                  $.header.referer: "${env.SANDBOX}/html"
                  $.header.origin: "${env.SANDBOX}"
                  "$.header['content-type']": application/x-www-form-urlencoded
            typo: { submit: { from: page, fields: { titel: Dune } } }
            other: { submit: { from: page, form: login } }
            gone: { get: /status/404 }
            blocked: { submit: { from: gone } }
            none: { get: /json }
            no_page: { submit: { from: none } }
          """, sandbox, folder: folder)
      #expect(
        run.outcomes == [
          "page passed", "order passed", "typo failed", "other failed", "gone failed", "blocked blocked", "none passed", "no_page failed",
        ])
      let messages = try ["typo", "other", "no_page"].map { id in
        try run.result(id).failures.map { "\($0.message) / \($0.help ?? "") @ \($0.range?.text ?? "")" }
      }
      expectGolden(messages.flatMap(\.self).joined(separator: "\n") + "\n", "form-mistakes.txt")
      #expect(try run.result("order").exchanges.first?.hops.first?.method == "POST")
    }
  }
}
