#!/usr/bin/env python3
"""Writes the seeds of mesh_fuzz to a folder: mesh_corpus.py FOLDER.

Each is a tetrahedron in one format; the first byte says which (0: STL, 1: OBJ, 2: Collada, 3: glTF, 4: binary glTF).
"""
import base64
import json
import os
import struct
import sys

vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
triangles = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def binary_stl():
    text = b' ' * 80 + struct.pack('<I', len(triangles))
    for triangle in triangles:
        text += struct.pack('<3f', 0, 0, 0)
        for corner in triangle:
            text += struct.pack('<3f', *vertices[corner])
        text += struct.pack('<H', 0)
    return text


def ascii_stl():
    text = 'solid s\n'
    for triangle in triangles:
        text += 'facet normal 0 0 0\nouter loop\n'
        for corner in triangle:
            text += 'vertex %g %g %g\n' % vertices[corner]
        text += 'endloop\nendfacet\n'
    return (text + 'endsolid s\n').encode()


def obj():
    text = 'o s\n' + ''.join('v %g %g %g\n' % v for v in vertices) + 'vn 0 0 1\nvt 0 0\n'
    text += ''.join('f %d %d %d\n' % tuple(c + 1 for c in t) for t in triangles)
    return (text + 'f -1/1/1 -2/1/1 -3/1/1 -4/1/1\n').encode()


def collada():
    places = ' '.join('%g %g %g' % v for v in vertices)
    corners = ' '.join('%d %d %d' % t for t in triangles)
    return f'''<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.01"/>
<up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p">
<float_array id="a" count="12">{places}</float_array><technique_common><accessor source="#a" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
</source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="4">
<input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p></triangles><polylist count="1">
<input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist></mesh></geometry>
</library_geometries><library_nodes><node id="m"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node id="n"><scale>1 2 3</scale><instance_node url="#m"/>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
'''.encode()


def gltf(binary):
    places = b''.join(struct.pack('<3f', *v) for v in vertices)
    corners = b''.join(struct.pack('<3H', *t) for t in triangles)
    buffer = {'byteLength': len(places + corners)}
    if not binary:
        buffer['uri'] = 'data:;base64,' + base64.b64encode(places + corners).decode()
    text = json.dumps({
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
        'nodes': [{'children': [1], 'scale': [1, 2, 3]}, {'mesh': 0}],
        'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1, 'mode': 4}]}],
        'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3'},
                      {'bufferView': 1, 'componentType': 5123, 'count': 12, 'type': 'SCALAR'}],
        'bufferViews': [{'buffer': 0, 'byteLength': 48}, {'buffer': 0, 'byteOffset': 48, 'byteLength': 24}],
        'buffers': [buffer]}).encode()
    if not binary:
        return text
    text += b' ' * (-len(text) % 4)
    data = places + corners
    chunks = struct.pack('<I', len(text)) + b'JSON' + text + struct.pack('<I', len(data)) + b'BIN\0' + data
    return b'glTF' + struct.pack('<II', 2, 12 + len(chunks)) + chunks


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    seeds = {'binary.stl': (0, binary_stl()), 'ascii.stl': (0, ascii_stl()), 'seed.obj': (1, obj()),
             'seed.dae': (2, collada()), 'seed.gltf': (3, gltf(False)), 'seed.glb': (4, gltf(True))}
    for name, (kind, content) in seeds.items():
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(bytes([kind]) + content)


main()
