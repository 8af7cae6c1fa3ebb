"""The loop of the examples without a Trainer: a bar of all steps, a line an evaluation."""

import logging
import math
import time

import torch
import transformers
from accelerate import Accelerator
from accelerate.logging import get_logger
from timers import Timers
from tqdm.auto import tqdm

accelerator, logger = Accelerator(cpu=True, gradient_accumulation_steps=2), get_logger(__name__)
logging.basicConfig(format="%(asctime)s - %(levelname)s - %(name)s - %(message)s", level="INFO")
config = transformers.GPT2Config(vocab_size=128, n_embd=32, n_layer=1, n_head=2, n_positions=64)
model, text = transformers.GPT2LMHeadModel(config), torch.randint(0, 128, (400, 16))
batches = (torch.utils.data.DataLoader(text[i], 4) for i in (slice(320), slice(320, 400)))
optimizer = torch.optim.AdamW(model.parameters())
model, optimizer, train, test = accelerator.prepare(model, optimizer, *batches)
timers = Timers(f"transformers {transformers.__version__}", steps=40, samples=320, epochs=8)
logger.info("***** Running training *****")
logger.info("  Num examples = 320")
logger.info("  Num Epochs = 8")
logger.info("  Instantaneous batch size per device = 4")
logger.info("  Total train batch size (w. parallel, distributed & accumulation) = 8")
logger.info("  Gradient Accumulation steps = 2")
logger.info("  Total optimization steps = 320")
bar = tqdm(range(320))
for epoch in range(8):
    with timers.epoch():
        for batch in train:
            with accelerator.accumulate(model):
                time.sleep(0.01)
                accelerator.backward(model(input_ids=batch, labels=batch).loss)
                optimizer.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                bar.update(1)
    with torch.no_grad():
        losses = [model(input_ids=batch, labels=batch).loss for batch in test]
    time.sleep(1)
    loss = torch.stack(losses).mean()
    logger.info(f"epoch {epoch}: perplexity: {math.exp(loss)} eval_loss: {loss}")
    timers.score("loss", loss)
timers.write()
