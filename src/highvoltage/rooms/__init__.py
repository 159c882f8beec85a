"""Rooms: tables that people and bots share, without transport and database."""
