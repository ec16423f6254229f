package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.objects.Claims;
import io.fairlead.objects.PortRange;
import io.fairlead.objects.ServiceNeeds;
import io.fairlead.objects.StoreKey;
import io.fairlead.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Services come, change and go at random, in ranges so small that they clash: nothing is ever given twice, and
/// nothing is lost.
@Timeout(120)
final class RandomServicesTest {
    private static final int STEPS = 400;
    private static final int NAMES = 12;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void what_services_have_is_what_is_taken_after_every_step(long seed) throws Exception {
        Random random = new Random(seed);
        ApiServerConfig small = ApiServerConfig.at(TestServer.ANY_PORT)
                .withServiceCidrs(List.of(Cidr.parse("10.5.0.0/28"), Cidr.parse("fd00:5::/124")))
                .withNodePorts(PortRange.parse("30000-30019"));
        try (TestServer server = TestServer.start(small)) {
            ServiceClient services = new ServiceClient(server);
            int done = 0;
            for (int step = 0; step < STEPS; step++) {
                String name = "s" + random.nextInt(NAMES);
                int code = doSomething(services, name, random);
                assertThat(code).as("step %d, seed %d", step, seed).isIn(200, 201, 404, 409, 422);
                checkBooks(server);
                done += code < 300 ? 1 : 0;
            }
            assertThat(done).as("steps that were not refused").isGreaterThan(STEPS / 5);
            for (int i = 0; i < NAMES; i++) {
                services.delete("s" + i);
            }
            checkBooks(server);
            assertThat(services.addresses()).containsExactly("10.5.0.1");
        }
    }

    private static int doSomething(ServiceClient services, String name, Random random) throws Exception {
        return switch (random.nextInt(5)) {
            case 0 -> services.delete(name).code();
            case 1, 2 -> services.create(name, spec(random)).code();
            default -> services.patch(name, spec(random)).code();
        };
    }

    private static String spec(Random random) {
        List<String> fields = new ArrayList<>();
        fields.add("type: " + any(random, "ClusterIP", "NodePort", "LoadBalancer", "ExternalName"));
        fields.add("externalName: " + any(random, "a.b", "null"));
        fields.add("ports: "
                + any(
                        random,
                        "[{name: a, port: 80}]",
                        "[{name: a, port: 80}, {name: b, port: 81}]",
                        "[{name: a, port: 53}, {name: b, port: 53, protocol: UDP}]",
                        "[{name: a, port: 80, nodePort: " + (30000 + random.nextInt(22)) + "}]"));
        if (random.nextInt(4) == 0) {
            fields.add("clusterIP: " + any(random, "None", "10.5.0." + random.nextInt(17), "null"));
        }
        if (random.nextInt(3) == 0) {
            fields.add("ipFamilyPolicy: " + any(random, "SingleStack", "PreferDualStack", "RequireDualStack", "null"));
        }
        if (random.nextInt(3) == 0) {
            fields.add("externalTrafficPolicy: " + any(random, "Local", "Cluster"));
        }
        if (random.nextInt(5) == 0) {
            fields.add("allocateLoadBalancerNodePorts: " + any(random, "false", "true"));
        }
        return "{" + String.join(", ", fields) + "}";
    }

    private static String any(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /// What the store says is taken, and what the Services say that they have, each once.
    private static void checkBooks(TestServer server) {
        List<String> taken = new ArrayList<>();
        for (Kind kind : List.of(Claims.ADDRESSES, Claims.NODE_PORTS)) {
            for (Store.Stored claim :
                    server.store().list(StoreKey.prefix(kind) + "/").items()) {
                JsonNode tree = Json.parse(claim.value());
                taken.add(Json.text(tree, "metadata", "name") + " "
                        + Claims.ownerOf(tree).name());
            }
        }
        List<String> had = new ArrayList<>();
        for (Store.Stored stored : server.store().list("services/").items()) {
            JsonNode service = Json.parse(stored.value());
            ServiceNeeds.of(service)
                    .items()
                    .forEach(item ->
                            had.add(item.text() + " " + Claims.owner(service).name()));
        }
        assertThat(new TreeSet<>(taken)).containsExactlyElementsOf(new TreeSet<>(had));
        assertThat(had.stream().map(item -> item.split(" ", 2)[0])).doesNotHaveDuplicates();
    }
}
