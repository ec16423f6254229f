package io.fairlead.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class EtcdQueueTest {
    private static final int LARGE = 600 << 10;

    private final EtcdQueue queue = new EtcdQueue();

    private PendingWrite<StoreWrite.OfKey> put(String key, int size, Revision expected) {
        PendingWrite<StoreWrite.OfKey> write =
                new PendingWrite<>(List.of(new Store.Put(key, new byte[size], expected)));
        queue.add(write);
        return write;
    }

    private PendingWrite<StoreWrite.OfKey> create(String key) {
        return put(key, 100, Revision.ZERO);
    }

    private static List<String> keys(List<PendingWrite<StoreWrite.OfKey>> group) {
        return group.stream()
                .flatMap(write -> write.writes().stream())
                .map(StoreWrite.OfKey::key)
                .toList();
    }

    @Test
    void all_that_wait_go_together_with_no_two_of_one_place() throws Exception {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            keys.add("services/default/web-" + i);
            create(keys.getLast());
        }
        List<PendingWrite<StoreWrite.OfKey>> group = queue.take();
        assertThat(keys(group)).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(keys(group)).extracting(EtcdRevisions::place).doesNotHaveDuplicates();
    }

    @Test
    void a_group_is_no_larger_than_etcd_takes() throws Exception {
        for (int i = 0; i < 100; i++) {
            create("key" + i);
        }
        assertThat(queue.take()).hasSize(64);
        assertThat(queue.take()).hasSizeBetween(20, 36); // but for those that wait for a place
    }

    @Test
    void a_large_write_goes_alone() throws Exception {
        create("a");
        put("large", LARGE, Revision.ZERO);
        create("b");
        List<PendingWrite<StoreWrite.OfKey>> first = queue.take();
        assertThat(keys(first)).containsExactlyInAnyOrder("a", "b");
        first.forEach(write -> write.answer(List.of(new Outcome.Done(new Revision(1)))));
        create("c");
        queue.release(first);
        assertThat(keys(queue.take())).containsExactly("large");
    }

    @Test
    void of_two_writes_of_one_key_the_second_waits_for_the_first_and_loses_by_it() throws Exception {
        create("a");
        PendingWrite<StoreWrite.OfKey> second = create("a");
        PendingWrite<StoreWrite.OfKey> third = put("a", 1, EtcdRevisions.of("a", 9));
        List<PendingWrite<StoreWrite.OfKey>> group = queue.take();
        assertThat(group).hasSize(1);
        Revision written = EtcdRevisions.of("a", 7);
        group.getFirst().answer(List.of(new Outcome.Done(written)));
        queue.release(group);
        assertThat(second.await()).containsExactly(new Outcome.Conflict(written));
        // this one knows more than we do: another server may have written since
        assertThat(queue.take()).containsExactly(third);
    }

    @Test
    void writes_of_one_caller_go_together_or_wait_together_and_lose_together() throws Exception {
        create("a");
        List<PendingWrite<StoreWrite.OfKey>> first = queue.take();
        PendingWrite<StoreWrite.OfKey> both = new PendingWrite<>(List.of(
                new Store.Put("b", new byte[1], Revision.ZERO), new Store.Put("a", new byte[1], Revision.ZERO)));
        queue.add(both);
        for (int i = 0; i < 16; i++) {
            create("key" + i);
        }
        assertThat(queue.take()).hasSize(16).doesNotContain(both);
        Revision written = EtcdRevisions.of("a", 7);
        first.getFirst().answer(List.of(new Outcome.Done(written)));
        queue.release(first);
        assertThat(both.await()).containsExactly(new Outcome.Conflict(Revision.ZERO), new Outcome.Conflict(written));
    }

    @Test
    void after_a_delete_the_key_may_be_created_by_one_who_waited() throws Exception {
        Revision there = EtcdRevisions.of("a", 7);
        PendingWrite<StoreWrite.OfKey> delete = new PendingWrite<>(List.of(new StoreWrite.Delete("a", there)));
        queue.add(delete);
        PendingWrite<StoreWrite.OfKey> create = create("a");
        List<PendingWrite<StoreWrite.OfKey>> group = queue.take();
        assertThat(group).containsExactly(delete);
        delete.answer(List.of(new Outcome.Done(EtcdRevisions.of("a", 8))));
        queue.release(group);
        assertThat(queue.take()).containsExactly(create);
    }

    @Test
    void few_wait_for_those_on_their_way_but_many_do_not() throws Exception {
        create("first");
        List<PendingWrite<StoreWrite.OfKey>> first = queue.take();
        for (int i = 0; i < 15; i++) {
            create("key" + i);
        }
        AtomicReference<List<PendingWrite<StoreWrite.OfKey>>> taken = new AtomicReference<>(List.of());
        Thread taker = Thread.ofVirtual().unstarted(() -> {
            try {
                taken.set(queue.take());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        taker.start();
        while (taker.getState() != Thread.State.WAITING) {
            assertThat(taker.isAlive())
                    .as("15 were taken though one is on its way")
                    .isTrue();
            Thread.onSpinWait();
        }
        assertThat(taken.get()).isEmpty();
        create("key15");
        assertThat(taker.join(Duration.ofSeconds(10))).as("16 were taken").isTrue();
        assertThat(keys(taken.get())).hasSize(16).contains("key0", "key15");
        first.forEach(write -> write.answer(List.of(new Outcome.Done(new Revision(1)))));
        queue.release(first);
    }

    @Test
    void closing_gives_up_what_waits_and_takes_no_more() {
        PendingWrite<StoreWrite.OfKey> waits = create("a");
        queue.close();
        assertThatThrownBy(waits::await).isInstanceOf(StoreException.class).hasMessage("the store is closed");
        assertThatThrownBy(() -> create("b")).isInstanceOf(StoreException.class);
    }
}
