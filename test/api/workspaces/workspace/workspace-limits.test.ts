import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Params, sql } from '../../../../src/storage/index.ts';
import { MAX_INCLUDED_BYTES } from '../../../../src/workspaces/jsonapi/included-size.ts';
import {
  MAX_OUTPUTS_SHOWN,
  MAX_TAG_CHARACTERS,
  MAX_TAGS,
  MAX_TRIGGER_BYTES,
} from '../../../../src/workspaces/workspace/model/limits.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';
import { stateText, worker } from '../support/states.ts';

const named = (names: readonly string[]) => names.map((name) => ({ type: 'tags', attributes: { name } }));
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `tag-${from + i}`);
const TOO_MANY = `A workspace has at most ${MAX_TAGS} tags, with ${MAX_TAG_CHARACTERS} characters together`;

describe.each(databaseKinds)('how large a workspace gets on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  let workspaces = 0;
  const newWorkspace = () => acme.workspace(`limited-${++workspaces}`);
  const add = (id: string, names: readonly string[]) =>
    acme.owner.call('POST', `/workspaces/${id}/relationships/tags`, { data: named(names) });
  const tagNames = async (id: string) =>
    (await acme.owner.call('GET', `/workspaces/${id}`)).body.data.attributes['tag-names'];
  const write = (text: string, params: Params) => api.workspaces.database.run(sql<Params>(text), params);

  test('a workspace has a maximum number of tags, however they are added', async () => {
    const id = await newWorkspace();
    for (let from = 0; from < MAX_TAGS; from += 100) {
      expect((await add(id, numbered(from, Math.min(100, MAX_TAGS - from)))).status).toBe(204);
    }
    expect(issuesOf(await add(id, ['one-more']))).toEqual([`/data: ${TOO_MANY}`]);
    expect((await add(id, ['tag-0', 'tag-1'])).status, 'what it has is no more').toBe(204);
    expect(await tagNames(id)).toHaveLength(MAX_TAGS);

    const other = await newWorkspace();
    await add(other, ['one-more']);
    const [tag] = (await acme.owner.call('GET', `/workspaces/${other}/relationships/tags`)).body.data;
    const each = { data: [{ type: 'workspaces', id }] };
    expect((await acme.owner.call('POST', `/tags/${tag.id}/relationships/workspaces`, each)).status).toBe(422);
    const removed = await acme.owner.call('DELETE', `/workspaces/${id}/relationships/tags`, { data: named(['tag-7']) });
    expect(removed.status).toBe(204);
    expect((await add(id, ['one-more'])).status).toBe(204);
  });

  test('the total size of tag names has a maximum', async () => {
    const long = (count: number) => Array.from({ length: count }, (_, i) => `${String(i).padEnd(249, 'x')}9`);
    const fits = Math.floor(MAX_TAG_CHARACTERS / 250);
    const id = await newWorkspace();
    expect((await add(id, long(fits))).status).toBe(204);
    expect(issuesOf(await add(id, ['more']))).toEqual([`/data: ${TOO_MANY}`]);
    const attributes = { name: 'too-many-at-once' };
    const relationships = { tags: { data: named(long(fits + 1)) } };
    const body = { data: { type: 'workspaces', attributes, relationships } };
    const refused = await acme.owner.call('POST', `/organizations/${acme.name}/workspaces`, body);
    expect(issuesOf(refused)).toEqual([`/data/relationships/tags/data: ${TOO_MANY}`]);
    expect((await acme.owner.call('GET', `/organizations/${acme.name}/workspaces/too-many-at-once`)).status).toBe(404);
  });

  test('a workspace with more tags from earlier is shown and changed, and loses tags', async () => {
    const id = await newWorkspace();
    const count = MAX_TAGS + 50;
    const name = 'limited-old';
    await write(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
       INSERT INTO tag (id, organization_id, name, instance_count, created_at)
       SELECT 'tag-old' || cast(i as text), w.organization_id, 'old-' || cast(i as text), 1, 0
       FROM workspace w CROSS JOIN n WHERE w.id = :id`,
      { id, count },
    );
    await write(
      `INSERT INTO workspace_tag (tag_id, workspace_name, workspace_id)
       SELECT t.id, w.name, w.id FROM workspace w JOIN tag t ON t.organization_id = w.organization_id
       WHERE w.id = :id AND t.name LIKE 'old-%'`,
      { id },
    );
    expect(await tagNames(id)).toHaveLength(count);
    expect((await add(id, ['old-1'])).status).toBe(204);
    expect((await add(id, ['new'])).status).toBe(422);
    const renamed = await acme.owner.call('PATCH', `/workspaces/${id}`, {
      data: { type: 'workspaces', attributes: { name } },
    });
    expect(renamed.status).toBe(200);
    const gone = Array.from({ length: 60 }, (_, i) => `old-${i + 1}`);
    expect(
      (await acme.owner.call('DELETE', `/workspaces/${id}/relationships/tags`, { data: named(gone) })).status,
    ).toBe(204);
    expect((await add(id, ['new'])).status).toBe(204);
    expect(await tagNames(id)).toHaveLength(count - 60 + 1);
    expect((await acme.owner.call('DELETE', `/workspaces/${id}`)).status).toBe(204);
  });

  test.each(['trigger-patterns', 'trigger-prefixes'])('the total size of %s has a maximum', async (key) => {
    const list = (bytes: number) => Array.from({ length: Math.floor(bytes / 503) }, () => 'x'.repeat(500));
    const id = await newWorkspace();
    const patch = (given: readonly string[]) =>
      acme.owner.call('PATCH', `/workspaces/${id}`, { data: { type: 'workspaces', attributes: { [key]: given } } });
    expect((await patch(list(MAX_TRIGGER_BYTES - 1))).status).toBe(200);
    expect(issuesOf(await patch(list(MAX_TRIGGER_BYTES + 1000)))).toEqual([
      `/data/attributes/${key}: Triggers must have at most ${MAX_TRIGGER_BYTES} bytes in total`,
    ]);
  });

  test('a document refers to a maximum number of outputs, and includes them; all are listed', async () => {
    const id = await newWorkspace();
    const count = MAX_OUTPUTS_SHOWN + 50;
    const outputs = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`o-${String(i).padStart(4, '0')}`, { value: 'v', type: 'string' }]),
    );
    const work = worker(api, acme.owner, id);
    await work.lock();
    await work.write(stateText(1, { outputs }), { serial: 1, lineage: 'lineage-1' });
    const { data, included } = (await acme.owner.call('GET', `/workspaces/${id}?include=outputs`)).body;
    expect(data.relationships.outputs.data).toHaveLength(MAX_OUTPUTS_SHOWN);
    expect(included).toHaveLength(MAX_OUTPUTS_SHOWN);
    const { related } = data.relationships.outputs.links;
    const all = await acme.owner.call('GET', related.replace('/api/v2', ''));
    expect(all.body.meta.pagination['total-count']).toBe(count);
  });

  test('included resources of a page have a maximum size; a larger page gets 400, a smaller one works', {
    timeout: 120_000,
  }, async () => {
    const large = await newOrganization(api);
    const value = 'x'.repeat(250_000);
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.push(await large.workspace(name));
    const each = Math.floor(MAX_INCLUDED_BYTES / 2 / value.length) - 1;
    for (const id of ids) for (let i = 0; i < each; i++) await variable(large, id, i, value);
    const path = `/organizations/${large.name}/workspaces`;
    expect((await large.owner.call('GET', `${path}?include=vars&page[size]=2`)).status).toBe(200);
    const refused = await large.owner.call('GET', `${path}?include=vars`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].source).toEqual({ parameter: 'page[size]' });
    expect((await large.owner.call('GET', path)).status).toBe(200);
    expect((await large.owner.call('GET', `/workspaces/${ids[0]}?include=vars`)).status).toBe(200);
  });

  async function variable({ owner }: TestOrganization, id: string, number: number, value: string): Promise<void> {
    const attributes = { key: `v${number}`, value, category: 'terraform' };
    const made = await owner.call('POST', `/workspaces/${id}/vars`, { data: { type: 'vars', attributes } });
    expect(made.status, made.text.slice(0, 300)).toBe(201);
  }
});
