"""How a page of editors is looked at: in every language, width and scheme, by axe and for what reaches too far."""

import os

EVERY = bool(os.environ.get("MPQUIZ_LOOKS"))
"""Whether all go with all, as .ci/long does. The gate looks at each language, width and scheme once."""

LOOKS = [
    (language, width, scheme)
    for language in ("en", "ar")
    for width in (390, 1280)
    for scheme in ("light", "dark")
    if EVERY or (language, width, scheme) in [("ar", 390, "dark"), ("en", 1280, "light")]
]
SCHEMES = sorted({(language, scheme) for language, _width, scheme in LOOKS})


def judged(page, name, context):
    """What axe finds in our part, and whether something reaches beyond the window."""
    from axe_playwright_python.sync_playwright import Axe

    if folder := os.environ.get("MPQUIZ_SCREENSHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
    found = Axe().run(page, context=context).response["violations"]
    assert [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
