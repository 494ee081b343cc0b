import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBubblewrap, type NetworkSettings } from '../../../src/runner/index.ts';
import module from '../tofu/module.json' with { type: 'json' };
import { ENGINES } from './engines.ts';
import { installed } from './installation.ts';

/** What a server needs that carries out runs by itself. */
export interface Execution {
  /** Of its configuration, in YAML. */
  readonly settings: string;
  remove(): void;
}

/**
 * An agent of the server's own, with the engines that were built and the provider that takes the place of `hashicorp/null`.
 * @param reachesHost whether runs reach services of this machine, which a test starts
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
  // In a sandbox, where there is one.
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
