package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.kinds.Column;
import io.fairlead.kinds.NamespaceRules;
import io.fairlead.kinds.NodeRules;
import io.fairlead.kinds.PodRules;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The rows and columns that kubectl prints.
@Timeout(60)
final class TableTest {
    private static final String KUBECTL = "application/json;as=Table;v=v1;g=meta.k8s.io,"
            + "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
    private static final String NAMESPACE = "/api/v1/namespaces/default/";

    @AutoClose
    private static final TestServer server = TestServer.running();

    private static JsonNode table(String path) throws Exception {
        return Json.parse(server.get(path, KUBECTL).body());
    }

    /// `Name|Type|…`, as headings; those that only `-o wide` shows are in brackets.
    private static String headings(String path) throws Exception {
        return Json.list(table(path), TableTest::heading, "columnDefinitions").stream()
                .collect(Collectors.joining("|"));
    }

    private static String heading(JsonNode column) {
        String name = Json.text(column, "name");
        return Json.number(column, 0, "priority") == 0 ? name : "(" + name + ")";
    }

    private static String row(String path) throws Exception {
        return table(path)
                .path("rows")
                .path(0)
                .path("cells")
                .valueStream()
                .map(cell -> cell.asString())
                .map(cell -> cell.matches("\\d+s") ? "AGE" : cell)
                .collect(Collectors.joining("|"));
    }

    @Test
    void services_show_type_addresses_and_ports() throws Exception {
        server.post(NAMESPACE + "services", """
            {"metadata":{"name":"np"},"spec":{"type":"NodePort","clusterIP":"10.96.0.9","selector":{"a":"b","c":"d"},
             "ports":[{"name":"x","port":80,"nodePort":30002},{"name":"y","port":53,"protocol":"UDP","nodePort":30003}]}}\
            """);
        server.post(NAMESPACE + "services", """
            {"metadata":{"name":"lb"},"spec":{"type":"LoadBalancer","clusterIP":"10.96.0.8","ports":[{"port":80,"nodePort":30004}]}}\
            """);
        server.post(NAMESPACE + "services", """
            {"metadata":{"name":"ext"},"spec":{"type":"ExternalName","externalName":"example.com"}}\
            """);
        server.post(NAMESPACE + "services", """
            {"metadata":{"name":"headless"},"spec":{"clusterIP":"None"}}\
            """);

        assertThat(headings(NAMESPACE + "services"))
                .isEqualTo("Name|Type|Cluster-IP|External-IP|Port(s)|Age|(Selector)");
        assertThat(row(NAMESPACE + "services/np"))
                .isEqualTo("np|NodePort|10.96.0.9|<none>|80:30002/TCP,53:30003/UDP|AGE|a=b,c=d");
        assertThat(row(NAMESPACE + "services/lb"))
                .isEqualTo("lb|LoadBalancer|10.96.0.8|<pending>|80:30004/TCP|AGE|<none>");
        assertThat(row(NAMESPACE + "services/ext")).isEqualTo("ext|ExternalName|<none>|example.com|<none>|AGE|<none>");
        assertThat(row(NAMESPACE + "services/headless")).isEqualTo("headless|ClusterIP|None|<none>|<none>|AGE|<none>");

        server.merge(NAMESPACE + "services/lb/status", """
            {"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.7"},{"hostname":"lb.example.com"}]}}}\
            """);
        assertThat(row(NAMESPACE + "services/lb")).contains("|192.0.2.7,lb.example.com|");
    }

    @Test
    void pods_show_readiness_and_place() throws Exception {
        server.post(NAMESPACE + "pods", VerbsTest.pod("shown"));
        server.merge(NAMESPACE + "pods/shown", "{\"spec\":{\"nodeName\":\"n1\"}}");
        server.merge(NAMESPACE + "pods/shown/status", """
            {"status":{"phase":"Running","podIP":"10.1.0.5","containerStatuses":[{"ready":true,"state":{"running":{}},"restartCount":2}]}}\
            """);

        assertThat(headings(NAMESPACE + "pods"))
                .isEqualTo("Name|Ready|Status|Restarts|Age|(IP)|(Node)|(Nominated Node)|(Readiness Gates)");
        assertThat(row(NAMESPACE + "pods/shown")).isEqualTo("shown|1/1|Running|2|AGE|10.1.0.5|n1|<none>|<none>");
        server.delete(NAMESPACE + "pods/shown");
        assertThat(row(NAMESPACE + "pods/shown")).contains("|Terminating|");
    }

    @Test
    void ingresses_and_their_classes_show_where_they_lead() throws Exception {
        String networking = "/apis/networking.k8s.io/v1/";
        server.post(networking + "ingressclasses", """
            {"metadata":{"name":"own"},"spec":{"controller":"fairlead.io/ingress"}}\
            """);
        server.post(networking + "namespaces/default/ingresses", """
            {"metadata":{"name":"web"},"spec":{"ingressClassName":"own","tls":[{"hosts":["a.example"]}],
             "rules":[{"host":"a.example","http":{"paths":[{"path":"/","pathType":"Prefix",
             "backend":{"service":{"name":"web","port":{"number":80}}}}]}}]}}\
            """);
        assertThat(headings(networking + "ingresses")).isEqualTo("Name|Class|Hosts|Address|Ports|Age");
        assertThat(row(networking + "ingresses")).isEqualTo("web|own|a.example||80, 443|AGE");
        assertThat(headings(networking + "ingressclasses")).isEqualTo("Name|Controller|Parameters|Age");
        assertThat(row(networking + "ingressclasses")).isEqualTo("own|fairlead.io/ingress|<none>|AGE");
    }

    @Test
    void nodes_show_their_state() throws Exception {
        server.post("/api/v1/nodes", """
            {"metadata":{"name":"n1","labels":{"node-role.kubernetes.io/worker":""}},"spec":{"unschedulable":true},
             "status":{"conditions":[{"type":"Ready","status":"True"}],"nodeInfo":{"kubeletVersion":"v1.36.0"},
             "addresses":[{"type":"InternalIP","address":"192.0.2.1"}]}}\
            """);

        assertThat(row("/api/v1/nodes/n1"))
                .isEqualTo("n1|Ready,SchedulingDisabled|worker|AGE|v1.36.0|192.0.2.1|<none>|<none>|<none>|<none>");
    }

    @Test
    void endpoints_are_listed_up_to_three() throws Exception {
        server.post("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", """
            {"metadata":{"name":"s"},"addressType":"IPv4","ports":[{"name":"a","port":80},{"name":"b","port":81}],
             "endpoints":[{"addresses":["10.1.0.1"]},{"addresses":["10.1.0.2"]},{"addresses":["10.1.0.3"]},
              {"addresses":["10.1.0.4"]}]}\
            """);
        server.post(NAMESPACE + "endpoints", """
            {"metadata":{"name":"e"},"subsets":[{"addresses":[{"ip":"10.1.0.1"},{"ip":"10.1.0.2"}],"ports":[{"port":80}]}]}\
            """);

        assertThat(headings("/apis/discovery.k8s.io/v1/endpointslices"))
                .isEqualTo("Name|AddressType|Ports|Endpoints|Age");
        assertThat(row("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/s"))
                .isEqualTo("s|IPv4|80,81|10.1.0.1,10.1.0.2,10.1.0.3 + 1 more...|AGE");
        assertThat(row(NAMESPACE + "endpoints/e")).isEqualTo("e|10.1.0.1:80,10.1.0.2:80|AGE");
    }

    @Test
    void workloads_show_counts() throws Exception {
        String path = "/apis/apps/v1/namespaces/default/deployments";
        server.post(path, VerbsTest.deployment("d"));
        server.merge(
                path + "/d/status", "{\"status\":{\"readyReplicas\":1,\"updatedReplicas\":2,\"availableReplicas\":1}}");

        assertThat(headings(path)).isEqualTo("Name|Ready|Up-to-date|Available|Age|(Containers)|(Images)|(Selector)");
        assertThat(row(path + "/d")).isEqualTo("d|1/2|2|1|AGE|main|x|app=a");
        assertThat(headings("/apis/apps/v1/replicasets"))
                .isEqualTo("Name|Desired|Current|Ready|Age|(Containers)|(Images)|(Selector)");
    }

    @Test
    void a_row_brings_as_much_of_its_object_as_was_asked_for() throws Exception {
        JsonNode metadata =
                table("/api/v1/namespaces/default").path("rows").path(0).path("object");
        assertThat(Json.text(metadata, "kind")).isEqualTo("PartialObjectMetadata");
        assertThat(Json.text(metadata, "metadata", "name")).isEqualTo("default");
        assertThat(table("/api/v1/namespaces?includeObject=None")
                        .path("rows")
                        .path(0)
                        .has("object"))
                .isFalse();
        assertThat(table("/api/v1/namespaces?includeObject=Object")
                        .path("rows")
                        .path(0)
                        .path("object")
                        .path("status")
                        .path("phase")
                        .stringValue())
                .isEqualTo("Active");
    }

    @Test
    void objects_can_be_cut_down_to_their_metadata() throws Exception {
        String accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
        JsonNode list = Json.parse(server.get("/api/v1/namespaces", accept).body());

        assertThat(Json.text(list, "kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(Json.list(list, item -> Json.text(item, "metadata", "name"), "items"))
                .contains("kube-system");
        assertThat(list.path("items").path(0).has("status")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0,0s",
        "119,119s",
        "120,2m",
        "125,2m5s",
        "599,9m59s",
        "600,10m",
        "10799,179m",
        "10800,3h",
        "11000,3h3m",
        "28800,8h",
        "172799,47h",
        "172800,2d",
        "180000,2d2h",
        "691200,8d",
        "63072000,2y",
        "63158400,2y1d",
        "252288000,8y"
    })
    void ages_are_told_as_kubectl_tells_them(long seconds, String text) {
        assertThat(Column.age(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @Test
    void every_kind_has_a_name_and_an_age() {
        assertThat(List.of(new PodRules().columns(), new NodeRules().columns(), new NamespaceRules().columns()))
                .allSatisfy(columns -> assertThat(columns).contains(Column.NAME, Column.AGE));
    }
}
