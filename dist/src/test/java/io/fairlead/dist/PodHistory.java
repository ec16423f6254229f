package io.fairlead.dist;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What became of the pods of one label, and in which order, as kubectl saw it.
final class PodHistory implements AutoCloseable {
    private final Session watch;

    private PodHistory(Session watch) {
        this.watch = watch;
    }

    static PodHistory follow(Kubectl kubectl, String label) throws IOException {
        return new PodHistory(kubectl.start("get pods -l " + label
                + " --watch --output-watch-events --no-headers -o"
                + " custom-columns=EVENT:.type,NAME:.object.metadata.name,"
                + "READY:.object.status.containerStatuses[0].ready,LEAVING:.object.metadata.deletionTimestamp"));
    }

    /// One line each: `added POD`, `ready POD`, `leaving POD`, `deleted POD`.
    List<String> steps() {
        List<String> steps = new ArrayList<>();
        Set<String> ready = new HashSet<>();
        Set<String> leaving = new HashSet<>();
        for (String line : watch.printed().lines().toList()) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length == 4) { // else it is one that is just being written
                addSteps(steps, words, ready, leaving);
            }
        }
        return steps;
    }

    private static void addSteps(List<String> steps, String[] words, Set<String> ready, Set<String> leaving) {
        String pod = words[1];
        if (words[0].equals("ADDED")) {
            steps.add("added " + pod);
        }
        if (words[2].equals("true") && ready.add(pod)) {
            steps.add("ready " + pod);
        }
        if (!words[3].equals("<none>") && leaving.add(pod)) {
            steps.add("leaving " + pod);
        }
        if (words[0].equals("DELETED")) {
            steps.add("deleted " + pod);
            ready.remove(pod);
            leaving.remove(pod);
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
