import { GitThreads, openRemote } from '../../git/index.ts';
import type { BackgroundWork } from '../../lib/background/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { BlobWriter } from '../../storage/index.ts';
import type { Delivery } from '../delivery/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { VcsActivity } from './activity/activity.ts';
import { EventPages } from './activity/event-page.ts';
import { repositoryParts } from './activity/workspace-part.ts';
import { CommitArchiveStore } from './archive/archives.ts';
import type { Connections } from './connection/access.ts';
import type { Installations } from './connection/app/installations.ts';
import type { OAuthClients } from './connection/clients.ts';
import { CommitsByHand } from './event/commits-by-hand.ts';
import { EventLog } from './event/event-log.ts';
import { EventProcessing } from './event/processing.ts';
import { approvedWorkspaces } from './fork/store.ts';
import type { Hook } from './hook/hook.ts';
import { HookIntake } from './hook/intake.ts';
import { HookKeeper } from './hook/keeper.ts';
import { HookSecrets } from './hook/secrets.ts';
import { VcsHooks } from './hooks/hooks.ts';
import { VcsHousekeeping } from './housekeeping.ts';
import { Links } from './link/links.ts';
import { LinkResolution } from './link/resolution.ts';
import { LookUps } from './look-up/look-up.ts';
import { findProviderKind } from './provider/providers.ts';
import { Queues } from './queues.ts';
import { VcsReports } from './report/reports.ts';
import { ConnectionOpener, type RemotePlace } from './repository/opened.ts';
import { Repositories } from './repository/repositories.ts';

/** Services of the repositories that workspaces follow. */
export interface RepositoryServices {
  /** The part of the modules above. */
  readonly hooks: VcsHooks;
  readonly hookIntake: HookIntake;
  readonly reports: VcsReports;
  readonly activity: VcsActivity;
  readonly eventPages: EventPages;
  readonly clock: Clock;
  readonly opener: ConnectionOpener;
  readonly eventLog: EventLog;
  readonly vcsQueues: Queues;
  readonly background: readonly BackgroundWork[];
}

interface Below {
  readonly delivery: Delivery;
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  readonly address?: string | undefined;
}

/** Access to connections and to the network. */
interface Outgoing {
  readonly oauthClients: OAuthClients;
  readonly installations: Installations;
  readonly connections: Connections;
  readonly fetch: GuardedFetch;
  readonly authorities: readonly string[];
}

/** Creates the queues from a link to a run, in the order in which they work. */
export function createRepositories(
  platform: Platform,
  { delivery, tenancy, workspace, address }: Below,
  { oauthClients: clients, installations, connections, fetch, authorities }: Outgoing,
): RepositoryServices {
  const { database, keyring, clock, report } = platform;
  const hooks = new VcsHooks();
  const queues = new Queues(report);
  const threads = new GitThreads(report);
  const createRemote = ({ transport, ...place }: RemotePlace) => openRemote(transport, { ...place, threads });
  const opener = new ConnectionOpener({ connections, fetch, authorities, createRemote });
  const repositories = new Repositories(queues.starter('look-ups'));
  const { organizations } = tenancy;
  const reports = new VcsReports(delivery, { database, clock, connections, hooks, address, organizations });
  const events = new EventLog(queues.starter('events'), (tx, event, now) => reports.eventAdded(tx, event, now));
  const archives = new CommitArchiveStore({ database, clock, blobs: new BlobWriter(platform) });
  const secrets = new HookSecrets(keyring);
  const keeper = new HookKeeper({ database, clock, secrets, address });
  const links = new Links(repositories, queues.starter('links'));
  workspace.hooks.extend({
    settingsChanged: (tx, change) => links.settingsChanged(tx, change),
    dependents: [links.dependent(clock)],
    documents: [repositoryParts(database, (hook) => keeper.urlOf(hook))],
  });
  const resolution = new LinkResolution({ database, clock, opener, repositories });
  const lookUps = new LookUps({ database, clock, opener, hooks: keeper, events });
  const processing = new EventProcessing({
    ...{ database, clock, opener, archives },
    ...{ workspaces: workspace.finder, organizations: tenancy.organizations, runs: () => hooks.commitRuns },
    onDone: (tx, event) => reports.eventDone(tx, event, clock()),
    approvedIn: approvedWorkspaces,
  });
  hooks.extend({ commitArchives: new CommitsByHand({ database, opener, archives, workspaces: workspace.finder }) });
  queues.connect('links', delivery.add(resolution));
  queues.connect('look-ups', delivery.add(lookUps));
  queues.connect('events', delivery.add(processing));
  const providerOf = ({ serviceProvider, repositoryId }: Hook) =>
    findProviderKind(serviceProvider, repositoryId === null ? 'app' : 'token')?.provider.hooks;
  const activity = new VcsActivity({
    ...{ database, clock, clients, installations, repositories, opener, hooks: keeper },
    ...{ organizations: tenancy.organizations, workspaces: workspace.finder },
  });
  return {
    hooks,
    reports,
    activity,
    eventPages: new EventPages({ database, workspaces: workspace.finder, results: () => hooks.runResults }),
    clock,
    opener,
    eventLog: events,
    hookIntake: new HookIntake({ database, clock, secrets, repositories, providerOf }),
    vcsQueues: queues,
    background: [threads, queues, new VcsHousekeeping(database, clock, archives, report)],
  };
}
