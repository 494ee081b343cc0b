import { Type } from 'typebox';
import { attribute, is, resourceOf } from '../../resource/index.ts';
import type { KnownRelease } from '../engine/releases.ts';

export const TerraformVersionResource = toolVersions('terraform-versions');
export const OpaVersionResource = toolVersions('opa-versions');
export const SentinelVersionResource = toolVersions('sentinel-versions');

/** Declares releases of a tool. The server does not know their download URLs, dates and numbers of users. */
function toolVersions(type: string) {
  const unknown = attribute(Type.Null(), (_: KnownRelease) => null);
  return resourceOf<KnownRelease>()(type, {
    attributes: {
      version: attribute(is.text, 'version'),
      url: unknown,
      sha: unknown,
      archs: attribute(Type.Array(Type.Object({})), () => []),
      usage: unknown,
      'created-at': unknown,
      deprecated: attribute(is.flag, () => false),
      'deprecated-reason': unknown,
      official: attribute(is.flag, 'isBuiltIn'),
      enabled: attribute(is.flag, () => true),
      beta: attribute(is.flag, 'isPrerelease'),
    },
    id: ({ version }) => `tool-${version}`,
    links: ({ version }) => ({ self: `/api/v2/admin/${type}/tool-${version}` }),
  });
}
