# SPDX-License-Identifier: MIT
"""site.py FOLDER - looks at each page of a site: do links, anchors and pictures lead to something,
does the page load nothing from elsewhere, are headings in order, do pictures have a text?"""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlparse


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.levels, self.wrong = set(), [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if a.get("id"):
            if a["id"] in self.ids:
                self.wrong.append(f"two elements are called {a['id']}")
            self.ids.add(a["id"])
        if tag == "a" and a.get("href") is not None:
            self.links.append(a["href"])
        if tag in ("script", "img", "iframe") and a.get("src"):
            self.loads.append(a["src"])
        if tag == "link" and a.get("rel") in ("stylesheet", "icon"):
            self.loads.append(a["href"])
        if tag == "img" and not a.get("alt"):
            self.wrong.append(f"the picture {a.get('src')} has no text")
        if tag == "html" and not a.get("lang"):
            self.wrong.append("the page does not say its language")
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.levels.append(int(tag[1]))

    def look_at_headings(self):
        if self.levels.count(1) != 1:
            self.wrong.append(f"{self.levels.count(1)} headings of the first level")
        for before, after in zip([0] + self.levels, self.levels):
            if after > before + 1:
                self.wrong.append(f"a heading of level {after} stands below one of level {before}")


def main(folder):
    pages = {}
    for where, _, files in os.walk(folder):
        for name in files:
            if name.endswith(".html") and name != "404.html":
                path = os.path.join(where, name)
                with open(path, encoding="utf-8") as f:
                    pages[os.path.normpath(path)] = Page(f.read())
    passed = failed = 0
    for path, page in sorted(pages.items()):
        page.look_at_headings()
        for link in page.links + page.loads:
            url = urlparse(link)
            if url.scheme or url.netloc:
                if link in page.loads:
                    page.wrong.append(f"loads {link}")
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), unquote(url.path))) if url.path else path
            if os.path.isdir(to):
                to = os.path.join(to, "index.html")
            if not os.path.isfile(to):
                page.wrong.append(f"{link} leads to nothing")
            elif url.fragment and to in pages and unquote(url.fragment) not in pages[to].ids:
                page.wrong.append(f"{link}: that page has no such place")
            else:
                passed += 1
        for what in page.wrong:
            print(f"{os.path.relpath(path, folder)}: {what}")
        failed += len(page.wrong)
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or not pages


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
