package io.fairlead.commands;

import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A program that was busy once: it took 200 MB and needs none of it any more. Prints the size of its heap at once, and
/// again when it is small or half a minute has passed. With `none` as its argument nothing gives memory back.
final class IdleMain {
    private static final long SMALL = 100L << 20;

    private IdleMain() {}

    @SuppressWarnings("SystemOut") // another process reads it
    public static void main(String[] args) throws InterruptedException {
        System.out.println(busy());
        try (TaskGroup tasks = new TaskGroup("idle")) {
            if (args.length == 0) {
                tasks.run("memory", () -> IdleMemory.run(Duration.ofMillis(300)));
            }
            int looks = args.length == 0 ? 300 : 30;
            for (int i = 0; i < looks && Runtime.getRuntime().totalMemory() > SMALL; i++) {
                Thread.sleep(100);
            }
        }
        System.out.println(Runtime.getRuntime().totalMemory());
    }

    private static long busy() {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            kept.add(new byte[1 << 20]);
        }
        return kept.isEmpty() ? 0 : Runtime.getRuntime().totalMemory();
    }
}
