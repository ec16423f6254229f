package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import java.time.Duration;
import java.util.List;

/// How the mode is set up on a node.
///
/// @param scheduler for Services that ask for none
/// @param device which bears the addresses of Services; `kube-ipvs0` is made and taken away, others are only used
/// @param prefix the length of the network of these addresses; one longer than an address has bits is cut
/// @param excluded networks whose virtual servers are never ours
/// @param strictArp whether the node answers for addresses of the asked device alone
/// @param drain how long a removed real server may keep its connections, where its Service does not say
/// @param compare how often all is compared with what the kernel holds
/// @param timeouts how long the kernel remembers idle connections
public record IpvsOptions(
        String scheduler,
        String device,
        int prefix,
        List<Cidr> excluded,
        boolean strictArp,
        Duration drain,
        Duration compare,
        IpvsTimeouts timeouts) {
    /// The device that is made if it is not there.
    public static final String OWN_DEVICE = "kube-ipvs0";

    public static final IpvsOptions DEFAULT = new IpvsOptions(
            "rr",
            OWN_DEVICE,
            128,
            List.of(),
            false,
            Duration.ofMinutes(15),
            Duration.ofSeconds(30),
            IpvsTimeouts.AS_THEY_ARE);

    public IpvsOptions {
        excluded = List.copyOf(excluded);
    }

    public IpvsOptions withScheduler(String scheduler) {
        return new IpvsOptions(scheduler, device, prefix, excluded, strictArp, drain, compare, timeouts);
    }

    public IpvsOptions withDevice(String device, int prefix) {
        return new IpvsOptions(scheduler, device, prefix, excluded, strictArp, drain, compare, timeouts);
    }

    public IpvsOptions withExcluded(List<Cidr> excluded) {
        return new IpvsOptions(scheduler, device, prefix, excluded, strictArp, drain, compare, timeouts);
    }

    public IpvsOptions withStrictArp(boolean strictArp) {
        return new IpvsOptions(scheduler, device, prefix, excluded, strictArp, drain, compare, timeouts);
    }

    public IpvsOptions withDrain(Duration drain) {
        return new IpvsOptions(scheduler, device, prefix, excluded, strictArp, drain, compare, timeouts);
    }

    public IpvsOptions withCompare(Duration compare) {
        return new IpvsOptions(scheduler, device, prefix, excluded, strictArp, drain, compare, timeouts);
    }

    public IpvsOptions withTimeouts(IpvsTimeouts timeouts) {
        return new IpvsOptions(scheduler, device, prefix, excluded, strictArp, drain, compare, timeouts);
    }

    boolean ownsDevice() {
        return device.equals(OWN_DEVICE);
    }
}
