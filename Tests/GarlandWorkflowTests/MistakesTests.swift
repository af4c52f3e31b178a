import GarlandDiagnostics
import Testing
import TestSupport

@testable import GarlandWorkflow

/// Tests of the diagnostics of users' mistakes, with one golden file for each group of mistakes.
@Suite struct MistakesTests {
  /// Steps, each with one mistake, and with everything else that the step needs.
  static let steps: [(name: String, lines: String)] = [
    ("a mistyped key", "post: /x\njsn: {a: 1}"), ("a key of another tool", "get: /x\nassert: {status: 200}"),
    ("a key that resembles no known key", "get: /x\nfoobar: 1"),
    ("limit without a loop", "get: /x\nlimit: 3"), ("two loops", "get: /x\nfor_each: [1]\nmatrix: {a: [1]}"),
    ("an undefined member of a matrix item", "get: '/${item.colour}'\nmatrix: {color: [red], size: [s]}"),
    ("an undefined member of a loop item", "get: '/${item.nmae}'\nfor_each: [{name: x}, {name: y, more: 1}]"),
    ("item without a loop", "get: '/${item}'"), ("a loop over text", "get: /x\nfor_each: abc"),
    ("a loop over numbers in one text", "get: /x\nfor_each: '1,2,3'"),
    ("a loop over words in one text", "get: /x\nfor_each: red, dark green"),
    ("a loop over a text that has commas and quotes", "get: /x\nfor_each: 'a,\"b,c\"'"),
    ("an axis of numbers in one text", "get: /x\nmatrix: {a: '1,2'}"),
    ("a loop over a mapping", "get: /x\nfor_each: {a: [1]}"), ("a matrix of scalars", "get: /x\nmatrix: {a: 1}"),
    ("a rows file of an unknown format", "get: /x\nrows: {file: rows.txt}"),
    ("a table whose rows have different lengths", "get: /x\nrows: ragged.csv"),
    ("an undefined column of a table", "get: '/${item.nmae}'\nrows: rows.csv"),
    ("poll without until", "get: /x\npoll: {every: 1s}"),
    ("poll until a constant condition", "get: /x\npoll: {until: true}"), ("paginate without a next page", "get: /x\npaginate: {}"),
    ("two next pages", "get: /x\npaginate: {next: '${response.json.next}', link: true}"),
    ("an unknown resource", "get: /x\nuses: db"), ("a negative number of retries", "get: /x\nretry: -1"),
    ("a retry factor below 1", "get: /x\nretry: {factor: 0.5}"), ("an invalid method under retry", "get: /x\nretry: {methods: [a b]}"),
    ("no action", "description: nothing"), ("two actions", "get: /x\npost: /y"),
    ("url without method", "url: /x"),
    ("two bodies", "post: /x\njson: {a: 1}\nform: {a: 1}"), ("params as a second body", "post: /x\njson: {a: 1}\nparams: {b: 2}"),
    ("two credentials", "get: /x\nbearer: x\nbasic: a:b"), ("digest beside basic", "get: /x\nbasic: a:b\ndigest: a:b"),
    ("bare number as duration", "get: /x\ntimeout: 30"),
    ("a duration of two units", "get: /x\ntimeout: 1m30s\nretry: {limit: 2, delay: 1s 500ms}\nexpect: {time: {lt: 1h5m}}"),
    ("two paths right below expect", "get: /x\nexpect:\n  $.a: 1\n  $.b: x"),
    ("paths below expect with another key between", "get: /x\nexpect:\n  $.a: 1\n  status: 200\n  $.b: x"),
    ("a header as a path", "get: /x\nextract: {a: $.header.x-key, b: $.headers.X-Key}"),
    ("a name with a dash in a path", "get: /x\nextract: {a: $.x-key, b: '$.a.x-key[0].b-c'}\nexpect: {json: {$.x-key: 1}}"),
    ("a timeout of zero", "get: /x\ntimeout: 0s"), ("a duration with an unknown unit", "get: /x\ndeadline: 5 min"),
    ("size without unit", "get: /x\nmax_body: 100"),
    ("the word yes in place of true", "get: /x\nalways: yes"),
    ("a condition that is a number", "get: /x\nwhen: ${1 + 1}"), ("space in URL", "get: /x y"),
    ("an invalid header name", "get: /x\nheaders: {'Bad Name': 1, 'Accept:': x}"),
    ("a Content-Length that the document sets", "post: /x\nbody: abc\nheaders: {Content-Length: 3}"),
    ("two credentials, one a header", "get: /x\nbearer: abc\nheaders: {authorization: 'Basic eHg6eXk='}"),
    ("the word Bearer twice", "get: /x\nbearer: 'Bearer ${vars.x}'"),
    ("a URL with an unsupported scheme", "get: gopher://example.com/x"), ("a URL without a host", "get: http://"),
    ("a URL with a user only", "get: http://user@:80/"), ("an invalid port", "get: http://localhost:80800/"),
    ("an encoded host", "get: http://exa%20mple.com/x"), ("a space in a host", "get: http://exa mple.com/x"),
    ("a number as the expected time", "get: /x\nexpect: {time: 500}"),
    ("a predicate of another tool", "get: /x\nexpect: {json: {$.a: {greater_than: 1}}}"),
    ("a duplicate header", "get: /x\nheaders: {accept: a, Accept: b}"), ("an invalid method", "method: GE T\nurl: /x"),
    ("headers as a list", "get: /x\nheaders: [a]"),
    ("digest without colon", "get: /x\ndigest: alice"), ("digest as a mapping", "get: /x\ndigest: {user: alice}"),
    ("compress without a body", "get: /x\ncompress: gzip"), ("an unsupported coding for compress", "post: /x\nbody: a\ncompress: br"),
    ("basic without colon", "get: /x\nbasic: alice"), ("an undefined auth entry", "get: /x\nauth: shop"),
    ("an unsupported HTTP version", "get: /x\nhttp: 3"),
    ("unknown encoding", "get: /x\nparams: {a: 1}\nencoding: jsn"), ("an option of params without params", "get: /x\narrays: none"),
    ("query as a list", "get: /x\nquery: [a, b]"), ("query as text", "get: /x\nquery: a=1&b=x%20y&a=${vars.user}&c="),
    ("form as text", "post: /x\nform: 'user=alice&remember=true'"), ("form as a text without parameters", "post: /x\nform: user"),
    ("body as a mapping", "post: /x\nbody: {title: Dune}"),
    ("bad base64", "post: /x\nbody: {base64: 'abc'}"),
    ("missing file", "post: /x\nbody: {file: nope.bin}"),
    ("a file outside of the project", "post: /x\nbody: {file: ../outside/secret.txt}"),
    ("a link to a file outside of the project", "post: /x\nbody: {file: link.txt}"),
    ("a folder in place of a file", "post: /x\nmultipart: {a: {file: folder}}"),
    ("unreadable file", "post: /x\nmultipart: {a: {file: locked.txt}}"),
    ("part without content", "post: /x\nmultipart: {a: {type: image/png}}"),
    ("a part with two contents", "post: /x\nmultipart: {a: {file: cover.png, text: x}}"),
    ("list of parts without names", "post: /x\nmultipart: [{file: cover.png}]"),
    ("download without to", "get: /x\ndownload: {replace: true}"), ("resume with POST", "post: /x\ndownload: {to: x, resume: true}"),
    ("resume with a body", "get: /x\nbody: a\ndownload: {to: x, resume: true}"),
    ("an incomplete entry of resolve", "get: /x\nresolve: {example.com: 1.2.3.4}"),
    ("pins without verification", "get: /x\ntls: {pins: [sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=], verify: false}"),
    ("pin in hexadecimal", "get: /x\ntls: {pins: [sha256/\(String(repeating: "0f", count: 32))]}"),
    ("pin of another length", "get: /x\ntls: {pins: sha256/AAAA}"),
    ("an empty list of pins", "get: /x\ntls: {pins: []}"), ("a file name in place of a pin", "get: /x\ntls: {pins: [server.pem]}"),
    ("after an unknown step", "get: /x\nafter: ti"), ("after with an unknown condition", "get: /x\nafter: {it: end}"),
    ("cleanup of an unknown step", "get: /x\ncleanup: nothing"), ("tags as a mapping", "get: /x\ntags: {a: b}"),
    ("an unknown cache policy", "get: /x\ncache: {policy: else-load}"),
    ("an unknown key of a cache", "get: /x\ncache: {folder: x}"), ("cache as text", "get: /x\ncache: memory"),
    ("submit without from", "submit: {form: login}"), ("submit from an unknown step", "submit: {from: itt}"),
    ("submit from its own response", "submit: {from: it}"), ("submit with a body", "submit: {from: create}\njson: {a: 1}\nquery: {b: 1}"),
    ("submit beside a request", "get: /x\nsubmit: {from: create}"), ("mistyped key of submit", "submit: {from: create, field: {a: 1}}"),
    ("an invalid XPath of a form", "submit: {from: create, form: '//form['}"), ("submit as text", "submit: create"),
    ("an expression in a tag", "get: /x\ntags: ['${vars.x}']"),
  ]

  static let checks: [(name: String, lines: String)] = [
    ("unknown expectation", "get: /x\nexpect: {statsu: 200}"), ("status as a word", "get: /x\nexpect: {status: created}"),
    ("status out of range", "get: /x\nexpect: {status: 999}"), ("empty range of statuses", "get: /x\nexpect: {status: 299..200}"),
    ("a predicate for texts on the status", "get: /x\nexpect: {status: {matches: '2..'}}"),
    ("an invalid media type", "get: /x\nexpect: {type: json}"),
    ("literal mapping", "get: /x\nexpect: {json: {$.book: {title: Dune, pages: 412}}}"),
    ("empty mapping", "get: /x\nexpect: {json: {$.book: {}}}"),
    ("mistyped predicate", "get: /x\nexpect: {json: {$.n: {gtt: 5}}}"),
    ("predicate of another tool", "get: /x\nexpect: {json: {$.n: {greaterThan: 5}}}"),
    ("gt on text", "get: /x\nexpect: {json: {$.n: {gt: 'a'}}}"), ("gt on a number in quotes", "get: /x\nexpect: {json: {$.n: {gt: '5'}}}"),
    ("expectations without any content", "get: /x\nexpect: {that: [], json: {}, headers: {}, cookies: {}, xpath: {}, tls: {}}"),
    ("an empty expect", "get: /x\nexpect: {}"), ("length in quotes", "get: /x\nexpect: {json: {$.n: {length: '2'}}}"),
    ("the predicate in with an empty list", "get: /x\nexpect: {json: {$.n: {in: []}}}"),
    ("the predicate in without a list", "get: /x\nexpect: {json: {$.n: {in: 5}}}"),
    ("gt and lt that no number meets", "get: /x\nexpect: {json: {$.n: {gt: 5, lt: 3}}}"),
    ("negative length", "get: /x\nexpect: {json: {$.n: {length: -1}}}"),
    ("one expected value for many values", "get: /x\nexpect: {json: {'$.books[*].id': 5}}"),
    ("predicates for one value on many values", "get: /x\nexpect: {json: {'$..price': {gt: 5, type: number, matches: x}}}"),
    ("a mistyped type", "get: /x\nexpect: {json: {$.n: {type: strng}}}"),
    ("an invalid regular expression", "get: /x\nexpect: {body: {matches: 'a(b'}}"),
    ("invalid JSONPaths", "get: /x\nexpect: {json: {'$.books[0': 1, 'books.id': 2, '$.a[?@.b >]': 3}}"),
    ("a JSONPath with an expression", "get: /x\nexpect: {json: {'$.a[${vars.i}]': 1}}"),
    ("an exact expected time", "get: /x\nexpect: {time: 500ms}"), ("time as a number", "get: /x\nexpect: {time: {lt: 5}}"),
    ("a size with an unknown unit", "get: /x\nexpect: {size: {lt: 5XB}}"),
    ("an invalid digest", "get: /x\nexpect: {sha256: abc}"), ("digest of a missing file", "get: /x\nexpect: {sha256: {file: cover2.png}}"),
    ("conditions that are not Booleans", "get: /x\nexpect: {that: ['${response.status}', hello]}"),
    ("an invalid JSON Schema", "get: /x\nexpect: {schema: {type: 5}}"),
    ("broken schema file", "get: /x\nexpect: {schema: broken.schema.json}"),
    ("the predicate each on the body", "get: /x\nexpect: {body: {each: {type: string}}}"),
    ("extract without $", "get: /x\nextract: {id: data.id}"),
    ("an extract from two sources", "get: /x\nextract: {id: {json: $.id, header: X}}"),
    ("invalid XPaths", "get: /x\nexpect: {xpath: {'//a[': 1, '//a[@b==1]': 2, '$.a': 3, 'lower-case(//a)': x, 'cuont(//a)': 1}}"),
    ("an XPath with an expression", "get: /x\nexpect: {xpath: {'//a[${vars.i}]': 1}}"),
    ("XPaths in a list", "get: /x\nexpect: {xpath: [//a]}"),
    ("predicates that no result of an XPath meets", "get: /x\nexpect: {xpath: {string(//a): {gt: 5}, 'count(//a)': {matches: x}}}"),
    ("an invalid XPath of an extract", "get: /x\nextract: {a: {xpath: '//a]'}}"),
    ("a mistyped name of an error", "get: /x\nexpect: {error: refusd}"),
    ("error of another tool", "get: /x\nexpect: {error: ECONNREFUSED}"),
    ("error beside a status", "get: /x\nexpect: {status: 200, error: timeout}\nextract: {a: $.a}"),
    ("error with an empty mapping", "get: /x\nexpect: {error: {}}"), ("error with an empty list", "get: /x\nexpect: {error: []}"),
    ("mistyped key of error", "get: /x\nexpect: {error: {kinds: dns}}"),
    ("snapshot without file", "get: /x\nexpect: {snapshot: {ignore: [$.a]}}"),
    ("a snapshot outside of the project", "get: /x\nexpect: {snapshot: ../outside/a.json}"),
    ("snapshot that is a folder", "get: /x\nexpect: {snapshot: folder}"),
    ("snapshot with a bad path", "get: /x\nexpect: {snapshot: {file: a.json, ignore: [id]}}"),
    (
      "expected values of impossible types",
      "get: /x\nexpect: {status: {eq: ok}, headers: {X: {a: 1}, Y: null, Z: {eq: {a: 1}}}, body: [a], redirects: {in: [1, many]}}"
    ),
    (
      "predicates that never hold",
      "get: /x\nexpect: {status: {contains: 2, type: string}, url: {subset: [a], type: [number]}, time: {empty: true}}"
    ),
    ("a schema that refers to a missing file", "get: /x\nexpect: {schema: {schema: {$ref: other.json}}}"),
    ("schema that refers to another host", "get: /x\nexpect: {schema: {$ref: 'https://example.com/schemas/book.json'}}"),
    ("mistyped key beside the file of a schema", "get: /x\nexpect: {schema: {file: broken.schema.json, format: true}}"),
    ("a schema from a file and in the document", "get: /x\nexpect: {schema: {file: broken.schema.json, schema: {}}}"),
    ("a missing folder of references", "get: /x\nexpect: {schema: {schema: {}, references: {'https://example.com/': nope}}}"),
    ("a mistyped expectation of TLS", "get: /x\nexpect: {tls: {day_left: 3}}"),
    ("an exact time until a certificate expires", "get: /x\nexpect: {tls: {expires_in: 14d}}"),
    ("expectations of TLS that never hold", "get: /x\nexpect: {tls: {san: example.com, days_left: many, version: {gt: 1.2}}}"),
    ("an extract without a source", "get: /x\nextract: {id: {optional: true}}"),
    ("an extract with a reserved name", "get: /x\nextract: {status: $.status}"),
    ("an extract with an invalid name", "get: /x\nextract: {'my id': $.id}"),
    ("an invalid JSON Pointer", "get: /x\nextract: {id: {pointer: id}}"),
    ("a filter after a JSONPath", "get: /x\nextract: {id: $.id | upper}"),
    ("a function after a JSONPath", "get: /x\nextract: {n: $.items.length()}"),
    ("functions after JSONPaths of expectations", "get: /x\nexpect: {json: {$.items.length(): {gt: 2}, '$.a.size()': 3}}"),
    ("an unknown filter alone", "get: /x\nextract: {id: {json: $.id, then: uper}}"),
    ("filters with braces", "get: /x\nextract: {id: {json: $.id, then: '${upper}'}}"),
    ("filters that do not fit each other", "get: /x\nextract: {id: {json: $.id, then: \"split(',') | upper\"}}"),
    ("two filters without a pipe between them", "get: /x\nextract: {id: {json: $.id, then: upper lower}}"),
    ("a number in place of a filter", "get: /x\nextract: {id: {json: $.id, then: '| 5'}}"),
    ("an invalid pattern of an extract", "get: /x\nextract: {id: {header: Location, matches: '/books/(\\d+'}}"),
    ("an attribute without a cookie", "get: /x\nextract: {id: {header: Location, attribute: path}}"),
    ("an unknown cookie attribute", "get: /x\nextract: {id: {cookie: s, attribute: Expire}}"),
    ("too many first bytes", "get: /x\nextract: {id: {first_bytes: 4096}}"),
    ("attributes beside predicates", "get: /x\nexpect: {cookies: {s: {secure: true, contains: x}}}"),
    ("a mistyped cookie attribute", "get: /x\nexpect: {cookies: {s: {secure: true, httponly: true}}}"),
    ("a mistyped cookie attribute without others", "get: /x\nexpect: {cookies: {s: {secur: true}}}"),
    ("an impossible value of a cookie attribute", "get: /x\nexpect: {cookies: {s: {secure: yes please}}}"),
    ("invalid first bytes", "get: /x\nexpect: {first_bytes: [PNG, 8950f]}"),
    ("an empty mapping of JSONPaths for a JSON text", "get: /x\nexpect: {json: {$.a: {json: {}, type: string}}}"),
    ("a JSON text expected of a number", "get: /x\nexpect: {status: {json: {$.a: 1}}}"),
    ("the word now as a date", "get: /x\nexpect: {json: {$.a: {date: {before: now}}}}"),
    ("a duration as a date", "get: /x\nexpect: {json: {$.a: {date: 5m}}}"),
    ("a range of dates that contains no date", "get: /x\nexpect: {json: {$.a: {date: {after: 2026-02-01, before: 2026-01-01}}}}"),
    ("a date format without a year", "get: /x\nexpect: {json: {$.a: {date: {format: '%H:%M'}}}}"),
  ]

  static let expressions: [(name: String, lines: String)] = [
    ("undefined variable", "get: /${vars.usr}"), ("variable without vars", "get: /${user}"), ("undefined step", "get: /${craete.id}"),
    ("undefined extract", "get: /${create.idd}"), ("mistyped member", "get: /${create.stauts}"), ("body of a step", "get: /${create.body}"),
    ("a step without a member", "get: /${create}"), ("response outside of expect", "get: /${response.json.id}"),
    ("own extract in expect", "get: /x\nextract: {n: $.n}\nexpect: {that: '${it.n == 1}'}"),
    ("an undefined input", "get: /${inputs.x}"), ("item outside of a loop", "get: /${item.id}"),
    ("mistyped secret", "get: /x\nbearer: ${secrets.TOKN}"),
    ("mistyped name in brackets", "get: /${vars[\"usr\"]}"), ("mistyped name in brackets and quotes", "get: '/${vars[''usr'']}'"),
    ("time minus a duration", "get: '/${now() - 1d}'"), ("duration without quotes", "get: '/${now() | add(5m)}'"),
    ("a default in the syntax of a shell", "get: /${env.X:-y}"), ("a method call on a text", "get: /${vars.user.upper()}"),
    ("a step in the syntax of GitHub Actions", "get: /${steps.create.outputs.id}"),
    ("the test is defined of Jinja", "get: /x\nwhen: ${vars.user is defined}"),
    ("an empty expression", "get: '/${}'"), ("an unclosed expression", "get: '/${vars.user'"),
    ("an expression that a YAML comment cuts", "get: /x?${vars.list | join(' #')}"),
    ("an unclosed text", "get: \"/${'abc}\""), ("an assignment in place of a comparison", "get: /x\nwhen: ${vars.user = 'a'}"),
    ("the word and in place of &&", "get: /x\nwhen: ${vars.flag and vars.flag}"),
    ("a ternary operator", "get: /x\nwhen: ${vars.flag ? 1 : 2}"), ("an expression within an expression", "get: '/${vars.${vars.user}}'"),
    ("index with a dot", "get: /${create.json.0}"),
    ("missing parenthesis", "get: /${(1 + 2}"), ("two values without an operator", "get: /${1 2}"),
    ("?? beside ||", "get: /x\nwhen: ${vars.flag ?? false || true}"),
    ("a filter after ??", "get: /${env.X ?? 'a' | upper}"), ("unknown filter", "get: /${vars.user | uper}"),
    ("filter of another tool", "get: /${vars.user | tojson}"),
    ("too few arguments", "get: \"/${vars.user | replace('a')}\""), ("too many arguments", "get: /${uuid(1)}"),
    ("function as a filter", "get: /${upper(vars.user)}"),
    ("unknown function", "get: /${uid()}"), ("filter on a number", "get: /${create.status | upper}"),
    ("a comparison of a number with a text", "get: /x\nwhen: \"${create.status == '200'}\""),
    ("a comparison of constants of two types", "get: /x\nwhen: \"${1 == 'a'}\""), ("arithmetic on text", "get: \"/${vars.user + 'x'}\""),
    ("division by zero", "get: /${1 / 0}"),
    ("a duration without a unit", "get: \"/${now() | add('5')}\""), ("an invalid date format", "get: \"/${now() | date('%Q')}\""),
    ("missing file", "post: /x\nbody: \"${file('no.sql')}\""),
    ("member of a number", "get: /${create.status.code}"), ("length as a member", "get: /${vars.user.length}"),
    ("minus in a name", "get: /${index-1}"),
    ("list in text", "get: '/${vars.list}'"), ("two mistakes in one text", "get: /${vars.a}/${vars.b}"),
    ("a mistake in a block of text", "post: /x\nbody: |\n  first ${vars.user}\n  second ${vars.usr}"),
    ("a mistake after escapes", "post: /x\nbody: \"tab\\t\\u00e9${vars.usr}\""),
    ("a range for random that is empty", "get: /${random(5, 1)}"),
    ("an invalid regular expression", "get: \"/${vars.user | match('(a')}\""),
    ("an undefined group of a regular expression", "get: \"/${vars.user | match('a', 2)}\""),
    ("a replacement with an undefined group", "get: \"/${vars.user | regex_replace('a', '$1')}\""),
    ("a format that parse_date does not support", "get: \"/${vars.user | parse_date('%H:%M')}\""),
    ("the digest of a missing file", "get: \"/${file_sha256('no.bin')}\""),
    ("keys of a text", "get: /${vars.user | keys | join}"),
    ("a filter of another tool with another name", "get: \"/${vars.user | regex_search('a')}\""),
    ("an expression that is nested too deeply", "get: /${" + String(repeating: "(", count: 120) + "1"),
  ]

  static let documents: [(name: String, text: String)] = [
    ("a document without a version", "steps: {a: {get: 'http://h'}}"),
    ("an unsupported version", "garland: 2\nsteps: {a: {get: 'http://h'}}"), ("a document that is a list", "- a"),
    ("an empty document", ""),
    ("a document without steps", "garland: 1\n"), ("an empty mapping of steps", "garland: 1\nsteps: {}"),
    ("steps as a list", "garland: 1\nsteps: [{get: 'http://h'}]"),
    ("a mistyped top-level key", "garland: 1\nstep: {a: {get: 'http://h'}}"),
    ("resources with an invalid capacity or name", "garland: 1\nresources: {db: 0, 1x: 2}\nsteps: {a: {get: 'http://h'}}"),
    ("a reserved step id", "garland: 1\nsteps: {response: {get: 'http://h'}}"),
    ("an invalid step id", "garland: 1\nsteps: {1st: {get: 'http://h'}, 'a b': {get: 'http://h'}}"),
    ("a relative URL without a base URL", "garland: 1\nsteps: {a: {get: /x}, b: {get: example.com/x}}"),
    ("a mistyped value of order", "garland: 1\norder: fiel\nsteps: {a: {get: 'http://h'}}"),
    ("secrets with values", "garland: 1\nsecrets: {A: b}\nsteps: {a: {get: 'http://h'}}"),
    ("variables that use each other", "garland: 1\nvars: {a: '${vars.b}', b: '${vars.c}', c: '${vars.a}'}\nsteps: {a: {get: 'http://h'}}"),
    ("a variable that uses itself", "garland: 1\nvars: {a: '${vars.a}'}\nsteps: {a: {get: 'http://h'}}"),
    ("a variable that uses a step", "garland: 1\nvars: {x: '${a.status}'}\nsteps: {a: {get: 'http://h'}}"),
    ("defaults with a step's key", "garland: 1\ndefaults: {after: a}\nsteps: {a: {get: 'http://h'}}"),
    ("two documents", "garland: 1\nsteps: {a: {get: 'http://h'}}\n---\na: 1"),
    ("duplicate key", "garland: 1\nsteps: {a: {get: 'http://h', get: 'http://i'}}"),
    ("a step that is not a mapping", "garland: 1\nsteps:\n  a:\n  b: hello"),
    ("expression in a flow mapping", "garland: 1\nvars: {id: 1}\nsteps:\n  a:\n    get: http://h\n    query: {id: ${vars.id}}"),
    (
      "a document with warnings only",
      "garland: 1\nvars: {used: 1, unused: 2, k: '${secrets.K}'}\nsecrets: [K]\nsteps:\n  a:\n    get: http://h/${vars.used}?key=${secrets.K}\n    query: {k: '${vars.k}'}\n    extract: {id: $.id}"
    ),
  ]

  static let surroundings = """
    garland: 1
    defaults: { base_url: http://h }
    vars: { user: alice, flag: true, list: [1, 2] }
    secrets: [TOKEN]
    steps:
      create:
        get: /${vars.user}${vars.flag}?${vars.list | join}
        bearer: ${secrets.TOKEN}
        extract: { id: $.id }
      other: { get: "/${create.id}" }
      it:

    """

  static func render(_ diagnostics: DiagnosticList) -> String { DiagnosticRenderer().render(diagnostics).plain }

  static func render(_ mistakes: [(name: String, lines: String)]) -> String {
    var result = ""
    for mistake in mistakes {
      let lines = mistake.lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
      let (workflow, diagnostics) = Decode.document(surroundings + lines + "\n")
      result += "### \(mistake.name)\n\n\(render(diagnostics))\n"
      if workflow != nil { result += "(no error)\n" }
      result += "\n"
    }
    return result
  }

  @Test func `diagnostics for invalid steps match the golden file`() { expectGolden(Self.render(Self.steps), "steps.txt") }
  @Test func `diagnostics for invalid checks match the golden file`() { expectGolden(Self.render(Self.checks), "checks.txt") }
  @Test func `diagnostics for invalid expressions match the golden file`() {
    expectGolden(Self.render(Self.expressions), "expressions.txt")
  }

  @Test func `diagnostics for invalid documents match the golden file`() {
    var result = ""
    for document in Self.documents {
      let (_, diagnostics) = Decode.document(document.text)
      result += "### \(document.name)\n\n\(Self.render(diagnostics))\n\n"
    }
    expectGolden(result, "documents.txt")
  }

  /// Each document is rejected, so that no valid document is in the golden file by accident.
  @Test func `every sample document with a mistake is refused`() {
    for mistake in Self.steps + Self.checks + Self.expressions {
      let lines = mistake.lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
      let (workflow, diagnostics) = Decode.document(Self.surroundings + lines + "\n")
      #expect(workflow == nil, "\(mistake.name)")
      #expect(diagnostics.hasErrors, "\(mistake.name)")
    }
  }

  @Test func `the fix of a diagnostic about a step changes the file in which the diagnostic has its source position`() {
    for mistake in Self.steps + Self.checks + Self.expressions {
      let lines = mistake.lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
      let (_, diagnostics) = Decode.document(Self.surroundings + lines + "\n")
      for diagnostic in diagnostics.all {
        #expect(diagnostic.range != nil, "\(mistake.name)")
        for help in diagnostic.helps { if let fix = help.fix { #expect(fix.range.file === diagnostic.range?.file) } }
      }
    }
  }

  /// Returns a document that contains a mistake.
  static func document(_ lines: String) -> String {
    surroundings + lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n") + "\n"
  }

  @Test(arguments: ["${craete.id}", "${vars.usr}", "${create.stauts}", "${vars['usr']}"])
  func `after the fix for an invalid --print expression is applied, the expression is valid`(text: String) throws {
    let workflow = try #require(Decode.document(Self.document("get: /x")).workflow)
    let proof = FixProof(of: "--print") { bytes in
      var found = DiagnosticList()
      _ = workflow.template(String(decoding: bytes, as: UTF8.self), name: "--print", into: &found)
      return found.all
    }
    let result = proof.result(for: Array(text.utf8))
    #expect(result.applied == 1 && result.mistakes == [])
  }

  @Test func `if Garland suggests a fix for a mistake in a test document, the fix removes the mistake and causes no new one`() {
    var applied = 0
    let steps = Self.steps + Self.checks + Self.expressions + ListenDecodingTests.mistakes + ReachDecodingTests.mistakes
    let texts =
      steps.map { ($0.name, Self.document($0.lines)) } + Self.documents.map { ($0.name, $0.text) }
      + ReachDecodingTests.documents.map { ($0.name, ReachDecodingTests.document($0.line)) }
      + AuthDecodingTests.wrong.map { ($0.0, AuthDecodingTests.document($0.1, step: $0.2)) }
    for (name, text) in texts {
      let result = FixProof(of: "test.yaml") { Decode.document(String(decoding: $0, as: UTF8.self)).diagnostics.all }.result(
        for: Array(text.utf8))
      applied += result.applied
      #expect(result.mistakes == [], "\(name)")
    }
    #expect(applied > 70)
  }
}
