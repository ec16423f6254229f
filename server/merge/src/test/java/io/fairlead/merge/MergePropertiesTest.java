package io.fairlead.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.merge.FieldOwner.Operation;
import io.fairlead.schema.Schemas;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// What holds for all objects, on many of them.
final class MergePropertiesTest {
    private static final KindMerge POD = new KindMerge(Schemas.builtIn(), "v1", "Pod");
    private static final int PODS_A_SEED = 50;

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_difference_of_two_pods_makes_one_from_the_other(long seed) {
        RandomPod pods = new RandomPod(new Random(seed));
        for (int i = 0; i < PODS_A_SEED; i++) {
            ObjectNode before = pods.next();
            ObjectNode after = pods.next();
            JsonNode patch = StrategicDiff.between(before, after);

            assertThat(POD.strategic(before.deepCopy(), patch).orElseThrow())
                    .as("%s of %s", patch, before)
                    .isEqualTo(after);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void to_apply_the_same_again_changes_nothing(long seed) {
        RandomPod pods = new RandomPod(new Random(seed));
        ObjectNode live = Json.object();
        for (int i = 0; i < PODS_A_SEED; i++) {
            ObjectNode config = pods.next();
            live = apply(live, config, i % 3, i);

            assertThat(apply(live, config, i % 3, i + 1)).isEqualTo(live);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void after_an_apply_the_object_holds_all_of_it_and_who_applies_alone_gets_nothing_else(long seed) {
        RandomPod pods = new RandomPod(new Random(seed));
        ObjectNode live = Json.object();
        for (int i = 0; i < PODS_A_SEED; i++) {
            ObjectNode config = pods.next();
            live = apply(live, config, 0, i);
            ObjectNode plain = live.deepCopy();
            plain.withObjectProperty("metadata").remove("managedFields");

            assertThat(plain).isEqualTo(config);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_books_survive_being_written_and_read(long seed) {
        RandomPod pods = new RandomPod(new Random(seed));
        ObjectNode live = Json.object();
        for (int i = 0; i < PODS_A_SEED; i++) {
            live = apply(live, pods.next(), i % 4, i);
            ObjectNode copy = live.deepCopy();
            Ownership.of(live).writeTo(copy);

            assertThat(copy).isEqualTo(live);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void what_comes_with_a_pod_is_what_goes_with_it(long seed) {
        Shape shape = new Shapes(Schemas.builtIn())
                .of(Schemas.builtIn().find("v1", "Pod").orElseThrow());
        RandomPod pods = new RandomPod(new Random(seed));
        for (int i = 0; i < PODS_A_SEED; i++) {
            ObjectNode pod = pods.next();
            FieldSet comes =
                    Comparison.between(shape, MissingNode.getInstance(), pod).added();
            FieldSet goes =
                    Comparison.between(shape, pod, MissingNode.getInstance()).removed();

            assertThat(comes).isEqualTo(goes);
            assertThat(comes.paths()).isNotEmpty();
        }
    }

    private static ObjectNode apply(ObjectNode live, ObjectNode config, int owner, int second) {
        FieldOwner who = new FieldOwner("owner-" + owner, Operation.APPLY, "v1", "");
        String now = "2026-01-01T00:%02d:%02dZ".formatted(second / 60, second % 60);
        return switch (POD.apply(live, config, new ServerSideApply.Request(who, true, now))) {
            case Applied.Done(ObjectNode object) -> object;
            case Applied.Refused refused -> throw new AssertionError(refused.message());
        };
    }
}
