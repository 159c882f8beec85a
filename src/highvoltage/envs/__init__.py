"""Environments for reinforcement learning, by the conventions of PettingZoo and Gymnasium.

All seats learn, in turn (PettingZoo AEC):

>>> from highvoltage import envs
>>> env = envs.aec("classic", map="germany", players=4)
>>> env.reset(seed=7)
>>> obs, reward, termination, truncation, info = env.last()
>>> env.agent_selection, int(obs["action_mask"].sum())
('player_2', 36)
>>> env.step(env.action_space(env.agent_selection).sample(obs["action_mask"]))

One seat learns and bots sit in the others (Gymnasium):

>>> import gymnasium
>>> env = gymnasium.make("highvoltage/Classic-v0", bots="clerk", players=3)
>>> obs, info = env.reset(seed=7)
>>> obs, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))

`gymnasium.make("highvoltage.envs:highvoltage/Classic-v0")` imports this module by itself.
"""

from highvoltage.extras import extra
from highvoltage.games import editions

with extra("rl"):
    import gymnasium

    from highvoltage.envs.episodes import MAX_ROUNDS, REWARDS, EnvError
    from highvoltage.envs.every_seat import HighVoltageAEC, aec
    from highvoltage.envs.one_seat import HighVoltageEnv, vector

__all__ = [
    "MAX_ROUNDS",
    "REWARDS",
    "EnvError",
    "HighVoltageAEC",
    "HighVoltageEnv",
    "aec",
    "vector",
]

for name in editions():
    title = name.title().replace("_", "")
    gymnasium.register(
        id=f"highvoltage/{title}-v0",
        entry_point="highvoltage.envs.one_seat:HighVoltageEnv",
        kwargs={"rulebook": name},
    )
    gymnasium.register(  # for make_vec, with JAX
        id=f"highvoltage/{title}Batch-v0",
        vector_entry_point="highvoltage.envs.many_games:BatchedGames",
        kwargs={"rulebook": name},
    )
