package io.fairlead.access;

/// What a user wants to do: a verb, and the resource or the path it is for.
public record AccessRequest(User user, String verb, Target on) {
    /// What a verb is for.
    public sealed interface Target {}

    /// Objects of a resource: `name` is empty for all of them, `namespace` for those of the cluster or of all
    /// namespaces.
    public record Resource(String group, String resource, String subresource, String namespace, String name)
            implements Target {

        /// `pods`, or `pods/log`.
        public String qualified() {
            return subresource.isEmpty() ? resource : resource + "/" + subresource;
        }
    }

    /// A path that is no object, such as `/metrics`.
    public record Path(String path) implements Target {}

    /// The sentence that says that it may not be done, as Kubernetes puts it.
    public String refusal() {
        return switch (on) {
            case Path(String path) -> "User \"%s\" cannot %s path \"%s\"".formatted(user.name(), verb, path);
            case Resource resource ->
                "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
                        .formatted(user.name(), verb, resource.qualified(), resource.group(), scope(resource));
        };
    }

    private static String scope(Resource resource) {
        return resource.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace \"%s\"".formatted(resource.namespace());
    }
}
