package io.fairlead.schema;

/// One field of a struct.
///
/// `number` is its number in protobuf; 0 means that it does not travel there (`apiVersion`, `kind`).
public record Field(String name, int number, FieldType type, Rules rules, String description) {

    /// What holds for the field besides its type. An empty default means none. `zeroCounts` where a zero differs
    /// from an absent value: `replicas: 0`.
    public record Rules(boolean required, boolean zeroCounts, String defaultValue, Patching patching) {
        static final Rules NONE = new Rules(false, false, "", Patching.REPLACE);
        static final Rules REQUIRED = new Rules(true, true, "", Patching.REPLACE);
    }

    /// What a strategic merge patch does with the field.
    ///
    /// `merge` is set on lists only: objects always merge. An empty `mergeKey` on a merged list means that its
    /// items are plain values. `retainKeys` means that a patch may name all the keys that stay.
    public record Patching(boolean merge, String mergeKey, boolean retainKeys) {
        public static final Patching REPLACE = new Patching(false, "", false);
    }

    public boolean required() {
        return rules.required();
    }

    /// The text that stands for an absent value in the key of a keyed list; empty if there is none.
    public String defaultValue() {
        return rules.defaultValue();
    }

    public Patching patching() {
        return rules.patching();
    }
}
