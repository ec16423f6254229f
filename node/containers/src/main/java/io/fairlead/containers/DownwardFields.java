package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What a container may learn of its own pod. Pure.
public record DownwardFields(Pod pod, List<Ip> podAddresses, List<Ip> nodeAddresses) {
    private static final Pattern ONE_OF = Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");

    /// The value at a path of the API, such as `status.podIP` or `metadata.labels['app']`; nothing for one that
    /// no pod may ask for.
    Optional<String> find(String path) {
        Matcher one = ONE_OF.matcher(path);
        if (one.matches()) {
            Map<String, String> map = one.group(1).equals("labels")
                    ? pod.metadata().labels()
                    : pod.metadata().annotations();
            return Optional.of(map.getOrDefault(one.group(2), ""));
        }
        return switch (path) {
            case "metadata.name" -> Optional.of(pod.key().name());
            case "metadata.namespace" -> Optional.of(pod.key().namespace());
            case "metadata.uid" -> Optional.of(pod.metadata().uid());
            case "metadata.labels" -> Optional.of(lines(pod.metadata().labels()));
            case "metadata.annotations" -> Optional.of(lines(pod.metadata().annotations()));
            case "spec.nodeName" -> Optional.of(pod.spec().nodeName());
            case "spec.serviceAccountName" ->
                Optional.of(pod.spec().surroundings().serviceAccountName());
            case "status.hostIP" -> first(nodeAddresses);
            case "status.hostIPs" -> Optional.of(joined(nodeAddresses));
            case "status.podIP" -> first(podAddresses);
            case "status.podIPs" -> Optional.of(joined(podAddresses));
            default -> Optional.empty();
        };
    }

    private static String lines(Map<String, String> map) {
        return new TreeMap<>(map)
                .entrySet().stream()
                        .map(e -> "%s=\"%s\"".formatted(e.getKey(), e.getValue()))
                        .collect(Collectors.joining("\n"));
    }

    private static Optional<String> first(List<Ip> addresses) {
        return Optional.of(addresses.stream().findFirst().map(Ip::toString).orElse(""));
    }

    private static String joined(List<Ip> addresses) {
        return addresses.stream().map(Ip::toString).collect(Collectors.joining(","));
    }
}
