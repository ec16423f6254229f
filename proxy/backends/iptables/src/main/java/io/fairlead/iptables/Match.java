package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import java.util.ArrayList;
import java.util.List;

/// Which packets a rule is about, built up word by word; a verdict or a jump makes it a [Rule].
///
/// Addresses, interface and protocol stand in front, then the modules in the order in which they were added: so does
/// `iptables-save` print them.
record Match(String source, String destination, String input, String protocol, List<String> modules) {
    static final Match ANY = new Match("", "", "", "", List.of());

    Match from(Cidr network) {
        return new Match("-s " + network, destination, input, protocol, modules);
    }

    Match from(Ip ip) {
        return from(new Cidr(ip, ip.family().bits()));
    }

    Match notFrom(Cidr network) {
        return new Match("! -s " + network, destination, input, protocol, modules);
    }

    Match to(Cidr network) {
        return new Match(source, "-d " + network, input, protocol, modules);
    }

    Match to(Ip ip) {
        return to(new Cidr(ip, ip.family().bits()));
    }

    Match notTo(Cidr network) {
        return new Match(source, "! -d " + network, input, protocol, modules);
    }

    /// What came in through an interface; a `+` at the end of the name stands for any more letters.
    Match through(String name) {
        return new Match(source, destination, "-i " + name, protocol, modules);
    }

    Match notThrough(String name) {
        return new Match(source, destination, "! -i " + name, protocol, modules);
    }

    Match of(Protocol transport) {
        return new Match(source, destination, input, "-p " + transport.lowerCase(), modules)
                .with(transport.lowerCase());
    }

    Match of(Protocol transport, int port) {
        return new Match(source, destination, input, "-p " + transport.lowerCase(), modules)
                .with("%s --dport %d".formatted(transport.lowerCase(), port));
    }

    Match comment(String text) {
        return with("comment --comment \"%s\"".formatted(text));
    }

    /// To one of the node's own addresses.
    Match toOwnAddress() {
        return with("addrtype --dst-type LOCAL");
    }

    /// From one of the node's own addresses: sent by its own processes.
    Match fromOwnAddress() {
        return with("addrtype --src-type LOCAL");
    }

    Match state(String states) {
        return with("conntrack --ctstate " + states);
    }

    /// With the words of one module of iptables.
    Match with(String module) {
        List<String> more = new ArrayList<>(modules);
        more.add("-m " + module);
        return new Match(source, destination, input, protocol, List.copyOf(more));
    }

    /// A rule that leads to a chain, or says what becomes of the packet.
    Rule then(String target) {
        return rule("-j " + target);
    }

    Rule reject(Family family) {
        return then("REJECT --reject-with " + (family == Family.IPV4 ? "icmp" : "icmp6") + "-port-unreachable");
    }

    Rule drop() {
        return then("DROP");
    }

    /// A rule that does nothing but stand there for people to read.
    Rule note() {
        return rule("");
    }

    private Rule rule(String action) {
        List<String> words = new ArrayList<>(List.of(source, destination, input, protocol));
        words.addAll(modules);
        words.add(action);
        words.removeIf(String::isEmpty);
        return new Rule(String.join(" ", words));
    }
}
