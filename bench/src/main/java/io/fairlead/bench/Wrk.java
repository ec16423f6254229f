package io.fairlead.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The load generator `wrk`: 32 connections that ask again as soon as they are answered.
final class Wrk {
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
    private static final Pattern SOCKETS =
            Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
    private static final Pattern CODES = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

    private Wrk() {}

    /// What it saw; `failed` are connections that broke and answers that were no success.
    record Result(double perSecond, long failed) {}

    // Not by Command: wrk finds no place for a socket whose number is above 106, and would have our descriptors.
    static Result run(int port, Duration duration) throws IOException {
        Process wrk = new ProcessBuilder(
                        "wrk",
                        "-t1",
                        "-c32",
                        "-d" + duration.toSeconds() + "s",
                        "-H",
                        "Host: host-7.example.com",
                        "http://127.0.0.1:" + port + "/")
                .redirectErrorStream(true)
                .start();
        String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(output);
        if (!rate.find() || Double.parseDouble(rate.group(1)) == 0) {
            throw new IllegalStateException("wrk: " + output);
        }
        long failed = 0;
        Matcher sockets = SOCKETS.matcher(output);
        if (sockets.find()) {
            for (int i = 1; i <= sockets.groupCount(); i++) {
                failed += Long.parseLong(sockets.group(i));
            }
        }
        Matcher codes = CODES.matcher(output);
        if (codes.find()) {
            failed += Long.parseLong(codes.group(1));
        }
        return new Result(Double.parseDouble(rate.group(1)), failed);
    }
}
