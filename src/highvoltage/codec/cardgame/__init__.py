"""The codec of the card game: one code for all numbers of players."""

from highvoltage.codec.cardgame.codec import CardCodec

__all__ = ["CardCodec"]
