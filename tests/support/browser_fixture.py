"""A real web browser for the tests: Debian's Chromium, without a window."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "google-chrome")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A running Chromium; where there is none, the test fails and says what to install."""
    program = next((path for name in NAMES if (path := shutil.which(name))), None)
    if program is None:
        pytest.fail("this test needs Chromium: apt-get install -y chromium", pytrace=False)
    with sync_playwright() as playwright:
        # Root, as in a container, has no sandbox to give away.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()
