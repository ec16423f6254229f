package io.fairlead.schema;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/// A group and version that has a table: the name of the table is also how other tables refer to it.
enum SchemaGroup {
    META("meta.k8s.io/v1", "meta.v1", "io.k8s.apimachinery.pkg.apis."),
    CORE("v1", "core.v1"),
    APPS("apps/v1", "apps.v1"),
    DISCOVERY("discovery.k8s.io/v1", "discovery.v1"),
    NETWORKING("networking.k8s.io/v1", "networking.v1"),
    AUTOSCALING("autoscaling/v1", "autoscaling.v1"),
    COORDINATION("coordination.k8s.io/v1", "coordination.v1"),
    EVENTS("events.k8s.io/v1", "events.v1"),
    RBAC("rbac.authorization.k8s.io/v1", "rbac.v1"),
    AUTHENTICATION("authentication.k8s.io/v1", "authentication.v1"),
    AUTHORIZATION("authorization.k8s.io/v1", "authorization.v1"),
    POLICY("policy/v1", "policy.v1"),
    STORAGE("storage.k8s.io/v1", "storage.v1"),
    SCHEDULING("scheduling.k8s.io/v1", "scheduling.v1");

    /// Where manifests of long ago have what is in `apps/v1` today. Its fields are taken to be those of today.
    private static final Set<String> OLD_APPS = Set.of("apps/v1beta1", "apps/v1beta2", "extensions/v1beta1");

    private final String apiVersion;
    private final String table;
    private final String packages;

    SchemaGroup(String apiVersion, String table) {
        this(apiVersion, table, "io.k8s.api.");
    }

    SchemaGroup(String apiVersion, String table, String packages) {
        this.apiVersion = apiVersion;
        this.table = table;
        this.packages = packages;
    }

    String apiVersion() {
        return apiVersion;
    }

    String table() {
        return table;
    }

    /// The OpenAPI name of one of its structs.
    String qualified(String shortName) {
        return packages + table + "." + shortName;
    }

    static boolean isOld(String apiVersion) {
        return OLD_APPS.contains(apiVersion);
    }

    static Optional<SchemaGroup> ofApiVersion(String apiVersion) {
        String today = isOld(apiVersion) ? APPS.apiVersion : apiVersion;
        return Arrays.stream(values())
                .filter(group -> group.apiVersion.equals(today))
                .findFirst();
    }

    static Optional<SchemaGroup> ofTable(String table) {
        return Arrays.stream(values())
                .filter(group -> group.table.equals(table))
                .findFirst();
    }

    /// The group that the OpenAPI name of a struct is of.
    static Optional<SchemaGroup> ofStruct(String name) {
        return Arrays.stream(values())
                .filter(group -> name.equals(group.qualified(name.substring(name.lastIndexOf('.') + 1))))
                .findFirst();
    }
}
