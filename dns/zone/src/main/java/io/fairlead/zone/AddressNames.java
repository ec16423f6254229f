package io.fairlead.zone;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.Optional;

/// The names that addresses have.
public final class AddressNames {
    private static final Name IPV4 = Name.of("in-addr.arpa");
    private static final Name IPV6 = Name.of("ip6.arpa");

    private AddressNames() {}

    /// The name at which PTR records of an address are: `10.0.96.10.in-addr.arpa`.
    public static Name reverse(Ip ip) {
        Name name = ip.family() == Family.IPV4 ? IPV4 : IPV6;
        for (byte one : ip.bytes()) {
            if (ip.family() == Family.IPV4) {
                name = name.child(Integer.toString(one & 0xff));
            } else {
                name = name.child(Integer.toHexString(one >> 4 & 0xf)).child(Integer.toHexString(one & 0xf));
            }
        }
        return name;
    }

    /// Whether names of addresses are there.
    public static boolean isReverse(Name name) {
        return name.isWithin(IPV4) || name.isWithin(IPV6);
    }

    /// An address as one label: `10-244-1-5`, `fd00--5`.
    static String dashed(Ip ip) {
        String text = ip.toString().replace('.', '-').replace(':', '-');
        return text.endsWith("-") ? text + "0" : text;
    }

    /// The address that a label spells with dashes.
    static Optional<Ip> undashed(String label) {
        boolean four = label.chars().filter(c -> c == '-').count() == 3 && !label.contains("--");
        return Ip.find(label.replace('-', four ? '.' : ':'));
    }
}
