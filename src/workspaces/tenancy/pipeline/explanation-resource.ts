import { Type } from 'typebox';
import { holdsAll } from '../../../jwt/index.ts';
import { text } from '../../jsonapi/schema.ts';
import { attribute, is, resourceOf, toOne } from '../../resource/index.ts';
import type { PipelineExplanation } from './explanation.ts';

const Verdicts = Type.Array(
  Type.Object({ check: is.text, outcome: Type.Enum(['passed', 'refused']), expected: is.text, actual: is.text }),
);
const Identities = Type.Array(
  Type.Object({ id: is.text, description: is.text, admitted: is.flag, verdicts: Verdicts }),
);

/** The explanation why a token would be exchanged or not. */
export const PipelineExplanationResource = resourceOf<PipelineExplanation>()('pipeline-explanations', {
  attributes: {
    // A longer text is reported as an invalid token.
    token: { create: text(100_000) },
    admitted: attribute(is.flag, 'admitted'),
    algorithm: attribute(is.textOrNull, ({ token }) => token?.algorithm ?? null),
    'key-id': attribute(is.textOrNull, ({ token }) => token?.keyId ?? null),
    claims: attribute(Type.Unsafe<unknown>({ type: ['object', 'null'] }), ({ token }) => token?.claims ?? null),
    verdicts: attribute(Verdicts, 'verdicts'),
    identities: attribute(Identities, ({ identities }) =>
      identities.map(({ identity, verdicts }) => ({
        id: identity.id,
        description: identity.description,
        admitted: holdsAll(verdicts),
        verdicts,
      })),
    ),
  },
  relationships: { team: toOne('teams', 'teamId') },
  id: ({ teamId }) => teamId,
});
