"""Bots that are somebody: with a temper or at a level, with a name and, in the page, a face."""

CHARACTERS = {
    "clerk:bold": "Berta",
    "clerk:hoarder": "Hugo",
    "clerk:miser": "Mila",
    "clerk:builder": "Bruno",
    "clerk:blocker": "Boris",
    "engineer:bold": "Olga",
    "engineer:miser": "Viktor",
    "tycoon:easy": "Emil",
    "tycoon:medium": "Greta",
    "tycoon:hard": "Leo",
    "tycoon:bold": "Max",
    "tycoon:hoarder": "Ida",
    "tycoon:miser": "Otto",
    "tycoon:builder": "Vera",
}
"""What they are called in every language."""
