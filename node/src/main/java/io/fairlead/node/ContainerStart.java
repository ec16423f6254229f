package io.fairlead.node;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Starts a container's program in its pod's network namespace.
///
/// By `nsenter`, not by a thread of this JVM that enters the namespace: the thread that Java makes to wait for the
/// process would then live in there too, hold the namespace, and wake up other work in it. By `setsid`, so that what
/// ends the agent (a kill of its group, a Ctrl-C) passes the container by. Both end by `exec`: the number of the
/// process that was started is the number of the program.
record ContainerStart(PodRecord record, Pod.Container container, List<String> commandLine) {
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /// Starts it with its output going to `log`.
    ContainerProcess.Child start(Path folder, Path log) {
        ProcessBuilder builder = new ProcessBuilder(fullCommand())
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().clear(); // what the agent knows is none of the container's business
        builder.environment().putAll(environment());
        try {
            Process process = builder.start();
            return new ContainerProcess.Child(process, id(process));
        } catch (IOException e) {
            throw new NodeException("cannot start container %s of %s".formatted(container.name(), record.key()), e);
        }
    }

    List<String> fullCommand() {
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/setsid",
                "/usr/bin/nsenter",
                "--net=/run/netns/" + record.names().namespace(),
                "--"));
        command.addAll(commandLine);
        return command;
    }

    /// The container's own variables come last and win.
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", PATH);
        environment.put("HOME", "/");
        environment.put("HOSTNAME", record.key().name());
        environment.put("POD_NAME", record.key().name());
        environment.put("POD_NAMESPACE", record.key().namespace());
        environment.put(
                "POD_IP",
                record.addresses().stream().findFirst().map(Ip::toString).orElse(""));
        environment.putAll(container.env());
        return environment;
    }

    /// A process that ended already has no start time any more, and needs none.
    private static ProcessId id(Process process) {
        return ProcessId.find(process.pid()).orElse(new ProcessId(process.pid(), 0));
    }
}
