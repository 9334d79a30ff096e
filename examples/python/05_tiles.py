"""Many small tiles, of several levels of detail, in one call, as viewers and games need them."""

import terrane

world = terrane.World("alps")
places = [(44224 + 64 * column, 17920 + 64 * row, 0) for row in range(8) for column in range(8)]
places += [(40960 + 4096 * column, 16384, 6) for column in range(4)]  # x, z, lod
tiles = world.tiles(places, 65, 65)

print(f"{len(tiles)} tiles of {tiles.shape[2]} x {tiles.shape[1]} samples")
assert (tiles[0, :, -1] == tiles[1, :, 0]).all()  # neighbours share their edge
