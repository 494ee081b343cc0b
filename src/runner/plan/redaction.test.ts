import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printed } from '../../../test/support/runner/printed.ts';
import { factsOf } from './facts.ts';
import type { ResourceChange } from './plan-json.ts';
import { writeRedactedPlan } from './redaction.ts';
import { Schemas } from './schemas.ts';

const resource = (actions: string[], change: object, more = {}): ResourceChange => ({
  mode: 'managed',
  type: 'x_thing',
  provider_name: 'registry/x',
  change: { actions, ...change },
  ...more,
});

const open = (text: string): string => text;

async function redactedPlan(plan: object, schemas: object, mask: (text: string) => string) {
  const [path, into] = [printed(plan), printed({})];
  const { types } = await factsOf(path);
  await writeRedactedPlan(path, into, await Schemas.read(printed(schemas), types), mask);
  return JSON.parse(readFileSync(into, 'utf8'));
}

async function schemasOf(plan: object, schemas: object) {
  const [{ types }, into] = [await factsOf(printed(plan)), printed({})];
  (await Schemas.read(printed(schemas), types)).write(into);
  return JSON.parse(readFileSync(into, 'utf8'));
}

test('sensitive values are replaced by placeholders of their type, which differ if the value changed', async () => {
  const secret = {
    text: 'hunter2',
    number: 7_654_321,
    list: ['hunter2'],
    same: 'hunter3',
    none: null,
    deep: [{ a: 'hunter4' }],
  };
  const marks = { text: true, number: true, list: true, same: true, none: true, deep: [{ a: true }] };
  const change = {
    before: { ...secret, text: 'hunter1', open: 1 },
    after: { ...secret, open: 2 },
    before_sensitive: marks,
    after_sensitive: marks,
  };
  const plan = {
    format_version: '1.2',
    resource_changes: [resource(['update'], change)],
    output_changes: { out: { actions: ['create'], after: 'hunter5', after_sensitive: true } },
  };
  const redacted = await redactedPlan({ ...plan, variables: { password: 'hunter6' } }, {}, open);
  expect(JSON.stringify(redacted)).not.toMatch(/hunter|7654321/);
  const { before, after } = (redacted.resource_changes as ResourceChange[])[0]?.change ?? {};
  expect(before).toMatchObject({ text: '(sensitive)', same: '(sensitive)', number: 0, list: [], none: null, open: 1 });
  expect(after).toMatchObject({ text: '(sensitive, changed)', same: '(sensitive)', number: 0, open: 2 });
  expect(redacted).toMatchObject({ plan_format_version: '1.2', resource_drift: [], relevant_attributes: [] });
  expect(redacted).toMatchObject({ output_changes: { out: { after: '(sensitive, changed)' } }, provider_schemas: {} });
  expect(redacted).not.toHaveProperty('variables');
});

test('a value that is sensitive on one side is hidden on both', async () => {
  const change = {
    before: { a: 'hunter2' },
    after: { a: 'hunter2' },
    before_sensitive: {},
    after_sensitive: { a: true },
  };
  const redacted = await redactedPlan({ resource_changes: [resource(['update'], change)] }, {}, open);
  expect(JSON.stringify(redacted)).not.toContain('hunter');
});

test('only schemas of resources in the plan are included', async () => {
  const plan = {
    resource_changes: [resource(['create'], {}), resource(['read'], {}, { mode: 'data', type: 'x_data' })],
  };
  const provider = {
    resource_schemas: { x_thing: { version: 1 }, x_data: { version: 2 }, x_other: {} },
    data_source_schemas: { x_data: { version: 3 }, x_thing: {} },
  };
  const all = { format_version: '1.0', provider_schemas: { 'registry/x': provider, 'registry/y': provider } };
  expect(await schemasOf(plan, all)).toEqual({
    format_version: '1.0',
    provider_schemas: {
      'registry/x': {
        provider: { version: 0 },
        resource_schemas: { x_thing: { version: 1 } },
        data_source_schemas: { x_data: { version: 3 } },
      },
    },
  });
});

test('a replacement counts twice, a data source not at all', async () => {
  const changes = [
    resource(['create'], { importing: { id: 'x' } }),
    resource(['delete', 'create'], {}),
    resource(['update'], {}),
    resource(['no-op'], {}),
    resource(['read'], {}, { mode: 'data' }),
  ];
  const { counts } = await factsOf(printed({ resource_changes: changes }));
  expect(counts).toEqual({ additions: 2, changes: 1, destructions: 1, imports: 1 });
});

test('secrets are masked, even if the configuration does not mark them', async () => {
  const change = { before: { a: 'x-hunter1', b: 'hunter1', c: 1 }, after: { a: 'x-hunter2', b: 'hunter1', c: [true] } };
  const plan = { resource_changes: [resource(['update'], change)] };
  const redacted = await redactedPlan(plan, {}, (text) => text.replaceAll(/hunter\d/g, '***'));
  const { before, after } = (redacted.resource_changes as ResourceChange[])[0]?.change ?? {};
  expect(before).toEqual({ a: 'x-***', b: '***', c: 1 });
  expect(after).toEqual({ a: 'x-*** (changed)', b: '***', c: [true] });
});

test.each(['', '{', '{"resource_changes":[{]}', '{"resource_changes":[]', '[]]'])(
  'a plan of %j is not JSON',
  async (json) => {
    await expect(factsOf(printed(json))).rejects.toThrow('"show" did not print JSON');
  },
);

test('numbers keep their notation, are hidden if sensitive, and their last digit counts as a change', async () => {
  const side = (last: string) =>
    `{"id": 900719925474099${last}, "all": [0.1234567890123456789${last}, 1e400, -0], "secret": 900719925474099${last}}`;
  const change = `{"actions": ["update"], "before": ${side('3')}, "after": ${side('5')}, "before_sensitive": {"secret": true}}`;
  const path = printed({});
  writeFileSync(
    path,
    `{"resource_changes": [{"mode": "managed", "type": "x", "provider_name": "p", "change": ${change}}]}`,
  );
  const into = printed({});
  await writeRedactedPlan(path, into, await Schemas.read(printed({}), (await factsOf(path)).types), open);
  const redacted = readFileSync(into, 'utf8');
  expect(redacted).toContain('"before":{"id":9007199254740993,"all":[0.12345678901234567893,1e400,-0],"secret":0}');
  expect(redacted).toContain('"after":{"id":9007199254740995,"all":[0.12345678901234567895,1e400,-0],"secret":1}');
});
