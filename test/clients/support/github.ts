import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createRoot } from '../../support/pki.ts';
import { type FakeProvider, fakeGitHub } from '../../support/vcs/fake-github.ts';
import { NAMES } from './names.ts';

/** Repository of the tests. */
export const REPOSITORY = 'example/policies';

/** A look-alike of GitHub under its own names, which the tests have in their source. */
export interface GitHub {
  readonly fake: FakeProvider;
  /** Part of the server's configuration, in YAML. */
  readonly settings: string;
  /** Environment of the server's process, in which the names lead here. */
  readonly environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts it at port 443 of a random address of loopback, since other runs may have one too. */
export async function startGitHub(): Promise<GitHub> {
  const fake = await fakeGitHub();
  const repository = await fake.createRepository(REPOSITORY);
  await repository.git.commit({ 'README.md': 'This is a simple test\n' }, 'readme');
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-github-'));
  const authority = createRoot({ subject: 'GitHub' });
  const certificate = authority.issue({ subject: NAMES[0], dns: [...NAMES], extendedKeyUsage: ['serverAuth'] });
  writeFileSync(join(folder, 'ca.pem'), authority.pem);
  const server = createServer({ cert: certificate.pem, key: certificate.keyPem }, (incoming, outgoing) => {
    passOn(new URL(incoming.url ?? '/', fake.server.address), incoming, outgoing).catch(() => outgoing.destroy());
  });
  const random = () => 1 + Math.floor(Math.random() * 253);
  const address = `127.${random()}.${random()}.${random()}`;
  server.listen(443, address);
  await once(server, 'listening');
  const allowed = ['127.0.0.1', ...NAMES].join(', ');
  return {
    fake,
    settings: `vcs: { allowed_addresses: [${allowed}], authorities_file: ${join(folder, 'ca.pem')} }\n`,
    environment: {
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('names.ts', import.meta.url))}`,
      LOCKKEEPER_TEST_GITHUB: address,
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await fake.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function passOn(url: URL, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const onward = request(url, { method, headers: { ...headers, host: url.host } });
  const answered = once(onward, 'response');
  await pipeline(incoming, onward);
  const [answer]: IncomingMessage[] = await answered;
  if (!answer) throw new Error('no answer');
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  await pipeline(answer, outgoing);
}
