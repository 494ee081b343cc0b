import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../../support/command.ts';
import { createRoot } from '../../support/pki.ts';
import { installed } from '../support/installation.ts';
import { type Serving, startServing } from '../support/serving.ts';
import { Project } from '../tofu/project.ts';

const GUIDE = fileURLToPath(new URL('../../../docs/guides/as-code.md', import.meta.url));
const DAY = 24 * 3_600_000;

/** Files of the guide: its HCL blocks, whose first line is a comment with the name. */
const filesOf = (guide: string): Record<string, string> =>
  Object.fromEntries([...guide.matchAll(/```hcl\n# (\w+\.tf)\n(.*?)```/gs)].map(([, name, text]) => [name, text]));

describe('the guide "Lockkeeper as code", with tofu and the official providers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-as-code-'));
  const guide = readFileSync(GUIDE, 'utf8');
  const clients = createRoot({ subject: 'Example client CA' });
  const runner = clients.issue({ subject: 'runner-1.example.com', dns: ['runner-1.example.com'] });
  let serving: Serving;
  let project: Project;

  beforeAll(async () => {
    serving = await startServing();
    await lockkeeper(serving.userToken, 'api', 'POST', 'organizations', '--data', ORGANIZATION);
    project = configured();
    await project.done('init', '-input=false', '-no-color');
  });
  afterAll(async () => {
    await serving.stop();
    rmSync(folder, { recursive: true });
  });

  const ORGANIZATION = JSON.stringify({
    data: { type: 'organizations', attributes: { name: 'demo', email: 'a@example.com' } },
  });

  /** Runs the CLI against the server. @returns its standard output */
  async function lockkeeper(token: string, ...args: string[]): Promise<string> {
    const environment = {
      ...{ LOCKKEEPER_ADDR: serving.address, LOCKKEEPER_CACERT: serving.caFile, HOME: folder },
      ...{ LOCKKEEPER_TOKEN: token, LOCKKEEPER_ORGANIZATION: 'demo' },
    };
    const { code, stdout, stderr } = await new Command(args, environment).ended();
    expect(code, stderr).toBe(0);
    return stdout.trim();
  }

  /** A folder with the files of the guide, and those that it reads. */
  function configured(): Project {
    const mirror = join(folder, 'mirror');
    mkdirSync(mirror);
    for (const place of [installed.tfeProvider, installed.vaultProvider]) cpSync(place, mirror, { recursive: true });
    const settings = join(folder, 'tofu.rc');
    writeFileSync(
      settings,
      `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
    );
    const environment = {
      ...{ HOME: folder, CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: settings, TF_VAR_address: serving.address },
      ...{ VAULT_TOKEN: serving.rootToken, TFE_TOKEN: serving.userToken },
      ...{ VAULT_CACERT: serving.caFile, SSL_CERT_FILE: serving.caFile },
    };
    return new Project(
      { program: join(installed.tofu, 'tofu'), folder, environment },
      {
        ...filesOf(guide),
        'client-ca.pem': clients.pem,
        'client-ca.crl.pem': clients.crl({ nextUpdate: new Date(Date.now() + DAY) }).pem,
        'ci.pub': generateKeyPairSync('ec', { namedCurve: 'P-256' })
          .publicKey.export({ type: 'spki', format: 'pem' })
          .toString(),
        'runner.pem': runner.pem,
        'runner.key': runner.keyPem,
      },
    );
  }

  it('creates everything that the guide names, and then has no changes', async () => {
    expect(Object.keys(filesOf(guide))).toEqual(['providers.tf', 'access.tf', 'workspaces.tf']);
    const said = /Apply complete! Resources: \d+ added, 0 changed, 0 destroyed\./.exec(guide)?.[0] ?? '';
    expect(await project.apply()).toContain(said);
    const { code, stdout, stderr } = await project.run('plan', '-detailed-exitcode', '-input=false', '-no-color');
    expect(code, stdout + stderr).toBe(0);
  });

  it('lets the certificate of the guide work on the workspaces of its team', async () => {
    const team = await project.done('output', '-raw', 'team');
    const data = /machine-identities" --field data\.id --data '(.*?)'/s.exec(guide)?.[1] ?? '';
    const path = `teams/${team}/machine-identities`;
    expect(await lockkeeper(serving.userToken, 'api', 'POST', path, '--field', 'data.id', '--data', data)).toMatch(
      /^mi-/,
    );
    const files = ['--cert', join(project.folder, 'runner.pem'), '--key', join(project.folder, 'runner.key')];
    await lockkeeper('', 'login', '--mount', 'machines', ...files, '--role', 'builders');
    const listed = await lockkeeper('', 'workspace', 'list', '--search', 'platform');
    expect(listed).toContain('platform-network-production');
    expect(listed).toContain('platform-network-staging');
  });

  it('changes what the configuration changes, in both APIs', async () => {
    const access = filesOf(guide)['access.tf'] ?? '';
    const workspaces = filesOf(guide)['workspaces.tf'] ?? '';
    project.write('access.tf', access.replaceAll('token_ttl            = 900', 'token_ttl            = 600'));
    project.write('workspaces.tf', workspaces.replace('access     = "write"', 'access     = "read"'));
    expect(await project.apply()).toContain('Resources: 0 added, 2 changed, 0 destroyed.');
    expect(await lockkeeper(serving.rootToken, 'read', 'auth/machines/certs/builders', '--field', 'token_ttl')).toBe(
      '600',
    );
  });

  it('destroys everything', async () => {
    const destroyed = await project.done('destroy', '-auto-approve', '-input=false', '-no-color');
    expect(destroyed).toMatch(/Destroy complete! Resources: 20 destroyed/);
    const mounts = await lockkeeper(serving.rootToken, 'read', 'sys/auth');
    expect(mounts).not.toContain('machines/');
  });
});
