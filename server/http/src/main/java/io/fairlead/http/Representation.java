package io.fairlead.http;

import io.fairlead.objects.StatusException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The form in which a client wants its answer, as negotiated from the Accept header.
enum Representation {
    OBJECT,
    YAML,
    /// Rows and columns made for a terminal (K5).
    TABLE,
    /// Objects cut down to their metadata (K6).
    METADATA;

    static final String JSON_TYPE = "application/json";
    static final String YAML_TYPE = "application/yaml";

    /// The first form of the list that we can give. A form that is not named (protobuf) is passed over, so a client
    /// that names JSON after it gets JSON (K7).
    static Representation of(String accept) {
        if (accept.isBlank()) {
            return OBJECT;
        }
        return Stream.of(accept.split(","))
                .map(Representation::find)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(Representation::notAcceptable);
    }

    /// Refuses a request for a document of which there is neither a table nor a part.
    static void requirePlain(String accept) {
        boolean plain = accept.isBlank()
                || Stream.of(accept.split(","))
                        .flatMap(range -> find(range).stream())
                        .anyMatch(form -> form == OBJECT || form == YAML);
        if (!plain) {
            throw notAcceptable();
        }
    }

    private static StatusException notAcceptable() {
        return StatusException.of(
                406,
                "NotAcceptable",
                "only the following media types are accepted: %s, %s".formatted(JSON_TYPE, YAML_TYPE));
    }

    String contentType() {
        return this == YAML ? YAML_TYPE : JSON_TYPE;
    }

    private static Optional<Representation> find(String range) {
        List<String> parts = Stream.of(range.toLowerCase(Locale.ROOT).split(";"))
                .map(String::strip)
                .toList();
        return switch (parts.getFirst()) {
            case "*/*", "application/*" -> Optional.of(OBJECT);
            case YAML_TYPE -> Optional.of(YAML);
            case JSON_TYPE -> findJson(parts);
            default -> Optional.empty();
        };
    }

    private static Optional<Representation> findJson(List<String> parts) {
        Optional<String> as =
                parts.stream().filter(part -> part.startsWith("as=")).findFirst();
        boolean known = parts.contains("g=meta.k8s.io") && parts.contains("v=v1");
        if (as.isEmpty()) {
            // Aggregated discovery names a group without a form of ours: a plain list is a legal answer (K2).
            return Optional.of(OBJECT);
        }
        return switch (as.get()) {
            case "as=table" -> known ? Optional.of(TABLE) : Optional.empty();
            case "as=partialobjectmetadata", "as=partialobjectmetadatalist" ->
                known ? Optional.of(METADATA) : Optional.empty();
            default -> Optional.empty();
        };
    }
}
