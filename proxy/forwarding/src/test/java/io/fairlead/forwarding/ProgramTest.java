package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.ready;
import static io.fairlead.forwarding.TestObjects.service;
import static io.fairlead.forwarding.TestObjects.slice;
import static io.fairlead.forwarding.TestObjects.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.TestObjects.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ProgramTest {
    private static final NodeFacts NODE = NodeFacts.of("node-a", List.of());
    private static final Service WEB = service("web", "{clusterIP: 10.96.0.10, ports: [{port: 80}]}");
    private static final Service SHOP = service("shop", "{clusterIP: 10.96.0.11, ports: [{port: 80}]}");
    private static final EndpointSlice WEB_SLICE = sliceOf("web", "10.244.1.5");
    private static final EndpointSlice SHOP_SLICE = sliceOf("shop", "10.244.1.5");

    private final NoteCompiler backend = new NoteCompiler();

    @Test
    void a_program_is_the_union_of_the_foundation_and_the_services() {
        assertThat(program(snapshot(WEB, WEB_SLICE)).text()).isEqualTo("""
            choice of 1 =\s
            door 10.96.0.10:80/tcp = default/web SendTo[targets=[10.244.1.5:8080]]
            foundation = v1
            pod 10.244.1.5:8080 = false
            """);
    }

    @Test
    void an_entry_that_two_services_claim_stays_until_the_last_claim_is_gone() {
        Snapshot both = snapshot(WEB, WEB_SLICE, SHOP, SHOP_SLICE);
        ForwardingTable table = ForwardingTable.of(both, NODE);
        Program<NoteEntry> program = Program.of(backend, table);
        assertThat(program.find("pod 10.244.1.5:8080")).isPresent();

        ForwardingTable onlyWeb = table.at(both.without(SHOP));
        program = program.at(onlyWeb, backend);
        assertThat(program.find("pod 10.244.1.5:8080")).isPresent();

        program = program.at(onlyWeb.at(both.without(SHOP).without(WEB)), backend);
        assertThat(program.find("pod 10.244.1.5:8080")).isEmpty();
        assertThat(program).isEqualTo(Program.of(backend, ForwardingTable.of(Snapshot.EMPTY, NODE)));
    }

    @Test
    void many_services_at_once_give_what_they_give_one_by_one() {
        Snapshot all = Snapshot.EMPTY;
        ForwardingTable table = ForwardingTable.of(all, NODE);
        Program<NoteEntry> program = Program.of(backend, table);
        for (int i = 0; i < 1_200; i++) {
            String vip = "10.96.%d.%d".formatted(i / 200, i % 200 + 1);
            all = all.with(service("s" + i, "{clusterIP: %s, ports: [{port: 80}]}".formatted(vip)))
                    .with(sliceOf("s" + i, "10.244.0." + (i % 200 + 1)));
            table = table.at(all);
            program = program.at(table, backend);
        }
        assertThat(ForwardingTable.of(all, NODE).text()).isEqualTo(table.text());
        assertThat(Program.of(backend, ForwardingTable.of(all, NODE))).isEqualTo(program);
    }

    @Test
    void a_service_that_needs_an_entry_twice_claims_it_once() {
        Service twoPorts = service("web", "{clusterIP: 10.96.0.10, ports: [{name: a, port: 80}, {name: b, port: 81}]}");
        EndpointSlice slice = slice(
                "web-1", Form.of("web", "IPv4", "[{name: a, port: 8080}, {name: b, port: 8080}]"), ready("10.244.1.5"));
        Snapshot snapshot = snapshot(twoPorts, slice);
        ForwardingTable table = ForwardingTable.of(snapshot, NODE);
        Program<NoteEntry> program = Program.of(backend, table).at(table.at(snapshot.without(twoPorts)), backend);
        assertThat(program).isEqualTo(Program.of(backend, ForwardingTable.of(Snapshot.EMPTY, NODE)));
    }

    @Test
    void of_two_contents_under_one_key_the_first_by_text_wins_in_whatever_order_they_came() {
        NoteEntry first = new NoteEntry("key", "a");
        NoteEntry second = new NoteEntry("key", "b");
        assertThat(Program.of(List.of(first, second)).find("key")).contains(first);
        assertThat(Program.of(List.of(second, first)).find("key")).contains(first);
    }

    @Test
    void when_the_winner_of_a_key_goes_the_other_content_takes_its_place() {
        Service rival = service("rival", "{clusterIP: 10.96.0.10, ports: [{port: 80}]}");
        Snapshot both = snapshot(WEB, rival);
        ForwardingTable table = ForwardingTable.of(both, NODE);
        Program<NoteEntry> before = Program.of(backend, table);
        Program<NoteEntry> after = before.at(table.at(both.without(rival)), backend);
        assertThat(Patch.between(before, after).changed())
                .containsExactly(new Patch.Change<>(
                        new NoteEntry("door 10.96.0.10:80/tcp", "default/rival Reject[]"),
                        new NoteEntry("door 10.96.0.10:80/tcp", "default/web Reject[]")));
    }

    @Test
    void only_the_services_that_changed_are_compiled() {
        Snapshot snapshot = snapshot(IntStream.range(0, 200)
                .mapToObj(i -> service("s" + i, "{clusterIP: 10.96.1.%d, ports: [{port: 80}]}".formatted(i)))
                .toArray(Service[]::new));
        ForwardingTable table = ForwardingTable.of(snapshot, NODE);
        Program<NoteEntry> program = Program.of(backend, table);
        backend.compiled.set(0);
        program.at(table.at(snapshot.with(sliceOf("s7", "10.244.1.5"))), backend);
        assertThat(backend.compiled).hasValue(1);
    }

    @Test
    void a_service_whose_rows_stay_the_same_is_not_compiled_again() {
        Snapshot snapshot = snapshot(WEB, WEB_SLICE);
        ForwardingTable table = ForwardingTable.of(snapshot, NODE);
        Program<NoteEntry> program = Program.of(backend, table);
        backend.compiled.set(0);
        Service relabelled = service("web", "{team: blue}", "{clusterIP: 10.96.0.10, ports: [{port: 80}]}");
        program.at(table.at(snapshot.with(relabelled)), backend);
        assertThat(backend.compiled).hasValue(0);
    }

    @Test
    void above_a_number_of_targets_every_service_is_written_tersely_and_in_full_again_below_it() {
        NoteCompiler terse = new NoteCompiler(2);
        EndpointSlice three =
                slice("shop-1", Form.of("shop"), ready("10.244.1.5"), ready("10.244.1.6"), ready("10.244.1.7"));
        Snapshot few = snapshot(WEB, WEB_SLICE, SHOP, SHOP_SLICE);
        ForwardingTable table = ForwardingTable.of(few, NODE);
        Program<NoteEntry> before = Program.of(terse, table);
        assertThat(before.text()).contains("= default/web SendTo", "= default/shop SendTo");
        terse.compiled.set(0);

        ForwardingTable large = table.at(few.with(three));
        Program<NoteEntry> during = before.at(large, terse);

        assertThat(terse.compiled).hasValue(2);
        assertThat(during.text()).contains("= SendTo").doesNotContain("default/");
        assertThat(during).isEqualTo(Program.of(terse, large));
        assertThat(during.at(large.at(few), terse)).isEqualTo(before);
    }

    @Test
    void a_pod_counts_as_one_target_of_each_port_however_many_frontends_lead_to_it() {
        NoteCompiler terse = new NoteCompiler(2);
        Service twoPorts = service(
                "web",
                "{type: NodePort, clusterIP: 10.96.0.10, ports: [{name: a, port: 80, nodePort: 30080}, {name: b, port:"
                        + " 81}]}");
        EndpointSlice slice = slice(
                "web-1", Form.of("web", "IPv4", "[{name: a, port: 8080}, {name: b, port: 8081}]"), ready("10.244.1.5"));
        Snapshot two = snapshot(twoPorts, slice);
        assertThat(Program.of(terse, ForwardingTable.of(two, NODE)).text()).contains("default/web");
        Snapshot three = two.with(SHOP).with(SHOP_SLICE);
        assertThat(Program.of(terse, ForwardingTable.of(three, NODE)).text()).doesNotContain("default/web");
    }

    @Test
    void a_claim_for_what_many_share_is_a_number_and_not_a_list() {
        NoteEntry shared = new NoteEntry("shared", "");
        EntryClaims<NoteEntry> claims = EntryClaims.none();
        for (int i = 0; i < 10_000; i++) {
            claims = claims.plus(List.of(shared));
        }
        assertThat(claims.others().find("shared")).contains(List.of(new EntryClaims.Claim<>(shared, 10_000)));
    }

    @Test
    void a_key_that_another_claims_too_or_no_longer_is_named_once() {
        NoteEntry entry = new NoteEntry("a", "1");
        EntryClaims<NoteEntry> single = EntryClaims.<NoteEntry>none().plus(List.of(entry));
        EntryClaims<NoteEntry> both = single.plus(List.of(new NoteEntry("a", "0")));
        assertThat(changed(single, both)).containsExactly("a");
        assertThat(changed(both, single)).containsExactly("a");
        assertThat(changed(both, both.plus(List.of(entry)))).containsExactly("a");
        assertThat(both.minus(List.of(new NoteEntry("a", "0"))).once().find("a"))
                .contains(entry);
    }

    private static List<Object> changed(EntryClaims<NoteEntry> older, EntryClaims<NoteEntry> newer) {
        List<Object> keys = new ArrayList<>();
        newer.changedSince(older, keys::add);
        return keys;
    }

    @Test
    void programs_are_equal_if_they_hold_the_same_whichever_service_claims_it() {
        NoteEntry entry = new NoteEntry("a", "1");
        assertThat(Program.of(List.of(entry, entry)))
                .isEqualTo(Program.of(List.of(entry)))
                .hasSameHashCodeAs(Program.of(List.of(entry)))
                .isNotEqualTo(Program.of(List.of(new NoteEntry("a", "2"))))
                .isNotEqualTo(Program.of(List.of(new NoteEntry("b", "1"))))
                .isNotEqualTo(Program.of(List.of()));
    }

    private Program<NoteEntry> program(Snapshot snapshot) {
        return Program.of(backend, ForwardingTable.of(snapshot, NODE));
    }

    private static EndpointSlice sliceOf(String service, String address) {
        return slice(service + "-1", Form.of(service), ready(address));
    }
}
