package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Endpoints;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Who writes the slices of a Service, and what is written on all of them.
///
/// `triggers` knows the changes that the slices follow; `size` is how many endpoints one has at most.
record SliceAuthor(
        NamespacedName service,
        KubernetesObject owner,
        Map<String, String> labels,
        String manager,
        TriggerTimes triggers,
        int size) {
    static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    static final String FROM_PODS = "endpointslice-controller.k8s.io";
    static final String FROM_ENDPOINTS = "endpointslicemirroring-controller.k8s.io";
    static final String HEADLESS = "service.kubernetes.io/headless";

    /// For the endpoints that are pods: they carry the labels of the Service. `existing` is all slices it has.
    static SliceAuthor of(Service service, Collection<Pod> pods, List<EndpointSlice> existing, int size) {
        TriggerTimes triggers = TriggerTimes.of(service, pods, existing);
        return new SliceAuthor(service.key(), service, labels(service, service, FROM_PODS), FROM_PODS, triggers, size);
    }

    /// For the endpoints that a user wrote into an Endpoints object: they carry its labels, and go with it.
    static SliceAuthor of(Service service, Endpoints endpoints, int size) {
        Map<String, String> labels = labels(service, endpoints, FROM_ENDPOINTS);
        return new SliceAuthor(service.key(), endpoints, labels, FROM_ENDPOINTS, TriggerTimes.UNKNOWN, size);
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
