import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { type AssessmentResult, allChecksSucceeded } from '../lifecycle/assessment.ts';

/** Returns the JSON:API resource of an assessment result. Counts that the agent did not report are null. */
export function assessmentResource(result: AssessmentResult): Resource {
  const { id, findings, succeeded } = result;
  const self = `/api/v2/assessment-results/${id}`;
  return {
    id,
    type: 'assessment-results',
    attributes: {
      drifted: result.drifted,
      succeeded,
      // The document contains both names of the attribute: the documentation of HCP Terraform uses one, and its
      // server sends the other.
      'error-msg': result.errorMessage,
      'error-message': result.errorMessage,
      'all-checks-succeeded': allChecksSucceeded(result),
      'resources-drifted': findings?.resourcesDrifted ?? null,
      'resources-undrifted': findings?.resourcesUndrifted ?? null,
      'checks-passed': findings?.checksPassed ?? null,
      'checks-failed': findings?.checksFailed ?? null,
      'checks-errored': findings?.checksErrored ?? null,
      'checks-unknown': findings?.checksUnknown ?? null,
      'created-at': isoTime(result.finishedAt),
    },
    relationships: { workspace: toOne('workspaces', result.workspaceId) },
    links: {
      self,
      'json-output': `${self}/json-output`,
      'json-schema': `${self}/json-schema`,
      'log-output': `${self}/log-output`,
    },
  };
}
