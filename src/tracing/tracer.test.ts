import { expect, it } from 'vitest';
import { isWithin, namedIds, newTraceId, readTraceparent, traceparentOf } from './context.ts';
import type { Span } from './span.ts';
import { Tracer } from './tracer.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it('reads the traceparent of the W3C and its own', () => {
  const context = { traceId: ID, spanId: SPAN, isSampled: true };
  expect(readTraceparent(`00-${ID}-${SPAN}-01`)).toEqual(context);
  expect(readTraceparent(traceparentOf(context))).toEqual(context);
  expect(readTraceparent(`00-${ID}-${SPAN}-02`)).toEqual({ ...context, isSampled: false });
  // A later version may add fields at the end (§3.2.4).
  expect(readTraceparent(`cc-${ID}-${SPAN}-01-more`)).toEqual(context);
});

it.each([
  ['', undefined],
  [undefined, undefined],
  [[`00-${ID}-${SPAN}-01`], undefined],
  [`00-${ID.toUpperCase()}-${SPAN}-01`, undefined],
  [`00-${ID}-${SPAN}-01-more`, undefined],
  [`ff-${ID}-${SPAN}-01`, undefined],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
  [`00-${ID}-${'0'.repeat(16)}-01`, undefined],
  [`00-${ID}-${SPAN}-01${'x'.repeat(10_000)}`, undefined],
])('refuses the traceparent %j', (text, expected) => {
  expect(readTraceparent(text)).toBe(expected);
});

it('samples a share of all traces, and every tracer decides the same for a trace', () => {
  const ids = Array.from({ length: 4_000 }, newTraceId);
  const recorded = ids.filter((id) => isWithin(id, 0.25)).length;
  expect(recorded).toBeGreaterThan(800);
  expect(recorded).toBeLessThan(1_200);
  expect([ids.filter((id) => isWithin(id, 1)).length, ids.filter((id) => isWithin(id, 0)).length]).toEqual([4_000, 0]);
  expect(namedIds('run-1')).toEqual(namedIds('run-1'));
  expect(namedIds('run-1').traceId).toMatch(/^[\da-f]{32}$/);
});

it('limits the spans of a request and the traces that clients request', async () => {
  const spans: Span[] = [];
  const tracer = new Tracer((span) => spans.push(span), 0);
  const wanted = Array.from({ length: 2_000 }, () => tracer.begin(`00-${newTraceId()}-${SPAN}-01`).scope);
  const recorded = wanted.filter(({ isSampled }) => isSampled);
  expect(recorded.length).toBeGreaterThan(0);
  expect(recorded.length).toBeLessThan(1_000);
  const [scope] = recorded;
  if (!scope) throw new Error('none');
  await tracer.within(scope, async () => {
    for (let i = 0; i < 1_000; i++)
      await tracer.step(
        () => ({ name: 'SELECT x', attributes: {} }),
        async () => i,
      );
  });
  expect(spans).toHaveLength(200);
  expect(spans[0]).toMatchObject({ traceId: scope.traceId, parentId: scope.spanId, isError: false });
});

it('marks the span of a failed step and throws its error', async () => {
  const spans: Span[] = [];
  const tracer = new Tracer((span) => spans.push(span), 1);
  const failing = tracer.within(tracer.begin(undefined).scope, () =>
    tracer.step(
      () => ({ name: 'transaction', attributes: {} }),
      async () => {
        throw new Error('no');
      },
    ),
  );
  await expect(failing).rejects.toThrow('no');
  expect(spans).toMatchObject([{ name: 'transaction', isError: true }]);
});
