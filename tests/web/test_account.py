"""The account dialog: e-mail of a turn, confirmed and ended by links; passkeys."""

from pathlib import Path
from secrets import token_hex

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESKTOP, PHONE, check_access, complaints, leave, open_page
from mailing import key_in, mail_server
from serving import Server


def open_account(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("dialog").get_by_text("Another device")).to_be_visible()


@pytest.mark.long
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


@pytest.mark.long
def test_without_a_mail_server_nothing_is_said_of_it(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url, DESKTOP)
    with page.expect_response("**/api/mail") as answered:
        open_account(page)
    assert answered.value.json()["offered"] is False
    expect(page.get_by_role("dialog").get_by_text("E-mail")).to_have_count(0)
    assert complaints(page) == []
    leave(page)


def with_authenticator(page: Page) -> None:
    """Let a browser have a device that knows its user, as a phone with a fingerprint does."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": device})


def test_an_account_by_passkey_alone(server: Server, browser: Browser) -> None:
    site = server.url.replace("127.0.0.1", "localhost")  # a passkey belongs to a domain
    page = open_page(browser, site, PHONE)
    with_authenticator(page)
    dialog, login = page.get_by_role("dialog"), f"a{token_hex(5)}"
    open_account(page)
    page.get_by_label("Login").fill(login)
    page.get_by_role("button", name="Create an account with a passkey").click()
    dialog.wait_for(state="hidden")

    open_account(page)
    expect(dialog.get_by_text(f"You are signed in as {login}.")).to_be_visible()
    dialog.get_by_text("Passkeys", exact=True).click()
    dialog.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("alert")).to_contain_text("your only way to sign in")
    complaints(page).clear()  # the browser reports each refusal
    dialog.get_by_label("Name of this passkey").fill("Phone")
    with page.expect_response("**/api/passkeys/rename"):
        dialog.get_by_label("Name of this passkey").blur()
    check_access(page, "account with a passkey")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    dialog.get_by_role("button", name="Sign out", exact=True).click()
    dialog.wait_for(state="hidden")

    open_account(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    dialog.wait_for(state="hidden")
    open_account(page)
    dialog.get_by_text("Passkeys", exact=True).click()
    expect(dialog.get_by_label("Name of this passkey")).to_have_value("Phone")
    dialog.get_by_text("Set a password").first.click()
    dialog.get_by_label("New password").fill("correct horse")
    dialog.get_by_role("button", name="Set a password").click()
    dialog.wait_for(state="hidden")
    open_account(page)
    dialog.get_by_text("Passkeys", exact=True).click()
    dialog.get_by_role("button", name="Remove").click()
    expect(dialog.get_by_label("Name of this passkey")).to_have_count(0)
    dialog.get_by_label("Name of a new passkey").fill("Again")
    dialog.locator("form", has_text="Name of a new passkey").get_by_label(
        "Your current password"
    ).fill("correct horse")
    dialog.get_by_role("button", name="Add a passkey").click()
    expect(dialog.get_by_label("Name of this passkey")).to_have_value("Again")
    assert complaints(page) == []
    leave(page)
