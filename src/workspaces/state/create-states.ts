import type { BackgroundWork } from '../../lib/background/background-work.ts';
import { BlobHousekeeping, Blobs, BlobWriter } from '../../storage/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { StateHooks } from './hooks/hooks.ts';
import { IntakeThreads } from './intake/intake-threads.ts';
import { StateUploads } from './transfer/uploads.ts';
import { BackingData } from './version/backing-data.ts';
import { StateContents } from './version/contents.ts';
import { StateContentsReader } from './version/contents-reader.ts';
import { stateDependent, stateGate } from './version/dependent.ts';
import { StateDifferences } from './version/differences.ts';
import { type StateLinks, stateLinks } from './version/links.ts';
import { StatePresenter } from './version/presenter.ts';
import { retainedStates } from './version/retained-states.ts';
import { Rollbacks } from './version/rollbacks.ts';
import { UsesBackfill } from './version/uses-backfill.ts';
import { StateVersions } from './version/versions.ts';
import { StateWriter } from './version/writer.ts';
import { statesInWorkspaces } from './workspace-hooks.ts';

/** Services of workspace states: versions, stored bytes, and the data parsed from them. */
export interface States {
  readonly hooks: StateHooks;
  readonly versions: StateVersions;
  readonly uploads: StateUploads;
  readonly rollbacks: Rollbacks;
  readonly backingData: BackingData;
  readonly reader: StateContentsReader;
  readonly differences: StateDifferences;
  readonly links: StateLinks;
  readonly presenter: StatePresenter;
  readonly snapshotInterval: number;
  readonly housekeeping: BlobHousekeeping;
  readonly usesBackfill: UsesBackfill;
  readonly background: readonly BackgroundWork[];
}

/**
 * Creates the services.
 * @param snapshotInterval seconds between the snapshots that `tofu` and `terraform` send during an apply; 0 for none
 */
export function createStates(
  platform: Platform,
  { hooks: tenancyHooks, teams, users }: Tenancy,
  { finder, hooks: workspaceHooks }: WorkspaceServices,
  snapshotInterval: number,
): States {
  const { database, keyring, clock, report } = platform;
  const hooks = new StateHooks();
  const blobs = new Blobs(platform.blobStore, keyring);
  const contents = new StateContents(database, blobs);
  const threads = new IntakeThreads(report);
  const writer = new StateWriter({
    ...{ database, contents, threads, hooks },
    blobs: new BlobWriter(platform),
  });
  const versions = new StateVersions({ database, keyring, clock, finder, writer, hooks });
  const links = stateLinks(keyring, clock);
  const presenter = new StatePresenter({ contents, hooks, links, teams, users });
  const backingData = new BackingData(database, clock, versions, writer);
  const housekeeping = new BlobHousekeeping(database, platform.blobStore, clock, report);
  const usesBackfill = new UsesBackfill(database, blobs, report);
  workspaceHooks.extend({
    ...statesInWorkspaces(versions, contents, presenter),
    states: stateGate(hooks),
    retained: [retainedStates(backingData)],
    dependents: [stateDependent(housekeeping)],
  });
  tenancyHooks.extend({
    organizationCleanup: async (organizationId) => !(await housekeeping.removeSome({ organizationId })),
  });
  return {
    hooks,
    versions,
    uploads: new StateUploads({ database, keyring, blobs, writer }),
    rollbacks: new Rollbacks({ database, clock, blobs, finder, writer }),
    backingData,
    reader: new StateContentsReader(database, finder, versions, contents),
    differences: new StateDifferences(database, versions, contents),
    links,
    presenter,
    snapshotInterval,
    housekeeping,
    usesBackfill,
    background: [housekeeping, threads, usesBackfill],
  };
}
