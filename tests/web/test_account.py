"""The account dialog: e-mail of a turn, which is confirmed and ended by links."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browsing import DESKTOP, PHONE, check_access, complaints, leave, open_page
from mailing import key_in, mail_server
from serving import Server


def open_account(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("dialog").get_by_text("Another device")).to_be_visible()


def test_an_address_is_given_confirmed_and_ended(tmp_path: Path, browser: Browser) -> None:
    with mail_server() as box:
        server = Server(tmp_path, settings=box.settings)
        ann, phone = (open_page(browser, server.url, size) for size in (DESKTOP, PHONE))
        open_account(ann)
        ann.get_by_text("E-mail when it is your turn").click()
        ann.get_by_label("Your e-mail address").fill("ann@example.org")
        ann.get_by_label("At most once a day").check()
        ann.get_by_role("button", name="Save").click()
        expect(ann.get_by_text("A link was sent to ann@example.org.")).to_be_visible()
        check_access(ann, "account with an address")
        letter = box.next()
        confirm = f"/mail#confirm={key_in(letter, 'confirm')}"
        phone.goto(confirm)  # where mails are read is nobody logged in
        phone.get_by_role("button", name="Confirm the address").click()
        expect(phone.get_by_text("The address is confirmed.")).to_be_visible()
        check_access(phone, "a confirmed address")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        phone.reload()
        phone.get_by_role("button", name="Confirm the address").click()
        expect(phone.get_by_role("alert")).to_contain_text("expired or was used")
        complaints(phone).clear()  # the browser reports each refusal

        open_account(ann)
        ann.get_by_text("E-mail when it is your turn").click()
        expect(ann.get_by_text("Word of your turns goes to ann@example.org.")).to_be_visible()
        expect(ann.get_by_label("At most once a day")).to_be_checked()
        phone.goto("/")
        phone.goto(f"/mail#end={key_in(letter, 'end')}")
        phone.get_by_role("button", name="No more e-mail").click()
        expect(phone.get_by_text("You will get no more e-mail.")).to_be_visible()
        open_account(ann)
        ann.get_by_text("E-mail when it is your turn").click()
        expect(ann.get_by_label("Your e-mail address")).to_have_value("")
        for page in (ann, phone):
            assert complaints(page) == []
            leave(page)
        assert server.stop() == 0


def test_without_a_mail_server_nothing_is_said_of_it(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url, DESKTOP)
    with page.expect_response("**/api/mail") as answered:
        open_account(page)
    assert answered.value.json()["offered"] is False
    expect(page.get_by_role("dialog").get_by_text("E-mail")).to_have_count(0)
    assert complaints(page) == []
    leave(page)
