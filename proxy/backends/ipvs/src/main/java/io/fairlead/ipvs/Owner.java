package io.fairlead.ipvs;

import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.ipvs.IpvsEntry.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Whose a virtual server is, and how long its removed real servers may keep their connections: the kernel keeps it as
/// the comment of a member of a set, `default/web:http drain=30s`. Pure.
///
/// @param drain nothing where the node decides
record Owner(ServicePortName service, Optional<Duration> drain) {
    private static final Pattern TEXT = Pattern.compile("(\\S+)(?: drain=(\\d{1,6})s)?");

    /// What the comment of a member says; nothing where it names no Service.
    static Optional<Owner> find(Member member) {
        Matcher text = TEXT.matcher(member.comment());
        if (!text.matches()) {
            return Optional.empty();
        }
        Optional<Duration> drain =
                Optional.ofNullable(text.group(2)).map(Integer::parseInt).map(Duration::ofSeconds);
        return protocol(member)
                .flatMap(protocol -> ServicePortName.find(text.group(1), protocol))
                .map(service -> new Owner(service, drain));
    }

    /// The virtual servers that connections to this member come to.
    static List<ServerAddress> places(Member member) {
        List<ServerAddress> places = new ArrayList<>();
        if (!member.set().kind().isFrontend()) {
            return places;
        }
        if (member.mark() != 0) {
            places.add(new ServerAddress.Marked(member.set().family(), member.mark()));
        }
        Element element = member.element();
        if (element.address().isPresent() && element.protocol().isPresent() && !isOfNodePort(member)) {
            places.add(new ServerAddress.At(
                    element.address().get().network(), element.protocol().get(), element.port()));
        }
        return places;
    }

    private static boolean isOfNodePort(Member member) {
        return member.set().kind().name().startsWith("NODE_PORT");
    }

    private static Optional<Protocol> protocol(Member member) {
        return member.element()
                .protocol()
                .or(() -> Arrays.stream(Protocol.values())
                        .filter(protocol -> member.set().kind().name().endsWith("_" + protocol.name()))
                        .findFirst());
    }

    @Override
    public String toString() {
        return service
                + drain.map(time -> " drain=%ds".formatted(time.toSeconds())).orElse("");
    }
}
