package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Objects of any size for lists, and changes to them.
final class SampleObjects {
    private final Random random;
    private long revision;

    SampleObjects(long seed) {
        this.random = new Random(seed);
    }

    /// Sorted by name, each of `atLeast` bytes and up to three times that.
    List<ApiObject> many(int count, int atLeast) {
        List<ApiObject> objects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            objects.add(one("map-%05d".formatted(i), atLeast + random.nextInt(1 + 2 * atLeast)));
        }
        return objects;
    }

    /// Text that compresses by half, as real objects do not: the worst of them.
    ApiObject one(String name, int length) {
        StringBuilder value = new StringBuilder();
        while (value.length() < length) {
            value.append(Integer.toHexString(random.nextInt()));
        }
        return ApiObject.of(
                Kind.CONFIG_MAP,
                Json.parse("{\"metadata\":{\"namespace\":\"default\",\"name\":\"%s\"},\"data\":{\"k\":\"%s ü\"}}"
                        .formatted(name, value)),
                new Revision(++revision));
    }

    /// The same name in a new state of about the same size.
    ApiObject changed(ApiObject object) {
        return one(object.key().name(), object.json().length);
    }
}
