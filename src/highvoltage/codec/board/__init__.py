"""The codec of the board games: one code for all their maps and numbers of players."""

from highvoltage.codec.board.codec import BoardCodec

__all__ = ["BoardCodec"]
