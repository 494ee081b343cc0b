import type { JobBounds } from '../../lib/job/bounds.ts';
import type { ConfigTree } from '../config-schema.ts';
import { addressBlocks } from '../host-address.ts';
import { type EngineSettings, toEngineSettings } from './engine-settings.ts';
import { toJobBounds } from './job-bounds.ts';

/** Configuration of the agent that the server starts itself. */
export interface EmbeddedAgentConfig extends EngineSettings {
  readonly slots: number;
  readonly isolation: 'bubblewrap' | 'none';
  /** Network of runs in a sandbox. */
  readonly network: 'isolated' | 'host';
  /** IP addresses and CIDR blocks. */
  readonly deniedAddresses: readonly string[];
  readonly bounds: JobBounds;
  readonly directory: string;
  readonly providers: string | undefined;
}

type Tree = NonNullable<ConfigTree['workspaces']>['embedded_agent'];

/** Returns the settings with absolute paths. @throws ConfigError */
export function toEmbeddedAgent(tree: Tree, at: (path: string) => string): EmbeddedAgentConfig {
  const { slots, isolation, network, directory, providers } = tree;
  const key = 'workspaces.embedded_agent.denied_addresses';
  return {
    ...{ slots, isolation, network, directory: at(directory) },
    deniedAddresses: addressBlocks(key, tree.denied_addresses),
    bounds: toJobBounds(tree),
    ...toEngineSettings(tree, at),
    providers: providers === undefined ? undefined : at(providers),
  };
}
