package io.fairlead.merge;

/// Who owns fields: what the API calls a field manager, told apart by how it writes.
///
/// `subresource` is empty for the object itself, `apiVersion` is the one that the owner wrote in.
public record FieldOwner(String name, Operation operation, String apiVersion, String subresource) {
    /// How fields were written.
    public enum Operation {
        APPLY("Apply"),
        UPDATE("Update");

        private final String word;

        Operation(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /// One who applies is the same in every version; one who updates is not.
    boolean isSameAs(FieldOwner other) {
        return name.equals(other.name)
                && operation == other.operation
                && subresource.equals(other.subresource)
                && (operation == Operation.APPLY || apiVersion.equals(other.apiVersion));
    }

    /// As messages name it.
    @Override
    public String toString() {
        String part = subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"";
        String version = operation == Operation.UPDATE ? " using " + apiVersion : "";
        return "\"" + name + "\"" + part + version;
    }
}
