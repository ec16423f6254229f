package io.fairlead.containers;

import io.fairlead.api.ContainerSettings.Hook;
import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import io.fairlead.api.Probe;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Does what a container wants to have done when it has started, or before it ends.
public record HookCall(Pod.Container container, Ip address, RuntimeContainer entry) {
    private static final Duration PATIENCE = Duration.ofHours(1);

    /// False if it failed; interrupted when the container is out of grace.
    public boolean run(Hook hook) throws InterruptedException {
        return switch (hook) {
            case Hook.None _ -> true;
            case Hook.Exec(List<String> command) -> runs(command);
            case Hook.Http(Probe.Action.HttpGet get) -> new ProbeQuestion(container, address, entry).answers(get);
            case Hook.Sleep(int seconds) -> {
                Thread.sleep(Duration.ofSeconds(seconds));
                yield true;
            }
        };
    }

    private boolean runs(List<String> command) throws InterruptedException {
        try {
            return new ContainerEntry(entry).succeeds(command, PATIENCE);
        } catch (IOException e) {
            return false;
        }
    }
}
