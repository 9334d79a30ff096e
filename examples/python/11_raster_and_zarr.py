"""A part of a world as GeoTIFF and as Zarr, in constant memory."""

import rioxarray  # noqa: F401  (gives arrays .rio)
import xarray as xr

import terrane

part = terrane.open_world("fjords", lod=3).sel(x=slice(0, 16000), y=slice(0, -16000))
part.height.rio.to_raster("fjords.tif", tiled=True, compress="deflate", predictor=3)
part.to_zarr("fjords.zarr", mode="w", consolidated=False)

again = xr.open_zarr("fjords.zarr", consolidated=False)
print(f"fjords.tif and fjords.zarr: {again.height.shape}, up to {again.height.max().compute().item():.0f} m")
