import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/migration/index.ts';
import { stateText } from '../api/workspaces/support/states.ts';
import { Command } from '../support/command.ts';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { FakeHcp, list } from './support/fake-hcp.ts';
import { LossyRelay } from './support/lossy-relay.ts';

const REASON = /^lockkeeper import [\da-f]{16} copies the state$/;
const STATES = '/api/v2/organizations/acme/workspaces';

interface StartOptions {
  readonly token?: string;
  readonly machine?: string;
  readonly address?: string;
  readonly args?: readonly string[];
  readonly environment?: Record<string, string>;
}

/** Runs the commands as processes, so that they can be killed. */
describe.each(databaseKinds)('the lock of an import, on %s', { timeout: 90_000 }, (kind) => {
  let folder: string;
  let hcp: FakeHcp;
  let server: TestServer;
  let running: Command[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-import-locks-'));
    [hcp, server, running] = [await FakeHcp.start(), await startTestServer(kind), []];
    writeFileSync(join(folder, 'ca.pem'), server.ca);
    hcp.documents.set(STATES, list([hcp.workspace('ws-1', 'network')]));
    history(3);
    const data = { type: 'organizations', attributes: { name: 'moved', email: 'a@example.com' } };
    expect((await server.user('POST', '/api/v2/organizations', { data })).status).toBe(201);
  });
  afterEach(async () => {
    for (const command of running) await command.kill();
    await hcp.stop();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const history = (count: number) =>
    hcp.history(
      'ws-1',
      Array.from({ length: count }, (_, index) => ({ serial: index + 1, content: stateText(index + 1) })),
    );

  /** Starts an import. `machine` is the folder of the user's states. */
  function start(more: StartOptions = {}): Command {
    const { token = server.userToken, machine = 'machine', address = server.address, args = [], environment } = more;
    const command = new Command(
      [...['import', 'hcp-terraform', '--source-organization', 'acme', '--states', 'all', '--apply'], ...args],
      {
        LOCKKEEPER_ADDR: address,
        LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
        LOCKKEEPER_TOKEN: token,
        LOCKKEEPER_ORGANIZATION: 'moved',
        LOCKKEEPER_SOURCE_ADDR: hcp.address,
        LOCKKEEPER_SOURCE_TOKEN: 'theirs',
        XDG_STATE_HOME: join(folder, machine),
        ...environment,
      },
    );
    running.push(command);
    return command;
  }
  const run = (more: StartOptions = {}) => start(more).ended();

  /** Makes the download of a state wait. @returns its response, once it is asked for */
  function holdDownload(index: number): Promise<ServerResponse> {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    hcp.handlers.set(`/files/sv-ws-1-${index}`, (_request, response) => resolve(response));
    return promise;
  }

  const network = async () =>
    (await server.user('GET', '/api/v2/organizations/moved/workspaces/network')).body.data as {
      id: string;
      attributes: { locked: boolean; 'locked-reason': string };
    };
  const lock = async () => (await network()).attributes;
  const serial = async () => {
    const { body } = await server.user('GET', `/api/v2/workspaces/${(await network()).id}/current-state-version`);
    return body.data.attributes.serial as number;
  };
  const journals = () => readdirSync(join(folder, 'machine/lockkeeper/imports'), { recursive: true });
  const forceUnlock = async () => {
    const path = `/api/v2/workspaces/${(await network()).id}/actions/force-unlock`;
    expect((await server.user('POST', path)).status).toBe(200);
  };

  /** Returns a token of the kind that may import. */
  async function tokenOf(holder: string): Promise<string> {
    if (holder === 'user') return server.userToken;
    if (holder === 'organization') {
      const path = '/api/v2/organizations/moved/authentication-token';
      return (await server.user('POST', path)).body.data.attributes.token;
    }
    const [owners] = (await server.user('GET', '/api/v2/organizations/moved/teams?filter[names]=owners')).body.data;
    const { body } = await server.user('POST', `/api/v2/teams/${owners.id}/authentication-token`);
    return body.data.attributes.token;
  }

  it.each(['user', 'team'])(
    'of a killed import by a %s is continued by the next one, on its machine',
    async (holder) => {
      const token = await tokenOf(holder);
      const held = holdDownload(1);
      const killed = start({ token });
      await held;
      await killed.kill();
      const { locked, 'locked-reason': reason } = await lock();
      expect([locked, reason, await serial()]).toEqual([true, expect.stringMatching(REASON), 1]);

      history(3);
      const elsewhere = await run({ token, machine: 'another' });
      expect([elsewhere.code, elsewhere.stdout]).toEqual([
        1,
        expect.stringMatching(
          /locked it at .* \(lockkeeper import [\da-f]{16} .*unlock it only if that import has ended/,
        ),
      ]);
      expect((await lock())['locked-reason']).toBe(reason);

      const { code, stderr } = await run({ token });
      expect([code, stderr]).toEqual([0, expect.stringContaining('copied: state of workspace network\n')]);
      expect([(await lock()).locked, await serial()]).toEqual([false, 3]);
      // Nothing is left for the next import.
      expect(journals()).toEqual([expect.stringMatching(/^[\da-f]{32}$/)]);
    },
  );

  it('is not for an organization token, which may not write states', async () => {
    const { code, stdout } = await run({ token: await tokenOf('organization') });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/state of workspace network: .*\/state-versions: .*\(404\)/),
    ]);
    expect((await lock()).locked).toBe(false);
  });

  it('is not used or released by the same import that runs beside it', async () => {
    const held = holdDownload(1);
    const first = start();
    const response = await held;
    const before = await lock();
    const { code, stdout } = await run();
    expect([code, stdout]).toEqual([1, expect.stringContaining('Another import copies its states')]);
    expect(await lock()).toEqual(before);
    response.end(stateText(2));
    expect((await first.ended()).code).toBe(0);
    expect([(await lock()).locked, await serial()]).toEqual([false, 3]);
  });

  it('is released after all states are here if its import was interrupted, and not while it runs', async () => {
    expect((await run()).code).toBe(0);
    const { id } = await network();
    const host = new URL(server.address).host;
    const source = `${new URL(hcp.address).host}/acme`;
    const journal = openJournal(join(folder, 'machine/lockkeeper/imports'), [source, host, 'moved']);
    journal.locking(id);
    const reason = `lockkeeper import ${journal.id} copies the state`;
    expect((await server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason })).status).toBe(200);
    expect((await run()).code).toBe(0);
    expect(await lock()).toMatchObject({ locked: true, 'locked-reason': reason });
    journal.close();
    const other = await run({ token: await tokenOf('team') });
    expect([other.code, other.stdout]).toEqual([
      1,
      expect.stringContaining('Another token holds the lock of the interrupted import'),
    ]);
    expect(await lock()).toMatchObject({ locked: true, 'locked-reason': reason });
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('unlocked: workspace network, which an interrupted import'),
    ]);
    expect((await lock()).locked).toBe(false);
  });

  it('that someone else releases between two states is not claimed to exist', async () => {
    const held = holdDownload(1);
    const command = start();
    const response = await held;
    await forceUnlock();
    response.end(stateText(2));
    const { code, stdout } = await command.ended();
    expect([code, stdout]).toEqual([1, expect.stringContaining('someone else has unlocked the workspace meanwhile')]);
    expect(stdout).not.toContain('stays locked');
    expect([(await lock()).locked, await serial()]).toEqual([false, 1]);
    history(3);
    expect((await run()).code).toBe(0);
    expect([(await lock()).locked, await serial()]).toEqual([false, 3]);
  });

  it.each([
    ['nobody', /\/actions\/unlock$/],
    ['another user', /\/actions\/unlock$/],
    ['the same user', /\/workspaces\/ws-\w+$/],
  ])('that is of %s after the last state fails nothing', async (next, moment) => {
    let missing = 3;
    const relay = await LossyRelay.start(server, Number.POSITIVE_INFINITY, async (path) => {
      if (path.endsWith('/state-versions')) missing--;
      if (missing !== 0 || !moment.test(path)) return;
      missing = -1;
      await forceUnlock();
      const reason = { reason: 'maintenance' };
      const again = `/api/v2/workspaces/${(await network()).id}/actions/lock`;
      const token = await tokenOf(next === 'the same user' ? 'user' : 'team');
      if (next !== 'nobody') expect((await server.call('POST', again, { token, body: reason })).status).toBe(200);
    });
    try {
      const { code, stderr } = await run({ address: relay.address });
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('copied: state of workspace network; someone else had released the lock'),
      ]);
      expect(await serial()).toBe(3);
      expect((await lock()).locked).toBe(next !== 'nobody');
    } finally {
      await relay.stop();
    }
  });

  it('stays while only some of the states are here', async () => {
    hcp.history('ws-1', [{ serial: 1, content: stateText(1) }, { serial: 2 }, { serial: 3, content: stateText(3) }]);
    for (let times = 0; times < 2; times++) {
      const { code, stdout } = await run();
      expect([code, stdout]).toEqual([1, expect.stringMatching(/404 .*The states are incomplete, so/)]);
      expect(await serial()).toBe(1);
      expect((await lock()).locked).toBe(true);
    }
    history(3);
    expect((await run()).code).toBe(0);
    expect([(await lock()).locked, await serial()]).toEqual([false, 3]);
  });

  it('is taken without a folder for the journal too', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = await run({ machine: 'file' });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/cannot be written \(ENOTDIR\): if this import is/)]);
    expect([(await lock()).locked, await serial()]).toEqual([false, 3]);
    const homeless = await run({ environment: { HOME: '', XDG_STATE_HOME: '' } });
    expect([homeless.code, homeless.stderr]).toEqual([0, expect.stringContaining('this user has no home folder: if')]);
  });
});
