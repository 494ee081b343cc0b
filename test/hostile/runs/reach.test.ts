import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNetworks } from '../../support/runner/run.ts';
import { SharedAgent } from './support/shared-agent.ts';

const SECRET = 'the-secret-of-the-honest-workspace';
const HONEST = `[ $1 = apply ] && { echo "begun with \${#SECRET}"; while [ ! -e go-on ]; do sleep 0.1; done; }`;

/** Script of a configuration that tries to access data of others, and prints the results. */
const attempts = (paths: readonly string[], urls: readonly string[]): string => `
if [ $1 = plan ]; then
  for path in ${paths.map((path) => `'${path}'`).join(' ')}; do
    head -c 100000 "$path" 2>/dev/null; ls "$path" 2>/dev/null
    echo stolen >"$path" && echo "written $path"
  done
  cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'
  find / -xdev \\( -name '*.key' -o -name 'keyring*' -o -name 'pool-token' \\) -readable 2>/dev/null | sed 's/^/found /'
  for url in ${urls.map((url) => `'${url}'`).join(' ')}; do curl -skS -m 3 "$url" 2>&1; done
  touch /usr/stolen /etc/stolen /run/stolen && echo "written to the system"
  setsid sh -c 'sleep 600' >/dev/null 2>&1 </dev/null &
  kill -9 -1 2>/dev/null
  exit 1
fi
`;

describe.skipIf(!hasNetworks)(
  'a malicious configuration in the sandbox (needs bwrap, pasta, nft)',
  { timeout: 180_000 },
  () => {
    let shared: SharedAgent;
    let service: Server;
    beforeAll(async () => {
      shared = await SharedAgent.start(['--isolation', 'bubblewrap']);
      service = createServer((_, answer) => answer.end('reached a service of this machine\n')).listen(0, '127.0.0.1');
      await once(service, 'listening');
    });
    afterAll(async () => {
      service.close();
      await shared.stop();
    });

    test('reads, reaches and kills nothing of others', async () => {
      const { installation, folder, pid } = shared;
      const workspace = await installation.workspace();
      const attributes = { key: 'SECRET', value: SECRET, category: 'env', sensitive: true };
      await installation.user('POST', `/workspaces/${workspace}/vars`, { data: { type: 'vars', attributes } });
      const honest = await installation.run(workspace, { 'main.tf': '', 'act.sh': HONEST });
      await installation.untilLogged(honest, 'apply', `begun with ${SECRET.length}`);

      const job = join(folder, 'runs', honest);
      const { port } = service.address() as AddressInfo;
      const paths = [
        ...[folder, job, join(job, 'work', 'act.sh'), join(job, 'states'), installation.tokenFile],
        ...[`/proc/${pid}/environ`, `/proc/${pid}/root/etc/shadow`, join(installation.folder, 'keyring.json')],
        '../../../agent.lock',
      ];
      const urls = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://[::1]:${port}/`];
      const { status, log } = await shared.outcomeOf(await shared.queue(attempts(paths, urls)));
      expect(log).toContain('curl: (');
      expect(status, log).toBe('errored');
      for (const stolen of [
        SECRET,
        readFileSync(installation.tokenFile, 'utf8'),
        'lkj.',
        'reached',
        'written',
        'found',
      ]) {
        expect(log).not.toContain(stolen);
      }

      // The honest run is not affected.
      expect([shared.isAlive, shared.pid]).toEqual([true, pid]);
      writeFileSync(join(job, 'work', 'go-on'), '');
      expect(await shared.outcomeOf(honest)).toMatchObject({ status: 'applied' });
      expect((await installation.stateOf(workspace)).lineage).toBe('honest');
      expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
    });
  },
);
