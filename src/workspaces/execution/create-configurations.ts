import type { Blobs, BlobWriter } from '../../storage/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { ConfigurationVersions } from './configuration-version/configuration-versions.ts';
import { Ingresses } from './configuration-version/ingress.ts';
import { ConfigurationUploads } from './configuration-version/uploads.ts';
import { UsableConfigurations } from './configuration-version/usable.ts';
import { autoQueue } from './run/auto-queue.ts';
import type { RunStart } from './run/start.ts';
import { firstRunOfConfiguration, isConfigurationInUse } from './run/store.ts';

/** Services of configuration versions. */
export interface ConfigurationServices {
  readonly configurationVersions: ConfigurationVersions;
  readonly configurationUploads: ConfigurationUploads;
  /** Configuration versions that runs can use. */
  readonly configurations: UsableConfigurations;
  /** Origins of configuration versions that came from a repository. */
  readonly ingresses: Ingresses;
}

/** Dependencies of the services. */
export interface ConfigurationServicesOptions {
  readonly blobs: Blobs;
  readonly blobWriter: BlobWriter;
  readonly start: RunStart;
}

/** Creates the services. */
export function createConfigurations(
  { database, keyring, clock }: Platform,
  { finder: workspaces }: WorkspaceServices,
  { blobs, blobWriter, start }: ConfigurationServicesOptions,
): ConfigurationServices {
  const configurationVersions = new ConfigurationVersions({
    ...{ database, clock, blobs, blobWriter, workspaces },
    isInUse: isConfigurationInUse,
  });
  return {
    configurationVersions,
    ingresses: new Ingresses(database, configurationVersions),
    configurationUploads: new ConfigurationUploads({
      ...{ database, keyring, clock, blobs: blobWriter, workspaces },
      runs: {
        hasRuns: async (db, id) => (await firstRunOfConfiguration(db, id)) !== undefined,
        start: autoQueue(clock, start),
      },
    }),
    configurations: new UsableConfigurations(database),
  };
}
