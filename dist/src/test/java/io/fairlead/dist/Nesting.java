package io.fairlead.dist;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreeScanner;
import org.jspecify.annotations.Nullable;

/// How deep conditions, loops and tries stand inside each other in a method. An `else if` is as deep as its `if`.
final class Nesting extends TreeScanner<@Nullable Void, @Nullable Void> {
    private int depth;
    private int deepest;

    private Nesting() {}

    static int of(BlockTree body) {
        Nesting nesting = new Nesting();
        nesting.scan(body, null);
        return nesting.deepest;
    }

    @Override
    public @Nullable Void scan(@Nullable Tree tree, @Nullable Void unused) {
        if (!deepens(tree)) {
            return super.scan(tree, null);
        }
        depth++;
        deepest = Math.max(deepest, depth);
        super.scan(tree, null);
        depth--;
        return null;
    }

    @Override
    public @Nullable Void visitIf(IfTree condition, @Nullable Void unused) {
        scan(condition.getCondition(), null);
        scan(condition.getThenStatement(), null);
        if (condition.getElseStatement() instanceof IfTree other) {
            return visitIf(other, null);
        }
        return scan(condition.getElseStatement(), null);
    }

    /// The methods of a class inside a method are counted by themselves.
    @Override
    public @Nullable Void visitClass(ClassTree inner, @Nullable Void unused) {
        return null;
    }

    private static boolean deepens(@Nullable Tree tree) {
        return switch (tree) {
            case IfTree _, ForLoopTree _, EnhancedForLoopTree _, WhileLoopTree _, DoWhileLoopTree _ -> true;
            case SwitchTree _, TryTree _ -> true;
            case null, default -> false;
        };
    }
}
