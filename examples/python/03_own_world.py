"""Three ways to make a world: change a world of Terrane, set parameters, and read a world file."""

import terrane

islands = terrane.World("archipelago", seed=12, sea=40)
rough = terrane.World(levels=12, amplitude=900, gain=0.53, base=300)
with open("mine.ini", "x") as file:  # x: an existing file is an error, and is not changed
    file.write("[world]\nseed = 3\nlevels = 11\n[look]\npalette = desert\n")
mine = terrane.World("mine.ini")

for world in (islands, rough, mine):
    print(world.statistics(0, 0, 500, 500, lod=3))
try:
    terrane.World("alps", gain=1.5)
except terrane.InvalidArgumentError as error:
    print("as expected:", error)
