import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EntryArena } from './entry-arena.ts';
import { ENTRIES_PER_STEP, RevokedSerials } from './revoked-serials.ts';

function index(serials: readonly Uint8Array[]): RevokedSerials {
  const arena = new EntryArena();
  for (const [i, serial] of serials.entries())
    arena.add({ serial: Buffer.from(serial), revokedAt: i * 1000, reason: 1 });
  return finish(arena);
}

function finish(arena: EntryArena): RevokedSerials {
  const steps = RevokedSerials.fromArena(arena);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const hexOf = (serials: Iterable<Uint8Array> | undefined): string[] =>
  [...(serials ?? [])].map((serial) => Buffer.from(serial).toString('hex'));

describe('the serial numbers of a CRL', () => {
  test('are indexed in steps of limited size, after the table was allocated in steps', () => {
    const arena = new EntryArena();
    for (let i = 0; i < 10 * ENTRIES_PER_STEP; i++)
      arena.add({ serial: Buffer.from([i >> 8, i]), revokedAt: 0, reason: 0 });
    expect([...RevokedSerials.fromArena(arena)]).toHaveLength(11);
  });

  test('are found, and no others, whatever their bytes', () => {
    // The serial numbers have few bytes, so that many are prefixes of others and many occur twice.
    const serial = fc
      .array(fc.constantFrom(0, 1, 0xff), { minLength: 1, maxLength: 5 })
      .map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.array(serial, { maxLength: 200 }), fc.array(serial, { maxLength: 50 }), (listed, asked) => {
        const serials = index(listed);
        const known = new Set(listed.map((one) => one.toString('hex')));
        for (const one of [...listed, ...asked]) {
          expect(serials.find(one) !== undefined).toBe(known.has(one.toString('hex')));
        }
        expect(hexOf(serials.serials())).toEqual([...known]);
      }),
    );
  });

  test('are found in lists larger than one chunk of memory, with time and reason', () => {
    const listed = Array.from({ length: 100_000 }, () => randomBytes(20));
    const serials = index(listed);
    expect(listed.findIndex((one, i) => serials.find(one)?.revokedAt !== i * 1000)).toBe(-1);
    expect(serials.find(listed[7] ?? randomBytes(20))).toEqual({ revokedAt: 7000, reason: 'keyCompromise' });
    expect(Array.from({ length: 1000 }, () => randomBytes(20)).some((one) => serials.find(one))).toBe(false);
    expect(hexOf(serials.serials())).toEqual(listed.map((one) => one.toString('hex')));
  });

  test('may be thousands of bytes long', () => {
    const listed = [1, 2, 300, 4096, 4095].map((length) => Buffer.alloc(length, 7));
    const serials = index(listed);
    for (const one of listed) expect(serials.find(one)).toBeDefined();
    expect(serials.find(Buffer.alloc(4094, 7))).toBeUndefined();
  });

  test('may be none', () => {
    expect(index([]).find(Buffer.from([1]))).toBeUndefined();
    expect(hexOf(index([]).serials())).toEqual([]);
  });

  test('are returned in pages, each number once', () => {
    const listed = ['01', '02', '01', '03', '02', '04'].map((hex) => Buffer.from(hex, 'hex'));
    const serials = index(listed);
    expect(hexOf(serials.serials(2))).toEqual(['01', '02']);
    expect(hexOf(serials.serials(2, Buffer.from([2])))).toEqual(['03', '04']);
    expect(hexOf(serials.serials(2, Buffer.from([4])))).toEqual([]);
    expect(serials.serials(2, Buffer.from([5]))).toBeUndefined();
  });

  test('clamp dates to the range that they can store', () => {
    const arena = new EntryArena();
    const revokedAt = (serial: number, year: number) =>
      arena.add({ serial: Buffer.from([serial]), revokedAt: Date.UTC(year), reason: 0 });
    revokedAt(1, 1950);
    revokedAt(2, 9999);
    const serials = finish(arena);
    expect(serials.find(Buffer.from([1]))?.revokedAt).toBe(0);
    expect(serials.find(Buffer.from([2]))?.revokedAt).toBe((2 ** 32 - 1) * 1000);
  });

  test('take at most 64 bytes of memory each', () => {
    const count = 200_000;
    const serial = randomBytes(20);
    const before = process.memoryUsage().arrayBuffers;
    const arena = new EntryArena();
    for (let i = 0; i < count; i++) {
      serial.writeUInt32LE(i);
      arena.add({ serial, revokedAt: 0, reason: 0 });
    }
    const serials = finish(arena);
    const bytes = process.memoryUsage().arrayBuffers - before;
    expect(serials.find(serial)).toBeDefined();
    expect(bytes / count).toBeLessThan(64);
  });
});
