import fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { IntakeBudget } from './intake-budget.ts';
import { IntakeThreads, type ThreadLimits } from './intake-threads.ts';
import { type Intake, StateIntake } from './state-intake.ts';

const keys = { seal: new Uint8Array(32).fill(1), hash: new Uint8Array(32).fill(2) };
const version = { id: 'sv-1', createdAt: 1 };
const limits: ThreadLimits = { waitingBytes: 1_000_000, idleMs: 60_000, heapMb: 64, answerMs: 60_000 };
const stateOf = (instances: readonly object[], outputs: object = {}) =>
  Buffer.from(
    JSON.stringify({
      ...{ version: 4, serial: 1, lineage: 'l', outputs },
      resources: [{ mode: 'managed', type: 't', name: 'n', provider: 'p', instances }],
    }),
  );

const reported: unknown[] = [];
afterEach(() => reported.splice(0));

function startThreads(changed: Partial<ThreadLimits> = {}): IntakeThreads {
  const threads = new IntakeThreads((error) => reported.push(error), { ...limits, ...changed });
  onTestFinished(() => threads.stop());
  return threads;
}

/** Collects all results of a state and closes it. */
async function outcomeOf(intake: Intake, bytes: Buffer, before?: Uint8Array) {
  const sealed: Uint8Array[] = [];
  try {
    const size = 131_072;
    for (let at = 0; at === 0 || at < bytes.length; at += size) {
      const chunk = new Uint8Array(bytes.subarray(at, at + size));
      sealed.push(...(await intake.take(chunk, at + size >= bytes.length)));
    }
    const { taken } = intake;
    const { outputs, resources, overview, ...facts } = await intake.describe({ before, version });
    const packed = [...sealed, outputs, resources, overview].map((part) => Buffer.from(part).toString('hex'));
    return { taken, facts, packed, resources };
  } finally {
    intake.close();
  }
}

describe('a state in a worker thread', () => {
  const hostile = [
    Buffer.from('['.repeat(300_000)),
    Buffer.from(`{"version":4,"resources":${'[{"instances":'.repeat(5_000)}`),
    Buffer.from(`{"version":4,"serial":${'9'.repeat(200_000)}}`),
    Buffer.from(`{"version":4,${Array.from({ length: 30_000 }, (_, i) => `"k${i}":1e999`).join(',')}}`),
    Buffer.from(`{"version":4,"version":3,"resources":[{"instances":[${'{},'.repeat(60_000)}{}]}]}`),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22]),
    Buffer.alloc(0),
  ];

  it('has the same results as one in the main thread', async () => {
    const threads = startThreads();
    const alike = async (bytes: Buffer, before?: Uint8Array) => {
      const copy = before && new Uint8Array(before);
      const [here, there] = [
        await outcomeOf(new StateIntake(keys), bytes, before),
        await outcomeOf(threads.open(keys), bytes, copy),
      ];
      expect(there).toEqual(here);
      return here.resources;
    };
    for (const bytes of hostile) await alike(bytes);
    const large = Array.from({ length: 300 }, (_, i) => ({ index_key: i, attributes: { data: 'v'.repeat(1_000), i } }));
    const before = await alike(stateOf(large, { a: { value: 1, type: 'number' } }));
    await alike(stateOf(large.slice(10)), before);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json().map(Buffer.from), fc.uint8Array().map(Buffer.from)), async (bytes) => {
        await alike(bytes);
        await alike(stateOf([{ index_key: 'a', attributes: { text: bytes.toString() } }]), before);
      }),
      { numRuns: 30 },
    );
    expect(reported).toEqual([]);
  });

  it('that uses up the memory terminates only its thread: the next thread takes the others', async () => {
    const threads = startThreads({ heapMb: 16 });
    const name = 'k'.repeat(1_000);
    const many = stateOf(Array.from({ length: 20_000 }, (_, i) => ({ index_key: `${name}${i}` })));
    await expect(outcomeOf(threads.open(keys), many)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(reported).toHaveLength(1);
    expect((await outcomeOf(threads.open(keys), stateOf([{ index_key: 'a' }]))).facts.resourceCount).toBe(1);
  });

  it('that gets no answer fails', async () => {
    const threads = startThreads({ answerMs: 1 });
    const refused = { kind: 'unavailable', message: 'The server could not process the state. Send it again' };
    await expect(outcomeOf(threads.open(keys), stateOf([]))).rejects.toMatchObject(refused);
    expect(String(reported[0])).toContain('does not answer');
  });

  it('is processed in parallel with others, and an abandoned one blocks none', async () => {
    const threads = startThreads({ waitingBytes: 200_000 });
    const bytes = stateOf(Array.from({ length: 500 }, (_, i) => ({ index_key: i, attributes: 'v'.repeat(1_000) })));
    const left = threads.open(keys);
    const chunk = () => new Uint8Array(131_072);
    const taking = Promise.allSettled([left.take(chunk(), false), left.take(chunk(), false)]);
    left.close();
    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(threads.open(keys), bytes)));
    expect(new Set(outcomes.map(({ taken }) => taken?.md5)).size).toBe(1);
    expect(outcomes[0]?.facts.resourceCount).toBe(500);
    await taking;
    threads.stop();
    expect((await outcomeOf(threads.open(keys), bytes)).facts.resourceCount).toBe(500);
  });
});

describe('the budget of bytes', () => {
  it('is granted in order and never exceeded, except by a single large request', async () => {
    const room = new IntakeBudget(10);
    const entered: string[] = [];
    const enter = async (name: string, bytes: number) => {
      await room.reserve(bytes);
      entered.push(name);
    };
    const all = [enter('a', 6), enter('b', 4), enter('c', 5), enter('d', 1), enter('large', 100)];
    await expect.poll(() => entered).toEqual(['a', 'b']);
    room.release(4);
    await Promise.resolve();
    expect(entered).toEqual(['a', 'b']);
    room.release(6);
    await expect.poll(() => entered).toEqual(['a', 'b', 'c', 'd']);
    room.release(5);
    room.release(1);
    await Promise.all(all);
    expect(entered.at(-1)).toBe('large');
  });
});
