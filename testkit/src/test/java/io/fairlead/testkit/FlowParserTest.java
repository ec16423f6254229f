package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.testkit.Flow.Arrival;
import io.fairlead.testkit.Flow.Outcome;
import io.fairlead.testkit.Flow.Sender;
import io.fairlead.testkit.Flow.Source;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FlowParserTest {
    private static final String CLUSTER = """
            {apiVersion: v1, kind: Node, metadata: {name: node-a},
             status: {addresses: [{type: InternalIP, address: 10.210.0.11}, {type: InternalIP, address: "fd00:210::11"}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: hello-1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: hello-2, namespace: other}}
            """;
    private static final NamespacedName HELLO_1 = new NamespacedName("default", "hello-1");
    private static final NamespacedName HELLO_2 = new NamespacedName("other", "hello-2");

    private final FlowParser parser = new FlowParser(ScenarioCluster.parse(CLUSTER));

    @Test
    void a_flow_from_a_pod_to_several() {
        String line = "pod/hello-1 -> [fd00:96::10]:80/udp"
                + " => other/hello-2:8080, source kept; hello-1:9090, source node-a";
        assertThat(parser.parse(line))
                .containsExactly(new Flow(
                        line,
                        new Sender.FromPod(HELLO_1),
                        IpPort.parse("[fd00:96::10]:80"),
                        Protocol.UDP,
                        new Outcome.Reaches(Set.of(
                                new Arrival(HELLO_2, 8080, new Source.Kept()),
                                new Arrival(HELLO_1, 9090, new Source.OfNode("node-a"))))));
    }

    @Test
    void a_group_may_hold_several_pods() {
        Flow flow = parse("node/node-a -> 10.96.0.10:80/tcp => hello-1:80 other/hello-2:81, source node-a");
        assertThat(flow.sender()).isEqualTo(new Sender.FromNode("node-a"));
        assertThat(flow.outcome())
                .isEqualTo(new Outcome.Reaches(Set.of(
                        new Arrival(HELLO_1, 80, new Source.OfNode("node-a")),
                        new Arrival(HELLO_2, 81, new Source.OfNode("node-a")))));
    }

    @Test
    void a_node_may_be_written_to_by_its_name() {
        assertThat(parse("outside -> node-a:30080/tcp => refused").destination())
                .isEqualTo(IpPort.parse("10.210.0.11:30080"));
    }

    @Test
    void outside_enters_where_it_writes_to_or_where_it_says() {
        assertThat(parse("outside -> node-a:30080/tcp => dropped").sender())
                .isEqualTo(new Sender.FromOutside("node-a"));
        assertThat(parse("outside -> [fd00:210::11]:30080/tcp => dropped").sender())
                .isEqualTo(new Sender.FromOutside("node-a"));
        assertThat(parse("outside via node-a -> 10.96.0.10:80/tcp => dropped").sender())
                .isEqualTo(new Sender.FromOutside("node-a"));
    }

    @Test
    void comments_and_empty_lines_are_for_the_reader() {
        List<Flow> flows = parser.parse("# why\n\noutside -> node-a:1/tcp => refused\n");
        assertThat(flows).extracting(Flow::outcome).containsExactly(new Outcome.Refused());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            pod/hello-1 10.96.0.10:80/tcp => refused                    | is not of the form SENDER -> ADDRESS:PORT/PROTOCOL
            pod/hello-1 -> 10.96.0.10:80/icmp => refused                | is not of the form SENDER -> ADDRESS:PORT/PROTOCOL
            pod/hello-9 -> 10.96.0.10:80/tcp => refused                 | the cluster has no pod default/hello-9
            node/node-z -> 10.96.0.10:80/tcp => refused                 | the cluster has no node node-z
            robot -> 10.96.0.10:80/tcp => refused                       | a sender is pod/NAME, node/NAME or outside
            outside -> 10.96.0.10:80/tcp => refused                     | say through which node it comes
            pod/hello-1 via node-a -> 10.96.0.10:80/tcp => refused      | only outside goes via a node
            pod/hello-1 -> 10.96.0.10:80/tcp => hello-1:80              | is not of the form POD:PORT
            pod/hello-1 -> 10.96.0.10:80/tcp => hello-1, source kept    | hello-1 has no port
            pod/hello-1 -> node-z:80/tcp => refused                     | not an IP address: node-z
            """)
    void what_is_wrong_in_a_line_is_said(String line, String fault) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parser.parse(line))
                .withMessageStartingWith("flow \"" + line)
                .withMessageContaining(fault);
    }

    private Flow parse(String line) {
        return parser.parse(line).getFirst();
    }
}
