import { Type } from 'typebox';
import { toOne as identifierOf, linked } from '../../jsonapi/document.ts';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, relationship, resourceOf, statusTimes, time, toOne } from '../../resource/index.ts';
import type { ConfigurationVersion, Ingress } from './configuration-version.ts';

/** @limit name of a branch, tag or commit that a user asks for, characters -> 422 */
const MAX_REF = 1024;

/** Further contents of the document of a configuration version. */
export interface ConfigurationVersionContext {
  /** URL for the archive. Only the creator gets it. */
  readonly uploadUrl?: string;
  /** Its newest run; null if the reader may see none. Absent: the document does not name a run. */
  readonly runId?: string | null;
}

const flag = { create: Type.Optional(nullable(Type.Boolean())) };

/** A configuration version. */
export const ConfigurationVersionResource = resourceOf<ConfigurationVersion, [shown?: ConfigurationVersionContext]>()(
  'configuration-versions',
  {
    attributes: {
      'auto-queue-runs': attribute(is.flag, 'autoQueueRuns', flag),
      'created-at': time('createdAt'),
      error: attribute(is.textOrNull, 'error'),
      'error-message': attribute(is.textOrNull, 'errorMessage'),
      provisional: attribute(is.flag, 'provisional', flag),
      size: attribute(is.integer, 'size'),
      source: attribute(is.text, 'source'),
      speculative: attribute(is.flag, 'speculative', flag),
      status: attribute(Type.Enum(['pending', 'fetching', 'uploaded', 'archived', 'errored']), 'status'),
      'status-timestamps': attribute(is.times, ({ timestamps }) => statusTimes(timestamps)),
      'upload-url': attribute(is.textOrNull, (_version, shown) => shown?.uploadUrl ?? null),
      // Commit to fetch in place of an upload.
      'vcs-ref': { create: Type.Optional(nullable(text(MAX_REF))) },
    },
    relationships: {
      'ingress-attributes': relationship(is.toOne('ingress-attributes'), ({ id, ingressId }) => ({
        ...identifierOf('ingress-attributes', ingressId),
        ...linked(`/api/v2/configuration-versions/${id}/ingress-attributes`),
      })),
      run: relationship(Type.Optional(is.toOne('runs')), (_version, shown) =>
        shown?.runId === undefined ? undefined : identifierOf('runs', shown.runId),
      ),
    },
    links: ({ id }) => ({
      self: `/api/v2/configuration-versions/${id}`,
      download: `/api/v2/configuration-versions/${id}/download`,
    }),
  },
);

/** The origin of a configuration version that came from a repository. */
export const IngressResource = resourceOf<Ingress>()('ingress-attributes', {
  attributes: {
    branch: attribute(is.textOrNull, 'branch'),
    'clone-url': attribute(is.text, 'cloneUrl'),
    'commit-message': attribute(is.text, 'commitMessage'),
    'commit-sha': attribute(is.text, 'commitSha'),
    'commit-url': attribute(is.textOrNull, 'commitUrl'),
    'compare-url': attribute(is.textOrNull, 'compareUrl'),
    identifier: attribute(is.text, 'identifier'),
    'is-pull-request': attribute(is.flag, 'isPullRequest'),
    'on-default-branch': attribute(is.flag, 'onDefaultBranch'),
    'pull-request-body': attribute(is.textOrNull, 'pullRequestBody'),
    'pull-request-number': attribute(is.integerOrNull, 'pullRequestNumber'),
    'pull-request-title': attribute(is.textOrNull, 'pullRequestTitle'),
    'pull-request-url': attribute(is.textOrNull, 'pullRequestUrl'),
    'sender-avatar-url': attribute(is.textOrNull, 'senderAvatarUrl'),
    'sender-html-url': attribute(is.textOrNull, 'senderHtmlUrl'),
    'sender-username': attribute(is.textOrNull, 'senderUsername'),
    tag: attribute(is.textOrNull, 'tag'),
  },
  // People of a provider have no account here.
  relationships: { 'created-by': toOne('users', () => null) },
  links: ({ id }) => ({ self: `/api/v2/ingress-attributes/${id}` }),
});
