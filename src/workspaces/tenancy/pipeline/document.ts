import { holdsAll } from '../../../jwt/index.ts';
import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { PipelineExplanation } from './explanation.ts';
import type { PipelineIdentity } from './store.ts';

/** Resource type of Lockkeeper only; HCP Terraform does not have it. */
export function pipelineIdentityResource(identity: PipelineIdentity): Resource {
  const { id, description, issuer, jwksUrl, audiences, claims, tokenTtl, createdAt, lastUsedAt, teamId } = identity;
  return {
    id,
    type: 'pipeline-identities',
    attributes: {
      description,
      issuer,
      'jwks-url': jwksUrl === '' ? null : jwksUrl,
      audiences,
      claims,
      'token-ttl': tokenTtl,
      'created-at': isoTime(createdAt),
      'last-used-at': lastUsedAt === null ? null : isoTime(lastUsedAt),
    },
    relationships: { team: toOne('teams', teamId) },
    links: { self: `/api/v2/pipeline-identities/${id}` },
  };
}

/** Converts the explanation why a token would be exchanged or not. */
export function pipelineExplanationResource(explanation: PipelineExplanation): Resource {
  const { teamId, token, verdicts, identities, admitted } = explanation;
  return {
    id: teamId,
    type: 'pipeline-explanations',
    attributes: {
      admitted,
      algorithm: token?.algorithm ?? null,
      'key-id': token?.keyId ?? null,
      claims: token?.claims ?? null,
      verdicts,
      identities: identities.map((one) => ({
        id: one.identity.id,
        description: one.identity.description,
        admitted: holdsAll(one.verdicts),
        verdicts: one.verdicts,
      })),
    },
    relationships: { team: toOne('teams', teamId) },
  };
}
