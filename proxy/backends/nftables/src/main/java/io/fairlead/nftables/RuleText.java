package io.fairlead.nftables;

import io.fairlead.api.Family;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// A rule as `nft list` spells it, made from its steps: what a register holds is a text instead of a value.
final class RuleText {
    /// What a register holds; `mask` is empty if nothing was masked away.
    private record Symbol(PacketField field, String text, Bytes mask) {}

    private final Family family;
    private final Map<Integer, Symbol> registers = new HashMap<>();
    private final List<String> statements = new ArrayList<>();

    private RuleText(Family family) {
        this.family = family;
    }

    static String format(Rule rule, Family family) {
        RuleText text = new RuleText(family);
        rule.steps().forEach(text::step);
        return String.join(" ", text.statements);
    }

    private void step(Expression step) {
        switch (step) {
            case Expression.Load(PacketField field, int into) -> put(into, field, field.text(family));
            case Expression.Choose choose -> put(choose.into(), PacketField.INDEX, text(choose));
            case Expression.Remember remember -> statements.add(text(remember));
            case Expression.Count(int key, int seconds) ->
                statements.add("update @%s { %s timeout %ds }"
                        .formatted(SetShape.CONNECTION.text(), keyText(SetShape.CONNECTION, key), seconds));
            case Expression.SetMark(int from) -> statements.add("meta mark set " + at(from).text());
            case Expression.Mask mask -> mask(mask);
            case Expression.Compare compare -> statements.add(compare(compare));
            case Expression.Lookup lookup -> lookup(lookup);
            case Expression.Dnat(int address, var _) ->
                statements.add("dnat to " + at(address).text());
            case Expression.Masquerade _ -> statements.add("masquerade fully-random");
            case Expression.RejectWithReset _ -> statements.add("reject with tcp reset");
            case Expression.RejectUnreachable _ -> statements.add("reject");
            case Expression.Jump(String chain) -> statements.add("jump " + chain);
            case Expression.Goto(String chain) -> statements.add("goto " + chain);
            case Expression.Return _ -> statements.add("return");
            case Expression.Drop _ -> statements.add("drop");
        }
    }

    private static String text(Expression.Choose step) {
        return (step.inTurn() ? "numgen inc mod " : "numgen random mod ")
                + step.count()
                + (step.first() == 0 ? "" : " offset " + step.first());
    }

    private String text(Expression.Remember step) {
        String timeout = step.seconds() == 0 ? "" : " timeout %ds".formatted(step.seconds());
        return "%s @%s { %s%s : %s }"
                .formatted(
                        step.note().name().toLowerCase(Locale.ROOT),
                        SetShape.AFFINITY.text(),
                        keyText(SetShape.AFFINITY, step.key()),
                        timeout,
                        at(step.value()).text());
    }

    private void put(int register, PacketField field, String text) {
        registers.put(register, new Symbol(field, text, Bytes.NONE));
    }

    private Symbol at(int register) {
        return Objects.requireNonNull(registers.get(register), () -> "nothing was loaded into register " + register);
    }

    private void mask(Expression.Mask step) {
        Symbol symbol = at(step.register());
        String text = symbol.text();
        if (symbol.field() == PacketField.MARK) {
            int flip = step.flip().number();
            text += flip == 0 ? " & 0x%08x".formatted(step.mask().number()) : " | 0x%08x".formatted(flip);
        } else if (symbol.field() == PacketField.STATUS) {
            text += " dnat"; // the one that we ask for
        } else if (symbol.field().isAddress()) {
            text += " & " + step.mask().ip();
        }
        registers.put(step.register(), new Symbol(symbol.field(), text, step.mask()));
    }

    private String compare(Expression.Compare step) {
        Symbol symbol = at(step.register());
        if (symbol.field() == PacketField.STATUS) {
            return symbol.text();
        }
        String value = symbol.field().format(step.value());
        boolean prefix = symbol.field().isAddress() && symbol.mask().length() > 0;
        return (prefix ? symbol.field().text(family) : symbol.text())
                + (step.equal() ? " " : " != ")
                + (prefix ? value + "/" + symbol.mask().prefix() : value);
    }

    private void lookup(Expression.Lookup step) {
        String key = keyText(step.set(), step.key());
        if (step.set().isVerdictMap()) {
            statements.add(key + " vmap @" + step.set().text());
        } else if (step.set().isMap()) {
            put(
                    step.into(),
                    step.set().data().getFirst(),
                    key + " map @" + step.set().text());
        } else {
            statements.add(key + " @" + step.set().text());
        }
    }

    private String keyText(SetShape set, int first) {
        int[] register = {first};
        return set.key().stream()
                .map(field -> {
                    String text = at(register[0]).text();
                    register[0] += field.registers(family);
                    return text;
                })
                .collect(Collectors.joining(" . "));
    }
}
