"""A whole world as a Dataset of xarray: samples are made when they are read."""

import xarray as xr

import terrane

ds = terrane.open_world("alps", lod=2)
print(ds.height.sizes)

part = ds.sel(x=slice(40000, 60000), y=slice(-10000, -30000))  # metres; north comes first
print(part.height.mean().compute().item(), "m on average")
highest = part.height.coarsen(x=100, y=100, boundary="trim").max().compute()
print(highest.shape, "cells of 400 m, each with its highest point")

places = xr.DataArray([44224.0, 52000.0], dims="place"), xr.DataArray([-17920.0, -20000.0], dims="place")
print(ds.height.sel(x=places[0], y=places[1], method="nearest").values)
