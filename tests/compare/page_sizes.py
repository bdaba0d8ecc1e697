#!/usr/bin/env python3
"""page_sizes.py PAGE.html...: in Chromium, at six widths, in light and dark, no page is wider than its window, no element
sticks out of it but in what can be scrolled, and nothing is loaded. Without Chromium nothing is looked at, and it says so."""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (360, 480, 768, 1024, 1280, 1600)
SCHEMES = {"light": 1, "dark": 0}
LOOK = """<script>addEventListener("load", () => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const out = [...document.querySelectorAll("body *")].filter(one =>
    one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".scroll, .heats"));
  parent.postMessage({width: innerWidth, wide: document.documentElement.scrollWidth,
    out: out.slice(0, 3).map(one => one.tagName + "." + one.className),
    loaded: performance.getEntriesByType("resource").map(one => one.name),
    paper: getComputedStyle(document.body).backgroundColor}, "*");
});</script></head>"""
COLLECT = """<!DOCTYPE html><body><script>const seen = [];
addEventListener("message", message => {
  seen.push(message.data);
  document.title = JSON.stringify(seen);
});</script>"""


def looked_at(chromium, page, scheme, folder):
    """What the page says of itself at each width."""
    text = re.sub(r'<script type="application/json".*?</script>', "", page.read_text(encoding="utf-8"), flags=re.S)
    assert "</head>" in text, page
    (folder / "page.html").write_text(text.replace("</head>", LOOK, 1), encoding="utf-8")
    frames = "".join(f'<iframe src="page.html" width="{width}" height="800" style="border:0"></iframe>' for width in WIDTHS)
    (folder / "all.html").write_text(COLLECT + frames, encoding="utf-8")
    done = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
         f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", "--window-size=1700,900",
         "--virtual-time-budget=10000", "--dump-dom", (folder / "all.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=False)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.S)
    assert title, done.stderr[-1000:]
    return json.loads(html.unescape(title.group(1)))


def main(pages):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        return print("pages were not looked at: there is no Chromium")
    for page in map(pathlib.Path, pages):
        papers = {}
        for scheme in SCHEMES:
            with tempfile.TemporaryDirectory() as folder:
                seen = looked_at(chromium, page, scheme, pathlib.Path(folder))
            assert sorted(one["width"] for one in seen) == list(WIDTHS), f"{page}: {seen}"
            for one in seen:
                assert one["wide"] <= one["width"] and not one["out"], f"{page}, {scheme}: {one}"
                assert not one["loaded"], f"{page}, {scheme}: {one}"
            papers[scheme] = {one["paper"] for one in seen}
        assert papers["light"].isdisjoint(papers["dark"]), f"{page}: {papers}"
        print(f"{page} fits {len(WIDTHS)} widths, light and dark")


main(sys.argv[1:])
