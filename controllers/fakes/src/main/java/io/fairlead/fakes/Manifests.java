package io.fairlead.fakes;

import io.fairlead.api.NamespacedName;

/// The objects that tests begin with, as their users would write them.
public final class Manifests {
    private Manifests() {}

    public static NamespacedName name(String name) {
        return new NamespacedName("default", name);
    }

    public static String service(String name, String more) {
        return """
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"%s","namespace":"default","labels":{"team":"a"}},
             "spec":{"clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],"selector":{"app":"hello"},
                     "ports":[{"name":"http","port":80,"targetPort":8080}]%s}}\
            """.formatted(name, more);
    }

    /// A pod that runs on node n1 and is ready.
    public static String pod(String name, String ip) {
        return pod(name, ip, "\"labels\":{\"app\":\"hello\"}", "\"containers\":[]", "True");
    }

    public static String pod(String name, String ip, String metadata, String spec, String ready) {
        return """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default",%s},
             "spec":{"nodeName":"n1",%s},
             "status":{"phase":"Running","podIP":"%s","conditions":[{"type":"Ready","status":"%s"}]}}\
            """.formatted(name, metadata, spec, ip, ready);
    }

    public static String node(String name, String zone) {
        return """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"topology.kubernetes.io/zone":"%s"}},
             "status":{"conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name, zone);
    }

    public static String deployment(String name, int replicas, String image) {
        return """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"%s","namespace":"default"},
             "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"%s"}},
                     "template":{"metadata":{"labels":{"app":"%s"}},
                                 "spec":{"containers":[{"name":"c","image":"%s"}]}}}}\
            """.formatted(name, replicas, name, name, image);
    }

    public static String replicaSet(String name, int replicas) {
        return """
            {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"%s","namespace":"default"},
             "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"hello"}},
                     "template":{"metadata":{"labels":{"app":"hello"},"annotations":{"note":"kept"}},
                                 "spec":{"containers":[{"name":"c","image":"i"}]}}}}\
            """.formatted(name, replicas);
    }

    public static String statefulSet(String name, int replicas, String image) {
        return """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"%s","namespace":"default"},
             "spec":{"replicas":%d,"serviceName":"peers","selector":{"matchLabels":{"app":"%s"}},
                     "template":{"metadata":{"labels":{"app":"%s"}},
                                 "spec":{"containers":[{"name":"c","image":"%s"}]}}}}\
            """.formatted(name, replicas, name, name, image);
    }

    public static String daemonSet(String name, String image) {
        return """
            {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"%s","namespace":"default"},
             "spec":{"selector":{"matchLabels":{"app":"%s"}},
                     "template":{"metadata":{"labels":{"app":"%s"}},
                                 "spec":{"containers":[{"name":"c","image":"%s"}]}}}}\
            """.formatted(name, name, name, image);
    }

    /// A patch that changes the template of any workload.
    public static String image(String image) {
        return "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"%s\"}]}}}}"
                .formatted(image);
    }
}
