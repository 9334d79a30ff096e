"""gltf_rules.py - checks the JSON tree of a glTF file by the rules of the specification: properties of objects,
their types and ranges, and references. It accepts only the kinds of objects that Terrane writes.

Source: glTF 2.0, 5 Properties Reference."""

import math


def natural(value):
    """An integer from 0 on: a length, an offset or a reference."""
    return type(value) is int and value >= 0


def positive(value):
    return type(value) is int and value >= 1


def number(value):
    return type(value) in (int, float) and math.isfinite(value)


def share(value):
    return number(value) and 0 <= value <= 1


def text(value):
    return isinstance(value, str) and value != ""


def anything(value):
    return True


def one_of(*values):
    return lambda value: type(value) in map(type, values) and value in values


def list_of(rule, least=1, most=math.inf):
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(rule, value))


def thing(required, optional):
    """The rule for a JSON object that has all required properties, and no others than these and the optional ones."""

    def rule(value):
        known = required | optional
        has_all = isinstance(value, dict) and required.keys() <= value.keys()
        return has_all and value.keys() <= known.keys() and all(known[key](part) for key, part in value.items())

    return rule


TEXTURE_INFO = thing({"index": natural}, {"texCoord": natural})
PBR = thing(
    {},
    {
        "baseColorFactor": list_of(share, 4, 4),
        "baseColorTexture": TEXTURE_INFO,
        "metallicFactor": share,
        "roughnessFactor": share,
    },
)
WRAP = one_of(33071, 33648, 10497)
PRIMITIVE = thing(
    {"attributes": thing({"POSITION": natural}, {"NORMAL": natural, "TEXCOORD_0": natural})},
    {"indices": natural, "material": natural, "mode": one_of(0, 1, 2, 3, 4, 5, 6)},
)
COMMON = {"name": text, "extras": anything}
LISTS = {
    "accessors": thing(
        {
            "componentType": one_of(5120, 5121, 5122, 5123, 5125, 5126),
            "count": positive,
            "type": one_of("SCALAR", "VEC2", "VEC3", "VEC4"),
        },
        {"bufferView": natural, "byteOffset": natural, "min": list_of(number, 1, 16), "max": list_of(number, 1, 16)},
    ),
    "buffers": thing({"byteLength": positive}, {}),
    "bufferViews": thing(
        {"buffer": natural, "byteLength": positive}, {"byteOffset": natural, "target": one_of(34962, 34963)}
    ),
    "images": thing({"bufferView": natural, "mimeType": one_of("image/png", "image/jpeg")}, {}),
    "materials": thing({}, {"pbrMetallicRoughness": PBR, "doubleSided": one_of(False, True)} | COMMON),
    "meshes": thing({"primitives": list_of(PRIMITIVE)}, COMMON),
    "nodes": thing({}, {"mesh": natural, "translation": list_of(number, 3, 3)} | COMMON),
    "samplers": thing(
        {},
        {
            "magFilter": one_of(9728, 9729),
            "minFilter": one_of(9728, 9729, 9984, 9985, 9986, 9987),
            "wrapS": WRAP,
            "wrapT": WRAP,
        },
    ),
    "scenes": thing({}, {"nodes": list_of(natural)} | COMMON),
    "textures": thing({}, {"sampler": natural, "source": natural}),
}
ASSET = thing({"version": one_of("2.0")}, {"generator": text})

# References: the list whose objects have them, the path to them in such an object, and the list that they point to.
REFERENCES = [
    ("scenes", ["nodes"], "nodes"),
    ("nodes", ["mesh"], "meshes"),
    ("meshes", ["primitives", "attributes", "*"], "accessors"),
    ("meshes", ["primitives", "indices"], "accessors"),
    ("meshes", ["primitives", "material"], "materials"),
    ("materials", ["pbrMetallicRoughness", "baseColorTexture", "index"], "textures"),
    ("textures", ["sampler"], "samplers"),
    ("textures", ["source"], "images"),
    ("images", ["bufferView"], "bufferViews"),
    ("accessors", ["bufferView"], "bufferViews"),
    ("bufferViews", ["buffer"], "buffers"),
]


def found_at(value, path):
    """Values at a path. A path goes into every element of lists; "*" goes into every property."""
    if isinstance(value, list):
        return [found for part in value for found in found_at(part, path)]
    if not path:
        return [value]
    parts = list(value.values()) if path[0] == "*" else [value[path[0]]] if path[0] in value else []
    return [found for part in parts for found in found_at(part, path[1:])]


def check_tree(tree):
    """Raise AssertionError if a tree breaks a rule or has an object without a reference to it."""
    lists = tree.keys() - {"asset", "scene"}
    assert lists <= LISTS.keys(), f"unknown properties: {sorted(lists - LISTS.keys())}"
    assert ASSET(tree.get("asset")), "asset"
    for name in lists:
        assert isinstance(tree[name], list) and tree[name], f"{name} is empty: leave it out"
        for n, value in enumerate(tree[name]):
            assert LISTS[name](value), f"{name}[{n}] is {value}"
    assert natural(tree.get("scene", 0)) and tree.get("scene", 0) < len(tree["scenes"]), "scene"
    for target in lists - {"scenes"}:
        numbers = [n for name, path, to in REFERENCES if to == target for n in found_at(tree.get(name, []), path)]
        assert set(numbers) == set(range(len(tree[target]))), (
            f"{target}: {len(tree[target])} of them, referred to are {numbers}"
        )
    referred = {to for name, path, to in REFERENCES if found_at(tree.get(name, []), path)}
    assert referred <= lists, f"referred to, but missing: {sorted(referred - lists)}"
