"""What a browser keeps where there is no server: a full or refused storage, a new version."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Route, expect

import highvoltage as hv
from browsing import Player
from static_site import PLACE, ROOT, Site, ask, copy_of, profile, show, sit_down, wait_until_kept

WAITING = "navigator.serviceWorker.getRegistration().then((worker) => !!worker.waiting)"
HAS_ROOM = """() => new Promise((done) => {
    const opening = indexedDB.open('probe')
    opening.onupgradeneeded = () => opening.result.createObjectStore('texts')
    opening.onerror = () => done(false)
    opening.onsuccess = () => {
        const trial = opening.result.transaction('texts', 'readwrite')
        trial.objectStore('texts').put('x', 'x')
        trial.oncomplete = () => done(true)
        trial.onabort = () => done(false)
    }
})"""
REFUSING = """
const refuse = () => { throw new DOMException('Nothing is stored here.', 'SecurityError') }
const reject = async () => refuse()
const refused = { get: refuse, configurable: true }
if (globalThis.window) Object.defineProperty(window, 'localStorage', refused)
IDBFactory.prototype.open = refuse
CacheStorage.prototype.open = CacheStorage.prototype.keys = reject
LockManager.prototype.request = reject
StorageManager.prototype.persist = reject
"""


@pytest.mark.long
def test_a_full_storage_is_reported_and_loses_nothing(browser: Browser, site: Site) -> None:
    with profile(browser, site) as person:
        page = person.tab()
        player = sit_down(page, "classic", ["clerk", "clerk"])
        player.wait()
        path = page.url.partition("#")[2]
        record = (ROOT / "tests" / "corpus" / "cardgame-3-players.txt").read_text()
        ask(page, "POST", "/import", record)
        quota = page.context.new_cdp_session(page)
        origin = site.url.partition("/games")[0]
        quota.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
        while page.evaluate(HAS_ROOM):  # for half a minute, the browser goes by what there was
            page.wait_for_timeout(300)
        seq = player.seq()
        with pytest.raises(Error, match="no room left to store games"):
            player.play(most=1)
        assert player.seq() == seq
        page.get_by_role("button", name="The table").click()
        with page.expect_download() as file:
            page.get_by_role("button", name="Download the record").click()
        saved = hv.replay(file.value.path().read_text())
        assert saved.to_move is not None
        page.reload()
        player.wait()
        assert player.seq() == seq
        with pytest.raises(Error, match="no room left to store games"):
            player.play(most=1)

        show(page, "/")
        page.get_by_role("button", name="Delete the table").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Delete the table").click()
        expect(dialog).to_be_hidden()
        expect(page.locator(".list li")).to_have_count(1)
        quota.send("Storage.overrideQuotaForOrigin", {"origin": origin})
        show(page, path)
        player.wait()
        assert ask(page, "GET", f"/tables/{path.rpartition('/')[2]}")["seq"] == seq
        player.play(most=1)
        assert player.seq() > seq


@pytest.mark.long
def test_a_refused_storage_is_reported(browser: Browser, site: Site) -> None:
    """As where all cookies are blocked: nothing of what stores anything can be used."""

    def refuse(route: Route) -> None:
        code = (site.folder / "assets" / route.request.url.rpartition("/")[2]).read_text()
        route.fulfill(body=REFUSING + code, content_type="text/javascript")

    with profile(browser, site) as person:
        person.context.add_init_script(REFUSING)
        person.context.route("**/*_worker-*.js", refuse)
        page = person.tab()
        page.get_by_text("This browser stores nothing").wait_for()
        page.get_by_test_id("play").click()
        player = Player(page)
        player.wait()
        player.play(most=2)
        page.get_by_role("button", name="The table").click()
        with page.expect_download() as file:
            page.get_by_role("button", name="Download the record").click()
        assert hv.replay(file.value.path().read_text()).to_move is not None
        show(page, "/")
        expect(page.locator(".list li")).to_have_count(1)


@pytest.mark.long
def test_a_new_version_is_taken_when_nobody_plays(
    browser: Browser, built: Path, tmp_path: Path
) -> None:
    site = Site(copy_of(built, tmp_path / "host"))
    with profile(browser, site) as person:
        page = person.tab()
        wait_until_kept(page)
        page.reload()  # by the service worker
        player = sit_down(page, "cardgame", ["clerk"])
        player.wait()
        player.play(most=1)
        for name in ("worker.js", "index.html"):
            file = site.folder / name
            version = re.search(r'data-version="(\w+)"', (built / PLACE / "index.html").read_text())
            assert version
            file.write_text(file.read_text().replace(version[1], "newer"))
        page.evaluate("navigator.serviceWorker.getRegistration().then((worker) => worker.update())")
        while not page.evaluate(WAITING):
            page.wait_for_timeout(300)
        player.play(most=1)  # nothing is shown at the table
        expect(page.locator(".notices")).to_be_empty()
        seq, path = player.seq(), page.url.partition("#")[2]
        show(page, "/")
        page.get_by_role("button", name="Update").click()
        expect(page.locator("meta[name=engine]")).to_have_attribute("data-version", "newer")
        show(page, path)
        player.wait()
        assert player.seq() >= seq
    site.stop()
