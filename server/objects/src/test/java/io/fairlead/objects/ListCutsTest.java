package io.fairlead.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ListCutsTest {
    private final SampleObjects sample = new SampleObjects(1);
    private final List<ApiObject> items = sample.many(4_000, 1_000);

    private static long length(List<ApiObject> run) {
        return run.stream().mapToLong(object -> object.json().length + 1).sum();
    }

    /// Runs of the second that the first does not have.
    private static Set<List<ApiObject>> fresh(List<ApiObject> before, List<ApiObject> now) {
        Set<List<ApiObject>> runs = new HashSet<>(ListCuts.runs(now));
        runs.removeAll(new HashSet<>(ListCuts.runs(before)));
        return runs;
    }

    @Test
    void the_runs_in_a_row_are_the_list() {
        assertThat(ListCuts.runs(items).stream().flatMap(List::stream)).containsExactlyElementsOf(items);
        assertThat(ListCuts.runs(List.of())).isEmpty();
        assertThat(ListCuts.runs(items.subList(0, 1))).containsExactly(items.subList(0, 1));
    }

    @Test
    void runs_are_of_the_usual_length_on_average_whatever_the_objects_are() {
        for (int atLeast : new int[] {100, 1_000, 20_000}) {
            List<ApiObject> some = sample.many(8_000_000 / atLeast, atLeast);
            List<List<ApiObject>> runs = ListCuts.runs(some);

            assertThat(length(some) / runs.size()).isBetween(ListCuts.USUAL / 2L, ListCuts.USUAL * 2L);
            assertThat(runs).allMatch(run -> length(run) <= ListCuts.MOST);
        }
    }

    @Test
    void only_a_single_object_is_a_run_of_more_than_the_most() {
        List<ApiObject> some = new ArrayList<>(items.subList(0, 10));
        some.add(5, sample.one("map-00004-large", ListCuts.MOST * 2));

        assertThat(ListCuts.runs(some)).contains(List.of(some.get(5)));
    }

    @Test
    void a_change_touches_one_run_and_hardly_ever_a_second() {
        int touched = 0;
        for (int i = 0; i < items.size(); i += 200) {
            List<ApiObject> now = new ArrayList<>(items);
            now.set(i, sample.changed(items.get(i)));
            touched += fresh(items, now).size();
        }
        assertThat(touched).isBetween(items.size() / 200, items.size() / 200 + 3);
    }

    @Test
    void what_comes_or_goes_touches_two_runs_at_most_if_none_is_cut_for_its_length() {
        for (int i = 0; i < items.size(); i += 200) {
            List<ApiObject> fewer = new ArrayList<>(items);
            fewer.remove(i);
            List<ApiObject> more = new ArrayList<>(items);
            more.add(i, sample.one("new-" + i, 1_000));

            assertThat(fresh(items, fewer)).hasSizeLessThanOrEqualTo(4);
            assertThat(fresh(items, more)).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void a_page_has_all_but_its_ends_from_the_whole_list() {
        assertThat(fresh(items, items.subList(1_234, 3_456))).hasSizeLessThanOrEqualTo(4);
    }
}
