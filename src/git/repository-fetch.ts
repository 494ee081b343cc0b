import type { GitBounds } from './bounds.ts';
import type { GitTransport } from './git-remote.ts';
import { Pack } from './objects/pack.ts';
import { Snapshot } from './objects/snapshot.ts';
import { type Capabilities, fetchCapabilities } from './protocol/capabilities.ts';
import { fetchPack, type Wanted } from './protocol/fetch.ts';

/** A repository at a Git server. */
export interface RepositoryAccess {
  /** URL without credentials. */
  readonly url: string;
  readonly transport: GitTransport;
  /** Capabilities of the server, if they are known from an earlier request. */
  readonly capabilities?: Capabilities | undefined;
}

/** Bytes of packs that one operation may still fetch, submodules included. */
export interface PackBudget {
  bytes: number;
}

/** Fetches and indexes a pack. @throws GitError */
export async function fetchSnapshot(
  { transport, capabilities }: RepositoryAccess,
  wanted: Wanted,
  bounds: GitBounds,
  budget: PackBudget,
): Promise<Snapshot> {
  const features = capabilities ?? (await fetchCapabilities(transport));
  const bytes = await fetchPack(transport, wanted, features, { packBytes: budget.bytes });
  budget.bytes -= bytes.length;
  return new Snapshot(new Pack(bytes, bounds));
}
