"""Names of towns that do not exist, made as those of a language are: a stem and an ending."""

from random import Random

STEMS = {
    "en": "Ash Birch Black Brook Clay Cold Copper Dun Elm Fern Glen Grey Hart High Iron Kings"
    " Lang Mill North Oak Pen Red Rock Salt Stan Stone Thorn Wald West White",
    "pl": "Biało Brzoz Chmiel Czarn Dąbr Dębo Gór Grab Jawor Jezior Kali Kamien Klon Krasn Lip"
    " Łąk Małyn Modrz Olsz Ost Piask Radosz Rud Sosn Star Sucho Topol Wierzb Zielon Złot",
    "cs": "Bor Brod Břez Buk Černo Dol Dub Hor Hrad Jas Jav Kamen Krás Les Lip Luž Mal Mlýn Nov"
    " Olš Pís Rad Rud Skal Star Stud Suchdol Topol Vrb Zelen",
    "sr": "Bela Breza Brod Bukov Crna Dobr Dren Dub Gaj Gor Grab Jablan Jasen Kamen Klad Kosta"
    " Krušev Lesk Lip Luk Mlad Or Radov Rud Slan Star Topol Vran Vrb Zlat",
    "de": "Ahorn Alten Berg Birken Blau Brück Buchen Dorn Eber Eichen Eisen Erlen Falken Feld"
    " Grün Hirsch Hohen Kalt Kupfer Linden Mühl Neu Ober Rot Salz Schwarz Silber Stein Tannen Weiß",
}
ENDINGS = {
    "en": "bridge bury by cliff dale field ford gate ham ley mere mouth port stead ton wick",
    "pl": "ewo ice ki nica no ów owa owice sko wiec",
    "cs": "any ec ice ín kov nice ov ovice sko ná",
    "sr": "ac ača ica ik ina ište ci ovac ovo nik",
    "de": "ach au bach berg brunn burg dorf felde furt hafen hausen heim rode stadt tal walde",
}


def town_names(count: int, language: str, rng: Random) -> list[str]:
    """Different names in a language; every stem is used before one is used again.

    >>> len({*town_names(64, "pl", Random(1))})
    64
    """
    stems, endings = STEMS[language].split(), ENDINGS[language].split()
    names: list[str] = []
    while len(names) < count:
        rng.shuffle(stems)
        for stem in stems:
            name = stem + rng.choice(endings)
            if name not in names:
                names.append(name)
    return names[:count]
