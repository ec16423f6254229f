package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.containers.NodeException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AddressBookTest {
    private static final List<Cidr> CIDRS = List.of(Cidr.parse("10.1.0.0/29"), Cidr.parse("fd00::/64"));

    @TempDir
    private Path folder;

    @Test
    void a_pod_gets_an_address_of_every_block() {
        try (StateFolder state = StateFolder.open(folder)) {
            assertThat(new AddressBook(CIDRS, state, List.of()).take())
                    .containsExactly(Ip.parse("10.1.0.2"), Ip.parse("fd00::2"));
        }
    }

    @Test
    void the_circle_goes_on_after_a_restart() {
        try (StateFolder state = StateFolder.open(folder)) {
            AddressBook before = new AddressBook(CIDRS, state, List.of());
            before.release(before.take());
        }
        try (StateFolder state = StateFolder.open(folder)) {
            assertThat(new AddressBook(CIDRS, state, List.of()).take())
                    .containsExactly(Ip.parse("10.1.0.3"), Ip.parse("fd00::3"));
        }
    }

    @Test
    void a_full_block_is_named_and_an_address_that_comes_back_ends_the_shortage() {
        try (StateFolder state = StateFolder.open(folder)) {
            AddressBook book = new AddressBook(CIDRS, state, List.of(Ip.parse("10.1.0.2"), Ip.parse("10.1.0.3")));
            List<Ip> first = book.take();
            book.take();
            book.take();

            assertThatThrownBy(book::take)
                    .isInstanceOf(NodeException.class)
                    .hasMessageContaining("no address is left in podCIDR 10.1.0.0/29");
            book.release(first);
            assertThat(book.take()).contains(first.getFirst());
        }
    }
}
