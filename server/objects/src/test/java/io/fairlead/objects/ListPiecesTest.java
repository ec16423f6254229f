package io.fairlead.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ListPiecesTest {
    private static final long MOST = 300_000;

    private final SampleObjects sample = new SampleObjects(1);
    private final ListPieces pieces = new ListPieces(MOST);

    @AutoClose
    private final PieceMaker maker = new PieceMaker();

    private List<ApiObject> run(int i) {
        return List.of(sample.one("map-" + i, 20_000));
    }

    @Test
    void no_more_bytes_are_kept_than_allowed_however_many_lists_there_are() throws Exception {
        for (int i = 0; i < 200; i++) {
            pieces.of(run(i), maker);
            assertThat(pieces.size()).isBetween(1L, MOST);
        }
        assertThat(pieces.size()).isGreaterThan(MOST / 2);
    }

    @Test
    void a_piece_that_is_asked_for_stays_and_the_others_go() throws Exception {
        List<ApiObject> wanted = run(0);
        List<ApiObject> unwanted = run(1);
        Piece first = pieces.of(wanted, maker);
        Piece second = pieces.of(unwanted, maker);
        for (int i = 2; i < 200; i++) {
            pieces.of(run(i), maker);
            assertThat(pieces.of(wanted, maker)).isSameAs(first);
        }
        assertThat(pieces.of(unwanted, maker)).isNotSameAs(second);
    }

    @Test
    void an_object_in_a_new_state_or_in_other_company_is_another_piece() throws Exception {
        ApiObject one = sample.one("one", 1_000);
        ApiObject two = sample.one("two", 1_000);
        Piece both = pieces.of(List.of(one, two), maker);

        assertThat(pieces.of(List.of(one, two), maker)).isSameAs(both);
        assertThat(pieces.of(List.of(one), maker)).isNotSameAs(both);
        assertThat(pieces.of(List.of(two, one), maker)).isNotSameAs(both);
        ApiObject copy = ApiObject.of(one.kind(), one.tree(), one.revision());
        assertThat(pieces.of(List.of(copy, two), maker)).isNotSameAs(both);
    }

    @Test
    void where_nothing_may_be_kept_every_piece_is_made_anew() throws Exception {
        ListPieces none = ListPieces.none();
        List<ApiObject> run = run(0);

        assertThat(none.of(run, maker)).isNotSameAs(none.of(run, maker));
        assertThat(none.size()).isZero();
    }

    @Test
    void a_piece_that_could_not_be_made_is_tried_again() throws Exception {
        List<ApiObject> run = run(0);
        PieceMaker closed = new PieceMaker();
        closed.make(run);
        closed.close();

        assertThatThrownBy(() -> pieces.of(run, closed)).isInstanceOf(IllegalStateException.class);
        assertThat(pieces.of(run, maker).plain().length())
                .isEqualTo(run.getFirst().json().length - run.getFirst().itemStart() + 1);
    }
}
