import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Banner } from '../banner/Banner.tsx';
import { Button } from '../button/Button.tsx';
import { Destroy } from '../destroy/Destroy.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import styles from './approval-rules.module.css';
import { RuleDialog } from './RuleDialog.tsx';
import * as texts from './texts.ts';

export type ApprovalRule = Resources['approval-rules'];

/** Project or workspace whose rules are shown. */
export type RuleOwner = { readonly project: string } | { readonly workspace: string };

interface ApprovalRulesProps {
  readonly organization: string;
  readonly owner: RuleOwner;
  readonly mayChange: boolean;
}

/** Rules that hold for a project or a workspace. A workspace also shows the rules of its project. */
export function ApprovalRules({ organization, owner, mayChange }: ApprovalRulesProps) {
  const [open, setOpen] = useState<ApprovalRule | 'new' | undefined>();
  const ofProject = useQuery({
    ...workspaces.query('GET /projects/{project_id}/approval-rules', {
      path: { project_id: 'project' in owner ? owner.project : '' },
    }),
    enabled: 'project' in owner,
  });
  const ofWorkspace = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/approval-rules', {
      path: { workspace_id: 'workspace' in owner ? owner.workspace : '' },
    }),
    enabled: 'workspace' in owner,
  });
  const isOwn = (rule: ApprovalRule) => 'project' in owner || rule.relationships.workspace.data !== null;
  return (
    <Section
      title={texts.approvals}
      end={
        mayChange && (
          <Button look="small" onClick={() => setOpen('new')}>
            {texts.addRule}
          </Button>
        )
      }
    >
      <QueryResult query={'project' in owner ? ofProject : ofWorkspace} what={texts.approvals}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noRules}</p>
          ) : (
            <>
              {data.map(({ id, attributes: { name, warning } }) =>
                warning === null ? null : (
                  <Banner key={id} is="bad" icon="warn">
                    <bdi>{name}</bdi>: {warning}.
                  </Banner>
                ),
              )}
              <Table
                label={texts.approvals}
                flush
                twoLines
                items={data}
                keyOf={(rule) => rule.id}
                columns={[
                  {
                    id: 'name',
                    head: texts.rule,
                    isName: true,
                    cell: ({ attributes }) => <bdi>{attributes.name}</bdi>,
                  },
                  { id: 'needs', head: texts.required, cell: needsOf },
                  {
                    id: 'runs',
                    head: texts.runs,
                    className: 'soft',
                    cell: ({ attributes }) => (attributes.operations === 'all' ? texts.allRuns : texts.destroyRuns),
                  },
                  {
                    id: 'of',
                    head: texts.of,
                    className: 'soft',
                    cell: ({ relationships }) =>
                      relationships.workspace.data === null ? texts.project : texts.workspace,
                  },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: (rule) =>
                      isOwn(rule) ? (
                        mayChange && <Actions of={rule} onChange={() => setOpen(rule)} />
                      ) : (
                        <span className="soft">{texts.changedInProject}</span>
                      ),
                  },
                ]}
              />
            </>
          )
        }
      </QueryResult>
      {open && (
        <RuleDialog
          organization={organization}
          owner={owner}
          {...(open !== 'new' && { rule: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}

/** `2 approvals by members of sre or security`. */
function needsOf({ attributes }: ApprovalRule): string {
  const names = attributes.teams.map(({ name, exists }) =>
    name === null ? texts.secretTeam : exists ? name : texts.deletedTeam(name),
  );
  return texts.needs(attributes['required-approvals'], names.join(texts.or) || texts.noTeam);
}

function Actions({ of, onChange }: { readonly of: ApprovalRule; readonly onChange: () => void }) {
  const { name } = of.attributes;
  return (
    <span className={styles.does}>
      <Button look="small" aria-label={texts.changeRule(name)} onClick={onChange}>
        {texts.change}
      </Button>
      <Destroy
        verb={texts.deleteText}
        what={texts.ruleNamed(name)}
        isRow
        run={() => workspaces.send('DELETE /approval-rules/{approval_rule_id}', { path: { approval_rule_id: of.id } })}
      >
        <p>{texts.deletionOfRule}</p>
      </Destroy>
    </span>
  );
}
