package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kubectl.Cluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class LauncherTest {

    @Test
    void a_user_names_the_directory_of_a_cluster_that_is_not_the_usual_one() {
        assertThat(Launcher.typed("./fairlead", Cluster.standardDir())).isEqualTo("./fairlead");
        assertThat(Launcher.typed("./fairlead", Path.of("/tmp/c"))).isEqualTo("./fairlead --dir /tmp/c");
    }

    @Test
    void without_the_script_java_starts_the_children() {
        assertThat(Launcher.of(Cluster.standardDir()).program()).contains("-cp").endsWith("io.fairlead.commands.Main");
    }
}
