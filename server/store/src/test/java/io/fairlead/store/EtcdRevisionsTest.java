package io.fairlead.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Revision;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EtcdRevisionsTest {
    private static final int LAST_PLACE = 1_022;

    @Test
    void a_key_and_a_revision_of_etcd_make_a_revision_that_tells_both() {
        Revision revision = EtcdRevisions.of("services/default/a", 7);
        assertThat(EtcdRevisions.etcd(revision)).isEqualTo(7);
        assertThat(EtcdRevisions.isOf("services/default/a", revision)).isTrue();
        assertThat(EtcdRevisions.isOf("services/default/b", revision)).isFalse();
        assertThat(revision.value() % 1_024).isEqualTo(EtcdRevisions.place("services/default/a"));
    }

    @Test
    void what_is_not_there_is_at_revision_zero_whatever_its_key() {
        assertThat(EtcdRevisions.of("a", 0)).isEqualTo(Revision.ZERO);
        assertThat(EtcdRevisions.etcd(Revision.ZERO)).isZero();
        assertThat(EtcdRevisions.isOf("a", Revision.ZERO)).isTrue();
    }

    @Test
    void the_end_of_a_transaction_is_after_all_of_its_writes_and_before_the_next() {
        for (int i = 0; i < 10_000; i++) {
            String key = "key" + i;
            assertThat(EtcdRevisions.place(key)).isBetween(0, LAST_PLACE);
            assertThat(EtcdRevisions.end(7)).isGreaterThan(EtcdRevisions.of(key, 7));
            assertThat(EtcdRevisions.end(7)).isLessThan(EtcdRevisions.of(key, 8));
            assertThat(EtcdRevisions.isOf(key, EtcdRevisions.end(7))).isFalse();
        }
    }

    @Test
    void who_saw_one_write_may_have_missed_others_of_its_transaction() {
        assertThat(EtcdRevisions.ended(EtcdRevisions.of("a", 7))).isEqualTo(6);
        assertThat(EtcdRevisions.ended(EtcdRevisions.end(7))).isEqualTo(7);
        assertThat(EtcdRevisions.ended(Revision.ZERO)).isZero();
    }

    /// Other versions of the program read the same etcd.
    @Test
    void the_place_of_a_key_never_changes() {
        assertThat(EtcdRevisions.place("services/default/web-1")).isEqualTo(812);
        assertThat(EtcdRevisions.place("")).isZero();
    }

    @Test
    void keys_that_are_alike_meet_in_few_places() {
        Set<Integer> places = IntStream.range(0, 64)
                .mapToObj(i -> EtcdRevisions.place("services/default/web-" + i))
                .collect(Collectors.toSet());
        assertThat(places).hasSizeGreaterThan(56);
    }
}
