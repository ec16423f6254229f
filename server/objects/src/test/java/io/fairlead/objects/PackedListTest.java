package io.fairlead.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PackedListTest {
    private static final byte[] HEAD = "{\"kind\":\"ConfigMapList\",\"items\":[".getBytes(StandardCharsets.UTF_8);
    private static final int GZIP_HEAD = 10;
    private static final int GZIP_END = 8;

    private final SampleObjects sample = new SampleObjects(1);
    private final ListPieces pieces = new ListPieces(Long.MAX_VALUE);

    private static byte[] plain(List<ApiObject> items) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HEAD);
        for (int i = 0; i < items.size(); i++) {
            out.writeBytes((i == 0 ? "" : ",").getBytes(StandardCharsets.UTF_8));
            ApiObject item = items.get(i);
            out.write('{');
            out.write(item.json(), item.itemStart(), item.json().length - item.itemStart());
        }
        out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private byte[] packed(List<ApiObject> items) throws IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PackedList(HEAD, items).write(pieces, out);
        return out.toByteArray();
    }

    private static byte[] unpacked(byte[] packed) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readAllBytes();
        }
    }

    private List<Piece> piecesOf(List<ApiObject> items) throws InterruptedException {
        List<Piece> all = new ArrayList<>();
        try (PieceMaker maker = new PieceMaker()) {
            for (List<ApiObject> run : ListCuts.runs(items)) {
                all.add(pieces.of(run, maker));
            }
        }
        return all;
    }

    private static Set<Piece> identities(List<Piece> pieces) {
        Set<Piece> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(pieces);
        return set;
    }

    @Test
    void a_list_is_the_same_after_it_was_packed_and_unpacked() throws Exception {
        for (int count : new int[] {0, 1, 2, 1_000}) {
            List<ApiObject> items = sample.many(count, 1_000);
            assertThat(unpacked(packed(items))).isEqualTo(plain(items));
            assertThat(unpacked(packed(items))).as("from pieces that were kept").isEqualTo(plain(items));
        }
    }

    @Test
    void it_is_one_member_for_clients_that_read_the_first_alone() throws Exception {
        List<ApiObject> items = sample.many(1_000, 1_000);
        byte[] packed = packed(items);
        byte[] plain = plain(items);
        byte[] read = new byte[plain.length];
        Inflater inflater = new Inflater(true);
        inflater.setInput(packed, GZIP_HEAD, packed.length - GZIP_HEAD);
        int length = inflater.inflate(read);

        assertThat(inflater.inflate(new byte[1])).isZero();
        assertThat(inflater.finished()).isTrue();
        assertThat(length).isEqualTo(plain.length);
        assertThat(read).isEqualTo(plain);
        assertThat(inflater.getRemaining()).isEqualTo(GZIP_END);
        inflater.end();
        CRC32 sum = new CRC32();
        sum.update(plain);
        ByteBuffer end =
                ByteBuffer.wrap(packed, packed.length - GZIP_END, GZIP_END).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(Integer.toUnsignedLong(end.getInt())).isEqualTo(sum.getValue());
        assertThat(end.getInt()).isEqualTo(plain.length);
    }

    @Test
    void an_object_that_changes_costs_one_piece() throws Exception {
        List<ApiObject> items = new ArrayList<>(sample.many(2_000, 1_000));
        Set<Piece> before = identities(piecesOf(items));
        items.set(1_000, sample.changed(items.get(1_000)));
        List<Piece> now = piecesOf(items);

        assertThat(before).hasSizeGreaterThan(10);
        assertThat(now.stream().filter(piece -> !before.contains(piece))).hasSize(1);
        assertThat(unpacked(packed(items))).isEqualTo(plain(items));
    }

    @Test
    void random_lists_are_what_they_are_now_whatever_was_kept_of_them() throws Exception {
        Random random = new Random(7);
        List<ApiObject> items = new ArrayList<>(sample.many(500, 2_000));
        for (int round = 0; round < 60; round++) {
            int at = random.nextInt(items.size());
            switch (random.nextInt(3)) {
                case 0 -> items.set(at, sample.changed(items.get(at)));
                case 1 -> items.remove(at);
                default -> items.add(at, sample.one("new-" + round, random.nextInt(50_000)));
            }
            int from = random.nextInt(items.size());
            List<ApiObject> page = items.subList(from, from + random.nextInt(items.size() - from));
            assertThat(unpacked(packed(items))).isEqualTo(plain(items));
            assertThat(unpacked(packed(page))).isEqualTo(plain(page));
        }
    }

    @Test
    void lists_at_the_same_time_share_the_pieces_and_each_is_made_once() throws Exception {
        List<ApiObject> items = sample.many(2_000, 1_000);
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Piece>>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(clients.submit(() -> {
                    start.await();
                    return piecesOf(items);
                }));
            }
            start.countDown();
            Set<Piece> made = identities(List.of());
            for (Future<List<Piece>> one : all) {
                made.addAll(one.get());
            }
            assertThat(made).hasSameSizeAs(ListCuts.runs(items));
        }
        assertThat(unpacked(packed(items))).isEqualTo(plain(items));
    }

    @Test
    void lists_and_changes_at_the_same_time_do_not_mix() throws Exception {
        List<ApiObject> first = sample.many(300, 2_000);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                List<ApiObject> items = new ArrayList<>(first);
                items.set(3 * i, sample.changed(first.get(3 * i)));
                all.add(clients.submit(() -> Arrays.equals(unpacked(packed(items)), plain(items))));
            }
            for (Future<Boolean> one : all) {
                assertThat(one.get()).isTrue();
            }
        }
    }
}
