package io.fairlead.http;

import static io.fairlead.http.ServiceClient.ADDRESSES;
import static io.fairlead.http.ServiceClient.clusterIps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where cluster addresses come from, and who has which, as objects that every client can read.
@Timeout(60)
final class ServiceCidrTest {
    private static final String CIDRS = "/apis/networking.k8s.io/v1/servicecidrs";

    private TestServer server;
    private ServiceClient services;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start(
                ApiServerConfig.at(TestServer.ANY_PORT).withServiceCidrs(List.of(Cidr.parse("10.5.0.0/29"))));
        services = new ServiceClient(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private TestServer.Reply addCidr(String name, String cidrs) throws Exception {
        return services.post(CIDRS, "{metadata: {name: " + name + "}, spec: {cidrs: " + cidrs + "}}");
    }

    @Test
    void the_block_of_the_configuration_is_there_from_the_start_and_ready() throws Exception {
        var cidr = server.get(CIDRS + "/kubernetes");
        assertThat(Json.texts(cidr.body(), "spec", "cidrs")).containsExactly("10.5.0.0/29");
        assertThat(Json.texts(cidr.body(), "metadata", "finalizers"))
                .containsExactly("networking.k8s.io/service-cidr-finalizer");
        var condition = cidr.body().path("status").path("conditions").path(0);
        assertThat(Json.text(condition, "type")).isEqualTo("Ready");
        assertThat(Json.text(condition, "status")).isEqualTo("True");
    }

    @Test
    void every_address_that_is_given_is_an_object_that_says_to_whom() throws Exception {
        String address = services.create("web", "{ports: [{port: 80}]}").text("spec", "clusterIP");

        var object = server.get(ADDRESSES + "/" + address);

        assertThat(object.body().path("spec").path("parentRef"))
                .isEqualTo(Bodies.yaml("{resource: services, namespace: default, name: web}"));
        assertThat(Json.map(object.body(), "metadata", "labels"))
                .containsEntry("ipaddress.kubernetes.io/ip-family", "IPv4")
                .containsEntry("ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io");
        services.delete("web");
        assertThat(server.get(ADDRESSES + "/" + address).code()).isEqualTo(404);
    }

    @Test
    void a_second_block_is_used_when_the_first_is_full() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(services.create("s" + i, "{ports: [{port: 80}]}").code()).isEqualTo(201);
        }
        assertThat(services.create("late", "{ports: [{port: 80}]}").message())
                .contains("failed to allocate a serviceIP: range is full");

        assertThat(addCidr("more", "[10.6.0.0/24]").code()).isEqualTo(201);

        assertThat(services.create("late", "{ports: [{port: 80}]}").text("spec", "clusterIP"))
                .startsWith("10.6.0.");
        assertThat(services.create("exact", "{clusterIP: 10.6.0.9, ports: [{port: 80}]}")
                        .code())
                .isEqualTo(201);
        assertThat(services.create("outside", "{clusterIP: 10.7.0.9, ports: [{port: 80}]}")
                        .message())
                .contains("the provided IP (10.7.0.9) is not in the valid range. The range of valid IPs is"
                        + " 10.5.0.0/29, 10.6.0.0/24");
    }

    @Test
    void a_block_of_another_family_makes_the_cluster_dual_stack() throws Exception {
        addCidr("six", "['fd00:6::/112']");
        var dual = services.create("dual", "{ipFamilyPolicy: RequireDualStack, ports: [{port: 80}]}");
        assertThat(clusterIps(dual)).hasSize(2);
        assertThat(clusterIps(dual).getLast()).startsWith("fd00:6::");
        assertThat(services.addresses()).containsAll(clusterIps(dual));
    }

    @Test
    void a_block_is_held_while_an_address_of_it_is_in_use_and_in_no_other_block() throws Exception {
        addCidr("held", "[10.6.0.0/24]");
        services.create("user", "{clusterIP: 10.6.0.9, ports: [{port: 80}]}");
        server.delete(CIDRS + "/held");

        var held = server.get(CIDRS + "/held");
        assertThat(held.text("metadata", "deletionTimestamp")).isNotEmpty();
        assertThat(held.body()
                        .path("status")
                        .path("conditions")
                        .path(0)
                        .path("status")
                        .asString())
                .isEqualTo("False");
        assertThat(services.create("none", "{clusterIP: 10.6.0.10, ports: [{port: 80}]}")
                        .code())
                .as("nothing new out of a block that goes")
                .isEqualTo(422);

        addCidr("cover", "[10.6.0.0/16]");
        await().until(() -> server.get(CIDRS + "/held").code() == 404);
        assertThat(services.get("user").text("spec", "clusterIP")).isEqualTo("10.6.0.9");
    }

    @Test
    void a_block_goes_with_its_last_address() throws Exception {
        addCidr("brief", "[10.6.0.0/24]");
        services.create("user", "{clusterIP: 10.6.0.9, ports: [{port: 80}]}");
        server.delete(CIDRS + "/brief");
        services.delete("user");
        await().until(() -> server.get(CIDRS + "/brief").code() == 404);
    }

    @Test
    void an_address_that_a_user_took_by_hand_is_given_to_no_service() throws Exception {
        String object =
                "{metadata: {name: 10.5.0.6}, spec: {parentRef: {group: example.com, resource: routers, name: r}}}";
        assertThat(services.post(ADDRESSES, object).code()).isEqualTo(201);

        assertThat(services.create("wants", "{clusterIP: 10.5.0.6, ports: [{port: 80}]}")
                        .message())
                .contains("failed to allocate IP 10.5.0.6: provided IP is already allocated");
        for (int i = 0; i < 4; i++) {
            assertThat(services.create("s" + i, "{ports: [{port: 80}]}").text("spec", "clusterIP"))
                    .isNotEmpty()
                    .isNotEqualTo("10.5.0.6");
        }
        assertThat(services.create("late", "{ports: [{port: 80}]}").code()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|spec.cidrs: Required value",
                "[10.6.0.0/24, 10.7.0.0/24]|may specify no more than one IP for each IP family",
                "[10.6.0.1/24]|must not have bits set beyond the prefix length",
                "[10.6.0.0/24, 'fd00::/112', 'fd01::/112']|may only hold up to 2 values",
                "['FD00::/112']|must be in canonical form (\\\"fd00::/112\\\")",
            })
    void a_block_has_rules(String cidrs, String problem) throws Exception {
        assertThat(addCidr("bad", cidrs).body().toString()).contains(problem);
    }

    @Test
    void a_block_does_not_change_but_for_a_second_family() throws Exception {
        addCidr("fixed", "[10.6.0.0/24]");
        assertThat(server.merge(CIDRS + "/fixed", "{\"spec\":{\"cidrs\":[\"10.7.0.0/24\"]}}")
                        .message())
                .contains("field is immutable");
        assertThat(server.merge(CIDRS + "/fixed", "{\"spec\":{\"cidrs\":[\"10.6.0.0/24\",\"fd00:6::/112\"]}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void the_name_of_an_address_is_the_one_way_to_write_it() throws Exception {
        String rest = "spec: {parentRef: {resource: services, namespace: a, name: b}}}";
        assertThat(services.post(ADDRESSES, "{metadata: {name: 'FD00::1'}, " + rest)
                        .message())
                .contains("must be in canonical form (\"fd00::1\")");
        assertThat(services.post(ADDRESSES, "{metadata: {name: web}, " + rest).message())
                .contains("must be a valid IP address");
        assertThat(services.post(ADDRESSES, "{metadata: {name: 'fd00::1'}, spec: {}}")
                        .message())
                .contains("spec.parentRef: Required value");
    }
}
