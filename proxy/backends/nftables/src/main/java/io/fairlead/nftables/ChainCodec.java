package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkAttributes.Attribute;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Hook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Chains and rules as netlink attributes, NFTA_CHAIN_* and NFTA_RULE_*, and back. Pure.
final class ChainCodec {
    private static final int CHAIN_TABLE = 1;
    private static final int CHAIN_NAME = 3;
    private static final int CHAIN_HOOK = 4;
    private static final int CHAIN_POLICY = 5;
    private static final int CHAIN_TYPE = 7;
    private static final int HOOK_NUMBER = 1;
    private static final int HOOK_PRIORITY = 2;
    private static final int ACCEPT = 1;

    static final int RULE_TABLE = 1;
    private static final int RULE_CHAIN = 2;
    private static final int RULE_EXPRESSIONS = 4;
    private static final int ITEM = 1;

    private final Family family;
    private final ExpressionCodec expressions;

    ChainCodec(Family family) {
        this.family = family;
        this.expressions = new ExpressionCodec(family);
    }

    static void encodeName(Chain chain, String table, NetlinkWriter writer) {
        writer.text(CHAIN_TABLE, table).text(CHAIN_NAME, chain.name());
    }

    static void encode(Chain chain, String table, NetlinkWriter writer) {
        encodeName(chain, table, writer);
        Hook hook = chain.hook();
        if (hook != Hook.NONE) {
            writer.open(CHAIN_HOOK).be32(HOOK_NUMBER, hook.number()).be32(HOOK_PRIORITY, hook.priority());
            writer.close().text(CHAIN_TYPE, hook.type()).be32(CHAIN_POLICY, ACCEPT);
        }
    }

    /// Says whose rules are meant: those of a whole chain.
    static void encodeRules(Chain chain, String table, NetlinkWriter writer) {
        writer.text(RULE_TABLE, table).text(RULE_CHAIN, chain.name());
    }

    void encode(Rule rule, NetlinkWriter writer) {
        writer.open(RULE_EXPRESSIONS);
        for (Expression step : rule.steps()) {
            writer.open(ITEM);
            expressions.encode(step, writer);
            writer.close();
        }
        writer.close();
    }

    static boolean isIn(String table, NetlinkAttributes chain) {
        return chain.text(CHAIN_TABLE).equals(table);
    }

    /// The chain that these attributes are, without its rules; nothing if no chain of ours begins where it does.
    Optional<Chain> decode(NetlinkAttributes chain) {
        NetlinkAttributes place = chain.nested(CHAIN_HOOK);
        return Hook.find(chain.text(CHAIN_TYPE), place.be32(HOOK_NUMBER), place.be32(HOOK_PRIORITY))
                .filter(hook -> hook == Hook.NONE || chain.be32(CHAIN_POLICY) == ACCEPT)
                .map(hook -> new Chain(family, chain.text(CHAIN_NAME), hook, List.of()));
    }

    static String chainOfRule(NetlinkAttributes rule) {
        return rule.text(RULE_CHAIN);
    }

    /// The rule that these attributes are; nothing if it has a step that this program never writes.
    Optional<Rule> decodeRule(NetlinkAttributes rule) {
        List<Expression> steps = new ArrayList<>();
        for (Attribute item : rule.nested(RULE_EXPRESSIONS).all()) {
            Optional<Expression> step = expressions.decode(item.nested());
            if (step.isEmpty()) {
                return Optional.empty();
            }
            steps.add(step.get());
        }
        return Optional.of(new Rule(steps));
    }
}
