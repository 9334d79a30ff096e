"""A map as a picture: shaded relief in the world's colours. A notebook shows a picture that is the last line of a
cell."""

import terrane

picture = terrane.World("fjords").map(20000, 20000, 960, 540, lod=5)
picture.save("fjords.png")
print(picture, "in fjords.png")
