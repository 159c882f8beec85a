"""With permission, the browser notifies players of their turn while the page is hidden.

The browser of the tests shows no notifications; what would be shown is recorded instead.
"""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, Worker, expect

from browsing import Player, complaints, leave, open_page
from serving import ME, OPEN, Person, Server

BROWSER = """(answer) => {
    window.shown = []
    const kept = (tag) => shown.filter((each) => each.tag === tag)
    const here = ServiceWorkerRegistration.prototype
    here.showNotification = async (title, options) => { shown.push({ title, ...options }) }
    here.getNotifications = async ({ tag }) => kept(tag).map((each) => ({
        close: () => { shown = shown.filter((other) => other !== each) },
    }))
    Notification.requestPermission = async () => answer
    Object.defineProperty(Notification, 'permission', { get: () => answer })
}"""
HIDE = """(hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
}"""
CLICK = """async (path) => {
    const done = []
    WindowClient.prototype.focus = function () { done.push(`focus ${new URL(this.url).pathname}`) }
    clients.openWindow = (path) => { done.push(`open ${path}`) }
    const notification = { data: path, close: () => done.push('close') }
    let under_way
    const waitUntil = (work) => { under_way = work }
    const click = Object.assign(new Event('notificationclick'), { notification, waitUntil })
    self.dispatchEvent(click)
    await under_way
    return done
}"""

PUSH = """async ([words, seen]) => {
    const shown = []
    registration.showNotification = (title, options) => { shown.push({ title, ...options }) }
    Object.defineProperty(WindowClient.prototype, 'visibilityState', { get: () => seen })
    let under_way
    const waitUntil = (work) => { under_way = work }
    self.dispatchEvent(Object.assign(new Event('push'), { data: { json: () => words }, waitUntil }))
    await under_way
    return shown
}"""
SERVICE = """() => {
    const made = { endpoint: 'https://push.example/1', keys: { p256dh: 'key', auth: 'secret' } }
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => ({
        toJSON: () => applicationServerKey === 'ours' && made,
    })
}"""


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    page = open_page(browser, server.url, workers="allow")
    yield page
    assert complaints(page) == []
    page.evaluate(
        "navigator.serviceWorker.getRegistration().then((worker) => worker?.unregister())"
    )
    leave(page)


@pytest.mark.long
def test_a_turn_is_notified_while_the_page_is_hidden(server: Server, page: Page) -> None:
    with Person(server, "Ben") as ben:
        table = ben.table([ME, OPEN], title="Friday", seed=5)["id"]
        page.request.get("/api/me")
        page.request.post(f"/api/tables/{table}/join", data={})
        page.goto(f"/table/{table}")
        page.evaluate(BROWSER, "granted")
        page.get_by_role("button", name="Notification when it is your turn").click()
        with ben.live(table) as live:
            state = live.next("state")
            if not state["legal"]:  # Ann opens the auction
                Player(page).wait()
                Player(page).play(most=1)
                state = live.until(lambda s: s["legal"])
            page.evaluate(HIDE, True)
            with page.context.expect_event("serviceworker") as begun:
                live.move(state["legal"][0]["move"])
            page.wait_for_function("() => shown.length > 0")
    shown = {"title": "It is your turn", "body": "Friday", "tag": table}
    (notice,) = page.evaluate("shown")
    assert notice | shown == notice
    worker: Worker = begun.value
    assert worker.evaluate(CLICK, notice["data"]) == ["close", f"focus /table/{table}"]
    assert worker.evaluate(CLICK, "/table/other") == ["close", "open /table/other"]
    words = {"table": table, "about": "Friday"}
    (pushed,) = worker.evaluate(PUSH, [words, "hidden"])
    assert pushed == notice
    (invitation,) = worker.evaluate(PUSH, [{**words, "by": "cyd-1"}, "hidden"])
    assert invitation == {**notice, "title": "cyd-1 invites you"}
    (begun_round,) = worker.evaluate(PUSH, [{**words, "round": 3}, "hidden"])
    assert begun_round == {**notice, "title": "Round 3"}  # of a cup
    assert worker.evaluate(PUSH, [words, "visible"]) == []
    page.evaluate(HIDE, False)
    page.wait_for_function("() => !shown.length")


@pytest.mark.long
def test_a_browser_that_forbids_it_is_mentioned(page: Page) -> None:
    Player(page).sit_down()
    page.evaluate(BROWSER, "denied")
    bell = page.get_by_role("button", name="Notification when it is your turn")
    bell.click()
    expect(page.get_by_role("alert")).to_contain_text("The browser blocks notifications here")
    expect(bell).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
@pytest.mark.parametrize("key", ["ours", None])
def test_a_browser_subscribes_where_the_server_pushes(page: Page, key: str | None) -> None:
    posted: list[str] = []

    def answer(route: Route) -> None:
        posted.append(route.request.post_data or "")
        route.fulfill(json={"key": key})

    page.route("**/api/push", answer)
    Player(page).sit_down()
    page.evaluate(BROWSER, "granted")
    page.evaluate(SERVICE)
    last = "POST" if key else "GET"
    with page.expect_response(
        lambda answer: answer.request.method == last and "/push" in answer.url
    ):
        page.get_by_role("button", name="Notification when it is your turn").click()
    expected = {"endpoint": "https://push.example/1", "key": "key", "auth": "secret"}
    sent = {*posted} - {""}  # a header that is redrawn sends it again
    assert [json.loads(words) for words in sent] == ([expected] if key else [])
