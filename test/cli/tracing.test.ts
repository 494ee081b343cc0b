import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { otlpCollector } from '../support/collectors/otlp-collector.ts';
import { Command } from '../support/command.ts';

/** Writes the path of each loaded file that belongs to the span exporter. */
const WATCH = `
import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (String(loaded.source ?? '').includes('startTimeUnixNano')) appendFileSync(process.env.WATCHED, url + '\\n');
    return loaded;
  },
});
`;

/** Returns the exporter files that a server has loaded after it has answered a request. */
async function loadedBy(tracing: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tracing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const watched = file('watched', '');
  const config = file(
    'lockkeeper.yaml',
    `listeners: [{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }]
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 0s }
${tracing}
`,
  );
  await new Command(['init', '--config', config]).ended();
  const environment = { NODE_OPTIONS: `--import ${file('watch.mjs', WATCH)}`, WATCHED: watched };
  const command = new Command(['serve', '--config', config], environment);
  const { addresses } = JSON.parse(await command.lineWith('"addresses"'));
  expect((await fetch(`${addresses[0]}/api/v2/ping`)).status).toBe(204);
  command.signal('SIGTERM');
  expect(await command.ended()).toMatchObject({ code: 0 });
  return readFileSync(watched, 'utf8');
}

it('the span exporter is not loaded when tracing is off', async () => {
  expect(await loadedBy('')).toBe('');
  const collector = await otlpCollector();
  const loaded = await loadedBy(`tracing: { otlp_endpoint: "${collector.endpoint}" }`);
  expect(loaded.trim().split('\n')).toHaveLength(1);
  // The last spans are sent before the process ends.
  expect(collector.spans().map(({ name }) => name)).toContain('GET /api/v2/ping');
}, 120_000);
