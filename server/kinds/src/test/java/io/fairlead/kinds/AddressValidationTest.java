package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How addresses must be written (A11), and which may be endpoints.
final class AddressValidationTest {
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "0.0.0.0", "fd00::1", "FD00::1", "2001:db8:0:0:0:0:0:1"})
    void these_are_addresses(String text) {
        assertThat(AddressValidation.ip(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "010.0.0.1|must not have leading 0s",
                "10.0.0.01|must not have leading 0s",
                "10.00.0.1|must not have leading 0s",
                "::ffff:10.0.0.1|must not be an IPv4-mapped IPv6 address",
                "10.0.0|must be a valid IP address",
                "10.0.0.256|must be a valid IP address",
                "fe80::1%eth0|must be a valid IP address",
                "web|must be a valid IP address"
            })
    void these_are_none(String text, String rule) {
        assertThat(AddressValidation.ip(text)).get().asString().startsWith(rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0/8|",
                "fd00::/64|",
                "10.0.0.0/08|must not have leading 0s",
                "010.0.0.0/8|must not have leading 0s",
                "10.0.0.1/8|must not have bits set beyond the prefix length",
                "::ffff:10.0.0.0/104|must not have an IPv4-mapped IPv6 address",
                "10.0.0.0|must be a valid CIDR value",
                "10.0.0.0/33|must be a valid CIDR value"
            })
    void blocks_have_rules_too(String text, String rule) {
        assertThat(AddressValidation.cidr(text).orElse("")).startsWith(rule == null ? "" : rule);
        assertThat(AddressValidation.cidr(text).isEmpty()).isEqualTo(rule == null);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,loopback",
        "::1,loopback",
        "0.0.0.0,unspecified",
        "::,unspecified",
        "169.254.169.254,link-local range",
        "fe80::1,link-local range",
        "224.0.0.5,link-local multicast",
        "239.1.1.1,multicast"
    })
    void connections_are_led_to_ordinary_addresses_only(String ip, String word) {
        assertThat(AddressValidation.ordinary(Ip.parse(ip))).get().asString().contains(word);
        assertThat(AddressValidation.ordinary(Ip.parse("10.1.0.1"))).isEmpty();
    }
}
