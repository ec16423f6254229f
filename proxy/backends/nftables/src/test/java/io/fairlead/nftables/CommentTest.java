package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ServicePortName;
import org.junit.jupiter.api.Test;

final class CommentTest {
    private static String of(int namespace, int name, int port) {
        return Comment.of(new ServicePortName(
                new NamespacedName("n".repeat(namespace), "s".repeat(name)), "p".repeat(port), Protocol.TCP));
    }

    @Test
    void a_usual_name_stands_whole() {
        assertThat(of(3, 3, 4)).isEqualTo("nnn/sss:pppp");
        assertThat(Comment.isCut(of(3, 3, 4))).isFalse();
    }

    @Test
    void the_longest_name_of_kubernetes_is_cut_to_what_nft_loads_again() {
        String comment = of(63, 63, 15);
        assertThat(comment).hasSize(Comment.MOST_BYTES);
        assertThat(Comment.isCut(comment)).isTrue();
    }
}
