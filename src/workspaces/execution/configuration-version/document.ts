import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { ConfigurationVersion } from './configuration-version.ts';

/** Returns the JSON:API resource of a configuration version. Only the creator gets the upload URL. */
export function configurationVersionResource(version: ConfigurationVersion, uploadUrl: string | null = null): Resource {
  const times = Object.entries(version.timestamps).map(([name, time]) => [`${name}-at`, isoTime(time)]);
  return {
    id: version.id,
    type: 'configuration-versions',
    attributes: {
      'auto-queue-runs': version.autoQueueRuns,
      'created-at': isoTime(version.createdAt),
      error: version.error,
      'error-message': version.errorMessage,
      provisional: version.provisional,
      size: version.size,
      source: version.source,
      speculative: version.speculative,
      status: version.status,
      'status-timestamps': Object.fromEntries(times),
      'upload-url': uploadUrl,
    },
    relationships: {
      'ingress-attributes': {
        ...toOne('ingress-attributes', version.ingressId),
        links: { related: `/api/v2/configuration-versions/${version.id}/ingress-attributes` },
      },
    },
    links: {
      self: `/api/v2/configuration-versions/${version.id}`,
      download: `/api/v2/configuration-versions/${version.id}/download`,
    },
  };
}

/** Returns a configuration version with its newest run; null if the actor may see none. */
export function configurationWithRun(version: ConfigurationVersion, runId: string | null): Resource {
  const resource = configurationVersionResource(version);
  return { ...resource, relationships: { ...resource.relationships, run: toOne('runs', runId) } };
}
