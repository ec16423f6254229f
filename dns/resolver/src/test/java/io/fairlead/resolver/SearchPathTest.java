package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.zone.Name;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchPathTest {
    private static final Name ORIGIN = Name.of("cluster.local");
    private static final SearchPath PATH = new SearchPath(true, List.of(Name.of("corp.example")));

    @Test
    void after_the_first_name_of_a_search_come_those_of_the_other_domains_and_the_name_itself() {
        assertThat(PATH.after(Name.of("www.example.org.shop.svc.cluster.local"), "shop", ORIGIN))
                .containsExactly(
                        Name.of("www.example.org.svc.cluster.local"),
                        Name.of("www.example.org.cluster.local"),
                        Name.of("www.example.org.corp.example"),
                        Name.of("www.example.org"));
    }

    @Test
    void what_is_not_the_first_of_a_search_has_none_after_it() {
        assertThat(PATH.after(Name.of("www.example.org"), "shop", ORIGIN)).isEmpty();
        assertThat(PATH.after(Name.of("web.other.svc.cluster.local"), "shop", ORIGIN))
                .isEmpty();
        assertThat(PATH.after(Name.of("shop.svc.cluster.local"), "shop", ORIGIN))
                .isEmpty();
    }

    @Test
    void the_domains_of_a_machine_are_those_of_its_last_line() {
        assertThat(ResolvConf.domains("search old.example\nnameserver 192.0.2.1\nsearch corp.example b.example .\n"))
                .containsExactly(Name.of("corp.example"), Name.of("b.example"));
        assertThat(ResolvConf.domains("nameserver 192.0.2.1\n")).isEmpty();
    }
}
