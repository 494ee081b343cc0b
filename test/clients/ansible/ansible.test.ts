import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installed } from '../support/installation.ts';
import { run } from '../support/run.ts';
import { type Serving, startServing } from '../support/serving.ts';

let serving: Serving;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'lockkeeper-ansible-'));
  serving = await startServing();
});
afterAll(async () => {
  await serving.stop();
  rmSync(home, { recursive: true, force: true });
});

it("Ansible's collection for Vault logs in by certificate, reads, writes, lists and creates tokens", async () => {
  const variables = {
    address: serving.address,
    root_token: serving.rootToken,
    ca_file: serving.caFile,
    client_ca_file: serving.clientCaFile,
    client_certificate_file: serving.clientCertificateFile,
    client_key_file: serving.clientKeyFile,
    ansible_python_interpreter: join(installed.ansible, 'venv/bin/python'),
  };
  const { code, stdout, stderr } = await run(
    join(installed.ansible, 'venv/bin/ansible-playbook'),
    [
      '--inventory',
      'localhost,',
      '--connection',
      'local',
      '--extra-vars',
      JSON.stringify(variables),
      join(import.meta.dirname, 'playbook.yml'),
    ],
    {
      cwd: home,
      env: {
        HOME: home,
        ANSIBLE_COLLECTIONS_PATH: join(installed.ansible, 'collections'),
        ANSIBLE_NOCOLOR: '1',
        LC_ALL: 'C.UTF-8',
      },
    },
  );
  expect(code, stdout + stderr).toBe(0);
});
