package io.fairlead.kubectl;

import io.fairlead.api.ParseException;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The cluster that a command works on: where its state is, and the file that says how to reach it.
///
/// @param dir   the state directory
/// @param named the file of `--kubeconfig`, where there is one
/// @param context that of `--context`; empty for the one that is current in the file
public record Cluster(Path dir, List<Path> named, Map<String, String> environment, String context) {
    public Cluster(Path dir, List<Path> named, Map<String, String> environment) {
        this(dir, named, environment, "");
    }

    public static Path standardDir() {
        return standardDir(System.getProperty("user.name"), System.getProperty("user.home"));
    }

    static Path standardDir(String user, String home) {
        return user.equals("root") ? Path.of("/var/lib/fairlead") : Path.of(home, ".fairlead");
    }

    /// The file that a server in this directory writes.
    public Path ownKubeconfig() {
        return dir.resolve("kubeconfig");
    }

    /// `--kubeconfig`, then `KUBECONFIG` (the first of its files that is there), then our own.
    Path kubeconfig() {
        Stream<Path> fromEnvironment = Arrays.stream(
                        environment.getOrDefault("KUBECONFIG", "").split(File.pathSeparator, -1))
                .filter(file -> !file.isBlank())
                .map(Path::of);
        List<Path> wanted = Stream.concat(named.stream(), fromEnvironment).toList();
        return wanted.stream()
                .filter(Files::exists)
                .findFirst()
                .or(() -> wanted.stream().findFirst())
                .orElse(ownKubeconfig());
    }

    /// Whether the options say which cluster it is: then it is not that of the pod we may be in.
    public boolean isNamed() {
        return !named.isEmpty() || !context.isEmpty();
    }

    public ClusterAccess access() {
        Path file = kubeconfig();
        if (!Files.exists(file)) {
            throw new CommandException(
                    "error: there is no kubeconfig at %s; start a cluster with \"fairlead up\", or name the file with --kubeconfig"
                            .formatted(file));
        }
        try {
            return Kubeconfig.read(file, context);
        } catch (ParseException e) {
            throw new CommandException("error: " + e.getMessage(), e);
        }
    }

    public ApiClient connect() {
        return new ApiClient(access());
    }
}
