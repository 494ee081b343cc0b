import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linksOf } from '../../../../docs/site/markdown.ts';
import { startApi } from '../support/api.ts';

const PAGE = new URL('../../../../docs/reference/vcs.md', import.meta.url);
/** Settings of a workspace that only matter with a repository. */
const SETTINGS = [
  ...['trigger-prefixes', 'trigger-patterns', 'file-triggers-enabled', 'queue-all-runs', 'speculative-enabled'],
  ...['oauth-client-name', 'working-directory', 'readme'],
];

interface Row {
  readonly attributes: readonly string[];
  readonly tests: readonly string[];
}

function rows(): Row[] {
  const [, table = ''] = readFileSync(PAGE, 'utf8').split('\n## Conformance\n');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, names = ''] = line.split('|');
      const attributes = [...names.replace(/ of .*/, '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
      return { attributes, tests: linksOf(line) };
    });
}

test('every attribute of vcs-repo and of ingress attributes is in the table of docs/reference/vcs.md', async () => {
  const api = await startApi('sqlite');
  const { components } = JSON.parse((await api.app.inject('/api/v2/openapi.json')).payload);
  await api.close();
  const listed = new Set(rows().flatMap(({ attributes }) => attributes));
  const ofWorkspace = components.schemas.workspaces.properties.attributes.properties;
  const repository = Object.keys(membersOf(ofWorkspace['vcs-repo']));
  const ingress = Object.keys(components.schemas['ingress-attributes'].properties.attributes.properties);
  expect([repository.length, ingress.length]).toEqual([11, 17]);
  expect([...SETTINGS, ...repository, ...ingress].filter((name) => !listed.has(name))).toEqual([]);
});

test.each(rows())('$attributes: its tests name it', ({ attributes, tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  const sources = tests.map((path) => readFileSync(new URL(path, PAGE), 'utf8')).join('\n');
  expect(attributes.filter((name) => !sources.includes(name))).toEqual([]);
});

/** Returns the members of a schema that may be null. */
function membersOf(schema: { properties?: object; anyOf?: { properties?: object }[] }): object {
  return schema.properties ?? schema.anyOf?.find(({ properties }) => properties)?.properties ?? {};
}
