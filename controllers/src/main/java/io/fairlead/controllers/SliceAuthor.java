package io.fairlead.controllers;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Endpoints;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/// Who writes the slices of a Service, and what is written on all of them.
///
/// `trigger` is the time of the change that the slices follow; empty where nobody knows.
record SliceAuthor(
        NamespacedName service, KubernetesObject owner, Map<String, String> labels, String manager, String trigger) {
    static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    static final String FROM_PODS = "endpointslice-controller.k8s.io";
    static final String FROM_ENDPOINTS = "endpointslicemirroring-controller.k8s.io";
    static final String HEADLESS = "service.kubernetes.io/headless";

    /// For the endpoints that are pods: they carry the labels of the Service.
    static SliceAuthor of(Service service, Collection<Pod> pods) {
        String trigger = Stream.concat(
                        Stream.of(service.metadata().creationTimestamp()),
                        pods.stream().map(pod -> pod.status().readyChanged()))
                .max(Comparator.naturalOrder())
                .orElse("");
        return new SliceAuthor(service.key(), service, labels(service, service, FROM_PODS), FROM_PODS, trigger);
    }

    /// For the endpoints that a user wrote into an Endpoints object: they carry its labels, and go with it.
    static SliceAuthor of(Service service, Endpoints endpoints) {
        Map<String, String> labels = labels(service, endpoints, FROM_ENDPOINTS);
        return new SliceAuthor(service.key(), endpoints, labels, FROM_ENDPOINTS, "");
    }

    boolean wrote(EndpointSlice slice) {
        return manager.equals(slice.metadata().labels().get(MANAGED_BY));
    }

    private static Map<String, String> labels(Service service, KubernetesObject origin, String manager) {
        Map<String, String> labels = new LinkedHashMap<>(origin.metadata().labels());
        labels.remove(HEADLESS);
        labels.put(EndpointSlice.SERVICE_NAME, service.key().name());
        labels.put(MANAGED_BY, manager);
        if (service.headless()) {
            labels.put(HEADLESS, "");
        }
        return labels;
    }
}
