import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { sql } from '../../storage/index.ts';
import type { Acl } from '../acl/acl.ts';
import type { TemplateIdentity } from '../acl/template.ts';
import { PolicyService, UNSAID } from './policy-service.ts';

const reads = (path: string) => `path "${path}" { capabilities = ["read"] }`;
const identityNamed = (name: string): TemplateIdentity => ({ id: `id-${name}`, name, metadata: {}, aliases: {} });
const storedNames = sql<Record<string, never>, { name: string }>('SELECT name FROM policy ORDER BY name');
const setText = sql<{ text: string }>("UPDATE policy SET text = :text WHERE name = 'a'");

describe.each(databaseKinds)('policies, on %s', (kind) => {
  let opened: TestDatabase;
  let service: PolicyService;
  let now: number;
  const noIdentity = async (): Promise<never> => {
    throw new Error('the identity must not be requested');
  };
  const aclOf = async (
    names: string[],
    identity: () => Promise<TemplateIdentity | undefined> = noIdentity,
  ): Promise<Acl> => service.aclOf(names, await service.version(), identity);
  const can = async (names: string[], path: string) => (await aclOf(names)).capabilities(path);

  beforeEach(async () => {
    opened = await openMigrated(kind, 'access');
    now = Date.UTC(2027, 0, 1);
    service = new PolicyService(opened.database, () => now);
  });
  afterEach(() => opened.close());

  it('are stored under their normalized names, with the built-in ones', async () => {
    await service.write(' Web ', reads('a'));
    await service.write('zoo', reads('b'));
    await service.write('web', reads('c'));
    expect(await service.text('WEB')).toBe(reads('c'));
    expect(await service.names('', 10)).toEqual(['default', 'root', 'web', 'zoo']);
    expect([await service.names('', 1), await service.names('default', 2)]).toEqual([['default'], ['root', 'web']]);
    await service.remove('Web');
    await service.remove('web');
    expect(await service.names('default', 10)).toEqual(['root', 'zoo']);
    expect(await service.text('web')).toBeUndefined();
  });

  it('have a default that can be written but not deleted, and others that cannot be changed', async () => {
    expect(await service.text('default')).toContain('auth/token/lookup-self');
    await service.write('Default', reads('x'));
    expect([await service.text('default'), await service.names('', 9)]).toEqual([reads('x'), ['default', 'root']]);
    for (const name of ['default', ' DEFAULT']) {
      await expect(service.remove(name)).rejects.toThrow('cannot delete default policy');
    }
    for (const name of ['root', 'Root', ' rOOt ', 'response-wrapping']) {
      await expect(service.write(name, reads('x'))).rejects.toThrow(
        /^cannot update "(root|response-wrapping)" policy$/,
      );
      await expect(service.remove(name)).rejects.toThrow(/^cannot delete "(root|response-wrapping)" policy$/);
    }
    expect(await service.text('root')).toBe('');
  });

  it.each([
    ['', 'must be provided'],
    ['a,b', 'invalid policy name'],
    ['a\u0001', 'invalid policy name'],
    ['x'.repeat(257), 'invalid policy name'],
    ['\ud800', 'invalid policy name'],
  ])('refuse the name %j', async (name, message) => {
    await expect(service.write(name, reads('a'))).rejects.toMatchObject({
      kind: 'bad-request',
      message: expect.stringContaining(message),
    });
  });

  it('refuse an invalid text and keep the stored one', async () => {
    await service.write('a', reads('a'));
    const before = await service.version();
    await expect(service.write('a', 'path "a" {')).rejects.toMatchObject({
      kind: 'bad-request',
      message: expect.stringMatching(/^failed to parse policy: line 1, column 11: /),
    });
    expect([await service.text('a'), await service.version()]).toEqual([reads('a'), before]);
  });

  it('apply writes and deletions at once', async () => {
    expect(await can(['a'], 'x')).toEqual(['deny']);
    await service.write('a', reads('x'));
    expect(await can(['a'], 'x')).toEqual(['read']);
    await service.write('a', reads('y'));
    expect([await can(['a'], 'x'), await can(['A ', 'none'], 'y')]).toEqual([['deny'], ['read']]);
    await service.remove('a');
    expect(await can(['a'], 'y')).toEqual(['deny']);
  });

  it('are visible to another node at once', async () => {
    const other = new PolicyService(opened.database, () => now);
    await service.write('a', reads('x'));
    expect(await can(['a'], 'x')).toEqual(['read']);
    await other.write('a', reads('y'));
    expect(await can(['a'], 'x')).toEqual(['deny']);
  });

  it('are combined once for the same names in any order', async () => {
    await service.write('a', reads('x'));
    await service.write('b', reads('y'));
    const [first, second] = await Promise.all([aclOf(['a', 'b']), aclOf(['B', 'a', 'a'])]);
    expect(await aclOf(['b', 'a'])).toBe(second);
    expect(first.capabilities('x')).toEqual(second.capabilities('x'));
    await service.write('b', reads('z'));
    expect(await aclOf(['a', 'b'])).not.toBe(first);
  });

  it('request the identity only for templates, and cache one ACL for each identity', async () => {
    await service.write('a', reads('s/{{identity.entity.name}}'));
    const acls = await Promise.all(['web', 'db'].map((name) => aclOf(['a'], async () => identityNamed(name))));
    expect(acls.map((acl) => [acl.capabilities('s/web'), acl.capabilities('s/db')])).toEqual([
      [['read'], ['deny']],
      [['deny'], ['read']],
    ]);
    expect(await aclOf(['a'], async () => identityNamed('web'))).toBe(acls[0]);
    expect((await aclOf(['a'], async () => undefined)).dropped).toHaveLength(1);
  });

  it('lose an expired policy in time', async () => {
    await service.write('a', 'path "x" { capabilities = ["read"] expiration = "2027-01-01T00:01:00Z" }');
    expect(await can(['a'], 'x')).toEqual(['read']);
    now += 60_000;
    expect(await can(['a'], 'x')).toEqual(['deny']);
  });

  it('are removed by the sweep after their expiry, which changes the version', async () => {
    const settings = (expiresAt: number | null) => ({ ...UNSAID, expiresAt });
    await service.write('a', reads('x'), settings(now + 1000));
    await service.write('b', reads('y'), settings(now + 2000));
    await service.write('c', reads('z'));
    const stored = async () => (await opened.database.all(storedNames, {})).map(({ name }) => name);
    await service.sweep();
    expect(await stored()).toEqual(['a', 'b', 'c']);
    const before = await service.version();
    now += 1000;
    expect(await can(['a', 'b', 'c'], 'y')).toEqual(['read']);
    await service.sweep();
    expect([await stored(), await service.version()]).toEqual([['b', 'c'], before + 1]);
    expect(await can(['a', 'b', 'c'], 'y')).toEqual(['read']);
    now += 1000;
    expect(await can(['a', 'b', 'c'], 'y')).toEqual(['deny']);
  });

  it('allow everything with root, which has no effect beside another policy', async () => {
    expect(await can([' ROOT'], 'x')).toEqual(['root']);
    expect(await can(['root', 'none'], 'x')).toEqual(['deny']);
  });

  it('allow nothing if the stored text of one cannot be parsed', async () => {
    await service.write('a', reads('x'));
    await service.write('b', reads('y'));
    await opened.database.run(setText, { text: 'path "x" { capabilities = ["fly"] }' });
    const acl = await aclOf(['a', 'b', 'none']);
    expect([acl.capabilities('y'), acl.unreadable]).toEqual([['deny'], ['a']]);
    expect(await service.setOf(['a', 'b', 'none'], await service.version())).toMatchObject({
      missing: ['none'],
      unreadable: [{ policy: 'a', problem: expect.stringContaining('invalid capability "fly"') }],
    });
  });
});
