package io.fairlead.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PatchTest {
    @Test
    void between_equal_programs_there_is_nothing_even_if_they_share_nothing() {
        Patch<NoteEntry> patch = Patch.between(numbers(0, 1000), numbers(0, 1000));
        assertThat(patch.isEmpty()).isTrue();
    }

    @Test
    void what_is_only_in_the_new_program_is_added_and_can_be_sorted_by_key() {
        Patch<NoteEntry> patch = Patch.between(Program.of(List.of()), Program.of(List.of(note("b", ""), note("a", ""))))
                .sorted();
        assertThat(patch.added()).containsExactly(note("a", ""), note("b", ""));
        assertThat(patch.size()).isEqualTo(2);
    }

    @Test
    void what_is_only_in_the_old_program_is_removed() {
        Patch<NoteEntry> patch = Patch.between(numbers(0, 10), numbers(3, 10));
        assertThat(patch.removed()).containsExactlyInAnyOrder(note("0", ""), note("1", ""), note("2", ""));
        assertThat(patch.added()).isEmpty();
        assertThat(patch.changed()).isEmpty();
    }

    @Test
    void the_same_key_with_another_content_is_a_change() {
        Patch<NoteEntry> patch =
                Patch.between(Program.of(List.of(note("a", "1"))), Program.of(List.of(note("a", "2"))));
        assertThat(patch.changed()).containsExactly(new Patch.Change<>(note("a", "1"), note("a", "2")));
        assertThat(patch.size()).isEqualTo(1);
    }

    @Test
    void another_number_of_claims_is_no_change() {
        NoteEntry entry = note("a", "1");
        assertThat(Patch.between(Program.of(List.of(entry)), Program.of(List.of(entry, entry)))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void a_patch_names_exactly_what_differs() {
        List<NoteEntry> after = new ArrayList<>(IntStream.range(0, 500)
                .mapToObj(i -> note("" + i, i % 100 == 0 ? "new" : ""))
                .toList());
        after.add(note("extra", ""));
        Patch<NoteEntry> patch = Patch.between(numbers(0, 501), Program.of(after));
        assertThat(patch.changed()).hasSize(5);
        assertThat(patch.added()).containsExactly(note("extra", ""));
        assertThat(patch.removed()).containsExactly(note("500", ""));
    }

    private static Program<NoteEntry> numbers(int from, int to) {
        return Program.of(
                IntStream.range(from, to).mapToObj(i -> note("" + i, "")).toList());
    }

    private static NoteEntry note(String key, String content) {
        return new NoteEntry(key, content);
    }
}
