package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Batches of nf_tables messages in a namespace of their own.
final class NetfilterSocketIT {
    private static final int NFTABLES = 10;
    private static final int NEWTABLE = 0;
    private static final int GETTABLE = 1;
    private static final int DELTABLE = 2;
    private static final int IPV4 = 2;
    private static final int NAME = 1;

    private NetworkNamespace namespace;

    @BeforeEach
    void make() {
        namespace = NetworkNamespace.create("flnf" + ProcessHandle.current().pid());
    }

    @AfterEach
    void remove() {
        namespace.delete();
    }

    @Test
    void a_good_batch_is_in_force_when_commit_returns() {
        namespace.run(() -> {
            try (NetfilterSocket socket = NetfilterSocket.open()) {
                assertThat(socket.commit(tables("one", "two"))).isEmpty();
                assertThat(names(socket)).containsExactlyInAnyOrder("one", "two");
            }
        });
    }

    @Test
    void a_bad_message_is_named_and_nothing_of_its_batch_is_done() {
        namespace.run(() -> {
            try (NetfilterSocket socket = NetfilterSocket.open()) {
                NetfilterBatch batch = tables("one", "two");
                batch.message(DELTABLE, 0, IPV4).text(NAME, "absent");

                List<NetfilterRefusal> refusals = socket.commit(batch);

                assertThat(refusals).singleElement().satisfies(refusal -> {
                    assertThat(refusal.sequence()).isEqualTo(4);
                    assertThat(refusal.errno()).isEqualTo(Errno.ENOENT);
                    assertThat(refusal.offset()).as("behind both headers").isEqualTo(20);
                });
                assertThat(names(socket)).isEmpty();
            }
        });
    }

    private static NetfilterBatch tables(String... names) {
        NetfilterBatch batch = new NetfilterBatch(NFTABLES);
        for (String name : names) {
            batch.message(NEWTABLE, NetlinkWriter.CREATE, IPV4).text(NAME, name);
        }
        return batch;
    }

    private static List<String> names(NetfilterSocket socket) {
        return socket.dump(NetfilterBatch.request(NFTABLES, GETTABLE, NetlinkWriter.DUMP, IPV4)).stream()
                .map(message -> message.attributes(NetfilterBatch.HEADER).text(NAME))
                .toList();
    }
}
