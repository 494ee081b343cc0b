import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../support/http.ts';
import { installed } from '../support/installation.ts';
import { run } from '../support/run.ts';
import { type Serving, startServing } from '../support/serving.ts';

const PROGRAM = join(installed.consulTemplate, 'consul-template');
const TEMPLATE = '{{ with secret "auth/token/lookup-self" }}{{ .Data.display_name }}{{ end }}';

describe('consul-template', () => {
  let serving: Serving;
  let folder: string;

  beforeAll(async () => {
    serving = await startServing();
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-consul-template-'));
    writeFileSync(join(folder, 'in.tpl'), TEMPLATE);
  });
  afterAll(async () => {
    await serving.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const server = () => ({ address: serving.address, ca: readFileSync(serving.caFile, 'utf8') });
  const root = (path: string, body: unknown, headers = {}) =>
    call(server(), 'POST', `/v1/${path}`, { token: serving.rootToken, body, headers });

  /** @returns arguments that render the template into a file of that name */
  function rendering(name: string, settings: string): string[] {
    const config = join(folder, `${name}.hcl`);
    writeFileSync(
      config,
      `vault {
        address = "${serving.address}"
        ssl { ca_cert = "${serving.caFile}" }
        ${settings}
      }
      template {
        source = "${join(folder, 'in.tpl')}"
        destination = "${join(folder, name)}"
      }`,
    );
    return ['-config', config];
  }

  it('renders once with a token', async () => {
    const { code, stderr } = await run(PROGRAM, [...rendering('once', `token = "${serving.rootToken}"`), '-once'], {
      cwd: folder,
    });
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(folder, 'once'), 'utf8')).toBe('root');
  });

  it('unwraps a token first', async () => {
    const wrapped = await root('auth/token/create', { display_name: 'wrapped' }, { 'x-vault-wrap-ttl': '60s' });
    const settings = `token = "${wrapped.body.wrap_info.token}"
      unwrap_token = true`;
    const { code, stderr } = await run(PROGRAM, [...rendering('unwrapped', settings), '-once'], { cwd: folder });
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(folder, 'unwrapped'), 'utf8')).toBe('token-wrapped');
  });

  it('reports a refused token, with status and reason', async () => {
    const settings = `token = "hvs.unknown"
      retry { attempts = 1 }`;
    const { code, stderr } = await run(PROGRAM, [...rendering('refused', settings), '-once'], { cwd: folder });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/Code: 403[\s\S]*permission denied/);
  });

  it('keeps its token alive beyond its TTL', async () => {
    const created = await root('auth/token/create', { ttl: '3s', explicit_max_ttl: '5m', policies: ['default'] });
    const { client_token: token } = created.body.auth;
    const child: ChildProcess = spawn(PROGRAM, rendering('renewed', `token = "${token}"`), { stdio: 'ignore' });
    try {
      const life = async () => (await call(server(), 'GET', '/v1/auth/token/lookup-self', { token })).body?.data;
      await expect.poll(() => existsSync(join(folder, 'renewed')), { timeout: 30_000 }).toBe(true);
      const { issue_time: issued } = await life();
      const twoLives = Date.parse(issued) + 6_500;
      await expect.poll(() => Date.now() > twoLives, { timeout: 30_000, interval: 500 }).toBe(true);
      expect(await life()).toMatchObject({ last_renewal: expect.any(String) });
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    }
  });
});
