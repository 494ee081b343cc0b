import type { Clock } from '../../lib/clock.ts';
import { BlobHousekeeping, type BlobStore, Blobs, type Database, type Keyring } from '../../storage/index.ts';
import type { Teams } from '../tenancy/team/teams.ts';
import type { Users } from '../tenancy/user/users.ts';
import type { WorkspaceExtensions } from '../workspace/hooks.ts';
import type { RetainedStore } from '../workspace/retention/sweep.ts';
import type { WorkspaceFinder } from '../workspace/workspace/finder.ts';
import { StateUploads } from './transfer/uploads.ts';
import { BackingData } from './version/backing-data.ts';
import { StateContents } from './version/contents.ts';
import { StateContentsReader } from './version/contents-reader.ts';
import { stateBelonging } from './version/dependent.ts';
import { StateDifferences } from './version/differences.ts';
import { StateLinks } from './version/links.ts';
import { StatePresenter } from './version/presenter.ts';
import { retainedStates } from './version/retained-states.ts';
import { Rollbacks } from './version/rollbacks.ts';
import { type RunLookup, StateVersions } from './version/versions.ts';
import { StateWriter } from './version/writer.ts';
import { extendWorkspaces } from './workspace-parts.ts';

/** What states stand on. */
export interface StatesOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly blobStore: BlobStore;
  readonly finder: WorkspaceFinder;
  readonly teams: Teams;
  readonly users: Users;
  readonly extensions: WorkspaceExtensions;
  readonly runs: RunLookup;
  /** What policies let go of. */
  readonly retained: RetainedStore[];
  /** Seconds between the snapshots that command lines send while they apply; 0 for none. */
  readonly snapshotInterval: number;
  readonly report: (error: unknown) => void;
}

/** The states of workspaces: their versions, their bytes, and what is read from them. */
export interface States {
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
}

/** Puts them together, and into the documents and locks of workspaces. */
export function createStates(options: StatesOptions): States {
  const { database, keyring, clock, finder, teams, users, extensions, retained, snapshotInterval, report } = options;
  const blobs = new Blobs(options.blobStore, keyring);
  const contents = new StateContents(database, blobs);
  const writer = new StateWriter({ database, blobs, contents, report });
  const versions = new StateVersions({ database, keyring, clock, finder, writer, runs: options.runs });
  const links = new StateLinks(keyring, clock);
  const presenter = new StatePresenter({ contents, links, teams, users });
  extendWorkspaces(extensions, versions, contents, presenter);
  const backingData = new BackingData(database, clock, versions, writer);
  retained.push(retainedStates(backingData));
  extensions.belongings.push(stateBelonging(database, blobs));
  return {
    versions,
    uploads: new StateUploads({ database, keyring, clock, blobs, writer }),
    rollbacks: new Rollbacks({ database, clock, blobs, finder, writer }),
    backingData,
    reader: new StateContentsReader(database, finder, versions, contents),
    differences: new StateDifferences(database, versions, contents),
    links,
    presenter,
    snapshotInterval,
    housekeeping: new BlobHousekeeping(database, blobs, clock, report),
  };
}
