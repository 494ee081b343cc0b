import { attribute, is, resourceOf, time, toOne } from '../../resource/index.ts';
import { type AssessmentResult, allChecksSucceeded, type Findings } from '../lifecycle/assessment.ts';

/** Declares a count. Null if the agent did not report it. */
const count = (name: keyof Findings) =>
  attribute(is.integerOrNull, ({ findings }: AssessmentResult) => findings?.[name] ?? null);

/** The result of a health assessment. */
export const AssessmentResource = resourceOf<AssessmentResult>()('assessment-results', {
  attributes: {
    drifted: attribute(is.flag, 'drifted'),
    succeeded: attribute(is.flag, 'succeeded'),
    // The document contains both names of the attribute: the documentation of HCP Terraform uses one, and its server
    // sends the other.
    'error-msg': attribute(is.textOrNull, 'errorMessage'),
    'error-message': attribute(is.textOrNull, 'errorMessage'),
    'all-checks-succeeded': attribute(is.flag, allChecksSucceeded),
    'resources-drifted': count('resourcesDrifted'),
    'resources-undrifted': count('resourcesUndrifted'),
    'checks-passed': count('checksPassed'),
    'checks-failed': count('checksFailed'),
    'checks-errored': count('checksErrored'),
    'checks-unknown': count('checksUnknown'),
    'created-at': time('finishedAt'),
  },
  relationships: { workspace: toOne('workspaces', 'workspaceId') },
  links: ({ id }) => {
    const self = `/api/v2/assessment-results/${id}`;
    return {
      self,
      'json-output': `${self}/json-output`,
      'json-schema': `${self}/json-schema`,
      'log-output': `${self}/log-output`,
    };
  },
});
