import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/command.ts';
import { run } from './support/run.ts';

const LARGE = Buffer.alloc(40 * 1_048_576, 'x');
/** Writes the whole body before it reads anything. */
const PYTHON = `
import http.client, ssl, sys
ca, host, port, path, token, file = sys.argv[1:]
connection = http.client.HTTPSConnection(host, int(port), context=ssl.create_default_context(cafile=ca))
headers = {'Authorization': 'Bearer ' + token, 'Content-Type': 'application/json'}
connection.request('POST', path, open(file, 'rb').read(), headers)
answer = connection.getresponse()
print(answer.status, answer.read().decode())
`;

describe('a refusal reaches a client that still writes 40 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-refused-'));
  const file = join(folder, 'large');
  let server: DevServer;
  beforeAll(async () => {
    writeFileSync(file, LARGE);
    server = await startDev(join(folder, 'demo'));
  });
  afterAll(async () => {
    server.command.signal('SIGTERM');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  const cases = () =>
    [
      ['/v1/sys/policies/acl/x', 'lks.a.b', '403 {"errors":["permission denied"]}'],
      ['/v1/sys/policies/acl/x', server.line.root_token, '413 {"errors":["the request body is too large"]}'],
      ['/v1/sys/nothing', server.line.root_token, '404 {"errors":['],
      ['/api/v2/organizations/demo/workspaces', 'lku.a.b', '401 {"errors":[{"status":"401"'],
      ['/api/v2/organizations/demo/workspaces', server.line.user_token, '413 {"errors":[{"status":"413"'],
      ['/nothing', '', '404 {"errors":["no such path"]}'],
    ] as const;

  const python = async (path: string, token: string): Promise<string> => {
    const { hostname, port } = new URL(server.line.address);
    const { stdout, stderr } = await run(
      'python3',
      ['-c', PYTHON, server.line.ca_file, hostname, port, path, token, file],
      { cwd: folder },
    );
    return stdout + stderr;
  };

  const curl = (version: string) => async (path: string, token: string) => {
    const headers = ['-H', `Authorization: Bearer ${token}`, '-H', 'Content-Type: application/json', '-H', 'Expect:'];
    const trust = ['-sS', version, '--cacert', server.line.ca_file];
    const body = ['--data-binary', `@${file}`, '-w', '\n%{http_code} '];
    const { code, stdout, stderr } = await run('curl', [...trust, ...headers, ...body, server.line.address + path], {
      cwd: folder,
    });
    const [text, status] = stdout.split('\n');
    return code === 0 ? `${status}${text}` : stderr;
  };

  const node = (path: string, token: string) =>
    new Promise<string>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const options = { method: 'POST', headers, ca: readFileSync(server.line.ca_file), agent: false } as const;
      const outgoing = request(server.line.address + path, options, (answer) => {
        let text = `${answer.statusCode} `;
        answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      });
      outgoing.on('error', (error) => resolve(String(error))).end(LARGE);
    });

  it.each([
    ['Python', python],
    ['curl, HTTP/1.1', curl('--http1.1')],
    ['curl, HTTP/2', curl('--http2')],
    ['Node.js', node],
  ])('%s', async (_name, ask) => {
    for (const [path, token, expected] of cases()) expect(await ask(path, token)).toContain(expected);
  });
});
