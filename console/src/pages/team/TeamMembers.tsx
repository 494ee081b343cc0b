import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Select } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { State } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import * as texts from './texts.ts';

const OF_TEAM = '/teams/{team_id}/relationships/organization-memberships';
const ALL = 'GET /organizations/{organization_name}/organization-memberships';

interface MembersProps {
  readonly organization: string;
  readonly team: Resources['teams'];
}

/** Lists the members of a team, including those who have not accepted their invitation yet. */
export function TeamMembers({ organization, team }: MembersProps) {
  const [isAdding, setAdding] = useState(false);
  const path = { team_id: team.id };
  const members = useQuery(
    workspaces.query(`GET ${OF_TEAM}`, { path, query: { include: 'user', 'page[size]': '100' } }),
  );
  const changes = team.attributes.permissions['can-update-membership'];
  const has = new Set((members.data?.data ?? []).map(({ id }) => id));
  return (
    <Section
      title={texts.members}
      end={
        changes && (
          <Button look="small" onClick={() => setAdding(true)}>
            {texts.addMember}
          </Button>
        )
      }
    >
      <QueryResult query={members} what={texts.members}>
        {(answer) =>
          answer.data.length === 0 ? (
            <p className="soft">{texts.noMembersYetAdd}</p>
          ) : (
            <Table
              label={texts.membersOf(team.attributes.name)}
              flush
              twoLines
              items={answer.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'who',
                  head: texts.member,
                  isName: true,
                  cell: ({ attributes, relationships }) => {
                    const user = related(answer as Parameters<typeof related>[0], relationships.user.data, 'users');
                    return (
                      <bdi>{attributes.status === 'active' && user ? user.attributes.username : attributes.email}</bdi>
                    );
                  },
                },
                {
                  id: 'status',
                  head: texts.status,
                  cell: ({ attributes: { status } }) => (
                    <State icon={status === 'active' ? 'ok' : 'wait'} is={status === 'active' ? 'good' : 'attention'}>
                      {status}
                    </State>
                  ),
                },
                {
                  id: 'email',
                  head: texts.email,
                  className: 'soft',
                  cell: ({ attributes }) => <bdi>{attributes.email}</bdi>,
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes }) =>
                    changes && (
                      <Destroy
                        verb={texts.remove}
                        what={texts.member2(attributes.email)}
                        isRow
                        run={() =>
                          workspaces.send(`DELETE ${OF_TEAM}`, {
                            path,
                            body: { data: [{ type: 'organization-memberships', id }] },
                          })
                        }
                      >
                        <p>{texts.theMemberLosesThe}</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </QueryResult>
      {isAdding && <AddMember organization={organization} team={team.id} has={has} onClose={() => setAdding(false)} />}
    </Section>
  );
}

interface AddProps {
  readonly organization: string;
  readonly team: string;
  readonly has: ReadonlySet<string>;
  readonly onClose: () => void;
}

function AddMember({ organization, team, has, onClose }: AddProps) {
  const [chosen, setChosen] = useState('');
  const all = useQuery(
    workspaces.query(ALL, { path: { organization_name: organization }, query: { 'page[size]': '100' } }),
  );
  const others = (all.data?.data ?? []).filter(({ id }) => !has.has(id));
  const add = useChange(
    () =>
      workspaces.send(`POST ${OF_TEAM}`, {
        path: { team_id: team },
        body: { data: [{ type: 'organization-memberships', id: chosen }] },
      }),
    onClose,
  );
  return (
    <AskDialog
      title={texts.addMember2}
      action={texts.add}
      busy={add.isPending}
      fault={add.error}
      off={chosen === '' && texts.selectAMember}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <Select
        label={texts.member}
        help={texts.aMemberOfThe}
        value={chosen}
        options={[['', 'choose'], ...others.map(({ id, attributes }) => [id, attributes.email] as const)]}
        onText={setChosen}
      />
    </AskDialog>
  );
}
