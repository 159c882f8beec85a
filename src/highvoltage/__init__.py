"""Every rulebook of the Power Grid family, exact to the rule."""
