package io.fairlead.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Target;
import io.fairlead.userspace.UserspaceEntry.Action.Relay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ServiceBalancerTest {
    private static final IpPort A = IpPort.parse("10.244.1.2:8080");
    private static final IpPort B = IpPort.parse("10.244.2.2:8080");
    private static final IpPort C = IpPort.parse("10.244.3.2:8080");
    private static final Ip CLIENT = Ip.parse("198.51.100.10");
    private static final Affinity NONE = new Affinity.None();

    private final ServiceMemory memory = new ServiceMemory();

    @Test
    void round_robin_gives_each_its_turn() {
        ServiceBalancer balancer = balancer(Scheduler.RR, NONE, target(A, 1), target(B, 1), target(C, 1));
        assertThat(choices(balancer, 6)).containsExactly(A, B, C, A, B, C);
    }

    @Test
    void weights_share_the_connections_and_do_not_come_in_bursts() {
        ServiceBalancer balancer = balancer(Scheduler.WRR, NONE, target(A, 3), target(B, 1), target(C, 0));
        List<IpPort> choices = choices(balancer, 400);
        assertThat(counts(choices)).isEqualTo(Map.of(A, 300L, B, 100L));
        assertThat(choices.subList(0, 4)).contains(B);
    }

    @Test
    void the_least_loaded_is_chosen() {
        ServiceBalancer balancer = balancer(Scheduler.LC, NONE, target(A, 1), target(B, 1));
        balancer.begin(A);
        balancer.begin(A);
        assertThat(next(balancer)).isEqualTo(B);
        balancer.begin(B);
        assertThat(next(balancer)).isEqualTo(B);
        balancer.end(A);
        balancer.end(A);
        assertThat(next(balancer)).isEqualTo(A);
    }

    @Test
    void a_heavier_target_may_have_more_connections() {
        ServiceBalancer balancer = balancer(Scheduler.WLC, NONE, target(A, 4), target(B, 1));
        for (int i = 0; i < 100; i++) {
            balancer.begin(next(balancer));
        }
        assertThat(memory.load(A)).isBetween(79, 81);
    }

    @Test
    void a_target_without_connections_goes_first_where_none_may_queue() {
        ServiceBalancer balancer = balancer(Scheduler.NQ, NONE, target(A, 100), target(B, 1));
        balancer.begin(A);
        assertThat(next(balancer)).isEqualTo(B);
        balancer.begin(B);
        assertThat(next(balancer)).isEqualTo(A);
    }

    @Test
    void a_source_keeps_its_target_when_another_goes() {
        ServiceBalancer all = balancer(Scheduler.SH, NONE, target(A, 1), target(B, 1), target(C, 1));
        ServiceBalancer fewer = balancer(Scheduler.SH, NONE, target(A, 1), target(B, 1));
        List<Ip> clients = IntStream.range(0, 300).mapToObj(CLIENT::plus).toList();
        assertThat(clients.stream().map(client -> choose(all, client)).distinct())
                .containsExactlyInAnyOrder(A, B, C);
        assertThat(clients)
                .filteredOn(client -> !choose(all, client).equals(C))
                .allSatisfy(client -> assertThat(choose(fewer, client)).isEqualTo(choose(all, client)));
    }

    @Test
    void a_client_comes_back_to_its_target_until_it_was_away_too_long() {
        Affinity affinity = new Affinity.ClientIp(Duration.ofSeconds(10));
        ServiceBalancer balancer = balancer(Scheduler.WRR, affinity, target(A, 1), target(B, 1));
        long second = Duration.ofSeconds(1).toNanos();
        assertThat(balancer.choose(CLIENT, List.of(), 0)).contains(A);
        assertThat(balancer.choose(CLIENT.plus(1), List.of(), 0)).contains(B);
        assertThat(balancer.choose(CLIENT, List.of(), 9 * second)).contains(A);
        assertThat(balancer.choose(CLIENT, List.of(), 18 * second)).contains(A);
        assertThat(balancer.choose(CLIENT.plus(2), List.of(), 18 * second)).contains(A);
        assertThat(balancer.choose(CLIENT, List.of(), 40 * second)).contains(B);
    }

    @Test
    void a_client_gets_another_where_its_target_does_not_answer_or_is_gone() {
        Affinity affinity = new Affinity.ClientIp(Duration.ofSeconds(10));
        ServiceBalancer balancer = balancer(Scheduler.WRR, affinity, target(A, 1), target(B, 1));
        assertThat(balancer.choose(CLIENT, List.of(), 0)).contains(A);
        assertThat(balancer.choose(CLIENT, List.of(A), 0)).contains(B);
        assertThat(balancer.choose(CLIENT, List.of(), 0)).contains(B);
        assertThat(balancer(Scheduler.WRR, affinity, target(A, 1)).choose(CLIENT, List.of(), 0))
                .contains(A);
    }

    @Test
    void another_frontend_of_the_port_leads_a_client_to_the_same_target() {
        Affinity affinity = new Affinity.ClientIp(Duration.ofSeconds(10));
        ServiceBalancer one = balancer(Scheduler.WRR, affinity, target(A, 1), target(B, 1));
        ServiceBalancer other = balancer(Scheduler.WRR, affinity, target(A, 1), target(B, 1));
        assertThat(one.choose(CLIENT.plus(1), List.of(), 0)).contains(A);
        assertThat(one.choose(CLIENT, List.of(), 0)).contains(B);
        assertThat(other.choose(CLIENT, List.of(), 0)).contains(B);
    }

    @Test
    void where_all_were_tried_there_is_none() {
        for (Scheduler scheduler : Scheduler.values()) {
            ServiceBalancer balancer = balancer(scheduler, NONE, target(A, 1), target(B, 1));
            assertThat(balancer.choose(CLIENT, List.of(A), 0)).contains(B);
            assertThat(balancer.choose(CLIENT, List.of(A, B), 0)).isEmpty();
        }
    }

    private ServiceBalancer balancer(Scheduler scheduler, Affinity affinity, Target... targets) {
        return new ServiceBalancer(new Relay(List.of(targets), scheduler, affinity), memory, new LongAdder());
    }

    private static Target target(IpPort address, int weight) {
        return new Target(address, true, false, weight);
    }

    private static IpPort next(ServiceBalancer balancer) {
        return choose(balancer, CLIENT);
    }

    private static IpPort choose(ServiceBalancer balancer, Ip client) {
        return balancer.choose(client, List.of(), 0).orElseThrow();
    }

    private static List<IpPort> choices(ServiceBalancer balancer, int count) {
        List<IpPort> choices = new ArrayList<>();
        Stream.generate(() -> next(balancer)).limit(count).forEach(choices::add);
        return choices;
    }

    private static Map<IpPort, Long> counts(List<IpPort> choices) {
        return choices.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
}
