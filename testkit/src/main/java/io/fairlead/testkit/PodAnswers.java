package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.testkit.Caller.Result;
import io.fairlead.testkit.Caller.Result.Answer;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What results of a [Caller] say of the pods; a call that was not answered fails the test.
public final class PodAnswers {
    private PodAnswers() {}

    /// How many answers came from each pod.
    public static Map<Integer, Long> answersByPod(List<Result> results) {
        return results.stream().collect(Collectors.groupingBy(PodAnswers::pod, Collectors.counting()));
    }

    public static int pod(Result result) {
        return answer(result).pod();
    }

    /// The address that the pod saw.
    public static Ip source(Result result) {
        return answer(result).source();
    }

    private static Answer answer(Result result) {
        assertThat(result).isInstanceOf(Answer.class);
        return (Answer) result;
    }
}
