import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { workspaces } from '../../../api/client.ts';
import { Banner } from '../../../components/banner/Banner.tsx';
import { Check, FieldGroup, Select } from '../../../components/form/Field.tsx';
import { Form } from '../../../components/form/Form.tsx';
import { Section } from '../../../components/section/Section.tsx';
import type { OrganizationAnswer } from '../../../shell/organization.ts';
import { NotForYou, usePart } from '../part.tsx';
import { Parts } from './Parts.tsx';
import * as texts from './texts.ts';

const SHOW = 'GET /organizations/{organization_name}';
const FORKS = [
  ['never', texts.forksNever],
  ['approved', texts.forksApproved],
] as const;

/** Settings of pull requests and commit statuses, for all workspaces of an organization. */
export function PullRequestsPart() {
  const { organization, answer, may } = usePart(
    texts.pullRequests,
    (name) => workspaces.request(SHOW, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}`,
    [{ label: texts.versionControl, to: '/version-control' }],
  );
  if (!answer) return null;
  return (
    <>
      {(may?.['can-update'] || may?.['can-update-oauth']) && <Parts organization={organization} />}
      <Section title={texts.pullRequests}>
        {may?.['can-update'] ? (
          <SettingsForm key={organization} organization={organization} answer={answer} />
        ) : (
          <NotForYou needs="can-update" />
        )}
      </Section>
    </>
  );
}

interface SettingsFormProps {
  readonly organization: string;
  readonly answer: OrganizationAnswer;
}

function SettingsForm({ organization, answer: { data } }: SettingsFormProps) {
  const { attributes } = data;
  const [forks, setForks] = useState<string>(attributes['fork-plans']);
  const [aggregated, setAggregated] = useState(attributes['aggregated-commit-status-enabled']);
  const [passing, setPassing] = useState(attributes['send-passing-statuses-for-untriggered-speculative-plans']);
  const [comments, setComments] = useState(attributes['pull-request-comments']);
  const [cancels, setCancels] = useState(attributes['speculative-plan-management-enabled']);
  const save = useChange(() =>
    workspaces.send('PATCH /organizations/{organization_name}', {
      path: { organization_name: organization },
      body: {
        data: {
          type: 'organizations',
          attributes: {
            'fork-plans': forks as 'never',
            'aggregated-commit-status-enabled': aggregated,
            'send-passing-statuses-for-untriggered-speculative-plans': passing && !aggregated,
            'pull-request-comments': comments,
            'speculative-plan-management-enabled': cancels,
          },
        },
      },
    }),
  );
  return (
    <Form
      action={texts.saveSettings}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      done={save.isSuccess && texts.saved}
    >
      <FieldGroup label={texts.plansOfForks}>
        <Select
          name="fork-plans"
          label={texts.forkPlans}
          help={forks === 'approved' ? texts.forksApprovedEffect : texts.forksNeverEffect}
          value={forks}
          options={FORKS}
          onText={setForks}
        />
        {forks === 'approved' && (
          <Banner is="bad" icon="warn">
            {texts.forkDanger}
          </Banner>
        )}
      </FieldGroup>
      <FieldGroup label={texts.speculativePlans}>
        <Check
          name="speculative-plan-management-enabled"
          label={texts.cancelOlder}
          help={texts.cancelOlderEffect}
          checked={cancels}
          onCheck={setCancels}
        />
      </FieldGroup>
      <FieldGroup label={texts.reports}>
        <Check
          name="aggregated-commit-status-enabled"
          label={texts.aggregated}
          help={aggregated ? texts.aggregatedOn : texts.aggregatedOff}
          checked={aggregated}
          onCheck={setAggregated}
        />
        <Check
          name="send-passing-statuses-for-untriggered-speculative-plans"
          label={texts.passing}
          help={texts.passingEffect}
          off={aggregated && texts.passingNeeds}
          checked={passing && !aggregated}
          onCheck={setPassing}
        />
        <Check
          name="pull-request-comments"
          label={texts.comments}
          help={texts.commentsEffect}
          checked={comments}
          onCheck={setComments}
        />
      </FieldGroup>
    </Form>
  );
}
