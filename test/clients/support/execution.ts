import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBubblewrap, type NetworkSettings } from '../../../src/runner/index.ts';
import module from '../tofu/module.json' with { type: 'json' };
import { ENGINES } from './engines.ts';
import { installed } from './installation.ts';

/** Settings of a server that executes runs itself. */
export interface Execution {
  /** Part of its configuration, in YAML. */
  readonly settings: string;
  remove(): void;
}

/**
 * The server's own agent, with the built engines and a provider that replaces `hashicorp/null`.
 * @param reachesHost whether runs can reach services of this machine that a test starts
 */
export async function ownExecution(slots: number, reachesHost = false): Promise<Execution> {
  const engines = mkdtempSync(join(tmpdir(), 'lockkeeper-engines-'));
  const place = join(engines, 'opentofu', module.version.slice(1));
  mkdirSync(place, { recursive: true });
  symlinkSync(join(installed.tofu, 'tofu'), join(place, 'tofu'));
  for (const { kind, version } of ENGINES) {
    mkdirSync(join(engines, kind), { recursive: true });
    symlinkSync(join(installed.engines, kind, version), join(engines, kind, version));
  }
  // In a sandbox, where the machine supports one.
  const works = (network: NetworkSettings | null) =>
    findBubblewrap(process.env.PATH ?? '', network).then(
      () => true,
      () => false,
    );
  const network = !reachesHost && (await works({ denied: [], reachServer: true })) ? 'isolated' : 'host';
  const isolation = (await works(null)) ? 'bubblewrap' : 'none';
  const agent = { slots, isolation, network, engines, providers: installed.nullProvider };
  return {
    settings: `workspaces: ${JSON.stringify({ execution: 'embedded', embedded_agent: agent })}\n`,
    remove: () => rmSync(engines, { recursive: true }),
  };
}
