package io.fairlead.schema;

import java.util.List;

/// What a field holds.
public sealed interface FieldType {

    /// One value. The word is how the tables spell it.
    enum Scalar implements FieldType {
        STRING("string"),
        INT32("int32"),
        INT64("int64"),
        BOOL("bool"),
        DOUBLE("double"),
        /// Base64 in JSON.
        BYTES("bytes"),
        INT_OR_STRING("int-or-string"),
        QUANTITY("quantity"),
        TIME("time"),
        MICRO_TIME("micro-time"),
        /// JSON of any shape.
        ANY("any");

        private final String word;

        Scalar(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /// An object with known fields: the name leads to its [StructType], see [Schemas#struct].
    record Struct(String name) implements FieldType {}

    record ListOf(FieldType element, ListSemantics semantics) implements FieldType {}

    /// Keys are always text. An atomic map has one owner in server-side apply.
    record MapOf(FieldType value, boolean atomic) implements FieldType {}

    /// What tells the items of a list apart in server-side apply.
    sealed interface ListSemantics {

        /// The list is one value.
        record Atomic() implements ListSemantics {}

        /// Items are their own keys.
        record Set() implements ListSemantics {}

        /// Items are objects, told apart by these fields.
        record Keyed(List<String> keys) implements ListSemantics {
            public Keyed {
                keys = List.copyOf(keys);
                if (keys.isEmpty()) {
                    throw new IllegalArgumentException("a keyed list without keys");
                }
            }
        }
    }
}
