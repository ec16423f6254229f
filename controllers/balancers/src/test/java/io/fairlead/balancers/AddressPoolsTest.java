package io.fairlead.balancers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressPoolsTest {
    @Test
    void a_pool_has_a_name_and_ranges_of_both_families() {
        AddressPools pools = AddressPools.parse(
                List.of("public=192.0.2.0/29,2001:db8::10-2001:db8::20", "office=192.0.2.9-192.0.2.9"));

        assertThat(pools.names()).isEqualTo("public, office");
        assertThat(pools.find("public")).hasToString("Optional[public=192.0.2.1-192.0.2.6,2001:db8::10-2001:db8::20]");
        assertThat(pools.poolOf(Ip.parse("2001:db8::1f")).map(AddressPool::name))
                .contains("public");
        assertThat(pools.poolOf(Ip.parse("192.0.2.9")).map(AddressPool::name)).contains("office");
        assertThat(pools.poolOf(Ip.parse("192.0.2.7"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.0/24      | 192.0.2.1-192.0.2.254",
                "192.0.2.4/31      | 192.0.2.4-192.0.2.5",
                "192.0.2.4/32      | 192.0.2.4-192.0.2.4",
                "2001:db8::/120    | 2001:db8::1-2001:db8::ff",
                "2001:db8::/32     | 2001:db8::1-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
                "2001:db8::5/128   | 2001:db8::5-2001:db8::5",
                "0.0.0.0-0.0.0.255 | 0.0.0.0-0.0.0.255",
            })
    void of_a_block_those_addresses_are_left_out_that_are_no_hosts(String text, String range) {
        assertThat(AddressRange.parse(text)).hasToString(range);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.0/24 | \"192.0.2.0/24\" is not NAME=RANGE[,RANGE...]",
                "=192.0.2.0/24 | \"\": the name of a pool is 1 to 63 of a-z, 0-9 and -, with no - at its ends",
                "A=192.0.2.0/24 | \"A\": the name of a pool is 1 to 63 of a-z, 0-9 and -, with no - at its ends",
                "a= | \"\" is neither FROM-TO nor a CIDR",
                "a=192.0.2.0/33 | \"192.0.2.0/33\" is neither FROM-TO nor a CIDR",
                "a=192.0.2.1-192.0.2.256 | \"192.0.2.1-192.0.2.256\": \"192.0.2.256\" is not an IP address",
                "a=192.0.2.9-192.0.2.1 | 192.0.2.9-192.0.2.1: the first address must not be above the last",
                "a=192.0.2.9-::1 | 192.0.2.9-::1: both ends must be of one family",
                "a=192.0.2.1-192.0.2.9,192.0.2.8/30 | 192.0.2.9-192.0.2.10 of pool a overlaps 192.0.2.1-192.0.2.9 of"
                        + " pool a",
            })
    void what_is_wrong_is_a_sentence(String text, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressPools.parse(List.of(text)))
                .withMessage(sentence);
    }

    @Test
    void two_pools_have_two_names_and_no_address_in_common() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressPools.parse(List.of("a=192.0.2.1-192.0.2.2", "a=192.0.2.8-192.0.2.9")))
                .withMessage("the pool a is named twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressPools.parse(List.of("a=192.0.2.0/24", "b=192.0.2.200-192.0.3.9")))
                .withMessage("192.0.2.200-192.0.3.9 of pool b overlaps 192.0.2.1-192.0.2.254 of pool a");
    }

    @Test
    void a_pool_keeps_away_from_the_addresses_of_others() {
        AddressPools pools = AddressPools.parse(List.of("a=10.95.255.0-10.96.0.1"));

        pools.requireApart(List.of(Cidr.parse("10.97.0.0/16"), Cidr.parse("fd00::/8")), "Services");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pools.requireApart(List.of(Cidr.parse("10.96.0.0/16")), "Services"))
                .withMessage("10.95.255.0-10.96.0.1 of pool a overlaps 10.96.0.0/16, which is for Services");
    }
}
