package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.Support;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.KernelException;
import org.junit.jupiter.api.Test;

final class SupportReaderTest {
    @Test
    void without_the_right_it_is_unsupported() {
        assertThat(SupportReader.unsupported(new KernelException("setsockopt", Errno.EPERM, "netlink")))
                .isInstanceOfSatisfying(
                        Support.Unsupported.class,
                        support -> assertThat(support.reason()).startsWith("needs CAP_NET_ADMIN"));
    }

    @Test
    void without_nf_tables_it_is_unsupported() {
        assertThat(SupportReader.unsupported(new KernelException("socket", Errno.EPROTONOSUPPORT, "netlink")))
                .isInstanceOfSatisfying(
                        Support.Unsupported.class,
                        support -> assertThat(support.reason()).startsWith("the kernel has no nf_tables"));
    }

    @Test
    void any_other_failure_says_nothing_about_the_kernel() {
        assertThat(SupportReader.unsupported(new KernelException("sendto", Errno.ENOBUFS, "netlink")))
                .isInstanceOf(Support.Unknown.class);
    }
}
