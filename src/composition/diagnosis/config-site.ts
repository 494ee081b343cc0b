import { pino } from 'pino';
import { crlFacts, mountIssuerFacts, responderFacts } from '../../access/index.ts';
import { BackupAttempts } from '../../backup/index.ts';
import type { Config } from '../../config/index.ts';
import {
  askTasks,
  type BackupFacts,
  type IssuerFacts,
  NotAvailable,
  type SchemaState,
  type Site,
  type Stores,
  seeListeners,
} from '../../diagnosis/index.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Database, StorageError, timeOf } from '../../storage/index.ts';
import { providerFacts, vcsFacts, workFacts } from '../../workspaces/index.ts';
import { openBlobs } from '../blob-storage.ts';
import { closeDatabases, type Databases, openDatabases } from '../databases.ts';
import { mailSettings } from '../mail-settings.ts';
import { readAuthorities } from '../pem-files.ts';
import { schemaStatus } from '../schemas.ts';

/** Options of the caller. */
export interface ConfigSiteOptions {
  readonly config: Config;
  readonly configFile: string;
  readonly nodes?: number;
  readonly isThorough: boolean;
}

/** View of a server's files and databases for diagnosis; the server may be running. Creates and changes nothing. */
export interface ConfigSite extends Site {
  close(): Promise<void>;
}

export function siteOfConfig({ config, configFile, nodes, isThorough }: ConfigSiteOptions): ConfigSite {
  // The result of the check is sufficient.
  const logger = pino({ level: 'silent' });
  let opened: Databases | undefined;
  const open = once(async () => {
    opened = await openDatabases(config.storage, logger, { mustExist: true });
    return opened;
  });
  const stores = () => open().catch(notAvailable);
  const schema = once(async () => stateOf(await stores()));
  const tables = once(() => requireTables(stores, schema));
  const listeners = once(() => seeListeners(config.listeners));
  const time = once(async () => timeOf((await stores()).workspaces));
  return {
    ...{ config, configFile, nodes, isThorough, stores, schema },
    clock: systemClock,
    blobs: once(() => openBlobs(config.storage)),
    listeners,
    lists: once(async () => crlFacts((await tables()).access)),
    responders: async () => responderFacts((await tables()).access),
    backups: async () => backupFacts((await tables()).workspaces, await time()),
    tasks: async () => askTasks(await listeners()),
    work: async () => workFacts((await tables()).workspaces, (await time())()),
    vcs: once(async () => vcsFacts((await tables()).workspaces)),
    issuers: async () => [...(await ofServer(config)), ...(await ofTables(tables))],
    mail: async () => config.smtp && mailSettings(config.smtp),
    close: async () => {
      if (opened) await closeDatabases(opened);
    },
  };
}

/** Runs work once and shares its result. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

function notAvailable(cause: unknown): never {
  throw new NotAvailable('the database is unusable', { cause });
}

export async function stateOf(stores: Stores): Promise<SchemaState> {
  const standings = await schemaStatus(stores);
  return {
    isFounded: standings.some(({ last }) => last !== undefined),
    pending: standings.flatMap(({ set, pending }) => pending.map(({ name }) => `${set} ${name}`)),
    ahead: standings.flatMap(({ set, ahead }) => ahead.map((name) => `${set} ${name}`)),
  };
}

export async function backupFacts(database: Database, clock: Clock): Promise<BackupFacts> {
  const { success, failedAt } = await new BackupAttempts(database, clock).lastOutcomes();
  return { wholeAt: success?.endedAt, failedAt };
}

/** @throws NotAvailable if the schema is not that of this version */
async function requireTables(stores: () => Promise<Stores>, schema: () => Promise<SchemaState>): Promise<Stores> {
  const opened = await stores();
  const state = await schema().catch((error) => {
    if (error instanceof StorageError) return undefined;
    throw error;
  });
  if (state === undefined || state.pending.length > 0) throw new NotAvailable('the schema does not match this version');
  return opened;
}

async function ofServer({ signIn, workspaces }: Config): Promise<IssuerFacts[]> {
  const oidc = signIn?.oidc;
  if (oidc === undefined) return [];
  const { authoritiesFile: file, issuer: url, clientId, clientSecret, scopes, claims } = oidc;
  const callback = `${workspaces?.address ?? 'https://localhost'}/app/~session/oidc/callback`;
  const authorities = file === undefined ? [] : await readAuthorities('sign_in.oidc.authorities_file', file);
  return [
    {
      name: 'sign_in.oidc',
      place: { type: 'discovery', url, authorities: authorities.join('\n') },
      reach: 'sign-in',
      asks: { clientId, scopes, claims, callback, ...(clientSecret !== undefined && { clientSecret }) },
    },
  ];
}

async function ofTables(tables: () => Promise<Stores>): Promise<IssuerFacts[]> {
  const stores = await tables().catch((error) => {
    if (error instanceof NotAvailable) return undefined;
    throw error;
  });
  if (stores === undefined) return [];
  return [
    ...(await mountIssuerFacts(stores.access)).map(({ mount, place }) => ({
      name: `mount ${mount}`,
      place,
      reach: 'revocation' as const,
    })),
    ...(await providerFacts(stores.workspaces)).map(({ organization, issuer: url, authorities }) => ({
      name: `organization ${organization}`,
      place: { type: 'discovery' as const, url, authorities },
      reach: 'tenants' as const,
    })),
  ];
}
