#!/usr/bin/env python3
"""A person with a browser, for `garland auth login`: `BROWSER=.ci/browser.py`. Logs in at the sandbox as alice, and allows what is asked."""

import re
import sys
import urllib.parse
import urllib.request

opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(), urllib.request.ProxyHandler({}))
response = opener.open(sys.argv[1])
for form in ["login", "consent"]:
    page = response.read().decode()
    action = re.search(rf'<form id="{form}".*?action="([^"]*)"', page, re.S)[1]
    fields = re.findall(r'name="(request|csrf|scope)" value="([^"]*)"', page)
    fields += [("username", "alice"), ("password", "wonderland")] if form == "login" else [("decision", "allow")]
    response = opener.open(urllib.parse.urljoin(response.url, action), urllib.parse.urlencode(fields).encode())
