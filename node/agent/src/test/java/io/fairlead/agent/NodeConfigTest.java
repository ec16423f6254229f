package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class NodeConfigTest {

    @Test
    void a_node_names_its_namespaces_after_itself_unless_told_otherwise() {
        NodeConfig config = config("one", "10.1.0.0/24");

        assertThat(config.namespacePrefix()).isEqualTo("fl-one");
        assertThat(config.withNamespacePrefix("lab-1").namespacePrefix()).isEqualTo("lab-1");
        assertThat(config.labels()).isEmpty();
    }

    @Test
    void what_is_missing_or_wrong_is_named() {
        assertThatThrownBy(() -> config("")).hasMessageStartingWith("name: ");
        assertThatThrownBy(() -> config("one", "10.1.0.0/24", "10.2.0.0/24"))
                .hasMessage("podCidrs: 10.2.0.0/24 is the second block of IPv4");
        assertThatThrownBy(() -> config("one", "10.1.0.0/31")).hasMessageContaining("no room for a pod");
        assertThatThrownBy(() -> config("one", "10.1.0.0/24").withNamespacePrefix("a_b"))
                .hasMessageStartingWith("namespacePrefix: \"a_b\"");
    }

    private static NodeConfig config(String name, String... cidrs) {
        return NodeConfig.of(
                name,
                List.of(Ip.parse("192.0.2.1")),
                Stream.of(cidrs).map(Cidr::parse).toList(),
                Path.of("unused"));
    }
}
