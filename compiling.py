"""The compiled build: the same sources, made faster by mypyc. `make compiled` runs it.

`python compiling.py FOLDER` writes the compiled modules there; hatch_build.py puts them into a
wheel if the environment variable HIGHVOLTAGE_COMPILED is set. As a plugin of mypy this file passes
mypyc what it needs, so that the sources need no annotations for it.
"""

import re
import sys
from collections.abc import Callable, Sequence
from contextlib import chdir
from pathlib import Path
from shutil import copytree, ignore_patterns

from mypy.nodes import (
    ARG_POS,
    GDEF,
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    FuncDef,
    MypyFile,
    NameExpr,
    Statement,
    StrExpr,
    SymbolTableNode,
    TempNode,
    Var,
)
from mypy.plugin import ClassDefContext, Plugin
from mypy.types import AnyType, CallableType, TypeOfAny
from mypyc.build import mypycify
from setuptools import Distribution

# Modules used at every move and in every playout. Modules with structs are not compiled: mypyc
# ignores keyword arguments of a class statement.
HOT = {
    "engine": "cards chance game legal phase rulebook state",
    "engine/parts": "auction deck fuel ladder market",
    "games": "view",
    "games/classic": (
        "bureaucracy decks fuelmarket lazy_view phases position rulebook sites state steps view"
    ),
    "games/recharged": "phases rulebook state view",
    "games/cardgame": "bank columns fuel phases rulebook state view",
    "games/outpost": "company lazy_view market phases pieces rulebook state syndicate usual view",
    "bots/clerk": "auction board cards figures mines outpost plants starts worth",
    "bots/engineer": "auction board cards forecast outpost plan",
}
# What anybody may call with anything checks its arguments itself, so that both builds refuse
# the same in the same words; elsewhere mypyc's own check comes first.
PUBLIC = {
    "highvoltage.engine.cards": "label parse_card",
    "highvoltage.engine.chance": "Scripted.__init__ Seeded.__init__",
    "highvoltage.engine.game": (
        "Game.__init__ Game.after Game.branch Game.check Game.cost Game.lazy_view Game.parse"
        " Game.play Game.state_after Game.view"
    ),
}
CACHED_PROPERTY = re.compile(r"    @cached_property\n    def (\w+)\(self\) -> (.+):\n")
REMEMBERED = r"""    _known_\1: \2 | None = None

    @property
    def \1(self) -> \2:
        known = self._known_\1
        if known is None:
            known = self._known_\1 = self._find_\1()
        return known

    def _find_\1(self) -> \2:
"""
SETTINGS = """[mypy]
plugins = {plugin}
cache_dir = {folder}/cache
ignore_missing_imports = true
"""


def compile_into(folder: Path) -> None:
    """Write the compiled modules to `lib` there, in the same folders as the sources."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "mypy.ini"
    settings.write_text(SETTINGS.format(plugin=Path(__file__).resolve(), folder=folder), "utf-8")
    paths = [f"highvoltage/{at}/{name}.py" for at, names in HOT.items() for name in names.split()]
    with chdir(copy_sources(folder / "src")):
        modules = mypycify(
            ["--config-file", str(settings), *paths],
            opt_level="1",  # the next level takes half as long again and is no faster
            debug_level="0",
            target_dir=str(folder / "c"),
        )
        build = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(folder / "lib"), str(folder / "objects")
        build.ensure_finalized()
        build.run()


def copy_sources(folder: Path) -> Path:
    """The sources with each cached property written out, because mypyc would find it every time."""
    page = ignore_patterns("web_dist")
    copytree(Path(__file__).resolve().parent / "src", folder, ignore=page, dirs_exist_ok=True)
    for path in folder.glob("highvoltage/bots/**/*.py"):
        path.write_text(CACHED_PROPERTY.sub(REMEMBERED, path.read_text("utf-8")), "utf-8")
    return folder


class Sources(Plugin):
    """The plugin: what mypyc needs to know about our classes."""

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        for name in PUBLIC.get(file.fullname, "").split():
            accept_anything(file.defs, name)
        return [(10, "mypy_extensions", -1)] if ours(file.fullname) else []

    def get_customize_class_mro_hook(
        self, fullname: str
    ) -> Callable[[ClassDefContext], None] | None:
        return open_up if ours(fullname) else None

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        return keep_declared if ours(fullname) else None


def ours(name: str) -> bool:
    return name.startswith("highvoltage.")


def accept_anything(lines: Sequence[Statement], name: str) -> None:
    """Hide the types of its arguments from mypyc, so that the function itself checks them."""
    outer, _, inner = name.partition(".")
    for line in lines:
        if inner and isinstance(line, ClassDef) and line.name == outer:
            return accept_anything(line.defs.body, inner)
        function = line.func if isinstance(line, Decorator) else line
        if isinstance(function, FuncDef) and function.name == name:
            assert isinstance(function.type, CallableType), name
            function.type.arg_types = [AnyType(TypeOfAny.explicit) for _ in function.arguments]
            return None
    raise LookupError(f"there is no {name} to open: see PUBLIC in compiling.py")


def open_up(ctx: ClassDefContext) -> None:
    """Let rulebooks and bots of other packages, which are not compiled, subclass every class.

    As if it were decorated with `@mypyc_attr("allow_interpreted_subclasses")`. This also lets
    `copy` create an object without its constructor.
    """
    name = "mypyc_attr"
    names = ctx.api.cur_mod_node.names  # type: ignore[attr-defined]
    if name not in names:
        known = ctx.api.lookup_fully_qualified(f"mypy_extensions.{name}")
        names[name] = SymbolTableNode(GDEF, known.node, module_public=False)
    decorators = [each.callee for each in ctx.cls.decorators if isinstance(each, CallExpr)]
    if not any(isinstance(each, NameExpr) and each.name == name for each in decorators):
        argument = StrExpr("allow_interpreted_subclasses")
        ctx.cls.decorators.append(CallExpr(NameExpr(name), [argument], [ARG_POS], [None]))


def keep_declared(ctx: ClassDefContext) -> None:
    """Keep the declarations of a base class.

    A class may narrow the type of an attribute, which is then checked whenever it is read, and it
    may set a class variable without declaring it as one again.
    """
    info = ctx.cls.info
    for line in (each for each in ctx.cls.defs.body if isinstance(each, AssignmentStmt)):
        for target in line.lvalues:
            if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
                continue
            declared = [base.names.get(target.name) for base in info.mro[1:]]
            before = [each.node for each in declared if each and isinstance(each.node, Var)]
            target.node.is_classvar |= any(each.is_classvar for each in before)
            if before and isinstance(line.rvalue, TempNode):  # only a type annotation
                info.names[target.name].plugin_generated = True  # which mypyc skips


def plugin(_version: str) -> type[Plugin]:
    return Sources


if __name__ == "__main__":
    compile_into(Path(sys.argv[1]).absolute())
