package io.fairlead.http;

import java.nio.charset.StandardCharsets;

/// Objects that are there to be patched.
enum FuzzSample {
    SERVICE("/api/v1/namespaces/default/services", """
        {"metadata": {"name": "web", "labels": {"app": "web"}}, "spec": {"selector": {"app": "web"},
         "ports": [{"name": "http", "port": 80, "targetPort": 8080}, {"name": "https", "port": 443}]}}\
        """),
    POD("/api/v1/namespaces/default/pods", """
        {"metadata": {"name": "web", "finalizers": ["example.com/hold"]}, "spec": {"containers": [{"name": "main",
         "image": "echo", "ports": [{"containerPort": 80}], "env": [{"name": "A", "value": "b"}]}]}}\
        """),
    DEPLOYMENT("/apis/apps/v1/namespaces/default/deployments", """
        {"metadata": {"name": "web"}, "spec": {"selector": {"matchLabels": {"app": "web"}}, "template":
         {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main", "image": "echo"}]}}}}\
        """),
    INGRESS("/apis/networking.k8s.io/v1/namespaces/default/ingresses", """
        {"metadata": {"name": "web"}, "spec": {"rules": [{"host": "a.example", "http": {"paths": [{"path": "/",
         "pathType": "Prefix", "backend": {"service": {"name": "web", "port": {"number": 80}}}}]}}]}}\
        """),
    CONFIG_MAP("/api/v1/namespaces/default/configmaps", """
        {"metadata": {"name": "web", "annotations": {"a": "b"}}, "data": {"colour": "green"}}\
        """);

    private final String collection;
    private final String json;

    FuzzSample(String collection, String json) {
        this.collection = collection;
        this.json = json;
    }

    String collection() {
        return collection;
    }

    String path() {
        return collection + "/web";
    }

    byte[] json() {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
