"""Heights on the GPU for PyTorch, without a copy and on PyTorch's stream. Without a GPU they are made on the CPU."""

import numpy as np

import terrane

world = terrane.World("alps")
if terrane.devices():
    import torch

    stream = torch.cuda.current_stream()
    heights = torch.from_dlpack(world.heights(44224, 17920, 4096, 4096, device="cuda", stream=stream))
    slope = torch.gradient(heights)[1].abs().mean().item()
    print(f"on {terrane.devices()[0].name}: mean slope to the east {slope:.3f}")
else:
    heights = np.from_dlpack(world.heights(44224, 17920, 4096, 4096))
    print(f"on the CPU: mean slope to the east {np.abs(np.gradient(heights, axis=1)).mean():.3f}")
