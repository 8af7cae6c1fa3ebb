"""Stable-Baselines3's PPO on CartPole, with an evaluation an update."""

import gymnasium
import stable_baselines3
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.monitor import Monitor
from timers import Timers

timers = Timers(f"stable-baselines3 {stable_baselines3.__version__}", rounds=6)
evaluate = EvalCallback(Monitor(gymnasium.make("CartPole-v1")), eval_freq=512, log_path="sb3")
model = PPO("MlpPolicy", gymnasium.make("CartPole-v1"), n_steps=512, verbose=1, device="cpu")
model.learn(3072, callback=evaluate)
for rewards in evaluate.evaluations_results:
    timers.score("mean_reward", sum(rewards) / len(rewards))
timers.write()
