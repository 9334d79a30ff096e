# Adds a Path3D for each curve of the .tres of the same name, which `terrane export --preset godot --features rivers`
# has written. In Godot 4: put both files into the project, open a 3D scene, open this script, File > Run.
# x is east, y is up, z is south: metres from the north-west sample.
@tool
extends EditorScript


func _run() -> void:
	var path: String = get_script().resource_path.get_basename() + ".tres"
	var rivers: Resource = load(path)
	if rivers == null:
		push_error("cannot read " + path)
		return
	var scene := get_scene()
	var parent := Node3D.new()
	parent.name = "Rivers"
	scene.add_child(parent)
	parent.owner = scene
	for curve: Curve3D in rivers.get_meta("curves"):
		var reach := Path3D.new()
		reach.name = "reach_" + curve.resource_name
		reach.curve = curve
		reach.set_meta("widths", curve.get_meta("widths"))
		reach.set_meta("depths", curve.get_meta("depths"))
		parent.add_child(reach)
		reach.owner = scene
