package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The weights of the endpoints of one slice, from its annotation: `10.244.1.2=3,10.244.2.7=0`.
///
/// The endpoints controller writes it from the annotation `fairlead.io/weight` of the pods, so that a proxy
/// need not watch pods. What cannot be read counts as not written.
record Weights(Map<Ip, Integer> byAddress) {
    static final String ANNOTATION = "fairlead.io/weights";

    private static final Weights NONE = new Weights(Map.of());

    static Weights of(EndpointSlice slice) {
        String text = slice.metadata().annotations().getOrDefault(ANNOTATION, "");
        if (text.isEmpty()) {
            return NONE;
        }
        Map<Ip, Integer> weights = new HashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                Optional<Ip> ip = Ip.find(pair.substring(0, equals).strip());
                Optional<Integer> weight = number(pair.substring(equals + 1).strip());
                ip.ifPresent(address -> weight.ifPresent(number -> weights.put(address, number)));
            }
        }
        return new Weights(Map.copyOf(weights));
    }

    int of(Ip address) {
        return byAddress.isEmpty() ? Target.DEFAULT_WEIGHT : byAddress.getOrDefault(address, Target.DEFAULT_WEIGHT);
    }

    private static Optional<Integer> number(String text) {
        return text.matches("[0-9]{1,5}")
                ? Optional.of(Integer.parseInt(text)).filter(number -> number <= Target.MOST_WEIGHT)
                : Optional.empty();
    }
}
