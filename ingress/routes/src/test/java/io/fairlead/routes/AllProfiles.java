package io.fairlead.routes;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A profile for each option that nginx reads, with a value it may have.
final class AllProfiles {
    private AllProfiles() {}

    static List<Profile> of() {
        List<Profile> profiles = new ArrayList<>();
        for (Annotation annotation : Annotation.values()) {
            Stream.of(
                            "true",
                            "1",
                            "8m",
                            "on",
                            "basic",
                            "HTTPS",
                            "GRPC",
                            "GRPCS",
                            "error",
                            "404",
                            "http://x.test/",
                            "cookie")
                    .forEach(value -> annotation.read(value).ifPresent(read -> {
                        Map<Annotation, Object> values = new EnumMap<>(Annotation.class);
                        values.put(annotation, read);
                        Options options = new Options(values);
                        profiles.add(Profile.of(options, false));
                        profiles.add(Profile.of(options, true));
                    }));
        }
        return profiles.stream().distinct().sorted().toList();
    }
}
