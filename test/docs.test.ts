import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cliPage } from '../docs/generate-cli.ts';
import { configurationPage } from '../docs/generate-configuration.ts';
import { loadConfig } from '../src/config/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.md') && !/^(node_modules|\.git|dist)\//.test(path),
);

describe('the documentation', () => {
  it('lists the settings that the schema has (node docs/generate-configuration.ts writes the page)', () => {
    expect(read('docs/reference/configuration.md')).toBe(configurationPage());
  });

  it('lists the commands and options that there are (node docs/generate-cli.ts writes the page)', async () => {
    expect(read('docs/reference/cli.md')).toBe(await cliPage());
  });

  it('shows configurations that the server takes', () => {
    const [example = ''] = /```yaml\n(listeners:[\s\S]*?)```/.exec(read('docs/guides/first-server.md'))?.slice(1) ?? [];
    const config = loadConfig({ file: example, environment: {}, flags: [] }, '/etc/lockkeeper');
    expect(config.listeners).toHaveLength(2);
  });

  it.each(pages)('%s links to what is there', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target]) => target ?? '');
    for (const target of links) expect(() => readFileSync(join(ROOT, dirname(page), target))).not.toThrow();
  });
});
