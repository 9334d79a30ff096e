"""Make Water Body Rivers from a file of `terrane export --preset unreal --features rivers`.

In the editor of Unreal Engine 5, with the plugins Python Editor Script and Water: Tools > Execute Python Script > this
file. It reads the .json of the same name beside it. The origin is the north-west sample of the landscape, so put the
landscape at X 0, Y 0. Unreal counts centimetres: X east, Y south, Z up, over sea level 0."""

import json
import os

import unreal

CM = 100.0
WORLD = unreal.SplineCoordinateSpace.WORLD


def vectors_of(flat):
    """Triples east, south, altitude in metres as vectors of centimetres."""
    return [unreal.Vector(CM * flat[n], CM * flat[n + 1], CM * flat[n + 2]) for n in range(0, len(flat), 3)]


def set_beds(actor, reach):
    """Set width and depth of the river at each point. Their place in the API changes between versions of Unreal."""
    metadata = actor.get_water_body_component().get_water_spline_metadata()
    for name, values in (("river_width", reach["widths"]), ("depth", reach["depths"])):
        curve = metadata.get_editor_property(name)
        points = list(curve.points)
        for point, value in zip(points, values):
            point.out_val = CM * value
        curve.points = points
        metadata.set_editor_property(name, curve)


def add_reach(actors, reach):
    points, tangents = vectors_of(reach["points"]), vectors_of(reach["tangents"])
    actor = actors.spawn_actor_from_class(unreal.WaterBodyRiver, points[0])
    actor.set_actor_label(f"reach_{reach['id']}_{reach['piece']}")
    actor.set_folder_path("Rivers")
    spline = actor.get_water_spline()
    spline.set_spline_points(points, WORLD, False)
    for n, tangent in enumerate(tangents):
        spline.set_tangent_at_spline_point(n, tangent, WORLD, False)
    spline.update_spline()
    try:
        set_beds(actor, reach)
    except Exception as error:
        unreal.log_warning(f"reach {reach['id']}: widths and depths are not set: {error}")


def import_rivers(path):
    """Add the reaches of a file to the level; ways through lakes are left out."""
    with open(path, encoding="utf-8") as file:
        rivers = json.load(file)
    actors = unreal.get_editor_subsystem(unreal.EditorActorSubsystem)
    reaches = [reach for reach in rivers["reaches"] if reach["kind"] == "river"]
    with unreal.ScopedSlowTask(len(reaches), "Rivers of Terrane") as task:
        task.make_dialog(True)
        for reach in reaches:
            if task.should_cancel():
                break
            task.enter_progress_frame(1)
            add_reach(actors, reach)
    return len(reaches)


if __name__ == "__main__":
    unreal.log(f"{import_rivers(os.path.splitext(os.path.abspath(__file__))[0] + '.json')} reaches")
