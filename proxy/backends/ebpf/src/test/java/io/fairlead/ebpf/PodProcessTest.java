package io.fairlead.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PodProcessTest {
    private static final List<Cidr> PODS = List.of(Cidr.parse("10.244.1.0/24"), Cidr.parse("fd00:244:1::/64"));

    @Test
    void the_addresses_of_a_namespace_are_in_two_files_of_proc() {
        List<String> fibTrie = """
            Local:
              +-- 0.0.0.0/0 3 0 5
                 |-- 10.244.1.0
                    /24 link UNICAST
                 |-- 10.244.1.7
                    /32 host LOCAL
                 |-- 10.244.1.255
                    /32 link BROADCAST
            """.lines().toList();
        List<String> ifInet6 = List.of("fd000244000100000000000000000007 02 40 00 80     eth0");

        assertThat(PodProcess.addresses(fibTrie, ifInet6))
                .containsExactly(Ip.parse("10.244.1.7"), Ip.parse("fd00:244:1::7"));
    }

    @Test
    void a_process_with_an_address_of_the_pods_is_one_of_a_pod() {
        assertThat(at("10.244.1.7").isIn(PODS)).isTrue();
        assertThat(at("fd00:244:1::7").isIn(PODS)).isTrue();
        assertThat(at("10.244.2.7").isIn(PODS)).isFalse();
        assertThat(at("10.244.1.7").isIn(List.of())).isFalse();
    }

    @Test
    void programs_see_the_processes_of_their_group_and_those_below_it() {
        PodProcess process = new PodProcess(1, List.of(), "/fairlead/node-1/pod");
        assertThat(process.isBelow("/fairlead/node-1")).isTrue();
        assertThat(process.isBelow("/fairlead/node-1/pod")).isTrue();
        assertThat(process.isBelow("/")).isTrue();
        assertThat(process.isBelow("/fairlead/node")).isFalse();
        assertThat(process.isBelow("/fairlead/node-1/pod/x")).isFalse();
    }

    @Test
    void a_sentence_names_a_few() {
        PodProcess one = new PodProcess(7, List.of(), "/");
        assertThat(PodProcess.text(List.of(one))).isEqualTo("7 in /");
        assertThat(PodProcess.text(List.of(one, one, one, one))).isEqualTo("7 in /, 7 in /, 7 in /, …");
    }

    private static PodProcess at(String address) {
        return new PodProcess(1, List.of(Ip.parse(address)), "/");
    }
}
