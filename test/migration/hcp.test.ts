import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection, isDone, organizationRules, reportLines } from '../../src/migration/index.ts';
import { stateText } from '../api/workspaces/support/states.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { FakeHcp, list } from './support/fake-hcp.ts';
import { moveTo, type SourceChoices, sourceOf } from './support/two-servers.ts';

const ORGANIZATION = '/api/v2/organizations/acme';

describe('an organization of HCP Terraform', { timeout: 60_000 }, () => {
  let hcp: FakeHcp;
  let server: TestServer;
  let waits: number[];
  beforeEach(async () => {
    [hcp, server] = [await FakeHcp.start(), await startTestServer('sqlite')];
    waits = [];
    hcp.documents.set(`${ORGANIZATION}/workspaces`, list([hcp.workspace('ws-1', 'network')]));
    hcp.state('ws-1', 4, stateText(4));
  });
  afterEach(async () => {
    await hcp.stop();
    await server.stop();
  });

  const source = (choices: SourceChoices = {}) =>
    sourceOf(
      new Connection({ address: hcp.address, token: 'theirs', wait: async (ms) => void waits.push(ms) }),
      choices,
    );
  const read = async (path: string) => (await server.user('GET', `/api/v2${path}`)).body.data;
  const network = () => read('/organizations/moved/workspaces/network');

  it('keeps Terraform as the engine, and copies a state that has no MD5', async () => {
    const report = await moveTo(server, await source());
    expect(report.states).toEqual([{ workspace: 'network', action: 'upload', versions: 1 }]);
    const { attributes, id } = await network();
    expect(attributes).toMatchObject({ engine: 'terraform', 'terraform-version': '1.9.8', 'execution-mode': 'remote' });
    expect((await read(`/workspaces/${id}/current-state-version`)).attributes).toMatchObject({
      serial: 4,
      lineage: 'lineage-1',
    });
    expect(isDone(await moveTo(server, await source()))).toBe(true);
  });

  it('says what is not taken, and what the token may not read', async () => {
    hcp.documents.set(`${ORGANIZATION}/policy-sets`, list([{ id: 'polset-1', type: 'policy-sets' }]));
    const { notTaken } = await moveTo(server, await source());
    expect(notTaken).toContainEqual({ about: 'team', why: expect.stringContaining('or the token may not read it') });
    expect(notTaken).toContainEqual({ about: '1 policy sets', why: expect.stringContaining('no such resource') });
  });

  it('connects repositories only on request, and says which connection is missing', async () => {
    const client = {
      ...{
        id: 'oc-1',
        type: 'oauth-clients',
        attributes: { 'service-provider': 'github', 'http-url': 'https://github.com' },
      },
      relationships: { 'oauth-tokens': { data: [{ id: 'ot-1', type: 'oauth-tokens' }] } },
    };
    hcp.documents.set(`${ORGANIZATION}/oauth-clients`, list([client]));
    const repository = { identifier: 'acme/infra', branch: '', 'oauth-token-id': 'ot-1', 'ingress-submodules': false };
    hcp.documents.set(
      `${ORGANIZATION}/workspaces`,
      list([hcp.workspace('ws-1', 'network', { 'vcs-repo': repository })]),
    );
    const none = await moveTo(server, await source(), { choices: { followsRepositories: false, invites: false } });
    expect(none.notTaken.map(({ about }) => about)).toContain('repository of workspace network');
    const { notTaken } = await moveTo(server, await source());
    expect(notTaken).toContainEqual({
      about: 'VCS connection github https://github.com',
      why: expect.stringContaining('lockkeeper vcs connect'),
    });
    expect((await network()).attributes['vcs-repo']).toBeNull();
  });

  it('waits as long as a 429 asks, and repeats after errors of the server', async () => {
    const answers = [
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 429, headers: { 'x-ratelimit-reset': '0.25' } },
      { status: 503, headers: {} },
    ];
    const workspaces = hcp.documents.get(`${ORGANIZATION}/workspaces`);
    hcp.handlers.set(`${ORGANIZATION}/workspaces`, (_request, response) => {
      const { status, headers } = answers.shift() ?? { status: 200, headers: {} };
      response.writeHead(status, headers).end(status === 200 ? JSON.stringify(workspaces) : '');
    });
    expect((await source()).items.map(({ name }) => name)).toContain('network');
    expect(waits).toEqual([7000, 250, 2000]);
  });

  it('stops with a clear error when the server stays away', async () => {
    hcp.handlers.set(`${ORGANIZATION}/workspaces`, (request) => request.socket.destroy());
    await expect(source()).rejects.toThrow(
      /is not available: .*Run the same command again; it continues where it stopped/,
    );
    expect(waits).toHaveLength(7);
  });

  it('repeats the download of a state whose connection breaks, and continues after an interruption', async () => {
    const state = stateText(4);
    let downloads = 0;
    hcp.handlers.set('/files/sv-ws-1', (_request, response) => {
      response.writeHead(200, { 'content-length': state.length });
      if (++downloads > 5) return void response.end(state);
      response.write(state.slice(0, 20), () => response.destroy());
    });
    await expect(source().then((one) => moveTo(server, one))).rejects.toThrow('Run the same command again');
    expect((await network()).attributes.locked).toBe(false);
    const report = await moveTo(server, await source());
    expect(report.states).toEqual([{ workspace: 'network', action: 'upload', versions: 1 }]);
    expect(isDone(await moveTo(server, await source()))).toBe(true);
  });

  const current = async () => (await read(`/workspaces/${(await network()).id}/current-state-version`)).attributes;
  const history = (...lineages: readonly (string | undefined)[]) =>
    hcp.history(
      'ws-1',
      lineages.map((lineage, index) => ({
        serial: index + 1,
        ...(lineage !== undefined && { content: stateText(index + 1).replace('lineage-1', lineage) }),
      })),
    );

  it('takes no workspace whose project the token may not read', async () => {
    const hidden = { project: { data: { id: 'prj-hidden', type: 'projects' } } };
    hcp.documents.set(
      `${ORGANIZATION}/workspaces`,
      list([hcp.workspace('ws-1', 'network'), hcp.workspace('ws-2', 'hidden', {}, hidden)]),
    );
    const { notTaken } = await moveTo(server, await source());
    expect(notTaken).toContainEqual({
      about: 'workspace hidden',
      why: 'it uses projects that the target does not have: prj-hidden',
    });
    const { body } = await server.user('GET', '/api/v2/organizations/moved/workspaces');
    expect(body.data.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual(['network']);
  });

  it('takes variable sets of the chosen project only', async () => {
    const project = (id: string, name: string) => ({ id, type: 'projects', attributes: { name } });
    hcp.documents.set(
      `${ORGANIZATION}/projects`,
      list([project('prj-1', 'Default Project'), project('prj-2', 'Other')]),
    );
    const set = (id: string, name: string, parent: object) => {
      const variable = { id: `var-${id}`, type: 'vars', attributes: { key: 'a', value: '1', category: 'env' } };
      hcp.documents.set(`/api/v2/varsets/${id}/relationships/vars`, list([variable]));
      return { id, type: 'varsets', attributes: { name }, relationships: { parent: { data: parent } } };
    };
    const of = (id: string) => ({ id, type: 'projects' });
    hcp.documents.set(
      `${ORGANIZATION}/varsets`,
      list([
        set('varset-1', 'ours', of('prj-1')),
        set('varset-2', 'theirs', of('prj-2')),
        set('varset-3', 'hidden', of('prj-3')),
        set('varset-4', 'all', { id: 'acme', type: 'organizations' }),
      ]),
    );
    const names = async (choices: SourceChoices) => {
      const { items } = await source(choices);
      return ['varsets', 'set-variables'].map((kind) =>
        items.filter((one) => one.kind === kind).map(({ owner, name }) => owner || name),
      );
    };
    expect(await names({ project: 'Default Project' })).toEqual([
      ['ours', 'all'],
      ['ours', 'all'],
    ]);
    const { notTaken } = await moveTo(server, await source());
    const theirs = notTaken.filter(({ about }) => about.startsWith('variable '));
    expect(theirs).toEqual([
      { about: 'variable set hidden', why: 'it uses projects that the target does not have: prj-3' },
      { about: 'variable of set hidden: env/a', why: 'the target has no varsets hidden' },
    ]);
  });

  it('does not use a lock that the user holds for something else', async () => {
    await moveTo(server, await source({ states: 'none' }));
    const { id } = await network();
    await server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason: 'maintenance' });
    const { states, refused } = await moveTo(server, await source());
    expect([states, refused]).toEqual([
      [],
      [
        {
          about: 'state of workspace network',
          why: expect.stringMatching(/^you have locked it at .* \(maintenance\);/),
        },
      ],
    ]);
    expect((await network()).attributes).toMatchObject({ locked: true, 'locked-reason': 'maintenance' });
    expect(await read(`/workspaces/${id}/current-state-version`)).toBeUndefined();
  });

  it.each([
    ['content of the same size', 'i-1', 'i-2'],
    ['lineage', 'lineage-1', 'lineage-2'],
  ])('does not take a state with the same serial and another %s for the same', async (_name, before, after) => {
    await moveTo(server, await source());
    hcp.state('ws-1', 4, stateText(4).replace(before, after));
    const { states, refused } = await moveTo(server, await source());
    expect([states, refused]).toEqual([
      [],
      [
        {
          about: 'state of workspace network',
          why: expect.stringMatching(/^both servers have another state with serial 4;/),
        },
      ],
    ]);
  });

  it('leaves out states of an earlier lineage', async () => {
    history('lineage-0', 'lineage-0', 'lineage-1', 'lineage-1');
    const report = await moveTo(server, await source({ states: 'all' }));
    expect([report.states, report.refused]).toEqual([[{ workspace: 'network', action: 'upload', versions: 2 }], []]);
    expect(await current()).toMatchObject({ serial: 4, lineage: 'lineage-1' });
    expect((await network()).attributes.locked).toBe(false);
  });

  it('continues when the target refuses one item, and says why', async () => {
    const bad = hcp.workspace('ws-2', 'bad name with spaces');
    hcp.documents.set(`${ORGANIZATION}/workspaces`, list([bad, hcp.workspace('ws-1', 'network')]));
    const variable = {
      id: 'var-1',
      type: 'vars',
      attributes: { key: 'a', value: '1', category: 'env', sensitive: false },
    };
    hcp.documents.set('/api/v2/workspaces/ws-2/vars', list([variable]));
    const report = await moveTo(server, await source());
    const about = report.refused.map((note) => note.about);
    expect(about).toContain('workspace bad name with spaces');
    expect(about).toContain('variable bad name with spaces: env/a');
    expect((await network()).attributes.name).toBe('network');
    expect(isDone(report)).toBe(false);
    expect(reportLines(report, organizationRules)).toContainEqual(expect.stringMatching(/^Done: .* 2 refused\.$/));
  });
});

describe('a hostile source', { timeout: 60_000 }, () => {
  let hcp: FakeHcp;
  beforeEach(async () => {
    hcp = await FakeHcp.start();
  });
  afterEach(() => hcp.stop());

  const source = () => sourceOf(new Connection({ address: hcp.address, token: 'theirs', wait: async () => {} }));
  const answers = (text: string) =>
    hcp.handlers.set(`${ORGANIZATION}/workspaces`, (_request, response) => void response.end(text));

  it.each([
    ['text', '<html>', /something other than JSON. Check the address/],
    ['another document', '{"data": {"id": 1}}', /not a JSON:API list/],
    ['a resource without an ID', '{"data": [{"type": "workspaces"}]}', /not a JSON:API document/],
    ['null', 'null', /not a JSON:API list/],
  ])('that answers with %s is refused', async (_name, text, message) => {
    answers(text);
    await expect(source()).rejects.toThrow(message);
  });

  it('that repeats its pages without an end is refused', async () => {
    hcp.handlers.set(`${ORGANIZATION}/workspaces`, (_request, response, url) => {
      const page = Number(url.searchParams.get('page[number]'));
      response.end(JSON.stringify(list([hcp.workspace('ws-1', 'network')], page + 1)));
    });
    await expect(source()).rejects.toThrow('repeats its pages without an end');
    hcp.handlers.set(`${ORGANIZATION}/workspaces`, (_request, response) => {
      response.end(JSON.stringify(list([hcp.workspace('ws-1', 'network')], 1)));
    });
    await expect(source()).rejects.toThrow('repeats its pages without an end');
  });

  it('that sends a huge page is refused', async () => {
    hcp.handlers.set(`${ORGANIZATION}/workspaces`, (_request, response) => {
      response.writeHead(200, { 'content-length': 100_000_000 });
      response.write('{"data": [');
    });
    await expect(source()).rejects.toThrow('the response is larger than 33554432 bytes');
  });

  it('gets the token for its own host only, and no file from an address without TLS', async () => {
    hcp.documents.set(`${ORGANIZATION}/workspaces`, list([hcp.workspace('ws-1', 'network')]));
    const other = await FakeHcp.start();
    hcp.state('ws-1', 4, stateText(4));
    const version = {
      id: 'sv-ws-1',
      type: 'state-versions',
      attributes: { serial: 4, 'hosted-state-download-url': `${other.address}/file` },
    };
    hcp.documents.set('/api/v2/state-versions/sv-ws-1', { data: version });
    const [state] = await (await source()).states.statesOf('network');
    await expect(state?.open()).rejects.toThrow('neither HTTPS nor its own');
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it('cannot write a second line into a report', async () => {
    hcp.documents.set(`${ORGANIZATION}/workspaces`, list([hcp.workspace('ws-1', 'a\nDone: 1 created')]));
    const { items } = await source();
    expect(items.map(({ name }) => name)).toContain('a\nDone: 1 created');
    const report = { isApplied: false, source: 'a', target: 'b', states: [], notTaken: [], refused: [], toFillIn: [] };
    const change = { action: 'create', kind: 'workspaces', owner: '', name: 'a\nb', differs: [] } as const;
    const lines = reportLines({ ...report, changes: [change] }, organizationRules);
    expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
  });
});
