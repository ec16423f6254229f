package io.fairlead.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FairPlacesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static FairPlaces places(int all, int mostOfOne, int mostWaiting, Duration patience) {
        return new FairPlaces(new FairPlaces.Limits(all, mostOfOne, mostWaiting, patience));
    }

    private static FairPlaces.Place now(FairPlaces places, String user) throws InterruptedException {
        Optional<FairPlaces.Place> place = places.take(user);
        assertThat(place).isPresent();
        return place.orElseThrow();
    }

    private static void awaitWaiting(FairPlaces places, int count) throws InterruptedException {
        while (places.waiting() != count) { // the class's timeout ends it
            Thread.sleep(1);
        }
    }

    @Test
    void one_user_leaves_places_for_others() throws Exception {
        FairPlaces places = places(4, 3, 0, LONG);
        for (int i = 0; i < 3; i++) {
            now(places, "busy");
        }
        assertThat(places.take("busy")).isEmpty();
        assertThat(places.take("quiet")).isPresent();
    }

    @Test
    void a_place_that_comes_free_goes_to_the_users_by_turns() throws Exception {
        FairPlaces places = places(1, 1, 10, LONG);
        FairPlaces.Place held = now(places, "first");
        LinkedBlockingQueue<String> order = new LinkedBlockingQueue<>();
        try (TaskGroup tasks = new TaskGroup("users")) {
            for (String user : List.of("busy", "busy", "busy", "quiet")) {
                int before = places.waiting();
                tasks.run(user, () -> {
                    try (FairPlaces.Place _ = now(places, user)) {
                        order.add(user);
                    }
                });
                awaitWaiting(places, before + 1);
            }
            held.close();
            List<String> seen = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                seen.add(String.valueOf(order.poll(30, TimeUnit.SECONDS)));
            }
            assertThat(seen).containsExactly("busy", "quiet", "busy", "busy");
        }
        assertThat(places.taken()).isZero();
    }

    @Test
    void no_one_waits_longer_than_the_patience() throws Exception {
        FairPlaces places = places(1, 1, 10, Duration.ofMillis(20));
        FairPlaces.Place held = now(places, "first");
        assertThat(places.take("second")).isEmpty();
        assertThat(places.waiting()).isZero();
        held.close();
        assertThat(places.take("second")).isPresent();
    }

    @Test
    void only_so_many_requests_of_one_user_wait() throws Exception {
        FairPlaces places = places(1, 1, 2, LONG);
        now(places, "first");
        try (TaskGroup tasks = new TaskGroup("users")) {
            for (int i = 0; i < 2; i++) {
                tasks.run("wait", () -> places.take("busy"));
            }
            awaitWaiting(places, 2);
            assertThat(places.take("busy")).isEmpty();
        }
        assertThat(places.waiting())
                .as("those that were interrupted wait no more")
                .isZero();
    }

    @Test
    void a_place_is_given_back_once() throws Exception {
        FairPlaces places = places(2, 2, 0, LONG);
        FairPlaces.Place place = now(places, "a");
        now(places, "a");
        place.close();
        place.close();
        assertThat(places.taken()).isEqualTo(1);
    }

    @Test
    void a_user_that_was_refused_is_forgotten() throws Exception {
        FairPlaces places = new FairPlaces(new FairPlaces.Limits(1, 1, 0, Duration.ZERO));
        try (FairPlaces.Place _ = places.take("first").orElseThrow()) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(places.take("stranger" + i)).isEmpty();
            }
            assertThat(places.users()).isEqualTo(1);
        }
        assertThat(places.users()).isZero();
    }
}
