"""A world of one's own: from parameters, from a world that comes with Terrane, from a file."""

import terrane

islands = terrane.World("archipelago", seed=12, sea=40)
rough = terrane.World(levels=12, amplitude=900, gain=0.53, base=300)
with open("mine.ini", "x") as file:  # x: a file that is there is left as it is
    file.write("[world]\nseed = 3\nlevels = 11\n[look]\npalette = desert\n")
mine = terrane.World("mine.ini")

for world in (islands, rough, mine):
    print(world.statistics(0, 0, 500, 500, lod=3))
try:
    terrane.World("alps", gain=1.5)
except terrane.InvalidArgumentError as error:
    print("as expected:", error)
