"""A part of a world as GeoTIFF and as Zarr, in constant memory."""

import os
import sys

import rioxarray  # noqa: F401  (gives arrays .rio)
import xarray as xr

import terrane

part = terrane.open_world("fjords", lod=3).sel(x=slice(-1200000, -1184000), y=slice(-1872000, -1888000))
if os.path.exists("fjords.tif"):
    sys.exit("fjords.tif exists already")
part.height.rio.to_raster("fjords.tif", tiled=True, compress="deflate", predictor=3)
terrane.write_zarr(part, "fjords.zarr")

again = xr.open_zarr("fjords.zarr", consolidated=False)
print(f"fjords.tif and fjords.zarr: {again.height.shape}, up to {again.height.max().compute().item():.0f} m")
