package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.kubectl.ServerTable.Columns;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class ServerTableTest {
    private static final JsonNode TABLE = Json.parse("""
            {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "42"},
             "columnDefinitions": [
               {"name": "Name", "priority": 0}, {"name": "Cluster-IP", "priority": 0}, {"name": "Count", "priority": 0},
               {"name": "Selector", "priority": 1}],
             "rows": [{"cells": ["hello", "10.96.0.7", 3, null],
                       "object": {"metadata": {"name": "hello", "namespace": "web"}}}]}""");

    @Test
    void columns_of_priority_one_are_for_wide_tables() {
        ServerTable narrow = ServerTable.of(TABLE, Kind.SERVICE, new Columns(false, false, false));
        assertThat(narrow.header()).containsExactly("NAME", "CLUSTER-IP", "COUNT");
        assertThat(narrow.rows()).containsExactly(List.of("hello", "10.96.0.7", "3"));

        ServerTable wide = ServerTable.of(TABLE, Kind.SERVICE, new Columns(true, false, false));
        assertThat(wide.header()).containsExactly("NAME", "CLUSTER-IP", "COUNT", "SELECTOR");
        assertThat(wide.rows()).containsExactly(List.of("hello", "10.96.0.7", "3", "<none>"));
    }

    @Test
    void the_namespace_comes_first_and_the_kind_before_the_name() {
        ServerTable table = ServerTable.of(TABLE, Kind.SERVICE, new Columns(false, true, true));
        assertThat(table.header()).startsWith("NAMESPACE", "NAME");
        assertThat(table.rows().getFirst()).startsWith("web", "service/hello");
    }

    @Test
    void its_revision_is_where_a_watch_goes_on() {
        assertThat(ServerTable.of(TABLE, Kind.SERVICE, new Columns(false, false, false))
                        .revision())
                .isEqualTo(new Revision(42));
    }
}
