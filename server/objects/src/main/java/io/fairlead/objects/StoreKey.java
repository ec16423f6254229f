package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.util.Locale;

/// Under which key an object is stored: `services/default/web`, `deployments.apps/default/web`, `nodes/alpha`.
///
/// Names are lower case in a key: two Services whose names differ only in case would have one DNS name (decision 035),
/// so the store itself refuses the second.
public final class StoreKey {
    private StoreKey() {}

    public static String of(Kind kind, NamespacedName name) {
        String path = name.namespace().isEmpty() ? name.name() : name.namespace() + "/" + name.name();
        return prefix(kind) + "/" + path.toLowerCase(Locale.ROOT);
    }

    public static String prefix(Kind kind) {
        return kind.qualified();
    }

    public static String prefix(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }
}
