// Imports rivers that `terrane export --preset unity --features rivers` has written. Put this file into a folder Editor
// of the project, install the package Splines (com.unity.splines), then Tools > Terrane > Import Rivers.
//
// Each reach becomes an object with a SplineContainer, and its widths and depths as data of the spline. Unity's x is
// east, y up, z north: metres from the south-west corner of the terrain.
using System;
using System.IO;
using Unity.Mathematics;
using UnityEditor;
using UnityEngine;
using UnityEngine.Splines;

public static class TerraneRivers
{
    [Serializable]
    class Reach
    {
        public string id, kind;
        public int piece, strahler;
        public float area_km2, discharge_m3s;
        public float[] points, tangents, widths, depths;
    }

    [Serializable]
    class Rivers
    {
        public string format;
        public float height_m;
        public Reach[] reaches;
    }

    [MenuItem("Tools/Terrane/Import Rivers")]
    static void Import()
    {
        string path = EditorUtility.OpenFilePanel("Rivers of Terrane", "", "json");
        if (string.IsNullOrEmpty(path))
            return;
        var rivers = JsonUtility.FromJson<Rivers>(File.ReadAllText(path));
        if (rivers == null || rivers.format != "terrane splines")
        {
            EditorUtility.DisplayDialog("Terrane", path + " has no splines of Terrane", "OK");
            return;
        }
        var parent = new GameObject("Rivers");
        Undo.RegisterCreatedObjectUndo(parent, "Import Rivers");
        foreach (Reach reach in rivers.reaches)
            AddReach(parent.transform, reach, rivers.height_m);
    }

    // Triple n of east, south, altitude as a vector of Unity; north: of the first sample.
    static float3 Vector(float[] flat, int n, float north)
    {
        return new float3(flat[3 * n], flat[3 * n + 2], north - flat[3 * n + 1]);
    }

    static void AddReach(Transform parent, Reach reach, float height)
    {
        var thing = new GameObject("reach " + reach.id + " " + reach.piece);
        thing.transform.SetParent(parent, false);
        var spline = thing.AddComponent<SplineContainer>().Spline;
        SplineData<float> widths = spline.GetOrCreateFloatData("width"), depths = spline.GetOrCreateFloatData("depth");
        widths.PathIndexUnit = depths.PathIndexUnit = PathIndexUnit.Knot;
        for (int n = 0; n < reach.widths.Length; n++)
        {
            float3 tangent = Vector(reach.tangents, n, 0) / 3;
            spline.Add(new BezierKnot(Vector(reach.points, n, height), -tangent, tangent, quaternion.identity),
                       TangentMode.Broken);
            widths.Add(n, reach.widths[n]);
            depths.Add(n, reach.depths[n]);
        }
    }
}
