"""The codec of Outpost: one code for all planets and numbers of players."""

from highvoltage.codec.outpost.codec import OutpostCodec

__all__ = ["OutpostCodec"]
