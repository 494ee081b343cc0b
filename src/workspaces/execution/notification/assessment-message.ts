import { isoTime } from '../../../lib/clock.ts';
import { type AssessmentResult, allChecksSucceeded } from '../lifecycle/assessment.ts';
import { escapedForSlack, teamsCard, teamsLine } from './forms.ts';
import type { AssessmentStory, AssessmentTrigger, NotifiedConfiguration } from './notification.ts';

/** Receivers recognise the first title by its text, which equals HCP Terraform's. */
const MESSAGES: Readonly<Record<AssessmentTrigger, string>> = {
  'assessment:drifted': 'Drift Detected',
  'assessment:check_failure': 'Check Failures',
  'assessment:failed': 'Assessment Failed',
};

/** Builds the message about an assessment. */
export function assessmentMessage(configuration: NotifiedConfiguration, story: AssessmentStory): object {
  switch (configuration.destinationType) {
    case 'slack':
      return slackMessage(story);
    case 'microsoft-teams':
      return teamsMessage(story);
    default:
      return genericMessage(configuration, story);
  }
}

/** Payload in HCP Terraform's format, version 2. */
function genericMessage({ id }: NotifiedConfiguration, story: AssessmentStory): object {
  const { origin, prior, result, trigger } = story;
  return {
    payload_version: '2',
    notification_configuration_id: id,
    notification_configuration_url: `${origin}/api/v2/notification-configurations/${id}`,
    trigger_scope: 'assessment',
    trigger,
    message: MESSAGES[trigger],
    details: {
      new_assessment_result: told(result, origin),
      prior_assessment_result: prior && told(prior, origin),
      workspace_id: story.workspaceId,
      workspace_name: story.workspaceName,
      organization_name: story.organizationName,
    },
  };
}

function told(result: AssessmentResult, origin: string): object {
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

function slackMessage(story: AssessmentStory): object {
  const sentence = sentenceOf(story);
  return {
    text: escapedForSlack(sentence),
    attachments: [
      {
        fallback: escapedForSlack(sentence),
        color: story.trigger === 'assessment:failed' ? 'danger' : 'warning',
        title: story.result.id,
        title_link: placeOf(story),
        fields: factsOf(story).map(([title, value]) => ({ title, value: escapedForSlack(value), short: true })),
        ts: Math.floor(story.result.finishedAt / 1000),
      },
    ],
  };
}

function teamsMessage(story: AssessmentStory): object {
  const facts = [['Assessment', story.result.id] as const, ...factsOf(story)];
  const lines = facts.map(([title, value]) => teamsLine(`${title}: ${value}`));
  const body = [teamsLine(sentenceOf(story), { weight: 'Bolder' }), ...lines];
  return teamsCard(body, { title: 'Open the workspace', url: placeOf(story) });
}

const sentenceOf = ({ organizationName, workspaceName, trigger }: AssessmentStory): string =>
  `${organizationName}/${workspaceName}: ${MESSAGES[trigger]}`;

const placeOf = ({ origin, organizationName, workspaceName }: AssessmentStory): string =>
  `${origin}/app/${organizationName}/workspaces/${workspaceName}`;

function factsOf({ result: { errorMessage, findings } }: AssessmentStory): (readonly [title: string, value: string])[] {
  if (errorMessage !== null) return [['Reason', errorMessage]];
  if (findings === null) return [];
  return [
    ['Resources drifted', String(findings.resourcesDrifted)],
    ['Checks failed', String(findings.checksFailed + findings.checksErrored)],
  ];
}
