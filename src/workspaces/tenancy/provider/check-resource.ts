import { Type } from 'typebox';
import { STATUSES } from '../../../lib/finding/finding.ts';
import { attribute, is, resourceOf, toOne } from '../../resource/index.ts';
import type { CheckedProvider } from './check.ts';

const status = Type.Enum([...STATUSES]);
const Verdicts = Type.Array(
  Type.Object({
    check: is.text,
    status,
    found: is.text,
    // Subject of the finding: a URL or names.
    detail: is.textOrNull,
    // Recommended action.
    advice: is.textOrNull,
  }),
);

/** The result of a check of an identity provider. */
export const ProviderCheckResource = resourceOf<CheckedProvider>()('sign-in-provider-checks', {
  attributes: {
    status: attribute(status, 'status'),
    verdicts: attribute(Verdicts, ({ findings }) =>
      findings.map(({ name: check, status, found, detail = null, advice = null }) => ({
        ...{ check, status, found, detail, advice },
      })),
    ),
  },
  relationships: { organization: toOne('organizations', 'organizationName') },
  id: ({ organizationId }) => organizationId,
});
