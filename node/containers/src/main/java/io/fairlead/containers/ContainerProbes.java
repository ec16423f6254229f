package io.fairlead.containers;

import io.fairlead.api.Pod;
import io.fairlead.runtime.TaskGroup;

/// The three questions of one container that runs: has it started, is it ready, does it live.
///
/// The last two are asked once it has started. A container that fails the first or the last one is to be stopped.
public final class ContainerProbes {
    private final ContainerProcess process;
    private final Prober startup;
    private final Prober readiness;
    private final Prober liveness;

    /// `ready` as long as no answer says otherwise.
    public ContainerProbes(Pod.Container container, ContainerProcess process, boolean ready) {
        this.process = process;
        this.startup = new Prober(container.startupProbe(), true);
        this.readiness = new Prober(
                container.readinessProbe(), ready || !container.readinessProbe().asks());
        this.liveness = new Prober(container.livenessProbe(), true);
    }

    public boolean isStarted() {
        return !startup.probe().asks() || startup.saidYes();
    }

    public boolean isReady() {
        return isStarted() && readiness.isReady();
    }

    public boolean hasFailed() {
        return (!startup.isReady() && !startup.saidYes()) || !liveness.isReady();
    }

    /// How long it may take to end after it failed; below 0 as long as its pod says.
    public int graceSeconds() {
        return liveness.isReady()
                ? startup.probe().graceSeconds()
                : liveness.probe().graceSeconds();
    }

    /// Starts to ask; `changed` is rung when an answer matters.
    public void start(ProbeQuestion question, TaskGroup tasks, Runnable changed) {
        String name = question.container().name();
        boolean asks = startup.probe().asks()
                || readiness.probe().asks()
                || liveness.probe().asks();
        if (asks) {
            tasks.keep("probe/" + name, () -> {
                if (startup.probe().asks()) {
                    startup.run(question, () -> process.isAlive() && !startup.saidYes(), changed);
                }
                if (liveness.probe().asks()) {
                    tasks.keep("live/" + name, () -> liveness.run(question, process::isAlive, changed));
                }
                if (readiness.probe().asks()) {
                    readiness.run(question, process::isAlive, changed);
                }
            });
        }
    }
}
