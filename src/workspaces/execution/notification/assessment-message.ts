import { isoTime } from '../../../lib/clock.ts';
import { type AssessmentResult, allChecksSucceeded } from '../lifecycle/assessment.ts';
import type { AssessmentStory, AssessmentTrigger } from './notification.ts';
import type { Fact, Summary } from './summary.ts';

/** Receivers recognise the first title by its text, which equals HCP Terraform's. */
const MESSAGES: Readonly<Record<AssessmentTrigger, string>> = {
  'assessment:drifted': 'Drift Detected',
  'assessment:check_failure': 'Check Failures',
  'assessment:failed': 'Assessment Failed',
};

/** Payload about an assessment in HCP Terraform's format, version 2. */
export function assessmentPayload(id: string, story: AssessmentStory): object {
  const { origin, prior, result, trigger } = story;
  return {
    payload_version: '2',
    notification_configuration_id: id,
    notification_configuration_url: `${origin}/api/v2/notification-configurations/${id}`,
    trigger_scope: 'assessment',
    trigger,
    message: MESSAGES[trigger],
    details: {
      new_assessment_result: payloadOf(result, origin),
      prior_assessment_result: prior && payloadOf(prior, origin),
      workspace_id: story.workspaceId,
      workspace_name: story.workspaceName,
      organization_name: story.organizationName,
    },
  };
}

function payloadOf(result: AssessmentResult, origin: string): object {
  const { id, findings } = result;
  return {
    id,
    url: `${origin}/api/v2/assessment-results/${id}`,
    succeeded: result.succeeded,
    drifted: result.drifted,
    all_checks_succeeded: allChecksSucceeded(result),
    resources_drifted: findings?.resourcesDrifted ?? null,
    resources_undrifted: findings?.resourcesUndrifted ?? null,
    checks_passed: findings?.checksPassed ?? null,
    checks_failed: findings?.checksFailed ?? null,
    checks_errored: findings?.checksErrored ?? null,
    checks_unknown: findings?.checksUnknown ?? null,
    created_at: isoTime(result.finishedAt),
  };
}

/** Message about an assessment for people. */
export function assessmentSummary(story: AssessmentStory): Summary {
  const { origin, organizationName, result, trigger, workspaceName } = story;
  return {
    sentence: `${organizationName}/${workspaceName}: ${MESSAGES[trigger]}`,
    detail: '',
    subject: ['Assessment', result.id],
    facts: factsOf(story),
    color: trigger === 'assessment:failed' ? 'danger' : 'warning',
    link: { title: 'Open the workspace', url: `${origin}/app/${organizationName}/workspaces/${workspaceName}` },
    needsAction: false,
    at: result.finishedAt,
  };
}

function factsOf({ result: { errorMessage, findings } }: AssessmentStory): Fact[] {
  if (errorMessage !== null) return [['Reason', errorMessage]];
  if (findings === null) return [];
  return [
    ['Resources drifted', String(findings.resourcesDrifted)],
    ['Checks failed', String(findings.checksFailed + findings.checksErrored)],
  ];
}
