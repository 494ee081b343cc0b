import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Check, Field, FieldGroup, Select } from '../form/Field.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import type { ApprovalRule, RuleOwner } from './ApprovalRules.tsx';
import * as texts from './texts.ts';

interface RuleDialogProps {
  readonly organization: string;
  readonly owner: RuleOwner;
  /** Undefined for a new rule. */
  readonly rule?: ApprovalRule;
  readonly onClose: () => void;
}

const OPERATIONS = [
  ['all', texts.allRuns],
  ['destroy', texts.destroyRuns],
] as const;

/** Form for an approval rule. */
export function RuleDialog({ organization, owner, rule, onClose }: RuleDialogProps) {
  const before = rule?.attributes;
  const [name, setName] = useState(before?.name ?? '');
  const [required, setRequired] = useState(String(before?.['required-approvals'] ?? 1));
  const [operations, setOperations] = useState<string>(before?.operations ?? 'all');
  const [requester, setRequester] = useState(before?.['requester-may-approve'] ?? false);
  const [teams, setTeams] = useState<ReadonlySet<string>>(
    new Set((rule?.relationships.teams.data ?? []).map(({ id }) => id)),
  );
  const list = useQuery(
    workspaces.query('GET /organizations/{organization_name}/teams', {
      path: { organization_name: organization },
      query: { 'page[size]': '100' },
    }),
  );
  const save = useChange(
    () => sendRule(owner, rule, { name, required: Number(required), operations, requester, teams: [...teams] }),
    () => {
      announce(texts.saved(name));
      onClose();
    },
  );
  const toggle = (id: string, isOn: boolean) =>
    setTeams((known) => new Set(isOn ? [...known, id] : [...known].filter((one) => one !== id)));
  return (
    <AskDialog
      wide
      title={before ? texts.changeRule(before.name) : texts.newRule}
      action={rule ? texts.save : texts.createRule}
      off={(name === '' || teams.size === 0) && texts.enterANameAndTeam}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <Field
        name="name"
        label={texts.name}
        value={name}
        onText={setName}
        maxLength={100}
        autoFocus
        autoComplete="off"
      />
      <Field
        name="required-approvals"
        label={texts.required}
        help={texts.requiredHelp}
        type="number"
        min={1}
        max={10}
        value={required}
        onText={setRequired}
      />
      <Select name="operations" label={texts.runs} value={operations} options={OPERATIONS} onText={setOperations} />
      <FieldGroup label={texts.teams}>
        <QueryResult query={list} what={texts.teams}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">{texts.noTeams}</p>
            ) : (
              data.map((team) => (
                <Check
                  key={team.id}
                  label={team.attributes.name}
                  checked={teams.has(team.id)}
                  onCheck={(isOn) => toggle(team.id, isOn)}
                />
              ))
            )
          }
        </QueryResult>
      </FieldGroup>
      <Check
        name="requester-may-approve"
        label={texts.requester}
        help={texts.requesterHelp}
        checked={requester}
        onCheck={setRequester}
      />
    </AskDialog>
  );
}

interface RuleForm {
  readonly name: string;
  readonly required: number;
  readonly operations: string;
  readonly requester: boolean;
  readonly teams: readonly string[];
}

function sendRule(owner: RuleOwner, rule: ApprovalRule | undefined, form: RuleForm): Promise<unknown> {
  const body = {
    data: {
      type: 'approval-rules' as const,
      attributes: {
        name: form.name,
        'required-approvals': form.required,
        'requester-may-approve': form.requester,
        operations: form.operations as 'all' | 'destroy',
      },
      relationships: { teams: { data: form.teams.map((id) => ({ type: 'teams' as const, id })) } },
    },
  };
  if (rule !== undefined) {
    const path = { approval_rule_id: rule.id };
    return workspaces.send('PATCH /approval-rules/{approval_rule_id}', { path, body });
  }
  return 'project' in owner
    ? workspaces.send('POST /projects/{project_id}/approval-rules', { path: { project_id: owner.project }, body })
    : workspaces.send('POST /workspaces/{workspace_id}/approval-rules', {
        path: { workspace_id: owner.workspace },
        body,
      });
}
