package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Kind;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResourceArgumentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"services", "service", "svc", "Service", "SVC"})
    void a_kind_goes_by_all_its_names(String word) {
        assertThat(ResourceArguments.parse(List.of(word))).containsExactly(new Wanted(Kind.SERVICE, List.of()));
    }

    @Test
    void names_follow_their_kind() {
        assertThat(ResourceArguments.parse(List.of("deployments.apps", "a", "b")))
                .containsExactly(new Wanted(Kind.DEPLOYMENT, List.of("a", "b")));
    }

    @Test
    void a_slash_joins_kind_and_name() {
        assertThat(ResourceArguments.parse(List.of("svc/a", "pod/b")))
                .containsExactly(new Wanted(Kind.SERVICE, List.of("a")), new Wanted(Kind.POD, List.of("b")));
    }

    @Test
    void a_comma_joins_kinds() {
        assertThat(ResourceArguments.parse(List.of("pods,svc")))
                .containsExactly(new Wanted(Kind.POD, List.of()), new Wanted(Kind.SERVICE, List.of()));
    }

    @Test
    void all_are_the_kinds_that_run_something() {
        assertThat(ResourceArguments.parse(List.of("all")))
                .extracting(Wanted::kind)
                .containsExactly(Kind.POD, Kind.SERVICE, Kind.DEPLOYMENT, Kind.REPLICA_SET);
    }

    @Test
    void an_unknown_kind_is_named_beside_those_there_are() {
        assertThatThrownBy(() -> ResourceArguments.parse(List.of("servces")))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("error: the server doesn't have a resource type \"servces\"; there are ")
                .hasMessageContaining("services/svc");
    }

    @Test
    void a_slash_in_one_word_and_none_in_the_other_is_refused() {
        assertThatThrownBy(() -> ResourceArguments.parse(List.of("svc", "svc/a")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("\"svc\" is not KIND/NAME");
        assertThatThrownBy(() -> ResourceArguments.parse(List.of()))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("which kind");
    }

    @Test
    void references_name_the_group_where_there_is_one() {
        assertThat(ResourceArguments.reference(Kind.SERVICE, "hello")).isEqualTo("service/hello");
        assertThat(ResourceArguments.reference(Kind.DEPLOYMENT, "hello")).isEqualTo("deployment.apps/hello");
    }
}
