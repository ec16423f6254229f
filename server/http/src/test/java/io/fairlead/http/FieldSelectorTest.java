package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The fields that a list can be cut down by, and short names to ask by (K1, K12, A13).
@Timeout(60)
final class FieldSelectorTest {
    private static final String IN_DEFAULT = "/api/v1/namespaces/default/";

    @AutoClose
    private static final TestServer server = TestServer.running();

    @BeforeAll
    static void fill() throws Exception {
        server.post(IN_DEFAULT + "services", """
            {"metadata":{"name":"outside"},"spec":{"type":"ExternalName","externalName":"a.example"}}\
            """);
        server.post(IN_DEFAULT + "pods", VerbsTest.pod("free"));
        server.post(IN_DEFAULT + "pods", VerbsTest.pod("placed"));
        server.post(IN_DEFAULT + "pods/placed/binding", "{\"target\":{\"name\":\"n1\"}}");
        server.merge(IN_DEFAULT + "pods/placed/status", "{\"status\":{\"phase\":\"Running\",\"podIP\":\"10.1.0.1\"}}");
        server.post(IN_DEFAULT + "events", """
            {"metadata":{"name":"e"},"reason":"Pulled","type":"Normal","involvedObject":{"kind":"Pod",
             "namespace":"default","name":"placed","uid":"u-1"}}\
            """);
        server.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n1\"}}");
        server.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n2\"},\"spec\":{\"unschedulable\":true}}");
    }

    @ParameterizedTest
    @CsvSource({
        "services,metadata.name=outside,outside",
        "services,metadata.namespace!=default,''",
        "services,spec.type=ExternalName,outside",
        "services,spec.type==ClusterIP,kubernetes",
        "services,spec.clusterIP=10.96.0.1,kubernetes",
        "pods,spec.nodeName=n1,placed",
        "pods,spec.nodeName=,free",
        "pods,spec.nodeName!=n1,free",
        "pods,status.phase=Running,placed",
        "pods,status.phase!=Running,free",
        "pods,status.podIP=10.1.0.1,placed",
        "pods,'status.phase=Running,metadata.name=free',''",
        "events,involvedObject.kind=Pod,e",
        "events,involvedObject.name=placed,e",
        "events,involvedObject.namespace=default,e",
        "events,involvedObject.uid=u-1,e",
        "events,involvedObject.uid!=u-1,''",
        "events,reason=Pulled,e",
        "events,type=Warning,''",
        "nodes,spec.unschedulable=true,n2",
        "nodes,spec.unschedulable!=true,n1",
    })
    void a_list_holds_what_its_fields_say(String kind, String selector, String names) throws Exception {
        String path = (kind.equals("nodes") ? "/api/v1/" : IN_DEFAULT) + kind;
        var list = server.get(path + "?fieldSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8));
        assertThat(list.code()).as(list.message()).isEqualTo(200);
        assertThat(String.join(",", list.names())).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1,services,svc",
        "/api/v1,endpoints,ep",
        "/api/v1,pods,po",
        "/api/v1,namespaces,ns",
        "/api/v1,nodes,no",
        "/api/v1,configmaps,cm",
        "/api/v1,events,ev",
        "/api/v1,serviceaccounts,sa",
        "/apis/apps/v1,deployments,deploy",
        "/apis/apps/v1,statefulsets,sts",
        "/apis/apps/v1,daemonsets,ds",
        "/apis/apps/v1,replicasets,rs",
        "/apis/networking.k8s.io/v1,ingresses,ing"
    })
    void a_kind_has_the_short_name_that_users_type(String group, String plural, String shortName) throws Exception {
        assertThat(server.get(group).body().path("resources").valueStream())
                .filteredOn(resource -> resource.path("name").asString().equals(plural))
                .singleElement()
                .satisfies(resource ->
                        assertThat(resource.path("shortNames").toString()).contains("\"" + shortName + "\""));
    }
}
