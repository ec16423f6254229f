package io.fairlead.endpoints;

import static io.fairlead.fakes.Manifests.name;
import static io.fairlead.fakes.Manifests.node;
import static io.fairlead.fakes.Manifests.pod;
import static io.fairlead.fakes.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Write;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EndpointSliceControllerTest {
    private final Controller controller = new EndpointSliceController(EndpointSlices.DEFAULT_SIZE);
    private final MemoryCluster cluster = new MemoryCluster();

    private List<EndpointSlice> slices() {
        return cluster.snapshot().slicesOf(name("hello"));
    }

    private JsonNode onlySlice() {
        List<NamespacedName> names = cluster.names(Kind.ENDPOINT_SLICE);
        assertThat(names).hasSize(1);
        return cluster.find(Kind.ENDPOINT_SLICE, names.getFirst());
    }

    private List<Class<?>> settled() {
        return cluster.settle(controller).stream()
                .<Class<?>>map(Write::getClass)
                .toList();
    }

    /// Each slice as the numbers of its ports and the last parts of its addresses.
    private List<String> shown() {
        return slices().stream()
                .map(slice ->
                        slice.ports().stream().map(EndpointSlice.Port::port).toList() + "="
                                + slice.endpoints().stream()
                                        .map(e -> e.addresses().getFirst().toString())
                                        .toList())
                .sorted()
                .toList();
    }

    private static String terminating(String name, String ip, String ready) {
        return pod(name, ip, "\"labels\":{\"app\":\"hello\"},\"deletionTimestamp\":\"t\"", "\"containers\":[]", ready);
    }

    private static String listening(String name, String ip, int port, String protocol) {
        return pod(name, ip, "\"labels\":{\"app\":\"hello\"}", """
            "containers":[{"name":"c","ports":[{"name":"web","containerPort":%d,"protocol":"%s"}]}]\
            """.formatted(port, protocol), "True");
    }

    private static String weighing(String name, String ip, String weight) {
        String metadata =
                "\"labels\":{\"app\":\"hello\"},\"annotations\":{\"fairlead.io/weight\":\"%s\"}".formatted(weight);
        return pod(name, ip, metadata, "\"containers\":[]", "True");
    }

    private void weigh(String pod, String weight) {
        cluster.patch(Kind.POD, name(pod), """
            {"metadata":{"annotations":{"fairlead.io/weight":"%s"}}}\
            """.formatted(weight));
    }

    private String weights() {
        return Json.text(onlySlice(), "metadata", "annotations", "fairlead.io/weights");
    }

    @Test
    void the_weights_of_pods_stand_in_their_slice_and_follow_the_pods() {
        cluster.put(service("hello", ""));
        cluster.put(weighing("p1", "10.1.0.5", "3"));
        cluster.put(weighing("p2", "10.1.0.6", "1"));
        cluster.put(weighing("p3", "10.1.0.7", "many"));
        assertThat(settled()).containsExactly(Write.Create.class);
        assertThat(weights()).isEqualTo("10.1.0.5=3");

        weigh("p2", "0");
        assertThat(settled()).containsExactly(Write.Update.class);
        assertThat(weights()).isEqualTo("10.1.0.5=3,10.1.0.6=0");

        weigh("p1", "1");
        weigh("p2", "1");
        settled();
        assertThat(weights()).isEmpty();
        assertThat(settled()).as("nothing more to write").isEmpty();
    }

    @Test
    void a_slice_says_all_there_is_to_say_of_its_endpoints() {
        cluster.put(node("n1", "zone-a"));
        cluster.put(service("hello", ""));
        cluster.put(pod("p1", "10.1.0.5"));
        assertThat(settled()).containsExactly(Write.Create.class);
        JsonNode slice = onlySlice();
        String podUid = Json.text(cluster.find(Kind.POD, name("p1")), "metadata", "uid");
        String serviceUid = Json.text(cluster.find(Kind.SERVICE, name("hello")), "metadata", "uid");
        assertThat(Json.text(slice, "metadata", "name")).startsWith("hello-");
        assertThat(Json.map(slice, "metadata", "labels"))
                .isEqualTo(Map.of(
                        "team", "a",
                        "kubernetes.io/service-name", "hello",
                        "endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"));
        assertThat(Json.at(slice, "metadata", "ownerReferences").get(0))
                .isEqualTo(Json.parse("""
                    {"apiVersion":"v1","kind":"Service","name":"hello","uid":"%s","controller":true,
                     "blockOwnerDeletion":true}\
                    """.formatted(serviceUid)));
        assertThat(Json.text(slice, "addressType")).isEqualTo("IPv4");
        assertThat(slice.path("ports"))
                .isEqualTo(Json.parse("[{\"name\":\"http\",\"protocol\":\"TCP\",\"port\":8080}]"));
        assertThat(slice.path("endpoints")).isEqualTo(Json.parse("""
            [{"addresses":["10.1.0.5"],"conditions":{"ready":true,"serving":true,"terminating":false},
              "nodeName":"n1","targetRef":{"kind":"Pod","namespace":"default","name":"p1","uid":"%s"},
              "zone":"zone-a"}]\
            """.formatted(podUid)));
    }

    @Test
    void conditions_follow_readiness_and_deletion() {
        cluster.put(service("hello", ""));
        cluster.put(pod("ready", "10.1.0.1"));
        cluster.put(pod("unready", "10.1.0.2", "\"labels\":{\"app\":\"hello\"}", "\"containers\":[]", "False"));
        cluster.put(terminating("ending", "10.1.0.3", "True"));
        cluster.put(terminating("ending-unready", "10.1.0.4", "False"));
        settled();
        assertThat(slices().getFirst().endpoints())
                .extracting(e -> "%s %s%s%s"
                        .formatted(
                                e.podName(),
                                e.ready() ? "r" : "-",
                                e.serving() ? "s" : "-",
                                e.terminating() ? "t" : "-"))
                .containsExactlyInAnyOrder("ready rs-", "unready ---", "ending -st", "ending-unready --t");
    }

    @Test
    void a_service_that_publishes_what_is_not_ready_calls_everything_ready() {
        cluster.put(service("hello", ",\"publishNotReadyAddresses\":true"));
        cluster.put(pod("unready", "10.1.0.2", "\"labels\":{\"app\":\"hello\"}", "\"containers\":[]", "False"));
        cluster.put(terminating("ending", "10.1.0.3", "False"));
        settled();
        assertThat(slices().getFirst().endpoints()).allMatch(e -> e.ready() && !e.serving());
    }

    @Test
    void pods_without_address_of_other_labels_of_other_namespaces_and_dead_ones_do_not_count() {
        cluster.put(service("hello", ",\"publishNotReadyAddresses\":true"));
        cluster.put(pod("no-address", ""));
        cluster.put(pod("other", "10.1.0.2", "\"labels\":{\"app\":\"other\"}", "\"containers\":[]", "True"));
        cluster.put(pod("elsewhere", "10.1.0.3").replace("\"default\"", "\"elsewhere\""));
        cluster.put(pod("failed", "10.1.0.4").replace("Running", "Failed"));
        cluster.put(pod("succeeded", "10.1.0.5").replace("Running", "Succeeded"));
        settled();
        assertThat(shown()).containsExactly("[]=[]");
    }

    @Test
    void a_service_that_selects_nothing_has_one_empty_slice_a_family_and_reuses_it() {
        cluster.put(service("hello", ",\"x\":1").replace("[\"10.96.0.1\"]", "[\"10.96.0.1\",\"fd00::1\"]"));
        assertThat(settled()).containsExactly(Write.Create.class, Write.Create.class);
        assertThat(slices()).extracting(EndpointSlice::addressType).containsExactlyInAnyOrder("IPv4", "IPv6");
        cluster.put(pod("p1", "10.1.0.5"));
        assertThat(settled()).containsExactly(Write.Update.class);
        assertThat(shown()).containsExactly("[8080]=[10.1.0.5]", "[]=[]");
        cluster.remove(Kind.POD, name("p1"));
        assertThat(settled()).containsExactly(Write.Update.class);
        assertThat(shown()).containsExactly("[]=[]", "[]=[]");
    }

    @Test
    void a_dual_stack_service_has_the_addresses_of_each_family_in_slices_of_their_own() {
        cluster.put(service("hello", "").replace("[\"10.96.0.1\"]", "[\"10.96.0.1\",\"fd00::1\"]"));
        cluster.put(pod("p1", "10.1.0.5")
                .replace("\"podIP\"", "\"podIPs\":[{\"ip\":\"10.1.0.5\"},{\"ip\":\"fd00::5\"}],\"podIP\""));
        settled();
        assertThat(shown()).containsExactly("[8080]=[10.1.0.5]", "[8080]=[fd00::5]");
        cluster.patch(Kind.SERVICE, name("hello"), "{\"spec\":{\"clusterIPs\":[\"10.96.0.1\"]}}");
        assertThat(settled()).containsExactly(Write.Delete.class);
        assertThat(shown()).containsExactly("[8080]=[10.1.0.5]");
    }

    @Test
    void a_headless_service_has_slices_of_the_families_it_asks_for_and_no_others() {
        String headless = service("hello", ",\"ipFamilies\":[%s]")
                .replace("\"clusterIP\":\"10.96.0.1\",\"clusterIPs\":[\"10.96.0.1\"]", "\"clusterIP\":\"None\"");
        cluster.put(headless.formatted("\"IPv4\",\"IPv6\""));
        settled();
        assertThat(slices()).extracting(EndpointSlice::addressType).containsExactlyInAnyOrder("IPv4", "IPv6");

        cluster.patch(Kind.SERVICE, name("hello"), "{\"spec\":{\"ipFamilies\":[\"IPv6\"]}}");
        cluster.put(pod("p1", "10.1.0.5")
                .replace("\"podIP\"", "\"podIPs\":[{\"ip\":\"10.1.0.5\"},{\"ip\":\"fd00::5\"}],\"podIP\""));
        settled();
        assertThat(shown()).containsExactly("[8080]=[fd00::5]");
    }

    @Test
    void a_headless_service_has_labelled_slices_of_the_families_of_its_pods() {
        cluster.put(service("hello", "")
                .replace("\"clusterIP\":\"10.96.0.1\",\"clusterIPs\":[\"10.96.0.1\"]", "\"clusterIP\":\"None\""));
        cluster.put(pod("p1", "fd00::5"));
        settled();
        assertThat(shown()).containsExactly("[8080]=[fd00::5]");
        assertThat(slices().getFirst().metadata().labels()).containsEntry("service.kubernetes.io/headless", "");
    }

    @Test
    void a_named_port_with_two_numbers_makes_two_slices() {
        cluster.put(service("hello", "").replace("8080", "\"web\""));
        cluster.put(listening("p1", "10.1.0.1", 8001, "TCP"));
        cluster.put(listening("p2", "10.1.0.2", 8002, "TCP"));
        cluster.put(listening("p3", "10.1.0.3", 8001, "TCP"));
        cluster.put(listening("udp", "10.1.0.4", 8001, "UDP"));
        settled();
        assertThat(shown()).containsExactly("[8001]=[10.1.0.1, 10.1.0.3]", "[8002]=[10.1.0.2]", "[]=[10.1.0.4]");
    }

    @Test
    void an_endpoint_that_moves_is_in_its_new_slice_before_it_leaves_the_old_one() {
        cluster.put(service("hello", "").replace("8080", "\"web\""));
        cluster.put(listening("p1", "10.1.0.1", 8001, "TCP"));
        cluster.put(listening("p2", "10.1.0.2", 8001, "TCP"));
        settled();
        cluster.patch(
                Kind.POD,
                name("p2"),
                "{\"spec\":{\"containers\":[{\"ports\":[{\"name\":\"web\",\"containerPort\":8002}]}]}}");
        assertThat(settled()).containsExactly(Write.Create.class, Write.Update.class);
        assertThat(shown()).containsExactly("[8001]=[10.1.0.1]", "[8002]=[10.1.0.2]");
    }

    @Test
    void a_service_that_is_going_has_its_slices_followed_but_gets_no_new_ones() {
        cluster.put(service("hello", ""));
        cluster.put(pod("p1", "10.1.0.1"));
        settled();
        cluster.patch(Kind.SERVICE, name("hello"), "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");
        cluster.put(pod("p2", "10.1.0.2"));
        assertThat(settled()).containsExactly(Write.Update.class);
        assertThat(shown()).containsExactly("[8080]=[10.1.0.1, 10.1.0.2]");
        cluster.remove(Kind.ENDPOINT_SLICE, slices().getFirst().key());
        assertThat(settled()).isEmpty();
    }

    @Test
    void services_without_selector_and_external_names_are_left_alone() {
        cluster.put(service("hello", "").replace("\"selector\":{\"app\":\"hello\"},", ""));
        cluster.put(service("other", ",\"type\":\"ExternalName\""));
        cluster.put(pod("p1", "10.1.0.5"));
        assertThat(settled()).isEmpty();
    }

    @Test
    void slices_of_others_are_left_alone_and_one_of_ours_that_a_client_changed_or_deleted_comes_back() {
        cluster.put("""
            {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
             "metadata":{"name":"by-hand","namespace":"default","labels":{"kubernetes.io/service-name":"hello"}},
             "endpoints":[{"addresses":["10.9.9.9"]}],"ports":[]}\
            """);
        cluster.put(service("hello", ""));
        cluster.put(pod("p1", "10.1.0.5"));
        settled();
        assertThat(shown()).containsExactly("[8080]=[10.1.0.5]", "[]=[10.9.9.9]");
        NamespacedName ours = cluster.names(Kind.ENDPOINT_SLICE).getLast();
        cluster.patch(Kind.ENDPOINT_SLICE, ours, "{\"endpoints\":[{\"addresses\":[\"10.6.6.6\"]}]}");
        assertThat(settled()).containsExactly(Write.Update.class);
        cluster.patch(Kind.ENDPOINT_SLICE, ours, "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
        assertThat(settled()).containsExactly(Write.Update.class);
        cluster.remove(Kind.ENDPOINT_SLICE, ours);
        assertThat(settled()).containsExactly(Write.Create.class);
        assertThat(shown()).containsExactly("[8080]=[10.1.0.5]", "[]=[10.9.9.9]");
    }

    @Test
    void many_endpoints_are_cut_into_slices_of_a_hundred_and_stay_where_they_are() {
        cluster.put(service("hello", ""));
        for (int i = 0; i < 250; i++) {
            cluster.put(pod("p%03d".formatted(i), "10.1.%d.%d".formatted(i / 200, i % 200 + 1)));
        }
        assertThat(settled()).containsExactly(Write.Create.class, Write.Create.class, Write.Create.class);
        assertThat(slices()).extracting(s -> s.endpoints().size()).containsExactlyInAnyOrder(100, 100, 50);
        // One goes and one comes: only the slice that loses one is written, and the new one goes into it.
        cluster.remove(Kind.POD, name("p010"));
        cluster.put(pod("q", "10.7.0.1"));
        assertThat(settled()).containsExactly(Write.Update.class);
        assertThat(slices()).extracting(s -> s.endpoints().size()).containsExactlyInAnyOrder(100, 100, 50);
        // One comes: the slice with room takes it.
        cluster.put(pod("r", "10.7.0.2"));
        assertThat(settled()).containsExactly(Write.Update.class);
        assertThat(slices()).extracting(s -> s.endpoints().size()).containsExactlyInAnyOrder(100, 100, 51);
        // One changes and one comes: it goes into the slice that is written anyway, not into the fullest with room.
        cluster.remove(Kind.POD, name("p011"));
        settled();
        unready("p240");
        cluster.put(pod("s", "10.7.0.3"));
        assertThat(settled()).containsExactly(Write.Update.class);
        assertThat(slices()).extracting(s -> s.endpoints().size()).containsExactlyInAnyOrder(99, 100, 52);
        // Readiness of one endpoint: its slice alone.
        unready("p020");
        assertThat(settled()).containsExactly(Write.Update.class);
    }

    private void unready(String pod) {
        cluster.patch(Kind.POD, name(pod), "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}");
    }

    @Test
    void slices_that_become_empty_are_deleted_but_the_last() {
        cluster.put(service("hello", ""));
        for (int i = 0; i < 150; i++) {
            cluster.put(pod("p%03d".formatted(i), "10.1.0.%d".formatted(i + 1)));
        }
        settled();
        for (int i = 0; i < 150; i++) {
            cluster.remove(Kind.POD, name("p%03d".formatted(i)));
        }
        assertThat(settled()).containsExactly(Write.Update.class, Write.Delete.class);
        assertThat(shown()).containsExactly("[]=[]");
    }

    @Test
    void only_services_that_a_change_concerns_are_looked_at() {
        cluster.put(service("hello", ""));
        cluster.put(service("other", "").replace("\"app\":\"hello\"", "\"app\":\"other\""));
        cluster.put(service("unrelated", "").replace("\"app\":\"hello\"", "\"app\":\"unrelated\""));
        cluster.put(node("n1", "a"));
        cluster.put(pod("p1", "10.1.0.5"));
        cluster.settle(controller);
        Snapshot before = cluster.snapshot();
        cluster.patch(Kind.POD, name("p1"), "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
        assertThat(controller.changed(before, cluster.snapshot())).isEmpty();
        cluster.patch(Kind.POD, name("p1"), "{\"metadata\":{\"labels\":{\"app\":\"other\"}}}");
        assertThat(controller.changed(before, cluster.snapshot())).containsExactly(name("hello"), name("other"));
        before = cluster.snapshot();
        cluster.patch(
                Kind.NODE,
                new NamespacedName("", "n1"),
                "{\"metadata\":{\"labels\":{\"topology.kubernetes.io/zone\":\"b\"}}}");
        assertThat(controller.changed(before, cluster.snapshot())).containsExactly(name("hello"));
    }

    @Test
    void the_slices_from_scratch_are_those_that_the_controller_arrives_at() {
        cluster.put(node("n1", "a"));
        cluster.put(service("hello", "").replace("8080", "\"web\""));
        cluster.put(listening("p1", "10.1.0.1", 8001, "TCP"));
        cluster.put(listening("p2", "10.1.0.2", 8002, "TCP"));
        settled();
        Snapshot now = cluster.snapshot();
        List<EndpointSlice> fromScratch = EndpointSlices.of(
                        now.services().find(name("hello")).orElseThrow(),
                        now.pods().values().toList(),
                        Map.of("n1", now.nodes().values().findFirst().orElseThrow()))
                .stream()
                .map(EndpointSlice::of)
                .toList();
        assertThat(fromScratch).extracting(s -> s.key().name()).containsExactly("hello-ipv4-1", "hello-ipv4-2");
        assertThat(fromScratch)
                .extracting(EndpointSlice::endpoints)
                .containsExactlyInAnyOrderElementsOf(
                        slices().stream().map(EndpointSlice::endpoints).toList());
    }
}
