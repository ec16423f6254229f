package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// What people type, against `fairlead server` over TLS.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KubectlIT {
    private static final String WEB = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, labels: {app: web}}
            spec:
              selector: {app: web}
              ports: [{name: http, port: 80, targetPort: 8080}]
            """;

    @TempDir
    static Path folder;

    private static ServerRun server;
    private static Kubectl kubectl;

    @BeforeAll
    static void start() throws Exception {
        server = ServerRun.start(folder);
        kubectl = Kubectl.at(server.kubeconfig());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    @Order(1)
    void apply_is_idempotent_and_validates() throws Exception {
        assertThat(kubectl.feed(WEB, "apply", "-f", "-").ok()).contains("service/web created");
        assertThat(kubectl.feed(WEB, "apply", "-f", "-").ok()).contains("service/web unchanged");
        assertThat(kubectl.feed(WEB.replace("selector:", "selektor:"), "apply", "-f", "-")
                        .output())
                .containsPattern("unknown field \"(spec\\.)?selektor\"");
        assertThat(kubectl.feed(WEB.replace("8080", "8081"), "diff", "-f", "-").output())
                .contains("+    targetPort: 8081");
    }

    @Test
    @Order(2)
    void server_side_apply_keeps_book_of_who_owns_what() throws Exception {
        assertThat(kubectl.feed(WEB, "apply", "--server-side", "--force-conflicts", "-f", "-")
                        .ok())
                .contains("serverside-applied");
        assertThat(kubectl.feed(
                                WEB.replace("8080", "9090"),
                                "apply",
                                "--server-side",
                                "--field-manager=other",
                                "-f",
                                "-")
                        .output())
                .contains("conflict");
    }

    @Test
    @Order(3)
    void a_service_is_shown_explained_and_described() throws Exception {
        assertThat(kubectl.run("get", "svc", "web", "-o", "wide").ok()).contains("ClusterIP", "80/TCP", "app=web");
        assertThat(kubectl.run("get", "svc", "web", "-o", "jsonpath={.spec.ports[0].targetPort}")
                        .ok())
                .isEqualTo("8080");
        assertThat(kubectl.run("explain", "service.spec.ports").ok()).contains("nodePort", "targetPort");
        assertThat(kubectl.run("describe", "svc", "web").ok()).contains("Selector:", "app=web", "Endpoints:");
        assertThat(kubectl.run("get", "svc", "-A", "--sort-by=.metadata.name", "--chunk-size=1")
                        .ok())
                .contains("kubernetes", "web");
        assertThat(kubectl.run("api-resources").ok()).contains("endpointslices", "ingresses", "leases");
    }

    @Test
    @Order(4)
    void three_kinds_of_patch_label_and_annotate() throws Exception {
        kubectl.run("patch", "svc", "web", "-p", "{\"spec\":{\"ports\":[{\"port\":80,\"targetPort\":1}]}}")
                .ok();
        kubectl.run("patch", "svc", "web", "--type=merge", "-p", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                .ok();
        kubectl.run(
                        "patch",
                        "svc",
                        "web",
                        "--type=json",
                        "-p",
                        "[{\"op\":\"replace\",\"path\":\"/spec/sessionAffinity\",\"value\":\"ClientIP\"}]")
                .ok();
        kubectl.run("label", "svc", "web", "c=d").ok();
        kubectl.run("annotate", "svc", "web", "e=f").ok();
        assertThat(kubectl.run(
                                "get",
                                "svc",
                                "web",
                                "-o",
                                "custom-columns=T:.spec.ports[0].targetPort,N:.spec.ports[0].name,A:.spec.sessionAffinity,L:.metadata.labels.c",
                                "--no-headers")
                        .ok())
                .containsPattern("1\\s+http\\s+ClientIP\\s+d");
    }

    @Test
    @Order(5)
    void workloads_are_created_exposed_and_scaled() throws Exception {
        kubectl.run("create", "deployment", "hello", "--image=echo", "--replicas=2")
                .ok();
        kubectl.run("expose", "deployment", "hello", "--port=80", "--type=NodePort")
                .ok();
        kubectl.run("scale", "deployment", "hello", "--replicas=3").ok();
        assertThat(kubectl.run("get", "deploy", "hello", "-o", "jsonpath={.spec.replicas}")
                        .ok())
                .isEqualTo("3");
        assertThat(kubectl.run("get", "svc", "hello").ok()).containsPattern("NodePort.*80:3\\d{4}/TCP");
        kubectl.run("create", "service", "externalname", "out", "--external-name=example.com")
                .ok();
        kubectl.run("create", "ingress", "i", "--rule=a.example/=hello:80").ok();
        assertThat(kubectl.run("get", "ingress").ok()).contains("a.example");
    }

    @Test
    @Order(6)
    void access_can_be_asked_for() throws Exception {
        assertThat(kubectl.run("auth", "can-i", "delete", "services").ok().strip())
                .isEqualTo("yes");
        assertThat(kubectl.run("auth", "can-i", "list", "secrets", "--as=mallory")
                        .output())
                .contains("no");
        assertThat(kubectl.run("get", "pods", "--as=mallory").output())
                .contains("User \"mallory\" cannot list resource \"pods\"");
        // As "auth whoami" asks, which older ones do not have.
        String review = "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}";
        String path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
        assertThat(kubectl.feed(review, "create", "--raw", path, "-f", "-").ok())
                .contains("kubernetes-admin", "system:masters");
    }

    @Test
    @Order(7)
    void what_is_deleted_goes_and_takes_its_own_with_it() throws Exception {
        kubectl.run("delete", "deployment", "hello", "--cascade=foreground").ok();
        assertThat(kubectl.run("get", "rs,pods").output()).contains("No resources found");
        kubectl.run("create", "namespace", "gone").ok();
        kubectl.feed(WEB, "apply", "-n", "gone", "-f", "-").ok();
        kubectl.run("delete", "namespace", "gone").ok();
        assertThat(kubectl.run("get", "namespace", "gone").output()).contains("NotFound");
        kubectl.run("delete", "svc", "web", "out", "hello").ok();
    }

    @Test
    @Order(8)
    void an_answered_write_is_there_after_a_crash() throws Exception {
        kubectl.feed(WEB, "apply", "-f", "-").ok();
        server.crash();
        assertThat(kubectl.run("get", "svc", "web", "-o", "name").ok().strip()).isEqualTo("service/web");
    }
}
