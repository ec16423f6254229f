package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterTest {
    @TempDir
    Path dir;

    @Test
    void state_is_in_var_lib_for_root_and_at_home_for_others() {
        assertThat(Cluster.standardDir("root", "/root")).isEqualTo(Path.of("/var/lib/fairlead"));
        assertThat(Cluster.standardDir("ada", "/home/ada")).isEqualTo(Path.of("/home/ada/.fairlead"));
    }

    @Test
    void the_option_comes_before_the_environment_and_that_before_our_own_file() throws IOException {
        Path one = Files.createFile(dir.resolve("one"));
        Path two = Files.createFile(dir.resolve("two"));
        assertThat(cluster(List.of(one), two.toString()).kubeconfig()).isEqualTo(one);
        assertThat(cluster(List.of(), two.toString()).kubeconfig()).isEqualTo(two);
        assertThat(cluster(List.of(), "").kubeconfig()).isEqualTo(dir.resolve("kubeconfig"));
    }

    @Test
    void of_several_files_in_the_environment_the_first_that_is_there_counts() throws IOException {
        Path two = Files.createFile(dir.resolve("two"));
        assertThat(cluster(List.of(), dir.resolve("one") + ":" + two).kubeconfig())
                .isEqualTo(two);
        assertThat(cluster(List.of(), dir.resolve("one").toString()).kubeconfig())
                .isEqualTo(dir.resolve("one"));
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        assertThatThrownBy(() -> cluster(List.of(), "").access())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("there is no kubeconfig at " + dir.resolve("kubeconfig"))
                .hasMessageContaining("fairlead up");
    }

    @Test
    void the_error_for_a_wrong_file_names_it() throws IOException {
        Path file = Files.writeString(dir.resolve("kubeconfig"), "current-context: nowhere\n");
        assertThatThrownBy(() -> cluster(List.of(), "").access())
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("error: kubeconfig " + file);
    }

    @Test
    void another_context_of_the_file_counts_where_it_is_named() throws IOException {
        Files.writeString(dir.resolve("kubeconfig"), """
            {current-context: a,
             contexts: [{name: a, context: {cluster: one}}, {name: b, context: {cluster: two}}],
             clusters: [{name: one, cluster: {server: 'http://one'}}, {name: two, cluster: {server: 'http://two'}}]}
            """);
        Cluster other = new Cluster(dir, List.of(), Map.of(), "b");
        assertThat(other.access().server()).hasToString("http://two");
        assertThat(other.isNamed()).isTrue();
        assertThat(cluster(List.of(), "").access().server()).hasToString("http://one");
        assertThat(cluster(List.of(), "").isNamed()).isFalse();
    }

    private Cluster cluster(List<Path> named, String environment) {
        return new Cluster(dir, named, environment.isEmpty() ? Map.of() : Map.of("KUBECONFIG", environment));
    }
}
