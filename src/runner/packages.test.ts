import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { packagesIn } from './packages.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'));
});

function write(modules: readonly object[] | string, place = join(folder, '.terraform/modules')): void {
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, 'modules.json'),
    typeof modules === 'string' ? modules : JSON.stringify({ Modules: modules }),
  );
}

test('reads the selected versions of providers, and modules without credentials', () => {
  const block = (source: string, version: string) => `provider "${source}" {\n  version = "${version}"\n}\n`;
  const locked = block('registry.opentofu.org/hashicorp/aws', '5.90.1') + block('registry.invalid/acme/thing', '0.1.0');
  writeFileSync(join(folder, '.terraform.lock.hcl'), locked);
  write([
    { Key: '', Source: '', Dir: '.' },
    { Key: 'vpc', Source: 'registry.opentofu.org/terraform-aws-modules/vpc/aws', Version: '5.1.0', Dir: 'x' },
    { Key: 'vpc.git', Source: 'git::https://user:secret@git.example.com/a.git?ref=v1&sshkey=secret', Dir: 'y' },
    { Key: 'lone', Source: '\ud800', Dir: 'z' },
    { Key: 'long', Source: 'x'.repeat(300), Dir: 'z' },
  ]);
  expect(packagesIn(folder)).toEqual({
    providers: [
      { source: 'registry.opentofu.org/hashicorp/aws', version: '5.90.1' },
      { source: 'registry.invalid/acme/thing', version: '0.1.0' },
    ],
    modules: [
      { key: 'vpc', source: 'registry.opentofu.org/terraform-aws-modules/vpc/aws', version: '5.1.0' },
      { key: 'vpc.git', source: 'git::https://git.example.com/a.git?ref=v1', version: null },
    ],
  });
});

test('reports nothing from links, broken files and lists of other forms', () => {
  const none = { providers: [], modules: [] };
  expect(packagesIn(folder)).toEqual(none);
  for (const text of ['', '[]', 'null', '{"Modules":{}}', '{"Modules":[null,1,"a"]}', '{']) {
    write(text);
    expect(packagesIn(folder)).toEqual(none);
  }
  const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  write([{ Key: 'a', Source: './a' }], join(elsewhere, 'modules'));
  folder = mkdtempSync(join(tmpdir(), 'packages-'));
  symlinkSync(elsewhere, join(folder, '.terraform'));
  expect(packagesIn(folder)).toEqual(none);
});

test('reports at most 100 modules', () => {
  write(Array.from({ length: 150 }, (_, at) => ({ Key: `m${at}`, Source: './m' })));
  expect(packagesIn(folder).modules).toHaveLength(100);
});
