package io.fairlead.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The text form of IPv6 addresses: RFC 4291 §2.2 in, RFC 5952 out.
final class Ipv6Text {
    private Ipv6Text() {}

    static Optional<Ip> find(String text) {
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            return Optional.empty();
        }
        Optional<List<Integer>> head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        Optional<List<Integer>> tail = gap < 0 ? Optional.of(List.of()) : groups(text.substring(gap + 2), true);
        if (head.isEmpty() || tail.isEmpty()) {
            return Optional.empty();
        }
        int missing = 8 - head.get().size() - tail.get().size();
        if (gap < 0 ? missing != 0 : missing < 1) {
            return Optional.empty();
        }
        List<Integer> all = new ArrayList<>(head.get());
        for (int i = 0; i < missing; i++) {
            all.add(0);
        }
        all.addAll(tail.get());
        return Optional.of(new Ip(Family.IPV6, word(all.subList(0, 4)), word(all.subList(4, 8))));
    }

    static String format(long high, long low) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (int) ((i < 4 ? high >>> (48 - 16 * i) : low >>> (112 - 16 * i)) & 0xffff);
        }
        int start = longestZeroRun(groups);
        if (start < 0) {
            return join(groups, 0, 8);
        }
        int end = start;
        while (end < 8 && groups[end] == 0) {
            end++;
        }
        return join(groups, 0, start) + "::" + join(groups, end, 8);
    }

    /// The first of the longest runs of two or more zero groups, or -1.
    private static int longestZeroRun(int[] groups) {
        int best = -1;
        int bestLength = 1;
        for (int i = 0; i < 8; i++) {
            int length = 0;
            while (i + length < 8 && groups[i + length] == 0) {
                length++;
            }
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
        }
        return best;
    }

    private static String join(int[] groups, int start, int end) {
        StringBuilder text = new StringBuilder();
        for (int i = start; i < end; i++) {
            text.append(i > start ? ":" : "").append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }

    private static Optional<List<Integer>> groups(String text, boolean last) {
        List<Integer> groups = new ArrayList<>();
        if (text.isEmpty()) {
            return Optional.of(groups);
        }
        String[] parts = text.split(":", -1);
        for (int i = 0; i < parts.length; i++) {
            if (last && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
                Optional<Ip> embedded = Ip.findIpv4(parts[i]);
                if (embedded.isEmpty()) {
                    return Optional.empty();
                }
                groups.add((int) (embedded.get().low() >>> 16));
                groups.add((int) (embedded.get().low() & 0xffff));
            } else if (isGroup(parts[i])) {
                groups.add(Integer.parseInt(parts[i], 16));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(groups);
    }

    private static boolean isGroup(String part) {
        return !part.isEmpty()
                && part.length() <= 4
                && part.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
    }

    private static long word(List<Integer> groups) {
        long value = 0;
        for (int group : groups) {
            value = value << 16 | group;
        }
        return value;
    }
}
