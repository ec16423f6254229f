package io.fairlead.commands;

import io.fairlead.kubectl.Cluster;
import io.fairlead.up.UpConfig;
import java.nio.file.Path;
import java.util.List;

/// How this program was started, and is started again for its children.
final class Launcher {
    private Launcher() {}

    /// The script `fairlead` says where it is, and how the user called it; without it, java itself is the launcher.
    static UpConfig.Launcher of(Path dir) {
        String script = System.getProperty("fairlead.launcher", "");
        String typed = System.getProperty("fairlead.typed", "fairlead");
        return new UpConfig.Launcher(script.isEmpty() ? java() : List.of(script), typed(typed, dir));
    }

    /// What reaches the cluster in `dir`: nothing has to be added where it is the usual one.
    static String typed(String launcher, Path dir) {
        return dir.equals(Cluster.standardDir()) ? launcher : launcher + " --dir " + dir;
    }

    private static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
    }
}
