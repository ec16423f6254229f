package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout.PathElement;
import org.junit.jupiter.api.Test;

/// The structs as the kernel's headers have them.
final class LayoutTest {
    @Test
    void sockaddr_nl_is_12_bytes_with_the_port_id_at_4_and_the_groups_at_8() {
        assertThat(NetlinkSocket.SOCKADDR_NL.byteSize()).isEqualTo(12);
        assertThat(NetlinkSocket.SOCKADDR_NL.byteOffset(PathElement.groupElement("nl_family")))
                .isZero();
        assertThat(NetlinkSocket.SOCKADDR_NL.byteOffset(PathElement.groupElement("nl_pid")))
                .isEqualTo(4);
        assertThat(NetlinkSocket.SOCKADDR_NL.byteOffset(PathElement.groupElement("nl_groups")))
                .isEqualTo(8);
    }

    @Test
    void ipt_getinfo_is_84_bytes_with_the_number_of_entries_at_76_and_their_size_at_80() {
        assertThat(LegacyTable.GETINFO.byteSize()).isEqualTo(84);
        assertThat(LegacyTable.GETINFO.byteOffset(PathElement.groupElement("num_entries")))
                .isEqualTo(76);
        assertThat(LegacyTable.GETINFO.byteOffset(PathElement.groupElement("size")))
                .isEqualTo(80);
    }

    @Test
    void sockaddr_ll_is_20_bytes_with_the_link_at_4_and_the_address_at_12() {
        assertThat(PacketSocket.SOCKADDR_LL.byteSize()).isEqualTo(20);
        assertThat(PacketSocket.SOCKADDR_LL.byteOffset(PathElement.groupElement("sll_ifindex")))
                .isEqualTo(4);
        assertThat(PacketSocket.SOCKADDR_LL.byteOffset(PathElement.groupElement("sll_addr")))
                .isEqualTo(12);
    }

    @Test
    void sock_fprog_is_16_bytes_with_the_program_at_8() {
        assertThat(PacketSocket.SOCK_FPROG.byteSize()).isEqualTo(16);
        assertThat(PacketSocket.SOCK_FPROG.byteOffset(PathElement.groupElement("filter")))
                .isEqualTo(8);
    }
}
