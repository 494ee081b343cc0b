import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';

type Document = Parameters<typeof related>[0];

/** Relationships that contain the commits of runs. */
export const ORIGIN = 'configuration_version.ingress_attributes';

/** Returns the commit of a run; undefined if its configuration was uploaded. */
export function originOf(
  page: Document,
  run: Resources['runs'],
): Resources['ingress-attributes']['attributes'] | undefined {
  const version = related(page, run.relationships['configuration-version'].data, 'configuration-versions');
  return related(page, version?.relationships['ingress-attributes'].data, 'ingress-attributes')?.attributes;
}
